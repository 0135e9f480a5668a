// JSON made readable without reading its numbers, so that a seed of 19 digits stays what it was.

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;
const WIDTH = 88;
const INDENT = "  ";

// What is wrong with a text that should be JSON, in words; empty when nothing is.
export function fault(text) {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return error.message;
  }
}

// The text with one item a line where it does not fit on one; as it is when it is not JSON.
export function pretty(text) {
  if (fault(text)) return text;
  try {
    return value(text.match(TOKEN)[Symbol.iterator](), "");
  } catch (error) {
    if (error instanceof RangeError) return text; // Nested deeper than the stack.
    throw error;
  }
}

function value(tokens, margin, first = tokens.next().value) {
  if (first !== "{" && first !== "[") return first;
  const close = first === "{" ? "}" : "]";
  const inner = margin + INDENT;
  const items = [];
  for (let token = tokens.next().value; token !== close; token = tokens.next().value) {
    if (token === ",") continue;
    if (first === "[") items.push(value(tokens, inner, token));
    else {
      tokens.next();
      items.push(`${token}: ${value(tokens, inner)}`);
    }
  }
  if (!items.length) return first + close;
  const line = first === "{" ? `{ ${items.join(", ")} }` : `[${items.join(", ")}]`;
  if (margin.length + line.length <= WIDTH && !line.includes("\n")) return line;
  return `${first}\n${items.map((item) => inner + item).join(",\n")}\n${margin}${close}`;
}
