// One request as code to copy. A request: method, url, headers as pairs, body as text or null, streams, and
// form: pairs of a field and its value, or of a file field, the file or null, and the name of an example.

// For a POSIX shell.
export function curl({ method, url, headers, body, form = [], streams }) {
  const words = [`curl -i${streams ? "N" : ""}${method === "GET" ? "" : ` -X ${method}`} ${shell(url)}`];
  for (const [name, value] of headers) words.push(`-H ${shell(`${name}: ${value}`)}`);
  if (body !== null) words.push(`--data-raw ${shell(body)}`);
  for (const [name, value, example] of form) {
    const file = sent(value, example);
    // A text that begins with an @ would be taken for a file by -F.
    words.push(file ? `-F ${shell(`${name}=${file}`)}` : `--form-string ${shell(`${name}=${value}`)}`);
  }
  return words.join(" \\\n  ");
}

// For Python 3 with nothing installed.
export function python({ method, url, headers, body, form = [], streams }) {
  if (form.length) return multipart(url, headers, form);
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

// urllib knows no multipart bodies, so this one is written out.
function multipart(url, headers, form) {
  const pairs = headers.map(([name, value]) => `${text(name)}: ${text(value)}`);
  const parts = form.map(([name, value, example]) => {
    const file = sent(value, example)?.slice(1);
    const head = `Content-Disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ""}\r\n\r\n`;
    return `    ${text(head)}.encode() + ${file ? `open(${text(file)}, "rb").read()` : `${text(value)}.encode()`},`;
  });
  return [
    "from urllib.error import HTTPError",
    "from urllib.request import Request, urlopen",
    "",
    "parts = [",
    ...parts,
    "]",
    'body = b"".join(b"--part\\r\\n" + part + b"\\r\\n" for part in parts) + b"--part--\\r\\n"',
    `headers = {${[...pairs, '"Content-Type": "multipart/form-data; boundary=part"'].join(", ")}}`,
    "try:",
    `    answer = urlopen(Request(${text(url)}, body, headers))`,
    "except HTTPError as error:",
    "    answer = error",
    "with answer:",
    "    print(answer.status, answer.reason)",
    "    print(answer.read().decode())",
  ].join("\n");
}

// How curl names a file that is sent; undefined for what is none.
function sent(value, example) {
  return value === null || value instanceof File ? `@${value?.name ?? example}` : undefined;
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
