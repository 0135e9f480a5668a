// Reports and Plots: asks for their content when the page is opened, follows links between views, draws the charts.

import { PlotElement, tokens } from "./plot.js";
import { paint } from "./parts.js";
import { ask } from "./wire.js";
import { copy } from "./shell.js";

const PAGES = ["reports", "plots"];
const NARROW = 720;
const ROW = 28;
const GAP = 28;
const TITLE = 24;
const MARGIN = { t: 4, r: 12, b: 30 };

let page = null;
let asked = 0;

export function start(server) {
  page = PAGES.find((name) => typeof server?.[name] === "function") ?? null;
  if (!page) return;
  document.addEventListener("click", clicked);
  window.addEventListener("popstate", show);
  show();
}

// Paints what the address names; of several questions under way the last one counts.
async function show() {
  asked += 1;
  const mine = asked;
  const answer = await ask(page, Object.fromEntries(new URLSearchParams(window.location.search)));
  if (mine === asked) await paint(answer.parts);
}

function clicked(event) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  const button = event.target.closest?.("[data-copy]");
  if (button) copy(button.dataset.copy, "Command copied.");
  const link = event.target.closest?.("a[data-view]");
  if (!link) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  show();
}

// <result-chart figure='…' label="…">: panels side by side where there is room, else one above the other.
class ResultChart extends PlotElement {
  dressed(figure) {
    const token = tokens(this);
    const { data, layout } = figure;
    for (const trace of data) dress(trace, token);
    for (const shape of layout.shapes) shape.line.color = token("edge");
    const small = { family: token("mono"), size: 11, color: token("soft") };
    for (const note of layout.annotations) note.font = { ...small, size: 12, color: token("ink") };
    layout.font = small;
    layout.hoverlabel = { bgcolor: token("sheet"), bordercolor: token("line"), font: { ...small, size: 12, color: token("ink") } };
    arrange(layout, this.clientWidth, small, token);
    this.style.minHeight = this.plot.style.height = `${layout.height}px`;
    return figure;
  }
}

customElements.define("result-chart", ResultChart);

function dress(trace, token) {
  if (trace.meta === "spread") {
    trace.fillcolor = token("wash");
    trace.line.color = token("soft");
    return;
  }
  const ink = trace.meta === "yardstick" ? token("ink") : token("agent");
  trace.marker.color = ink;
  trace.marker.line = { color: trace.meta === "mean" ? token("sheet") : ink, width: trace.meta === "agent" ? 0 : 1.5 };
  if (trace.error_x) trace.error_x.color = ink;
}

// Gives each panel its place; all have the same span, so that they compare at a glance.
function arrange(layout, width, font, token) {
  const { panels, rows } = layout.meta;
  const names = shortened(rows, width);
  const left = 16 + 6.7 * Math.max(4, ...names.map((name) => name.length));
  const beside = width >= NARROW;
  const tall = Math.max(2, rows.length) * ROW;
  const [across, down] = beside ? [panels.length, 1] : [1, panels.length];
  const inner = down * tall + (down - 1) * (GAP + TITLE);
  Object.assign(layout, { width, height: inner + MARGIN.t + TITLE + MARGIN.b, margin: { ...MARGIN, t: MARGIN.t + TITLE, l: left } });
  const gap = GAP / (width - left - MARGIN.r);
  const share = (1 - gap * (across - 1)) / across;
  panels.forEach((_, n) => {
    const [column, row] = beside ? [n, 0] : [0, n];
    const which = n === 0 ? "" : n + 1;
    const x = column * (share + gap);
    const top = 1 - (row * (tall + GAP + TITLE)) / inner;
    const grid = { gridcolor: token("line"), tickfont: font, linecolor: token("line") };
    Object.assign(layout[`xaxis${which}`], grid, { domain: [x, Math.min(1, x + share)] });
    Object.assign(layout[`yaxis${which}`], grid, {
      domain: [Math.max(0, top - tall / inner), top], showgrid: false, showticklabels: column === 0,
      tickmode: "array", tickvals: names.map((_, index) => index), ticktext: names,
      ticks: "outside", ticklen: 6, tickcolor: "rgba(0,0,0,0)",
    });
  });
}

// Names leave the greater part of the width to the panel.
function shortened(rows, width) {
  const most = Math.max(8, Math.floor((width * 0.36) / 6.7));
  return rows.map((name) => (name.length > most ? `${name.slice(0, most - 1)}…` : name));
}
