// What the browser keeps: the pseudonym, the theme, instances played, drafts. Works without storage, then forgets.

const memory = new Map();

function area(kind) {
  try {
    return kind === "tab" ? sessionStorage : localStorage;
  } catch {
    return null;
  }
}

export function read(key, kind = "browser") {
  const name = `auditorium:${key}`;
  try {
    return area(kind)?.getItem(name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

export function write(key, value, kind = "browser") {
  const name = `auditorium:${key}`;
  memory.set(name, value);
  try {
    area(kind)?.setItem(name, value);
  } catch {
    // Full or forbidden: what is in memory lasts as long as the page.
  }
}

export function forget(key, kind = "browser") {
  const name = `auditorium:${key}`;
  memory.delete(name);
  try {
    area(kind)?.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}

export function pseudonym() {
  const kept = read("who");
  if (kept && /^guest-[0-9a-f]{4,8}$/.test(kept)) return kept;
  const made = `guest-${token(2)}`;
  write("who", made);
  return made;
}

export function token(bytes = 16) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
}

const RECENT = 6;

export function recent() {
  try {
    const list = JSON.parse(read("recent") ?? "[]");
    return Array.isArray(list) ? list.filter((id) => typeof id === "string").slice(0, RECENT) : [];
  } catch {
    return [];
  }
}

export function played(instance) {
  write("recent", JSON.stringify([instance, ...recent().filter((id) => id !== instance)].slice(0, RECENT)));
}
