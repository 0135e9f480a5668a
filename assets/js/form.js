// Forms: what is filled in becomes JSON, is kept as a draft, and gets its errors beside it.
//
// A field is any element with data-path and data-kind. The action's fields stand in its form and in the scene.

import * as lists from "./lists.js";
import { forget, read, write } from "./store.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const INTEGER = /^-?(0|[1-9]\d*)$/;
const FIELD = "[data-path][data-kind]";

const submitted = new Map();
let draftKey = null;

// Calls `handle(form)` when the form with that data-form is submitted.
export function onSubmit(name, handle) {
  submitted.set(name, handle);
}

export function start() {
  document.addEventListener("submit", (event) => {
    const handle = submitted.get(event.target.dataset?.form);
    if (!handle) return;
    event.preventDefault();
    handle(event.target);
  });
  document.addEventListener("input", (event) => changed(event.target));
  document.addEventListener("pointerdown", rememberChecked, true);
  document.addEventListener("click", uncheck);
  lists.start(() => {
    settle();
    keep();
  });
  document.addEventListener("auditorium:pick", (event) => set(event.detail.field, String(event.detail.index)));
}

export function actionForm() {
  return document.querySelector('form[data-form="act"]');
}

function fieldsOf(form) {
  const own = [...form.querySelectorAll(FIELD)];
  const scene = form.dataset.form === "act" ? [...document.querySelectorAll(`#scene ${FIELD}`)] : [];
  return [...own, ...scene].filter((field) => !field.inert && !field.closest(":is(.field, [data-branch])[hidden]"));
}

// The answers as JSON text: numbers stand as they were typed, so that none is rounded on the way.
export function json(form, indent = 0) {
  const tree = new Map();
  for (const field of fieldsOf(form)) {
    const text = answer(field);
    if (text !== null) plant(tree, field.dataset.path.split("."), text);
  }
  for (const list of lists.shown(form)) {
    const filled = tree.get(list.dataset.path);
    if (filled) tree.set(list.dataset.path, [...filled.values()]);
  }
  return written(tree, indent, "\n");
}

function plant(tree, path, text) {
  const [first, ...rest] = path;
  if (rest.length === 0) tree.set(first, text);
  else {
    if (!(tree.get(first) instanceof Map)) tree.set(first, new Map());
    plant(tree.get(first), rest, text);
  }
}

function written(tree, indent, line) {
  const inner = indent ? line + " ".repeat(indent) : "";
  const listed = Array.isArray(tree);
  const rows = [...tree].map((item) => {
    const [key, value] = listed ? ["", item] : item;
    const text = value instanceof Map || Array.isArray(value) ? written(value, indent, inner) : value;
    return `${inner}${listed ? "" : `${JSON.stringify(key)}:${indent ? " " : ""}`}${text}`;
  });
  const [open, close] = listed ? "[]" : "{}";
  return rows.length ? `${open}${rows.join(",")}${indent ? line : ""}${close}` : open + close;
}

// One field's answer as JSON, null for none.
function answer(field) {
  switch (field.dataset.kind) {
    case "radio":
      return field.querySelector("input:checked")?.value ?? null;
    case "select":
      return field.querySelector("select").value || null;
    case "checks":
      return `[${[...field.querySelectorAll("input:checked")].map((input) => input.value).join(",")}]`;
    case "entries":
      return entries([...field.querySelectorAll("input:checked")].map((input) => [input.dataset.key, input.value]));
    case "shares":
      return shares(field);
    case "check":
      return field.querySelector("input").checked ? "true" : null;
    case "const":
      return field.value;
    case "number":
      return number(typed(field).value.trim());
    case "json":
      return free(typed(field).value.trim());
    case "text":
      return typed(field).value === "" ? null : JSON.stringify(typed(field).value);
    default:
      return null;
  }
}

function entries(pairs) {
  return pairs.length ? `{${pairs.map(([key, value]) => `${key}:${value}`).join(",")}}` : null;
}

// Sliders against each other, as parts of their sum; null while none was moved.
function shares(field) {
  const sliders = [...field.querySelectorAll("input")];
  const sum = sliders.reduce((all, slider) => all + Number(slider.value), 0);
  if (sum === 0) return null;
  return entries(sliders.map((slider) => [slider.dataset.key, String(Number(slider.value) / sum)]));
}

function showShares() {
  for (const field of document.querySelectorAll('[data-kind="shares"]')) {
    const sliders = [...field.querySelectorAll("input")];
    const sum = sliders.reduce((all, slider) => all + Number(slider.value), 0);
    for (const slider of sliders) slider.nextElementSibling.textContent = sum ? (Number(slider.value) / sum).toFixed(2) : "–";
  }
}

function number(text) {
  if (text === "") return null;
  if (INTEGER.test(text)) return text;
  return NUMBER.test(text) ? String(Number(text)) : JSON.stringify(text);
}

