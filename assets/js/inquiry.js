// <route-inquiry path="…" field="question" label="…" examples='["…"]'>: questions to a route, with what it answered.
//
// It stands in a shadow root: answers would be taken out again when the part around them is painted next.

import { base } from "./wire.js";

const PATIENCE_MS = 15_000;
const STYLE = `
  :host { display: block; font: 15px/22px var(--sans); color: var(--ink); }
  form { display: flex; gap: 8px; margin-top: 8px; }
  input { flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--edge); border-radius: 6px; padding: 6px 10px; }
  button { font: inherit; font-size: 14px; cursor: pointer; color: var(--ink); background: var(--sheet); border: 1px solid var(--edge); border-radius: 6px; padding: 5px 12px; }
  .examples { display: flex; flex-wrap: wrap; gap: 6px; } .examples button { font-size: 13px; line-height: 18px; padding: 3px 8px; border-color: var(--line); text-align: left; }
  :is(input, button):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  [aria-busy="true"] button { opacity: .6; }
  ol { list-style: none; margin: 0; padding: 0; } li { padding: 12px 0; border-top: 1px solid var(--line); } li:first-child { border-top: 0; padding-top: 4px; }
  p { margin: 0; max-width: 72ch; overflow-wrap: anywhere; } .asked { font-weight: 500; } .said { margin-top: 4px; }
  .meta, summary { font-size: 13px; line-height: 18px; color: var(--soft); } .meta { margin-top: 4px; } summary { cursor: pointer; width: fit-content; }
  details p { margin-top: 8px; font-size: 14px; line-height: 20px; color: var(--soft); } .score { font: 12px/18px var(--mono); }`;

class RouteInquiry extends HTMLElement {
  static observedAttributes = ["path"];

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    // Letters that are typed here are no keys of the page.
    this.shadowRoot.addEventListener("keydown", (event) => event.key !== "Escape" && event.stopPropagation());
  }

  // Another path is another talk.
  attributeChangedCallback() {
    const style = made("style", "", STYLE);
    this.log = made("ol");
    this.log.setAttribute("aria-live", "polite");
    this.form = made("form");
    this.input = made("input");
    this.input.type = "text";
    this.input.maxLength = 2000;
    this.input.required = true;
    this.input.setAttribute("aria-label", this.getAttribute("label"));
    this.form.append(this.input, made("button", "", "Ask"));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(this.input.value.trim());
    });
    const examples = made("div", "examples");
    for (const text of JSON.parse(this.getAttribute("examples") ?? "[]")) {
      const button = made("button", "", text);
      button.type = "button";
      button.addEventListener("click", () => this.ask(text));
      examples.append(button);
    }
    this.shadowRoot.replaceChildren(style, this.log, examples, this.form);
  }

  async ask(question) {
    if (!question || this.form.ariaBusy === "true") return;
    this.form.ariaBusy = "true";
    const path = this.getAttribute("path");
    const found = await answered(path, { [this.getAttribute("field")]: question });
    this.form.ariaBusy = "false";
    if (path !== this.getAttribute("path")) return;
    this.log.append(told(question, found));
    this.input.value = "";
  }
}

customElements.define("route-inquiry", RouteInquiry);

// What the route says, or why nothing came.
async function answered(path, body) {
  try {
    const response = await fetch(base() + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const answer = await response.json();
    return response.ok ? answer : { error: `The server refused this (${response.status}).` };
  } catch {
    return { error: "No answer came; ask again." };
  }
}

function told(question, { error, answer, confidence, source_chunks: sources = [] }) {
  const item = made("li");
  item.append(made("p", "asked", question), made("p", "said", error ?? answer));
  if (error) return item;
  item.append(made("p", "meta", `confidence ${(100 * confidence).toFixed(0)} %`));
  const details = made("details");
  details.append(made("summary", "", `${sources.length} passages`));
  for (const source of sources) {
    const passage = made("p", "", source.text);
    passage.prepend(made("span", "score", `${source.chunk_id} ${source.score.toFixed(2)} `));
    details.append(passage);
  }
  item.append(details);
  return item;
}

function made(name, className = "", text = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}
