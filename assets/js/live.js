// The instance's feed: says when somebody moved. Closed while the page is hidden.

import { base } from "./wire.js";
import { connection } from "./shell.js";

const RETRY_MS = 2_000;

let source = null;
let timer = 0;
let followed = null;

// Follows an instance; `moved(n)` is called with the number of each new journal entry, and once after every connect,
// since what happened while nobody listened is not told again; `ended()` when the instance is erased or expired.
export function follow(ref, after, moved, ended) {
  if (followed?.ref === ref) {
    followed.after = Math.max(followed.after, after);
    return;
  }
  followed = { ref, after, moved, ended };
  close();
  open();
}

export function unfollow() {
  followed = null;
  close();
  connection("fed", null);
}

function open() {
  if (!followed || source || document.hidden) return;
  const { ref, after, moved, ended } = followed;
  source = new EventSource(`${base()}/instances/${encodeURIComponent(ref)}/events?after=${after}`);
  source.addEventListener("open", () => connection("fed", true));
  source.addEventListener("entry", (event) => {
    const n = Number(event.lastEventId);
    if (!followed || followed.ref !== ref) return;
    followed.after = Math.max(followed.after, n);
    moved(n);
  });
  // Erased or expired: one last look says so.
  source.addEventListener("gone", () => {
    unfollow();
    ended();
  });
  source.addEventListener("error", () => {
    connection("fed", false);
    // A refused connection is not tried again by the browser.
    if (source?.readyState === EventSource.CLOSED) {
      close();
      timer = setTimeout(open, RETRY_MS);
    }
  });
}

function close() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) close();
  else open();
});
window.addEventListener("online", () => {
  close();
  open();
});
