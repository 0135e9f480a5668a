// <series-chart figure='…' selects="field" label="…">: a plotly figure in the tokens of the theme; a click picks a point.

import { PlotElement, tokens } from "./plot.js";

// Of a character of the mark's text, in pixels.
const WIDEST = 7.5;

class SeriesChart extends PlotElement {
  constructor() {
    super();
    this.picked = null;
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

  // The points are known, and can be chosen by keyboard, before plotly has come.
  draw() {
    const text = this.getAttribute("figure");
    if (text) this.labels = JSON.parse(text).layout.meta.labels;
    return super.draw();
  }

  dressed(figure) {
    return dressed(figure, this);
  }

  drawn() {
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
  const token = tokens(host);
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
  layout.legend.font = { ...small, color: token("soft") };
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
  const text = `${value == null ? "no value" : Number(value.toPrecision(6))} · index ${index}`;
  const { l, r } = layout.margin;
  const place = l + ((layout.width - l - r) * (index + 0.5)) / layout.meta.labels.length;
  const right = place + 14 + text.length * WIDEST > layout.width;
  layout.annotations.push({
    x: index, y, text, showarrow: false,
    xanchor: right ? "right" : "left", xshift: right ? -14 : 14, yanchor: "bottom", yshift: 4,
    font: { ...font, size: 12, color: token("ink") },
  });
}
