// A baseline attached to the instance in play: when it moves is decided here, how on the server.

import { at, make } from "./api-dom.js";
import { current } from "./desk.js";
import { ask } from "./wire.js";

const MOST_LINES = 200;

let known = {};
let environment = "";
let instance = "";
let seen = 0;
let turn = 0;
let running = false;
let wake = () => {};
let moving = Promise.resolve();

export function start() {
  known = JSON.parse(at("api-agent").dataset.agents);
  at("api-agent-run").addEventListener("click", run);
  at("api-agent-pause").addEventListener("click", () => halt("Paused."));
  at("api-agent-step").addEventListener("click", step);
  at("api-agent-policy").addEventListener("change", about);
  at("api-agent").addEventListener("change", (event) => event.target.name === "api-agent-ms" && wake());
}

// Follows where the page stands; another instance or none ends a run.
export function stands(standing) {
  const next = standing?.instance ?? "";
  if (next !== instance) {
    if (running) halt("Not running.");
    instance = next;
    seen = 0;
    at("api-agent-log").replaceChildren();
    say("Not running.");
  }
  if (standing && standing.environment !== environment) {
    environment = standing.environment;
    at("api-agent-policy").replaceChildren(...(known[environment] ?? []).map(([name]) => make("option", {}, name)));
    about();
  }
  if (standing?.read_only) say("A watch link may look, not act: an agent cannot play from here.");
  buttons();
}

function about() {
  const chosen = (known[environment] ?? []).find(([name]) => name === at("api-agent-policy").value);
  at("api-agent-about").textContent = chosen?.[1] ?? "";
}

async function run() {
  if (running) return;
  running = true;
  turn += 1;
  const mine = turn;
  say(`${at("api-agent-policy").value} plays.`);
  buttons();
  while (running && mine === turn) {
    await move();
    if (running && mine === turn) await rest();
  }
}

async function step() {
  if (running) return;
  say(`${at("api-agent-policy").value} takes one step.`);
  await move();
}

function halt(words) {
  running = false;
  wake();
  say(words);
  buttons();
}

// One move after the other, whoever asked for them.
function move() {
  moving = moving.then(moved).catch((error) => halt(`The agent stopped: ${error.message}`));
  return moving;
}

async function moved() {
  const place = current();
  if (!place || place.instance !== instance) return;
  const answer = await ask("agent_move", {
    instance,
    policy: at("api-agent-policy").value,
    anew: at("api-agent-anew").checked,
    seen: Math.max(seen, place.n),
  });
  if (place.instance !== instance) return;
  seen = Math.max(seen, answer.n ?? 0);
  for (const line of answer.lines ?? []) tell(line);
  const words = answer.note?.text || answer.halt;
  if (words) halt(words);
}

function tell({ place, act, reward }) {
  const log = at("api-agent-log");
  const sign = reward.startsWith("+") ? "plus" : reward.startsWith("−") ? "minus" : "";
  log.append(make("li", {}, `${place}: ${act}`, ...(reward ? [", ", make("b", { class: sign }, reward)] : [])));
  while (log.children.length > MOST_LINES) log.firstElementChild.remove();
  at("api-agent-frame").scrollTop = log.scrollHeight;
}

// Waits for the chosen pace; a pause or another pace ends the wait.
function rest() {
  const ms = Number(document.querySelector('input[name="api-agent-ms"]:checked').value);
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    wake = () => {
      clearTimeout(timer);
      done();
    };
  });
}

function say(words) {
  at("api-agent-state").textContent = words;
}

// A button that goes out of use hands the focus to the one that takes its place.
function buttons() {
  const barred = !instance || Boolean(current()?.read_only);
  const focused = document.activeElement;
  at("api-agent-run").disabled = barred || running;
  at("api-agent-step").disabled = barred || running;
  at("api-agent-pause").disabled = !running;
  if (focused?.disabled) at(running ? "api-agent-pause" : "api-agent-run").focus({ preventScroll: true });
}
