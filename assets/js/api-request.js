// The request being made: its inputs, what they are filled with, and what they come to.
//
// What was typed stays with its route. A body nobody has touched follows the action form on Play.

import { at, make } from "./api-dom.js";
import { fault } from "./api-json.js";
import { actionForm, json } from "./form.js";
import { base } from "./wire.js";

const LEAST_ROWS = 4;
const MOST_ROWS = 18;
// By these names routes call the instance in play.
const NAMES = new Set(["instance_id", "analysis_id"]);
const HEADER = /^[\x20-\x7e]*$/;

const drafts = new Map();
let route = null;
let instance = "";

// Shows the inputs of a route.
export function show(chosen) {
  route = chosen;
  const open = route.inputs.filter((input) => input.in !== "header");
  const headers = route.inputs.filter((input) => input.in === "header");
  // A box for a file cannot be filled in again, so what it held is forgotten with it.
  for (const input of open) if (input.file) draft().values.delete(`form:${input.name}`);
  at("api-inputs").replaceChildren(...open.map(field));
  at("api-header-inputs").replaceChildren(...headers.map(field));
  at("api-headers").hidden = headers.length === 0;
  at("api-body-field").hidden = !route.body;
  if (route.body) fill();
}

// Names the instance in play; what was typed for another one is dropped.
export function meant(id) {
  if (id === instance) return;
  instance = id;
  for (const draft of drafts.values()) draft.values.clear();
  if (route) show(route);
}

// Fills in the body anew, unless somebody edited it.
export function follow() {
  if (route?.body && !draft().edited) fill();
}

export function refill() {
  draft().edited = false;
  fill();
}

export function edited(target) {
  if (target.id === "api-body") Object.assign(draft(), { edited: true, body: target.value });
  else if (target.dataset.input) draft().values.set(target.dataset.input, target.files?.[0] ?? target.value);
  complain(target, "");
  origin();
}

// The request as the inputs stand.
export function request() {
  const values = (place) =>
    route.inputs.filter((input) => input.in === place && !input.file).map((input) => [input.name, valueOf(input).trim()]);
  const path = values("path").reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), route.path);
  const query = new URLSearchParams(values("query").filter(([, value]) => value)).toString();
  const body = route.body && at("api-body").value.trim() ? at("api-body").value.toWellFormed() : null;
  const headers = values("header").filter(([, value]) => value);
  if (body !== null) headers.unshift(["Content-Type", "application/json"]);
  const form = [...route.inputs.filter((input) => input.file).map((input) => [input.name, valueOf(input) || null, input.example]), ...values("form").filter(([, value]) => value)];
  const url = `${base()}${path}${query ? `?${query}` : ""}`;
  return { method: route.method, url, headers, body, form, streams: route.streams };
}

// Says at each input what is wrong. Returns what a request needs ("input") or could go without ("body"); "" when all is well.
export function check() {
  for (const input of route.inputs) {
    const value = input.file ? valueOf(input) : valueOf(input).trim();
    const wrong =
      input.file && input.required && !value ? "Needed: choose a file." : input.in === "path" && !value ? "Needed: it is part of the address." : input.in === "header" && !HEADER.test(value) ? "A header holds plain ASCII only." : "";
    if (!wrong) continue;
    complain(at(idOf(input)), wrong);
    if (input.in === "header") at("api-headers").open = true;
    at(idOf(input)).focus();
    return "input";
  }
  const text = route.body ? at("api-body").value : "";
  const wrong = text.trim() ? fault(text) : "";
  if (!wrong) return "";
  complain(at("api-body"), `This is not JSON: ${wrong}.`);
  at("api-body").focus();
  return "body";
}

function draft() {
  if (!drafts.has(route.key)) drafts.set(route.key, { values: new Map(), body: "", edited: false });
  return drafts.get(route.key);
}

function valueOf(input) {
  return draft().values.get(`${input.in}:${input.name}`) ?? (NAMES.has(input.name) ? instance : "");
}

function idOf(input) {
  return `api-${input.in}-${input.name}`.toLowerCase();
}

function field(input) {
  const id = idOf(input);
  const needed = input.in === "path" || input.required ? [] : [" ", make("span", { class: "help" }, "optional")];
  const box = boxed(input, { id, "data-input": `${input.in}:${input.name}`, "aria-describedby": `${id}-help ${id}-error` });
  if (!input.file) box.value = valueOf(input);
  return make(
    "div",
    { class: `field${input.in === "query" || input.in === "form" ? " half" : ""}` },
    make("label", { class: "label", for: id }, make("span", { class: "mono" }, input.name), ...(input.in === "header" ? [] : needed)),
    box,
    make("p", { class: "hint", id: `${id}-help` }, input.description ?? ""),
    make("p", { class: "field-error", id: `${id}-error`, hidden: true }),
  );
}

// What takes an input: a choice, a file or a line of text.
function boxed(input, attributes) {
  if (input.file) return make("input", { type: "file", ...attributes });
  if (!input.options?.length) return make("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
  return make("select", attributes, ...["", ...input.options].map((option) => make("option", { value: option }, option || "not chosen")));
}

function fill() {
  const box = at("api-body");
  const kept = draft();
  const played = fromPlay();
  const text = kept.edited ? kept.body : (played ?? JSON.stringify(route.body.example, named, 2));
  if (box.value !== text) box.value = text;
  box.rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split("\n").length));
  complain(box, "");
  origin(played !== null);
}

// Values of an example, with the instance in play where it names another.
function named(key, value) {
  return NAMES.has(key) && typeof value === "string" && instance ? instance : value;
}

function origin(played = false) {
  if (!route.body) return;
  const where = draft().edited ? "edited here" : played ? "from the form on Play, editable" : "an example, editable";
  at("api-body-origin").textContent = where;
  at("api-refill").disabled = !draft().edited;
}

// The action of the form on Play, if that is what the route takes and it is far enough filled in.
function fromPlay() {
  const form = actionForm();
  if (!form || route.group !== "contract" || route.name !== "/step") return null;
  const text = json(form, 2);
  const { properties = {}, required = [] } = route.body.schema;
  const action = JSON.parse(text);
  const fits = Object.keys(action).every((key) => key in properties) && required.every((key) => key in action);
  const told = Object.values(action).some((value) => (Array.isArray(value) ? value.length > 0 : true));
  return fits && told ? text : null;
}

function complain(box, text) {
  const place = at(`${box.id}-error`);
  if (!place) return;
  place.textContent = text;
  place.hidden = !text;
  box.closest(".field").classList.toggle("wrong", Boolean(text));
  box.setAttribute("aria-invalid", String(Boolean(text)));
}
