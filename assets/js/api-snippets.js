// One request as code to copy. A request: method, url, headers as pairs, body as text or null, streams.

// For a POSIX shell.
export function curl({ method, url, headers, body, streams }) {
  const words = [`curl -i${streams ? "N" : ""}${method === "GET" ? "" : ` -X ${method}`} ${shell(url)}`];
  for (const [name, value] of headers) words.push(`-H ${shell(`${name}: ${value}`)}`);
  if (body !== null) words.push(`--data-raw ${shell(body)}`);
  return words.join(" \\\n  ");
}

// For Python 3 with nothing installed.
export function python({ method, url, headers, body, streams }) {
  const pairs = headers.map(([name, value]) => `${text(name)}: ${text(value)}`);
  const lines = [text(url), `method=${text(method)}`];
  if (pairs.length) lines.push(`headers={${pairs.join(", ")}}`);
  if (body !== null) lines.push(`data=${block(body)}.encode()`);
  const reading = streams
    ? ["    for line in answer:", '        print(line.decode(), end="", flush=True)']
    : ["    print(answer.read().decode())"];
  return [
    "from urllib.error import HTTPError",
    "from urllib.request import Request, urlopen",
    "",
    "request = Request(",
    ...lines.map((line) => `    ${line},`),
    ")",
    "try:",
    "    answer = urlopen(request)",
    "except HTTPError as error:",
    "    answer = error",
    "with answer:",
    "    print(answer.status, answer.reason)",
    ...reading,
  ].join("\n");
}

function shell(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

// Every escape of JSON means the same in Python.
function text(word) {
  return JSON.stringify(word);
}

// As it stands between raw triple quotes, where these can hold it.
function block(body) {
  const fits = !/"""|["\\]$|[\r\0]/.test(body);
  return fits ? `r"""${body}"""` : text(body);
}
