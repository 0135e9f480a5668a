// What every chart has: plotly, a room of its own, and a new drawing when the theme or the width changes.
//
// It draws in a shadow root: what plotly adds to the document would be taken out again when the part is painted next.

const HERE = new URL(".", import.meta.url);
const STYLE = `
  :host { display: block; min-height: 300px; }
  .plot { height: 300px; } .plot:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
  .js-plotly-plot, .plot-container { width: 100%; height: 100%; position: relative; }
  .svg-container { position: relative; } .main-svg { position: absolute; top: 0; left: 0; pointer-events: none; }
  .main-svg .draglayer { pointer-events: all; } .plotly .main-svg .draglayer .nsewdrag { cursor: pointer; }
  .user-select-none { user-select: none; }`;

let library = null;

function plotly() {
  library ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL("plotly.min.js", HERE).href;
    script.onload = () => done(window.Plotly);
    script.onerror = () => {
      library = null;
      failed(new Error("plotly.js did not load"));
    };
    document.head.append(script);
  });
  return library;
}

export class PlotElement extends HTMLElement {
  static observedAttributes = ["figure", "label"];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.plot = document.createElement("div");
    this.plot.className = "plot";
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "img");
    root.append(style, this.plot);
    this.redraw = () => this.draw();
  }

  connectedCallback() {
    document.addEventListener("auditorium:theme", this.redraw);
    this.sized = new ResizeObserver(this.redraw);
    this.sized.observe(this);
    this.draw();
  }

  disconnectedCallback() {
    document.removeEventListener("auditorium:theme", this.redraw);
    this.sized.disconnect();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.draw();
  }

  // Colours, ticks and sizes for the room there is; each kind of chart has its own.
  dressed(figure) {
    return figure;
  }

  // Called once, when the first figure stands.
  drawn() {}

  async draw() {
    this.plot.setAttribute("aria-label", this.getAttribute("label") ?? "");
    const text = this.getAttribute("figure");
    if (!text || this.clientWidth === 0) return;
    const library = await plotly();
    if (text !== this.getAttribute("figure")) return;
    const { data, layout } = this.dressed(JSON.parse(text));
    await library.react(this.plot, data, layout, { displayModeBar: false, responsive: false, doubleClick: false });
    if (this.listening) return;
    this.listening = true;
    this.drawn();
  }
}

// The tokens of the theme, by name.
export function tokens(host) {
  const css = getComputedStyle(host);
  return (name) => css.getPropertyValue(`--${name}`).trim();
}
