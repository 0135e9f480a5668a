// The talk with the analyst: questions go over the contract's streams, so that words stand there as they come.
//
// What is under way is kept in the tab until it is answered: after a reload it is asked again under the same key, and
// so at most once.

import { ask, base } from "./wire.js";
import { courier, decide, move, subscribe } from "./desk.js";
import { connection, say as note } from "./shell.js";
import { events } from "./sse.js";
import { forget, pseudonym, read, write } from "./store.js";
import * as forms from "./form.js";

const ROUTES = { ask: "/api/v2/chat/stream", help: "/api/v1/tools/help" };
const PAUSES_MS = [400, 800, 1_500, 2_500, 2_500];
const SURE_MS = 4_000;
const STOPPED = "Stopped. Nothing of it was kept.";

let control = null;
let answered = null;
let opened = null;
// What is unfolded by id: a fold is shut again when the part around it is painted.
const unfolded = new Set();

export function start() {
  courier("talk", carry);
  forms.onSubmit("aim", aim);
  // Before the page's own keys: Escape means something else there.
  document.addEventListener("keydown", entered, true);
  document.addEventListener("input", changed);
  document.addEventListener("click", erasing);
  document.addEventListener("click", (event) => event.target.closest?.("[data-stop]") && control?.abort(STOPPED));
  document.addEventListener("click", folding);
  document.addEventListener("auditorium:ask", (event) => say(event.detail));
  subscribe(settled);
}

function say(message) {
  move(JSON.stringify({ action: "ask", message }));
}

// The page stands elsewhere, or has been painted anew.
function settled(standing) {
  if (control && standing?.instance !== opened) control.abort();
  fill();
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  if (answered && document.querySelector(`[data-message="${CSS.escape(answered)}"]`)) shown(answered);
  if (!standing || standing.instance === opened) return;
  opened = standing.instance;
  document.querySelector(".turn:last-child:not(:first-child)")?.scrollIntoView({ block: "start" });
  const kept = pending(opened);
  if (kept && forms.actionForm()?.dataset.by === "talk") setTimeout(() => move(JSON.stringify(kept.action)), 0);
}

function folding(event) {
  const fold = event.target.closest?.(".talk summary")?.parentElement;
  if (fold?.open) unfolded.delete(fold.id);
  else if (fold) unfolded.add(fold.id);
}

// Enter sends, with Shift it begins a new line; Escape stops what is under way.
function entered(event) {
  if (event.key === "Escape" && control && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    control.abort(STOPPED);
    return;
  }
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.ctrlKey || event.metaKey) return;
  if (event.target.dataset?.enter !== "sends") return;
  event.preventDefault();
  event.target.form.requestSubmit();
}

// Turns

async function carry(question, body) {
  const action = JSON.parse(body.body);
  if (!(action.action in ROUTES)) return ask(question, body);
  if (action.action === "ask" && !action.message?.trim()) return { parts: {}, errors: { message: "Write a question first." } };
  const kept = pending(body.instance);
  const again = kept && kept.action.action === action.action && kept.action.message === action.message;
  const key = again ? kept.key : body.key;
  write(`turn:${body.instance}`, JSON.stringify({ action, key }), "tab");
  if (forms.get("message") === (action.message ?? "").trim()) {
    forms.discardDraft();
    forms.clear(forms.actionForm());
  }
  return turn(action, body.instance, key);
}

async function turn(action, instance, key) {
  const live = document.querySelector("live-turn");
  keepFocus();
  const { base: path, analysis } = forms.actionForm().dataset;
  control = new AbortController();
  document.documentElement.dataset.turn = "running";
  live?.begin(action.message ?? "What can I do here?");
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", "x-actor": `human:${pseudonym()}`, "idempotency-key": key },
    body: JSON.stringify({ user_id: pseudonym(), analysis_id: analysis, message: action.message }),
    signal: control.signal,
  };
  const end = await streamed(base() + path + ROUTES[action.action], request, live);
  const left = control.signal.aborted && control.signal.reason !== STOPPED;
  control = null;
  delete document.documentElement.dataset.turn;
  if (left) return { parts: {}, errors: {} };
  forget(`turn:${instance}`, "tab");
  answered = end.message ?? null;
  const answer = await ask("look", { instance });
  if (answered) return answer;
  live?.clear();
  if (!forms.get("message") && action.message) forms.set("message", action.message);
  return { ...answer, errors: { "": end.error } };
}

