// The API tab: the list of routes, the one chosen, and what hangs on it.

import * as agent from "./api-agent.js";
import * as answer from "./api-answer.js";
import { routesOf } from "./api-document.js";
import { at, make } from "./api-dom.js";
import * as asking from "./api-request.js";
import { curl, python } from "./api-snippets.js";
import { current, route as reopen, subscribe } from "./desk.js";
import { onSubmit } from "./form.js";
import { copy } from "./shell.js";

const SNIPPETS = { curl, python };

let routes = [];
let chosen = null;
let environment = "";
let instance = "";

export function start() {
  answer.start();
  agent.start();
  onSubmit("api", () => submit(false));
  at("api-send-raw").addEventListener("click", () => submit(true));
  at("api-refill").addEventListener("click", refill);
  at("api-copy-snippet").addEventListener("click", () => copy(at("api-code").textContent, "Copied."));
  at("api-pick").addEventListener("change", (event) => choose(event.target.value));
  at("api-call").addEventListener("input", edited);
  document.addEventListener("click", copied);
  new MutationObserver(opened).observe(document.documentElement, { attributeFilter: ["data-tab"] });
  subscribe(stands);
}

function stands(standing) {
  at("api-bench").hidden = !standing;
  if (standing && standing.instance !== instance) {
    instance = standing.instance;
    answer.clear();
    asking.meant(instance);
  }
  agent.stands(standing);
  at("api-send-note").textContent = standing?.read_only ? "A watch link may look; what acts is answered 403." : "";
  opened();
}

// Brings the tab in line with Play when it is seen; nobody who only plays waits for the list of routes.
async function opened() {
  const standing = current();
  if (!standing || document.documentElement.dataset.tab !== "api") return;
  if (standing.environment !== environment) await list(standing.environment);
  else {
    asking.follow();
    write();
  }
}

async function list(wanted) {
  environment = wanted;
  try {
    routes = await routesOf(wanted);
  } catch (error) {
    environment = "";
    const again = make("button", { type: "button", class: "btn small" }, "Try again");
    again.addEventListener("click", opened);
    at("api-list").replaceChildren(make("p", { class: "meta" }, `The list of routes could not be read: ${error.message}.`), again);
    return;
  }
  const groups = [...new Set(routes.map((route) => route.group))];
  at("api-list").replaceChildren(...groups.flatMap((group) => [make("h2", { class: "eyebrow" }, group), make("ul", {}, ...grouped(group).map(row))]));
  at("api-pick").replaceChildren(...groups.map((group) => make("optgroup", { label: group }, ...grouped(group).map(option))));
  choose((routes.find((route) => route.name === "/step") ?? routes[0]).key);
}

function grouped(group) {
  return routes.filter((route) => route.group === group);
}

function row(route) {
  const button = make("button", { type: "button", class: "api-route", "data-route": route.key }, tag(route), make("span", { class: "mono" }, ...breakable(short(route))));
  if (route.streams) button.append(make("span", { class: "tag stream" }, "SSE"));
  button.addEventListener("click", () => choose(route.key));
  return make("li", {}, button);
}

// A long path breaks after its slashes and underscores, before it breaks within a word.
function breakable(path) {
  return path.split(/(?<=[/_])/).flatMap((piece, place) => (place ? [make("wbr"), piece] : [piece]));
}

function option(route) {
  return make("option", { value: route.key }, `${route.method} ${short(route)}`);
}

function tag(route) {
  return make("span", { class: `tag ${route.method.toLowerCase()}` }, route.method);
}

// `/instances/{instance_id}/fork` is `…/fork`.
function short(route) {
  return route.name.replaceAll(/\{[^}]*\}/g, "…").replace(/^.*…(?=\/)/, "…");
}

function choose(key) {
  chosen = routes.find((route) => route.key === key);
  for (const button of at("api-list").querySelectorAll("[data-route]")) {
    if (button.dataset.route === key) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  at("api-pick").value = key;
  const method = tag(chosen);
  method.id = "api-method";
  at("api-method").replaceWith(method);
  at("api-title").textContent = chosen.name;
  at("api-summary").textContent = chosen.summary;
  at("api-send-raw").hidden = true;
  at("api-call").hidden = false;
  asking.show(chosen);
  write();
}

function edited(event) {
  at("api-send-raw").hidden = true;
  if (event.target.name !== "api-view") asking.edited(event.target);
  write();
}

function refill() {
  asking.refill();
  at("api-send-raw").hidden = true;
  write();
  at("api-body").focus();
}

// Shows the form or, in its place, the request as code.
function write() {
  if (!chosen) return;
  const view = document.querySelector('input[name="api-view"]:checked').value;
  at("api-form").hidden = view !== "try";
  at("api-snippet").hidden = view === "try";
  if (view !== "try") at("api-code").textContent = SNIPPETS[view](asking.request());
}

async function submit(raw) {
  if (!chosen) return;
  const wrong = asking.check();
  if (wrong === "input" || (wrong && !raw)) {
    at("api-send-raw").hidden = wrong === "input";
    return;
  }
  const route = chosen;
  const request = asking.request();
  if (route.method === "DELETE" && !(await confirmed(request))) return;
  const status = await answer.send(request, `${route.method} ${short(route)}`, route.meanings);
  const gone = route.method === "DELETE" && status >= 200 && status < 300;
  if (gone && decodeURIComponent(new URL(request.url).pathname).split("/").includes(instance)) await reopen();
}

function confirmed(request) {
  const dialog = at("api-ask");
  at("api-ask-what").textContent = `${request.method} ${new URL(request.url).pathname}`;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "send"), { once: true });
  });
}

function copied(event) {
  const button = event.target.closest?.("[data-copy]");
  if (button) copy(at(button.dataset.copy).textContent, "Copied.");
}
