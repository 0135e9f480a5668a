// <source-shelf path="…" open>: what an analysis can be asked about; with `open`, files can be added and removed.
// <source-questions path="…" asked="[…]">: questions that fit it.
//
// Both stand in shadow roots and follow the same list.

import { base } from "./wire.js";
import { say } from "./shell.js";

const ACCEPT = ".csv,.tsv,.txt,.md,.parquet,.xlsx,.sqlite,.sqlite3,.db,.pdf";
const SURE_MS = 4_000;
// How often an upload comes again that others were before.
const TRIES = 40;
// What columns leave open, and how they can be read then; the first is what their values say.
const READINGS = [
  ["numbers", "Numbers like 1,500", [["", "as they look"], ["thousands", "one thousand five hundred"], ["decimal", "one and a half"]]],
  ["dates", "Dates like 04/03/2026", [["", "as they look"], ["day first", "day first"], ["month first", "month first"]]],
  ["mixed", "Words among numbers", [["", "keep all as text"], ["number", "leave the words out"]]],
];
const KINDS = { schema: "tables", sqlite: "SQLite", postgres: "Postgres", documents: "documents" };
const BUTTON = `
  button, label.add { font: 500 13px/18px var(--sans); cursor: pointer; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); padding: 4px 10px; text-align: left; }
  button:hover, label.add:hover { border-color: var(--edge); } :focus-visible, label.add:focus-within { outline: 2px solid var(--accent); outline-offset: 2px; }`;
const STYLE = `
  :host { display: block; font: 14px/20px var(--sans); color: var(--ink); margin-top: 8px; } [hidden] { display: none !important; } ${BUTTON}
  p { margin: 6px 0 0; } ul { list-style: none; margin: 0; padding: 0; } .meta { font-size: 13px; line-height: 18px; color: var(--soft); } .warn { color: var(--warn); } .bad { color: var(--bad); }
  .source { border-top: 1px solid var(--line); padding: 8px 0; } .source:first-child { border-top: 0; } summary { cursor: pointer; overflow-wrap: anywhere; } summary b { font-weight: 500; }
  .table { margin: 4px 0 0 14px; } .columns { margin: 2px 0 4px 14px; font: 13px/20px var(--mono); } .columns li { display: flex; gap: 8px; justify-content: space-between; } .columns span:first-child { overflow-wrap: anywhere; min-width: 0; } .columns .meta { font: 12px/20px var(--mono); white-space: nowrap; }
  .row { display: flex; justify-content: flex-end; margin-top: 6px; } .row button { font-size: 12px; padding: 2px 8px; }
  .reading { margin-top: 8px; } .reading summary { font-size: 13px; line-height: 18px; color: var(--soft); } .reading label { display: block; margin-top: 6px; font-size: 13px; line-height: 18px; color: var(--soft); }
  select { display: block; width: 100%; margin-top: 2px; font: 13px/18px var(--sans); color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); padding: 4px 6px; }
  label.add { display: inline-flex; margin-top: 8px; } input { position: absolute; width: 1px; height: 1px; opacity: 0; }
  :host(.over) { outline: 2px dashed var(--accent); outline-offset: 6px; border-radius: 4px; }`;

