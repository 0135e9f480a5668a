// One question to the server and its answer, also over a connection that comes and goes.

import { pseudonym } from "./store.js";
import { connection } from "./shell.js";

const PATIENCE_MS = 8_000;
const PAUSES_MS = [400, 800, 1_500, 2_500];

const server = {};

// Takes in what a part of the page may ask.
export function connect(functions) {
  Object.assign(server, functions);
}

export function base() {
  return window.gradio_config.root.replace(/\/ui\/?$/, "").replace(/^https?:\/\/[^/]+/, window.location.origin);
}

// Asks once. Null: no answer came.
async function once(question, body) {
  const late = new Promise((done) => setTimeout(() => done(null), PATIENCE_MS));
  const answer = await Promise.race([server[question](body).catch(() => null), late]);
  return answer && typeof answer === "object" && "parts" in answer ? answer : null;
}

// Asks until an answer comes. What changes something carries a key, so that asking again does nothing twice.
export async function ask(question, body = {}) {
  const whole = {
    who: pseudonym(),
    base: base(),
    offset_min: -new Date().getTimezoneOffset(),
    ...body,
  };
  for (let tries = 0; ; tries += 1) {
    const answer = await once(question, whole);
    if (answer) {
      connection("asked", true);
      return answer;
    }
    connection("asked", false);
    await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
  }
}

// Waits, but no longer than until the browser says that the network is back.
function pause(ms) {
  return new Promise((done) => {
    const timer = setTimeout(go, ms);
    function go() {
      clearTimeout(timer);
      window.removeEventListener("online", go);
      done();
    }
    window.addEventListener("online", go);
  });
}
