// <series-chart figure='…' selects="field" label="…">: a plotly figure in the tokens of the theme; a click picks a point.
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

class SeriesChart extends HTMLElement {
  static observedAttributes = ["figure", "label"];

  constructor() {
    super();
    this.picked = null;
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

  // Marks a position from outside; null takes the mark away.
  pick(index) {
    if (index === this.picked) return;
    this.picked = index;
    this.draw();
  }

  get count() {
    return this.labels?.length ?? 0;
  }

  async draw() {
    this.plot.setAttribute("aria-label", this.getAttribute("label") ?? "");
    const text = this.getAttribute("figure");
    if (!text || this.clientWidth === 0) return;
    const figure = JSON.parse(text);
    this.labels = figure.layout.meta.labels;
    const library = await plotly();
    if (text !== this.getAttribute("figure")) return;
    const { data, layout } = dressed(figure, this);
    await library.react(this.plot, data, layout, { displayModeBar: false, responsive: false, doubleClick: false });
    if (this.listening) return;
    this.listening = true;
    this.plot.on("plotly_click", (event) => this.chosen(event.points[0].x));
  }

  chosen(index) {
    const field = this.getAttribute("selects");
    if (!field) return;
    this.dispatchEvent(new CustomEvent("auditorium:pick", { bubbles: true, detail: { field, index } }));
  }
}

customElements.define("series-chart", SeriesChart);

// Roles to tokens, labels to as many ticks as fit, and the picked position.
function dressed(figure, host) {
  const css = getComputedStyle(host);
  const token = (name) => css.getPropertyValue(`--${name}`).trim();
  const width = host.clientWidth;
  const { data, layout } = figure;
  for (const trace of data) dress(trace, token);
  for (const shape of layout.shapes) {
    if (shape.name === "gap") shape.fillcolor = token("wash");
    else shape.line.color = token("warn");
  }
  const small = { family: token("mono"), size: 11, color: token("faint") };
  for (const note of layout.annotations) note.font = { ...small, color: token("warn") };
  layout.width = width;
  layout.font = small;
  layout.hoverlabel = { bgcolor: token("sheet"), bordercolor: token("line"), font: { ...small, size: 12, color: token("ink") } };
  Object.assign(layout.yaxis, { gridcolor: token("line"), tickfont: small, automargin: false, ticks: "outside", ticklen: 8, tickcolor: "rgba(0,0,0,0)" });
  Object.assign(layout.xaxis, ticks(layout.meta.labels, width), { tickfont: small, linecolor: token("line"), ticks: "outside", ticklen: 5, tickcolor: "rgba(0,0,0,0)" });
  if (host.picked !== null && host.picked < layout.meta.labels.length) mark(figure, host.picked, token, small);
  return figure;
}

function dress(trace, token) {
  const ink = trace.meta === "repaired" ? token("accent") : trace.meta === "gap" ? token("soft") : token("ink");
  if (trace.line) trace.line.color = ink;
  Object.assign(trace.marker, { color: trace.meta === "observed" ? token("sheet") : ink });
  trace.marker.line = { color: ink, width: trace.meta === "observed" ? Math.min(2, trace.marker.size / 3) : 0 };
  if (trace.meta === "gap") trace.marker.line.width = 1.5;
}

function ticks(labels, width) {
  const longest = Math.max(1, ...labels.map((label) => label.length));
  const fit = Math.max(2, Math.floor((width - 90) / ((longest + 2) * 7)));
  const every = Math.ceil(labels.length / fit);
  const values = labels.map((_, index) => index).filter((index) => index % every === 0);
  return { tickmode: "array", tickvals: values, ticktext: values.map((index) => labels[index]), tickangle: 0 };
}

function mark(figure, index, token, font) {
  const { data, layout } = figure;
  const value = data.filter((trace) => trace.meta !== "gap").map((trace) => trace.y[index]).find((y) => y != null);
  layout.shapes.push({
    type: "rect", layer: "below", xref: "x", x0: index - 0.5, x1: index + 0.5, yref: "y domain", y0: 0, y1: 1,
    fillcolor: token("accent-wash"), line: { width: 0 },
  });
  const y = value ?? figure.layout.yaxis.range[0];
  data.push({
    type: "scatter", x: [index], y: [y], mode: "markers", hoverinfo: "skip", meta: "picked", cliponaxis: false,
    marker: { size: 13, color: token("accent"), symbol: value == null ? "diamond" : "circle", line: { color: token("sheet"), width: 2 } },
  });
  const right = index > layout.meta.labels.length * 0.7;
  layout.annotations.push({
    x: index, y, text: `${value == null ? "no value" : Number(value.toPrecision(6))} · index ${index}`, showarrow: false,
    xanchor: right ? "right" : "left", xshift: right ? -14 : 14, yanchor: "bottom", yshift: 4,
    font: { ...font, size: 12, color: token("ink") },
  });
}
