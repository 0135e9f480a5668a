// The routes that act on instances of one environment, as the server's own document tells them.

import { base } from "./wire.js";

const METHODS = ["get", "post", "put", "patch", "delete"];

let reading = null;

// Reads the document once; after a failure the next call reads it again.
export async function routesOf(environment) {
  reading ??= read();
  try {
    return listed(await reading, environment);
  } catch (error) {
    reading = null;
    throw error;
  }
}

async function read() {
  const answer = await fetch(`${base()}/docs/openapi.json`);
  if (!answer.ok) throw new Error(`/docs/openapi.json answered ${answer.status}`);
  return answer.json();
}

function listed(described, environment) {
  const found = [];
  for (const [path, operations] of Object.entries(described.paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      const place = operation && placed(path, operation, environment);
      if (place) found.push({ ...place, ...facts(described, path, method, operation, operations.parameters) });
    }
  }
  return found;
}

// In which group a route stands and by which name; null: it belongs to another environment or names no instance.
function placed(path, operation, environment) {
  const prefix = `/envs/${environment}/instances/{`;
  if (path.startsWith(prefix)) return { group: "contract", name: path.slice(path.indexOf("}") + 1) || "/" };
  return operation.tags?.includes("hub") ? { group: "hub", name: path } : null;
}

function facts(described, path, method, operation, shared = []) {
  const content = operation.requestBody?.content ?? {};
  const body = content["application/json"];
  const form = content["multipart/form-data"];
  const answers = operation.responses ?? {};
  return {
    key: `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? "",
    inputs: [...[...shared, ...(operation.parameters ?? [])].map((input) => resolved(described, input)), ...(form ? fieldsOf(described, form) : [])],
    body: body ? { example: body.example ?? {}, schema: resolved(described, body.schema ?? {}) } : null,
    streams: Object.values(answers).some((each) => each.content?.["text/event-stream"]),
    meanings: Object.fromEntries(Object.entries(answers).map(([status, each]) => [status, each.description])),
  };
}

// The fields of a form, the file among them, as inputs beside those of the address.
function fieldsOf(described, { schema, example = {} }) {
  const { properties, required = [] } = resolved(described, schema);
  return Object.entries(properties).map(([name, field]) => {
    const kinds = field.anyOf ?? [field];
    const options = kinds.flatMap((kind) => kind.enum ?? (kind.const === undefined ? [] : [kind.const]));
    const hint = (field.examples ?? kinds.flatMap((kind) => kind.examples ?? [])).map((each) => `such as ${each}`).join("");
    return { in: "form", name, file: field.format === "binary", options, required: required.includes(name), example: example[name] ?? "", description: hint };
  });
}

function resolved(described, part) {
  if (!part.$ref) return part;
  const keys = part.$ref.replace(/^#\//, "").split("/");
  return keys.reduce((inside, key) => inside[key.replaceAll("~1", "/").replaceAll("~0", "~")], described);
}
