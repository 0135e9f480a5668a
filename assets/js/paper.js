// A page to read: a box drawn on it with the mouse offers what can be done there.

import { move } from "./desk.js";

const LEAST = 4;

let drawing = null;

export function start() {
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", draw);
  document.addEventListener("pointerup", end);
  document.addEventListener("click", clicked);
}

// A finger scrolls: on a phone the page's head and foot have buttons.
function begin(event) {
  const paper = event.target.closest?.("[data-paper]");
  if (!paper || !event.target.closest("svg") || event.pointerType === "touch" || event.button !== 0) return;
  event.preventDefault();
  drawing = { paper, from: place(paper, event), to: place(paper, event) };
  show();
}

function draw(event) {
  if (!drawing) return;
  drawing.to = place(drawing.paper, event);
  show();
}

function end() {
  if (!drawing) return;
  const { paper } = drawing;
  const box = corners();
  const drawn = box[2] - box[0] >= LEAST && box[3] - box[1] >= LEAST;
  paper.querySelector(".drawn").toggleAttribute("hidden", !drawn);
  paper.querySelector(".drawn-row").hidden = !drawn;
  paper.dataset.box = JSON.stringify(box);
  drawing = null;
}

function clicked(event) {
  const button = event.target.closest?.("[data-drawn]");
  if (!button) return;
  const paper = button.closest("[data-paper]");
  move(JSON.stringify({ ...JSON.parse(button.dataset.drawn), [paper.dataset.takes]: JSON.parse(paper.dataset.box) }));
}

// Where the pointer is, in points of the page and within it.
function place(paper, event) {
  const svg = paper.querySelector("svg");
  const { left, top, width, height } = svg.getBoundingClientRect();
  const page = svg.viewBox.baseVal;
  const within = (value, most) => Math.min(most, Math.max(0, value));
  return [
    within(((event.clientX - left) / width) * page.width, page.width),
    within(((event.clientY - top) / height) * page.height, page.height),
  ];
}

function corners() {
  const [[x, y], [u, v]] = [drawing.from, drawing.to];
  return [Math.min(x, u), Math.min(y, v), Math.max(x, u), Math.max(y, v)].map((edge) => Math.round(edge * 10) / 10);
}

function show() {
  const mark = drawing.paper.querySelector(".drawn");
  const [left, top, right, bottom] = corners();
  mark.removeAttribute("hidden");
  mark.setAttribute("x", left);
  mark.setAttribute("y", top);
  mark.setAttribute("width", right - left);
  mark.setAttribute("height", bottom - top);
}
