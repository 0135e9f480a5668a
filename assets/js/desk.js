// Where the page stands: which instance, which step, which tab; and everything that moves it.

import { paint } from "./parts.js";
import { ask } from "./wire.js";
import { follow, unfollow } from "./live.js";
import { played, recent, token } from "./store.js";
import { say, stands, unsay } from "./shell.js";
import * as forms from "./form.js";

const BLANK = { line: "", timeline: "", act: "", reward: "" };

let standing = null;
let busy = false;
let looking = false;
let behind = false;
let missed = 0;
const listeners = new Set();
const couriers = new Map();

// Where the page stands, for other scripts; null in the lobby.
export function current() {
  return standing;
}

// Calls `hear(standing)` now and whenever the page stands elsewhere.
export function subscribe(hear) {
  listeners.add(hear);
  hear(standing);
}

// Actions of forms with that data-by are carried by `carry(question, body)`, in the place of the wire's `ask`.
export function courier(name, carry) {
  couriers.set(name, carry);
}

export function start() {
  forms.onSubmit("act", submit);
  forms.onSubmit("setup", begin);
  document.addEventListener("click", clicked);
  window.addEventListener("popstate", route);
  route();
}

// Addresses

function address() {
  return new URLSearchParams(window.location.search);
}

function go(change, replace = false) {
  const query = address();
  for (const [key, value] of Object.entries(change)) {
    if (value === null) query.delete(key);
    else query.set(key, value);
  }
  const text = query.toString();
  history[replace ? "replaceState" : "pushState"](null, "", text ? `?${text}` : window.location.pathname);
}

// Opens what the address names.
export async function route() {
  const query = address();
  showTab(query.get("tab") === "api" ? "api" : "play");
  const instance = query.get("instance");
  const step = /^\d+$/.test(query.get("step") ?? "") ? Number(query.get("step")) : null;
  if (instance) return open(instance, step);
  if (query.get("env")) return openNew(query.get("env"), true);
  return lobby();
}

async function lobby() {
  standing = null;
  unfollow();
  view("lobby");
  document.title = "Auditorium";
  moved();
  const known = recent();
  if (known.length) await paint((await ask("recent", { recent: known })).parts);
}

function view(name) {
  document.documentElement.dataset.view = name;
}

// Opening

async function open(instance, step) {
  view("table");
  if (standing?.instance !== instance) {
    standing = null;
    await paint(BLANK);
  }
  const answer = await ask("look", { instance, step });
  if (!answer.standing) {
    unfollow();
    moved();
  }
  await apply(answer);
}

async function openNew(environment, replace) {
  if (busy) return;
  busy = true;
  view("table");
  try {
    missed = 0;
    const answer = await ask("begin", { environment, key: token(), body: "{}" });
    if (answer.standing) go({ env: answer.standing.environment, instance: answer.standing.instance }, replace);
    await apply(answer);
    if (!answer.standing) {
      go({ env: null, instance: null }, true);
      await lobby();
    }
  } finally {
    busy = false;
  }
}

// Painting

async function apply(answer) {
  const next = answer.standing;
  if (next && standing?.instance === next.instance && next.n < standing.n) return;
  const before = standing;
  if (next) standing = next;
  if (next?.done && !before?.done) keepHeight();
  await paint(answer.parts);
  if (answer.note) say(answer.note.code, answer.note.text);
  if (!next) return;
  forms.draftFor(next.instance, next.start);
  forms.restore();
  const back = next.step < next.last;
  document.documentElement.dataset.looking = back ? "back" : "now";
  for (const fields of document.querySelectorAll(".act-form .fields")) fields.inert = back;
  document.title = `${document.querySelector("#scene h1")?.textContent.trim() ?? next.title} · Auditorium`;
  if (!next.read_only && !next.commons) played(next.instance);
  follow(next.instance, next.n, heard, gone);
  showChip();
  moved();
  if (next.done && (!before?.done || before.start !== next.start)) compare(next);
}

function moved() {
  stands(standing);
  for (const hear of listeners) hear(standing);
}

async function compare(finished) {
  const list = document.querySelector(".compare");
  if (!list || list.querySelector("li")) return;
  const answer = await ask("compare", { instance: finished.instance, step: finished.step });
  if (answer.standing && standing?.start === finished.start && standing.step === finished.step) await apply(answer);
}

// The end card takes the room of the form, so that what stands below stays where it is.
function keepHeight() {
  const act = document.querySelector("#act .act");
  if (act) document.documentElement.style.setProperty("--act-height", `${act.offsetHeight}px`);
}