function free(text) {
  if (text === "") return null;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

function typed(field) {
  return field.querySelector("textarea, input[type=text]");
}

// Fills a number or text field of the action.
export function set(path, text) {
  const form = actionForm();
  const field = form && fieldsOf(form).find((each) => each.dataset.path === path);
  const input = field && typed(field);
  if (!input || input.closest("[inert]")) return;
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

export function get(path) {
  const form = actionForm();
  const field = form && fieldsOf(form).find((each) => each.dataset.path === path);
  return field && typed(field) ? typed(field).value.trim() : "";
}

function changed(target) {
  if (target.type === "range" && target.dataset.for) {
    document.getElementById(target.dataset.for).value = target.value;
  }
  const field = target.closest?.(FIELD);
  if (!field) return;
  if (field.dataset.kind === "union") branch(field);
  clearError(field);
  settle();
  keep();
}

function branch(field) {
  const select = field.querySelector(":scope > select");
  if (!select) return;
  const chosen = select.value;
  for (const way of field.querySelectorAll(":scope > [data-branch]")) way.hidden = way.dataset.branch !== chosen;
}

// Says what the chosen action does and shows the fields that it uses. While none is chosen they all stand there,
// but of many actions they would be too many.
function decide(form) {
  const told = form.querySelector("[data-told]");
  if (!told) return;
  const deciding = told.closest(FIELD);
  const chosen = deciding.querySelector("input:checked, option:checked")?.dataset;
  told.textContent = chosen?.does ?? "";
  const needs = chosen?.needs?.split(" ") ?? [];
  const many = deciding.dataset.kind === "select" ? [] : null;
  const uses = chosen?.does ? [...needs, ...chosen.takes.split(" ")] : many;
  for (const field of form.querySelectorAll(`:scope ${FIELD}`)) {
    if (field === deciding || field.dataset.path.includes(".")) continue;
    field.hidden = uses !== null && !uses.includes(field.dataset.path);
    const need = field.querySelector("[data-need]");
    if (need) need.textContent = needs.includes(field.dataset.path) ? "needed" : "optional";
  }
}

// Brings what follows from the fields in line with them: the fields in use, sliders, the chart's mark, the preview.
export function settle() {
  const form = actionForm();
  if (form) decide(form);
  for (const range of document.querySelectorAll("input[type=range][data-for]")) {
    const text = document.getElementById(range.dataset.for).value.trim();
    range.classList.toggle("unset", !NUMBER.test(text));
    if (NUMBER.test(text)) range.value = text;
  }
  showShares();
  for (const chart of document.querySelectorAll("series-chart")) {
    const text = get(chart.getAttribute("selects"));
    chart.pick?.(INTEGER.test(text) && Number(text) >= 0 ? Number(text) : null);
  }
  const preview = form?.querySelector(".json");
  if (preview) preview.textContent = json(form, 2);
}

// A choice that nobody has to make can be taken back by choosing it again.
let wasChecked = null;

function rememberChecked(event) {
  const input = event.target.closest?.("label")?.querySelector("input[type=radio]");
  wasChecked = input?.checked ? input : null;
}

function uncheck(event) {
  const input = event.target;
  const field = input.closest?.(FIELD);
  if (input.type !== "radio" || input !== wasChecked || !field || field.dataset.required) return;
  input.checked = false;
  wasChecked = null;
  changed(input);
}

// Drafts

export function draftFor(instance, start) {
  draftKey = `draft:${instance}:${start}`;
}

function keep() {
  const form = actionForm();
  if (!form || !draftKey) return;
  const draft = {};
  for (const input of inputs(form)) {
    const value = input.type === "radio" || input.type === "checkbox" ? input.checked : input.value;
    if (value && !(input.type === "range" && value === "0")) draft[name(input)] = value;
  }
  write(draftKey, JSON.stringify(draft), "tab");
}

// Puts the draft back into the fields, after the form was painted anew.
export function restore() {
  const form = actionForm();
  const kept = draftKey && read(draftKey, "tab");
  if (!form || !kept) return settle();
  const draft = JSON.parse(kept);
  lists.regrow(form, Object.keys(draft));
  for (const input of inputs(form)) {
    const value = draft[name(input)];
    if (input.type === "radio" || input.type === "checkbox") input.checked = value === true;
    else input.value = value ?? (input.type === "range" ? "0" : "");
  }
  for (const union of form.querySelectorAll('[data-kind="union"]')) branch(union);
  settle();
}

export function discardDraft() {
  if (draftKey) forget(draftKey, "tab");
}

export function clear(form) {
  lists.regrow(form, []);
  for (const input of inputs(form)) {
    if (input.type === "radio" || input.type === "checkbox") input.checked = false;
    else input.value = input.type === "range" ? "0" : "";
  }
  settle();
}

function inputs(form) {
  const kinds = "input:not([type=range][data-for]):not([type=hidden]), textarea, select";
  const scene = form.dataset.form === "act" ? document.querySelectorAll(`#scene ${FIELD} input`) : [];
  return [...form.querySelectorAll(kinds), ...scene];
}

function name(input) {
  const path = input.closest(FIELD)?.dataset.path ?? "";
  const place = input.dataset.key ?? "";
  return input.type === "radio" || input.type === "checkbox" ? `${path}${place}=${input.value}` : `${path}${place}#${input.id}`;
}

// Errors

export function fail(form, found) {
  const errors = lists.placed(form, found, (row) => [...row.querySelectorAll(FIELD)].some((field) => answer(field) !== null));
  const places = [...form.querySelectorAll("[data-error-for]")];
  if (form.dataset.form === "act") places.push(...document.querySelectorAll("#scene [data-error-for]"));
  let first = null;
  for (const place of places) {
    const text = errors[place.dataset.errorFor] ?? "";
    place.textContent = text;
    place.hidden = !text;
    const field = place.closest(FIELD);
    const input = field?.querySelector("input:not([type=range]), textarea, select");
    if (field) field.classList.toggle("wrong", Boolean(text));
    if (input) input.setAttribute("aria-invalid", String(Boolean(text)));
    if (text) first ??= input ?? place;
  }
  first?.focus?.({ preventScroll: true });
  first?.scrollIntoView?.({ block: "nearest" });
}

function clearError(field) {
  const place = field.querySelector("[data-error-for]");
  if (!place || place.hidden) return;
  place.hidden = true;
  field.classList.remove("wrong");
  field.querySelector("[aria-invalid]")?.setAttribute("aria-invalid", "false");
}