// The button that was pressed goes away; whoever has keys writes on. On a phone that would bring up the keyboard.
function keepFocus() {
  if (!document.activeElement?.closest(".composer, .options-row") || !matchMedia("(hover: hover)").matches) return;
  document.getElementById("act-message")?.focus({ preventScroll: true });
}

// Streams an answer: `{message}` with its id, or `{error}`. Tries again while the network is away.
async function streamed(url, request, live) {
  for (let tries = 0; ; tries += 1) {
    const end = await once(url, request, live);
    if (end) {
      connection("asked", true);
      return end;
    }
    if (request.signal.aborted) return { error: STOPPED };
    if (tries === PAUSES_MS.length) return { error: "No answer came. Ask again." };
    connection("asked", false);
    await new Promise((done) => setTimeout(done, PAUSES_MS[tries]));
  }
}

// Asks once; null: the connection broke.
async function once(url, request, live) {
  let end = null;
  try {
    const response = await fetch(url, request);
    if (!response.ok) return { error: await refused(response) };
    live?.restart();
    await events(response, (event, data) => {
      if (event === "status") live?.status(data);
      else if (event === "chunk") live?.add(data);
      else if (event === "done") end = { message: JSON.parse(data).message_id };
      else if (event === "error") end = { error: data };
    });
  } catch {
    // Broken off, or stopped: `end` tells whether the answer was there already.
  }
  return end;
}

async function refused(response) {
  const { detail, error } = await response.json().catch(() => ({}));
  if (typeof detail === "string") return detail;
  return error?.message ?? detail?.[0]?.msg ?? `The server refused this (${response.status}).`;
}

function shown(message) {
  answered = null;
  document.querySelector("live-turn")?.finish();
  document.querySelector(`[data-message="${CSS.escape(message)}"]`).scrollIntoView({ block: "nearest" });
}

function pending(instance) {
  const kept = read(`turn:${instance}`, "tab");
  return kept ? JSON.parse(kept) : null;
}

// Objective and business questions

// Shows what was set, here or elsewhere, unless somebody is just writing something else.
function fill() {
  const form = document.querySelector('form[data-form="aim"]');
  if (!form) return;
  const [objective, questions] = form.querySelectorAll("textarea");
  for (const [input, text] of [[objective, form.dataset.objective], [questions, form.dataset.questions]]) {
    const before = input.dataset.shown ?? "";
    if (input.value === before) input.value = text;
    input.dataset.shown = text;
  }
}

function changed(event) {
  const form = event.target.closest?.('form[data-form="aim"]');
  if (!form) return;
  const [objective, questions] = form.querySelectorAll("textarea");
  const same = objective.value === form.dataset.objective && questions.value === form.dataset.questions;
  form.querySelector("[data-saved]").textContent = same ? "" : "Not saved yet.";
}

async function aim(form) {
  const [objective, questions] = form.querySelectorAll("textarea");
  const lines = questions.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const action = { action: "set_objective", objective: objective.value.trim(), business_questions: lines };
  const answer = await decide(form, JSON.stringify(action));
  if (!answer?.accepted) return;
  forms.fail(form, {});
  form.querySelector("[data-saved]").textContent = "Saved.";
  questions.value = lines.join("\n");
  objective.value = action.objective;
}

// The end of an analysis: asked twice. Its feed then says that it is gone, here and to everybody who reads along.

async function erasing(event) {
  const button = event.target.closest?.("[data-erase]");
  if (!button) return;
  if (!button.dataset.sure) {
    button.dataset.sure = "yes";
    button.textContent = "Really erase everything?";
    setTimeout(() => {
      delete button.dataset.sure;
      button.textContent = "Erase";
    }, SURE_MS);
    return;
  }
  control?.abort(STOPPED);
  const response = await fetch(`${base()}/instances/${button.dataset.erase}`, { method: "DELETE" }).catch(() => null);
  if (!response?.ok) note("erase", response ? await refused(response) : "No answer came; nothing was erased.");
}
