// The frame of every page: theme, copying, connection state, notes.

import { read, write } from "./store.js";

const NOTE_MS = 7_000;

let state = null;
const links = { asked: true, fed: null };

export function start() {
  document.getElementById("theme").addEventListener("click", toggleTheme);
  document.getElementById("copy-id").addEventListener("click", () => copy(place("instance"), "Link copied."));
  document.getElementById("copy-watch").addEventListener("click", () => copy(place("watch"), "Watch link copied."));
  document.body.classList.toggle("dark", dark());
  document.querySelector(".nav [aria-current]").scrollIntoView({ block: "nearest", inline: "nearest" });
  show();
}

function dark() {
  return document.documentElement.dataset.theme === "dark";
}

export function toggleTheme() {
  const next = dark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  document.body.classList.toggle("dark", next === "dark");
  write("theme", next);
  document.dispatchEvent(new CustomEvent("auditorium:theme"));
}

// The top bar follows where the page stands; null: no instance.
export function stands(standing) {
  state = standing;
  show();
}

// What is known of the connection. `asked`: the last question was answered. `fed`: the feed is open; null: none wanted.
export function connection(which, up) {
  if (links[which] === up) return;
  links[which] = up;
  if (which === "asked" && up === false) {
    say("connection", "Connection lost. What you sent is kept and goes out once it is back.", true);
  }
  if (which === "asked" && up) unsay("connection");
  show();
}

function show() {
  const live = document.getElementById("live");
  if (!live) return;
  const mode = links.asked === false || links.fed === false ? "off" : state && links.fed === null ? "wait" : "on";
  live.dataset.mode = mode;
  live.querySelector(".live-text").textContent = mode === "off" ? "reconnecting" : present();
  const id = state?.instance ?? "";
  const copyId = document.getElementById("copy-id");
  copyId.hidden = !id || state.read_only;
  copyId.querySelector(".id-text").textContent = state ? `${state.environment} · ${short(state)}` : "";
  document.getElementById("copy-watch").hidden = !id;
}

function present() {
  if (!state) return "ready";
  const others = state.others.length;
  const you = state.read_only ? "watching" : "you";
  if (others === 0) return `live · ${you}`;
  return others === 1 ? `${you} + ${state.others[0]}` : `${you} + ${others} others`;
}

function short({ instance, commons }) {
  if (commons) return "shared";
  return instance.length < 12 ? instance : `${instance.slice(0, 4)}…${instance.slice(-4)}`;
}

function place(key) {
  const url = new URL(window.location.href);
  url.search = new URLSearchParams({ env: state.environment, instance: state[key] }).toString();
  return url.toString();
}

export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say("copy", done);
  } catch {
    say("copy", text);
  }
}

// Tells something in words. A note that stays is taken back with `unsay`.
export function say(code, text, stays = false) {
  const room = document.querySelector(".notes");
  if (!room) return;
  unsay(code);
  const note = document.createElement("div");
  note.className = "note";
  note.dataset.code = code;
  const words = document.createElement("bdi");
  words.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "btn small";
  close.textContent = "Close";
  close.addEventListener("click", () => note.remove());
  note.append(words, close);
  room.append(note);
  if (!stays) setTimeout(() => note.remove(), NOTE_MS);
}

export function unsay(code) {
  for (const note of document.querySelectorAll(".note")) if (note.dataset.code === code) note.remove();
}

export function keysOff() {
  return read("keys-off") === "1";
}

export function setKeysOff(off) {
  write("keys-off", off ? "1" : "0");
}