class SourceShelf extends HTMLElement {
  static observedAttributes = ["path", "seen", "open"];

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this.list = made("ul");
    this.state = made("p", "meta");
    this.state.setAttribute("role", "status");
    this.add = this.adding();
    this.reading = this.choosing();
    this.shadowRoot.append(made("style", "", STYLE), this.list, this.add, this.reading, this.state);
    this.shadowRoot.addEventListener("keydown", (event) => event.key !== "Escape" && event.stopPropagation());
    this.addEventListener("dragover", (event) => this.dragged(event, true));
    this.addEventListener("dragleave", (event) => this.dragged(event, false));
    this.addEventListener("drop", (event) => {
      this.dragged(event, false);
      if (this.accepting) this.upload(event.dataTransfer.files[0]);
    });
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "path") {
      this.text = null;
      this.tell("Looking at the sources…");
    }
    this.load();
  }

  get accepting() {
    return this.hasAttribute("open") && this.accepts && !this.busy;
  }

  // Of several attributes that change at once the list is asked for once.
  async load() {
    const path = this.getAttribute("path");
    const mine = (this.asked = (this.asked ?? 0) + 1);
    await Promise.resolve();
    if (mine !== this.asked || !path) return;
    const found = await fetched(path);
    if (mine !== this.asked) return;
    if (!found.ok) {
      this.tell(found.text, "bad");
      return;
    }
    if (found.raw === this.text) return;
    if (!this.text) this.tell("");
    this.text = found.raw;
    this.accepts = found.body.accepts_uploads;
    this.show(found.body.sources);
    document.dispatchEvent(new CustomEvent("auditorium:sources", { detail: { path, suggestions: found.body.suggestions } }));
  }

  show(sources) {
    const all = [...this.shadowRoot.querySelectorAll("details")];
    const open = new Set(all.filter((each) => each.open).map((each) => each.dataset.key));
    // The source that is asked first is looked into first.
    const first = sources[0]?.source_id;
    if (first && !all.some((each) => each.dataset.key === first)) open.add(first);
    this.list.replaceChildren(...sources.map((source) => this.source(source)));
    for (const each of this.shadowRoot.querySelectorAll("details")) each.open = open.has(each.dataset.key);
    this.add.hidden = !(this.hasAttribute("open") && this.accepts);
    this.reading.hidden = this.add.hidden;
  }

  source(source) {
    const item = made("li", "source");
    const all = details(source.source_id, source.name, contents(source));
    for (const table of source.tables) all.append(this.table(source, table));
    for (const document of source.documents) all.append(made("p", "meta table", `${document.filename} · ${counted(document.page_labels.length, "page")}`));
    for (const note of notes(source)) all.append(made("p", "meta warn", note));
    item.append(all);
    if (source.removable && this.hasAttribute("open")) item.append(this.removing(source));
    return item;
  }

  table(source, table) {
    const all = details(`${source.source_id} ${table.table_id}`, table.label, counted(table.row_count, "row"));
    all.className = "table";
    const columns = made("ul", "columns");
    for (const column of table.columns) {
      const line = made("li");
      line.append(made("span", "", column.label), made("span", "meta", [column.type, column.unit].filter(Boolean).join(" ")));
      columns.append(line);
    }
    all.append(columns);
    return all;
  }

  removing(source) {
    const row = made("div", "row");
    const button = made("button", "", "Remove");
    button.type = "button";
    button.setAttribute("aria-label", `Remove ${source.name}`);
    button.addEventListener("click", () => {
      if (button.dataset.sure) return this.remove(source);
      button.dataset.sure = "yes";
      button.textContent = "Really remove?";
      setTimeout(() => {
        delete button.dataset.sure;
        button.textContent = "Remove";
      }, SURE_MS);
    });
    row.append(button);
    return row;
  }

  adding() {
    const label = made("label", "add", "Add a file");
    const input = made("input");
    input.type = "file";
    input.accept = ACCEPT;
    input.setAttribute("aria-label", "Add a file: CSV, Excel, Parquet, SQLite, PDF or text");
    input.addEventListener("change", () => {
      this.upload(input.files[0]);
      input.value = "";
    });
    label.append(input);
    label.hidden = true;
    return label;
  }

  // How the columns of the next file are read, where their values leave it open.
  choosing() {
    const all = made("details", "reading");
    all.append(made("summary", "", "How numbers and dates are read"));
    for (const [name, words, options] of READINGS) {
      const label = made("label", "", words);
      const select = made("select");
      select.name = name;
      for (const [value, text] of options) select.append(new Option(text, value));
      label.append(select);
      all.append(label);
    }
    all.hidden = true;
    return all;
  }

  async upload(file) {
    if (!file || this.busy) return;
    this.busy = true;
    this.tell(`Reading ${file.name}…`);
    const found = await this.sent(file);
    this.busy = false;
    if (!found.ok) return this.tell(found.text, "bad");
    this.tell(`${found.body.name} is ready: ${contents(found.body)}. It is asked first.`);
    return this.load();
  }

  // What came of a file; while others are before it, it comes again and says so.
  async sent(file) {
    const form = new FormData();
    form.append("file", file);
    for (const select of this.reading.querySelectorAll("select")) if (select.value) form.append(select.name, select.value);
    for (let tries = 1; ; tries += 1) {
      const found = await fetched(this.getAttribute("path"), { method: "POST", body: form });
      if (!found.again_s || tries === TRIES) return found;
      this.tell(`${file.name} waits: ${found.text.split(";")[0]}.`);
      await new Promise((done) => setTimeout(done, 1_000 * found.again_s));
    }
  }

  async remove(source) {
    const found = await fetched(`${this.getAttribute("path")}/${encodeURIComponent(source.source_id)}`, { method: "DELETE" });
    if (found.ok) this.tell(`${source.name} was removed.`);
    else this.tell(found.text, "bad");
    return this.load();
  }

  dragged(event, over) {
    if (!this.accepting) return;
    event.preventDefault();
    this.classList.toggle("over", over);
  }

  tell(text, how = "meta") {
    this.state.className = how === "meta" ? "meta" : `meta ${how}`;
    this.state.textContent = text;
    if (how === "bad") say("source", text);
  }
}

