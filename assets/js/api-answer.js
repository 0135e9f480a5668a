// Sending a request, and showing what comes back: at once, or bit by bit where the route is a stream.

import { at, make } from "./api-dom.js";
import { pretty } from "./api-json.js";

const MOST_SHOWN = 300_000;
const PATIENCE_MS = 30_000;
// A file is sent and read in before there is an answer.
const UPLOAD_MS = 450_000;
// Why a request ends before its answer: the person wants no more of it, or something else takes its place.
const STOPPED = new Error("stopped");
const DROPPED = new Error("dropped");

let under = null;
let streaming = false;

export function start() {
  at("api-stop").addEventListener("click", () => under?.abort(STOPPED));
  at("api-answer").addEventListener("change", choosePart);
}

function drop() {
  under?.abort(DROPPED);
  under = null;
  streaming = false;
  at("api-stop").hidden = true;
}

// Forgets the last answer.
export function clear() {
  drop();
  at("api-status").replaceChildren();
  at("api-words").textContent = "";
  fill("Nothing sent yet. Status, time, size, headers and body of the answer will stand here.", "", []);
}

// Sends; resolves with the status, 0 when there was no answer. A request under way is not overtaken, a stream is.
//
// label: How the route is called here. meanings: What the document says of each status.
export async function send(request, label, meanings) {
  if (under && !streaming) return 0;
  drop();
  const control = new AbortController();
  const patience = request.form.length ? UPLOAD_MS : PATIENCE_MS;
  const timer = setTimeout(() => control.abort(new Error(`nothing within ${duration(patience)}`)), patience);
  under = control;
  busy(true);
  try {
    const { method, url, headers } = request;
    const began = performance.now();
    const answer = await fetch(url, { method, headers, body: sentBody(request), cache: "no-store", signal: control.signal });
    clearTimeout(timer);
    const told = { answer, words: `${label}: ${meanings[answer.status] ?? "a status that is not in the document"}` };
    if (answer.headers.get("content-type")?.startsWith("text/event-stream")) await stream(told, began, control);
    else await whole(told, began);
    return answer.status;
  } catch (error) {
    if (control.signal.reason === DROPPED) return 0;
    at("api-status").replaceChildren(make("span", { class: "tag failed" }, "no answer"));
    at("api-words").textContent = label;
    fill(`No answer from the server (${error.message}). Whether the request arrived is not known.`, "", []);
    return 0;
  } finally {
    clearTimeout(timer);
    if (under === control) {
      under = null;
      busy(false);
    }
  }
}

// The body as it is sent; the browser writes the header of a form by itself.
function sentBody({ body, form }) {
  if (!form.length) return body;
  const all = new FormData();
  for (const [name, value] of form) if (value !== null) all.append(name, value);
  return all;
}

function busy(yes) {
  at("api-answer").setAttribute("aria-busy", String(yes));
}

async function whole(told, began) {
  const bytes = new Uint8Array(await told.answer.arrayBuffer());
  status(told, duration(performance.now() - began), size(bytes.length));
  const text = pretty(new TextDecoder().decode(bytes));
  const note = text.length > MOST_SHOWN ? `The first ${size(MOST_SHOWN)} of the body; the rest is not shown.` : bytes.length ? "" : "No body.";
  fill(note, text.slice(0, MOST_SHOWN), [...told.answer.headers]);
}

async function stream(told, began, control) {
  const reader = told.answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let events = 0;
  let rest = "";
  status(told, duration(performance.now() - began), "open");
  fill("", "", [...told.answer.headers]);
  at("api-stop").hidden = false;
  streaming = true;
  busy(false);
  try {
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      events += blocks.filter((block) => /^data:/m.test(block)).length;
      append(blocks.map((block) => `${readable(block)}\n\n`).join(""));
      status(told, duration(performance.now() - began), `open · ${count(events)}`);
    }
    status(told, duration(performance.now() - began), `ended by the server · ${count(events)}`);
  } catch (error) {
    if (control.signal.reason === DROPPED) return;
    const stopped = control.signal.reason === STOPPED;
    status(told, duration(performance.now() - began), `${stopped ? "stopped" : "broken off"} · ${count(events)}`);
    if (!stopped) append(`The connection broke: ${error.message}\n`);
  }
  streaming = false;
  at("api-stop").hidden = true;
}

function readable(block) {
  return block.replace(/^data: ?(.*)$/gm, (_, text) => `data: ${pretty(text)}`);
}

function append(text) {
  const frame = at("api-frame");
  const low = frame.scrollHeight - frame.scrollTop - frame.clientHeight < 24;
  const body = at("api-answer-body");
  body.textContent = (body.textContent + text).slice(-MOST_SHOWN);
  body.hidden = part() !== "body";
  if (low) frame.scrollTop = frame.scrollHeight;
}

function status({ answer, words }, ...facts) {
  const code = `${answer.status} ${answer.statusText}`.trim();
  at("api-status").replaceChildren(
    make("span", { class: `tag ${answer.ok ? "fine" : "failed"}`, id: "api-status-code" }, code),
    ...facts.map((fact) => make("span", { class: "mono" }, fact)),
  );
  at("api-words").textContent = words;
}

function fill(note, body, headers) {
  at("api-answer-note").textContent = note;
  at("api-answer-body").textContent = body;
  at("api-answer-headers").replaceChildren(
    ...headers.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
  );
  at("api-frame").scrollTop = 0;
  choosePart();
}

function part() {
  return document.querySelector('input[name="api-part"]:checked').value;
}

function choosePart() {
  const body = part() === "body";
  at("api-answer-note").hidden = !at("api-answer-note").textContent || !body;
  at("api-answer-body").hidden = !body || !at("api-answer-body").textContent;
  at("api-answer-headers").hidden = body;
}

function duration(ms) {
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function size(bytes) {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
}

function count(events) {
  return events === 1 ? "1 event" : `${events} events`;
}