// Keeps the chip looked at in sight without moving the page.
function showChip() {
  const room = document.querySelector(".timeline");
  const chip = room?.querySelector(standing.step < standing.last ? '[aria-current="step"]' : ":scope > :last-child");
  if (!chip) return;
  const left = chip.offsetLeft - room.offsetLeft;
  if (left < room.scrollLeft) room.scrollLeft = left;
  else if (left + chip.offsetWidth > room.scrollLeft + room.clientWidth) room.scrollLeft = left + chip.offsetWidth - room.clientWidth;
}

// Following

function gone() {
  const { instance } = standing;
  standing = null;
  open(instance, null);
}

async function heard(n) {
  if (!standing || n <= standing.n) return;
  missed = Math.max(missed, n);
  // The answer under way may bring this entry along.
  if (busy) return;
  behind = true;
  if (looking) return;
  looking = true;
  try {
    while (behind && standing) {
      behind = false;
      const { instance, start, step, last } = standing;
      const answer = await ask("look", { instance, step: step < last ? step : null });
      const fresh = answer.standing && answer.standing.start !== start && step < last;
      if (standing?.instance !== instance) return;
      await apply(fresh ? await ask("look", { instance }) : answer);
    }
  } finally {
    looking = false;
  }
}

// Acting

async function submit(form) {
  if (busy || !standing || standing.step < standing.last) return;
  const body = { instance: standing.instance, body: forms.json(form), seen: standing.n, key: token() };
  await send(form, "act", body);
}

// An action that a button of the scene names; what is filled in stays a draft.
export async function move(text) {
  const form = forms.actionForm();
  if (busy || !form || !standing || standing.step < standing.last) return;
  await send(form, "act", { instance: standing.instance, body: text, seen: standing.n, key: token() }, false);
}

// An action of a form beside the action's own, which is told what is wrong with it and keeps what it holds.
export async function decide(form, text) {
  if (busy || !standing || standing.step < standing.last) return null;
  return send(form, "act", { instance: standing.instance, body: text, seen: standing.n, key: token() }, false);
}

async function begin(form) {
  if (busy || !standing) return;
  const body = { instance: standing.instance, body: forms.json(form), seen: standing.n, key: token() };
  const answer = await send(form, "begin", body);
  if (answer?.accepted) document.getElementById("new-case")?.removeAttribute("open");
}

// One decision: locked until its answer is there, asked again under the same key if none comes.
// What the form holds is done with, unless it was not what was sent (`filled`).
async function send(form, question, body, filled = true) {
  busy = true;
  form.setAttribute("aria-busy", "true");
  const hadFocus = form.contains(document.activeElement);
  try {
    const answer = await (couriers.get(form.dataset.by) ?? ask)(question, body);
    unsay("stale");
    if (Object.keys(answer.errors).length) {
      await apply(answer);
      forms.fail(form, answer.errors);
      return answer;
    }
    if (answer.accepted) {
      if (filled) {
        forms.discardDraft();
        forms.clear(form);
      }
      go({ step: null }, true);
    }
    await apply(answer);
    if (hadFocus && answer.accepted && standing.done) document.querySelector("[data-next]")?.focus({ preventScroll: true });
    return answer;
  } finally {
    busy = false;
    form.removeAttribute("aria-busy");
    if (missed > (standing?.n ?? 0)) heard(missed);
  }
}

async function fork(at) {
  if (busy) return;
  busy = true;
  try {
    const answer = await ask("fork", { instance: standing.instance, at });
    if (answer.standing) go({ instance: answer.standing.instance, step: null });
    await apply(answer);
    if (answer.standing) say("fork", "This is your own copy from that step on. The other instance stays as it is.");
  } finally {
    busy = false;
  }
}

// Looking

export async function lookAt(step) {
  if (!standing) return;
  const now = step === null || step >= standing.last;
  go({ step: now ? null : String(step) }, true);
  await apply(await ask("look", { instance: standing.instance, step: now ? null : step }));
}

export async function next() {
  if (!standing || standing.read_only || busy) return;
  const form = document.querySelector('form[data-form="setup"]');
  if (form) await begin(form);
}

// Tabs

export function showTab(name) {
  document.documentElement.dataset.tab = name;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const chosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
}

export function openTab(name) {
  if (!standing || document.documentElement.dataset.tab === name) return;
  go({ tab: name === "play" ? null : name });
  showTab(name);
}

function clicked(event) {
  const target = event.target.closest?.("[data-play], [data-open], [data-look], [data-fork], [data-next], [data-pick], [data-move], button[data-tab]");
  if (!target || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const { play, open: opened, look, fork: at, pick, picks, move: text, tab } = target.dataset;
  event.preventDefault();
  if (play) openNew(play, false);
  else if (opened) {
    go({ instance: opened });
    open(opened, null);
  } else if (tab) openTab(tab);
  else if (look) lookAt(look === "now" ? null : Number(look));
  else if (at) fork(Number(at));
  else if (pick) forms.set(picks, pick);
  else if (text) move(text);
  else next();
}
