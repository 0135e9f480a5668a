// <curve-chart figure='…' label="…">: curves over episodes, a panel for each level, side by side where there is room.

import { PlotElement, tokens } from "./plot.js";

const NARROW = 720;
const TALL = 240;
const GAP = 40;
const MARGIN = { t: 28, r: 12, b: 32, l: 52 };

class CurveChart extends PlotElement {
  dressed(figure) {
    const token = tokens(this);
    const { data, layout } = figure;
    const inks = { curve: token("accent"), band: "rgba(0,0,0,0)", beside: token("soft") };
    for (const trace of data) {
      trace.line.color = inks[trace.meta];
      if (trace.meta === "band") trace.fillcolor = token("accent-wash");
    }
    const small = { family: token("mono"), size: 11, color: token("soft") };
    for (const note of layout.annotations) note.font = note.name === "panel" ? { ...small, size: 12, color: token("ink") } : small;
    layout.font = small;
    layout.hoverlabel = { bgcolor: token("sheet"), bordercolor: token("line"), font: { ...small, size: 12, color: token("ink") } };
    arrange(layout, this.clientWidth, { gridcolor: token("line"), linecolor: token("line"), tickfont: small });
    this.style.minHeight = this.plot.style.height = `${layout.height}px`;
    return figure;
  }
}

customElements.define("curve-chart", CurveChart);

// Gives each panel its place; all have the same size and the same axes.
function arrange(layout, width, look) {
  const { panels } = layout.meta;
  const beside = width >= NARROW;
  const [across, down] = beside ? [panels.length, 1] : [1, panels.length];
  const inner = down * TALL + (down - 1) * GAP * 1.6;
  const room = width - MARGIN.l - MARGIN.r;
  Object.assign(layout, { width, height: inner + MARGIN.t + MARGIN.b, margin: MARGIN });
  const wide = (1 - (GAP / room) * (across - 1)) / across;
  panels.forEach((_, n) => {
    const [column, row] = beside ? [n, 0] : [0, n];
    const which = n === 0 ? "" : n + 1;
    const left = column * (wide + GAP / room);
    const top = 1 - (row * (TALL + GAP * 1.6)) / inner;
    Object.assign(layout[`xaxis${which}`], look, { domain: [left, Math.min(1, left + wide)] });
    Object.assign(layout[`yaxis${which}`], look, { domain: [Math.max(0, top - TALL / inner), top], showticklabels: column === 0 });
  });
}