customElements.define("source-shelf", SourceShelf);

class SourceQuestions extends HTMLElement {
  static observedAttributes = ["asked"];

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this.suggestions = [];
    this.hear = (event) => {
      if (event.detail.path !== this.getAttribute("path")) return;
      this.suggestions = event.detail.suggestions;
      this.show();
    };
  }

  connectedCallback() {
    document.addEventListener("auditorium:sources", this.hear);
  }

  disconnectedCallback() {
    document.removeEventListener("auditorium:sources", this.hear);
  }

  attributeChangedCallback() {
    this.show();
  }

  show() {
    const asked = new Set(JSON.parse(this.getAttribute("asked") ?? "[]"));
    const buttons = this.suggestions.filter((question) => !asked.has(question)).map((question) => {
      const button = made("button", "", question);
      button.type = "button";
      button.title = question;
      button.addEventListener("click", () => document.dispatchEvent(new CustomEvent("auditorium:ask", { detail: question })));
      return button;
    });
    this.shadowRoot.replaceChildren(made("style", "", `:host { display: contents; } ${BUTTON} button { flex: none; max-width: min(360px, 100%); box-sizing: border-box; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }`), ...buttons);
  }
}

customElements.define("source-questions", SourceQuestions);

// What a route says: `{ok, raw, body}`, or why nothing came, in words; `again_s`: after that it may.
async function fetched(path, request = {}) {
  try {
    const response = await fetch(base() + path, request);
    const raw = await response.text();
    const body = raw ? JSON.parse(raw) : null;
    const text = typeof body?.detail === "string" ? body.detail : (body?.error?.message ?? `The server refused this (${response.status}).`);
    const again_s = response.status === 503 ? Number(response.headers.get("retry-after")) : 0;
    return { ok: response.ok, raw, body, text, again_s };
  } catch {
    return { ok: false, text: "No answer came; try again." };
  }
}

function contents({ source_type: kind, tables, documents }) {
  if (kind === "documents") return counted(documents.length, "document");
  if (tables.length === 1) return counted(tables[0].row_count, "row");
  return `${tables.length} ${KINDS[kind] === "tables" ? "tables" : `tables, ${KINDS[kind]}`}`;
}

function notes(source) {
  return [...source.notes, ...source.documents.flatMap((document) => document.notes)].map((note) => note.text);
}

function counted(count, word) {
  return `${count.toLocaleString("en-GB")} ${word}${count === 1 ? "" : "s"}`;
}

function details(key, title, about) {
  const all = made("details");
  all.dataset.key = key;
  const summary = made("summary");
  summary.append(made("b", "", title), " ", made("span", "meta", about));
  all.append(summary);
  return all;
}

function made(name, className = "", text = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}
