// The keyboard: one list of keys, off in texts, and off altogether for those who want their letters back.

import { current, lookAt, next, openTab } from "./desk.js";
import { actionForm, get, set } from "./form.js";
import { keysOff, setKeysOff, toggleTheme } from "./shell.js";

export function start() {
  const dialog = document.getElementById("keys-dialog");
  document.getElementById("open-keys").addEventListener("click", () => dialog.showModal());
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  const off = document.getElementById("keys-off");
  off.checked = keysOff();
  off.addEventListener("change", () => setKeysOff(off.checked));
  document.addEventListener("keydown", pressed);
}

// What stands on the other tab is not moved blindly.
const ANYWHERE = new Set(["?", "p", "a", "t", "ArrowLeft", "ArrowRight"]);

function onPlay() {
  return document.documentElement.dataset.tab !== "api";
}

function writing(target) {
  return target.matches?.("textarea, select, input[type=text], [contenteditable=true]");
}

function pressed(event) {
  const dialog = document.getElementById("keys-dialog");
  if (dialog.open || event.altKey || event.defaultPrevented) return;
  if (event.key === "Enter") return enter(event);
  if (event.key === "Escape") return escape(event);
  if (event.ctrlKey || event.metaKey || writing(event.target) || keysOff()) return;
  const act = letters[event.key] ?? (/^[1-9]$/.test(event.key) ? () => choose(event.key) : null);
  if (act && (onPlay() || ANYWHERE.has(event.key)) && act(event) !== false) event.preventDefault();
}

function enter(event) {
  const here = event.target;
  const form = onPlay() ? actionForm() : null;
  if (event.ctrlKey || event.metaKey) {
    (here.closest?.("form[data-form]") ?? form)?.requestSubmit();
    return;
  }
  // Buttons, links and form fields know what Enter means for them.
  if (here !== document.body && !here.closest?.("series-chart")) return;
  if (form) form.requestSubmit();
  else if (onPlay() && current()?.done) next();
  event.preventDefault();
}

function escape(event) {
  const open = document.querySelector("details.new-case[open]");
  if (open) open.removeAttribute("open");
  else if (current() && current().step < current().last) lookAt(null);
  else if (writing(event.target)) event.target.blur();
}

function choose(key) {
  const input = document.querySelector(`[data-hotkey="${key}"]`);
  if (!input || input.closest("[inert]")) return false;
  input.checked = true;
  input.focus({ preventScroll: true });
  input.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

function arrow(event, by) {
  if (event.target.matches?.("input, select, summary, [role=tab]")) return tabArrow(event, by);
  const chart = document.querySelector('series-chart[selects]:not([selects=""])');
  if (!chart || !onPlay() || !actionForm() || !chart.count) return false;
  const field = chart.getAttribute("selects");
  const text = get(field);
  const from = /^\d+$/.test(text) ? Number(text) + by : by > 0 ? 0 : chart.count - 1;
  set(field, String(Math.min(chart.count - 1, Math.max(0, from))));
  return true;
}

function tabArrow(event) {
  if (!event.target.matches("[role=tab]")) return false;
  const other = event.target.dataset.tab === "play" ? "api" : "play";
  openTab(other);
  document.querySelector(`[role=tab][data-tab="${other}"]`).focus();
  return true;
}

function look(by) {
  const here = current();
  if (!here) return false;
  const step = here.step + by;
  if (step < 0 || step > here.last) return false;
  lookAt(step);
  return true;
}

function newCase() {
  const details = document.getElementById("new-case");
  if (!details) return false;
  details.open = true;
  details.querySelector("input, select, button")?.focus();
  return true;
}

const letters = {
  "?": () => document.getElementById("keys-dialog").showModal(),
  ArrowLeft: (event) => arrow(event, -1),
  ArrowRight: (event) => arrow(event, 1),
  "[": () => look(-1),
  "]": () => look(1),
  n: newCase,
  p: () => openTab("play"),
  a: () => openTab("api"),
  t: toggleTheme,
};
