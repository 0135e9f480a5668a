// The named pieces of the page and how they are painted.
//
// The HTML comes from the server's templates, escaped. Gradio compares it with what stands there and changes only what
// differs, so that focus, scrolling and what was typed stay.

const parts = new Map();
const waiting = new Map();

export function adopted(name, element, props) {
  parts.set(name, { element, props });
  if (waiting.has(name)) {
    props.value = waiting.get(name);
    waiting.delete(name);
  }
}

// Paints the parts given; resolves when they stand in the document.
export async function paint(values) {
  for (const [name, html] of Object.entries(values)) {
    const part = parts.get(name);
    if (!part) waiting.set(name, html);
    else if (part.props.value !== html) part.props.value = html;
  }
  // Gradio paints in a microtask of its own.
  await new Promise((done) => setTimeout(done, 0));
}

export function element(name) {
  return parts.get(name)?.element ?? null;
}
