// <live-turn>: the question under way and its answer as it comes.
//
// It stands in a shadow root: what is added to the document is taken out again when the part around it is painted next.

const STYLE = `
  :host { display: block; font: 15px/22px var(--sans); color: var(--ink); scroll-margin-bottom: 180px; } :host([hidden]) { display: none; }
  div { padding: 16px 24px 20px; border-top: 1px solid var(--line); }
  p { margin: 0; white-space: pre-line; overflow-wrap: anywhere; max-width: 72ch; }
  .asked { width: fit-content; max-width: min(56ch, 88%); margin: 0 0 16px auto; padding: 8px 14px; border-radius: 14px 14px 2px 14px; background: var(--accent-wash); }
  .status { font-size: 13px; line-height: 18px; color: var(--soft); min-height: 18px; }
  .status::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 8px; border-radius: 1px; rotate: 45deg; background: var(--agent); }
  @media (prefers-reduced-motion: no-preference) { .status::before { animation: wait 1.2s ease-in-out infinite alternate; } @keyframes wait { to { opacity: .25; } } }
  .told { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  @media (max-width: 820px) { div { padding-inline: 16px; } }`;

class LiveTurn extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.room = document.createElement("div");
    this.room.hidden = true;
    [this.question, this.words, this.state] = ["asked", "said", "status"].map((name) => {
      const line = document.createElement("p");
      line.className = name;
      line.dir = "auto";
      this.room.append(line);
      return line;
    });
    // Read aloud, and there before anything happens: what was hidden when it changed is not told.
    this.told = document.createElement("p");
    this.told.className = "told";
    this.told.setAttribute("role", "status");
    root.append(style, this.room, this.told);
  }

  begin(question) {
    this.question.textContent = question;
    this.restart();
    this.room.hidden = false;
    this.scrollIntoView({ block: "end" });
  }

  // The answer comes from its beginning.
  restart() {
    this.words.textContent = "";
    this.status("Asking…");
  }

  status(text) {
    this.state.textContent = this.told.textContent = text;
  }

  add(text) {
    this.words.append(text);
    this.state.textContent = "Answering…";
  }

  // The answer stands on the page now.
  finish() {
    const words = this.words.textContent;
    this.clear();
    this.told.textContent = words;
  }

  clear() {
    this.room.hidden = true;
    this.words.textContent = this.question.textContent = this.state.textContent = this.told.textContent = "";
  }
}

customElements.define("live-turn", LiveTurn);
