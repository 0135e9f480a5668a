// <answer-chart figure='…' label="…">: the picture of an answer, with as many series as it has.

import { PlotElement, tokens } from "./plot.js";

const TALL = 280;
const BAR = 22;
const LETTER = 6.7;
const SERIES = 8;

class AnswerChart extends PlotElement {
  dressed(figure) {
    const token = tokens(this);
    const { data, layout } = figure;
    for (const trace of data) dress(trace, token);
    const small = { family: token("mono"), size: 11, color: token("soft") };
    layout.font = small;
    layout.legend = { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", itemclick: false, itemdoubleclick: false, font: { ...small, color: token("ink") } };
    layout.hoverlabel = { bgcolor: token("sheet"), bordercolor: token("line"), font: { ...small, size: 12, color: token("ink") } };
    for (const axis of [layout.xaxis, layout.yaxis]) {
      Object.assign(axis, { gridcolor: token("line"), zerolinecolor: token("edge"), linecolor: token("line"), tickfont: small, automargin: false });
      if (axis.title) axis.title.font = small;
    }
    arrange(layout, this.clientWidth);
    this.style.minHeight = this.plot.style.height = `${layout.height}px`;
    return figure;
  }
}

customElements.define("answer-chart", AnswerChart);

function dress(trace, token) {
  const { ink: number, band, dashed } = trace.meta;
  const ink = token(`series-${(number % SERIES) + 1}`);
  trace.marker = { color: ink, size: trace.mode === "markers" ? 7 : 6, opacity: trace.mode === "markers" ? 0.7 : 1 };
  if (trace.type !== "scatter") return;
  trace.line = { color: band ? "rgba(0,0,0,0)" : ink, width: 2, dash: dashed ? "dash" : "solid" };
  if (dashed) trace.marker.symbol = "circle-open";
  if (trace.fill === "tonexty") trace.fillcolor = token("accent-wash");
}

// Bars lie under each other, each with room for its name; everything else has one height.
function arrange(layout, width) {
  const { mark, bars, longest } = layout.meta;
  const top = layout.showlegend ? 40 : 12;
  if (mark !== "bar") {
    // Names of times lie flat: slanted ones are cut.
    Object.assign(layout.xaxis, { tickangle: 0, nticks: Math.min(layout.xaxis.nticks ?? 8, Math.max(2, Math.floor(width / 90))) });
    Object.assign(layout, { width, height: TALL, margin: { l: 56, r: 20, t: top, b: layout.xaxis.title ? 52 : 36 } });
    return;
  }
  const most = Math.floor((width * 0.38) / LETTER);
  const left = 20 + LETTER * Math.min(longest, most);
  Object.assign(layout, { width, height: Math.max(90, bars * BAR) + top + 36, margin: { l: left, r: 20, t: top, b: 36 } });
  Object.assign(layout.yaxis, { ticks: "outside", ticklen: 6, tickcolor: "rgba(0,0,0,0)" });
  if (longest <= most) return;
  const names = [...new Set(layout.meta.names)];
  Object.assign(layout.yaxis, { tickmode: "array", tickvals: names, ticktext: names.map((name) => (name.length > most ? `${name.slice(0, most - 1)}…` : name)) });
}
