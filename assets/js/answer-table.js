// The table of an answer to take along: as CSV in the clipboard or in a file.

import { copy } from "./shell.js";

// A spreadsheet would run a text that begins like a formula.
const FORMULA = /^[=+\-@\t\r]/;

export function start() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-table]");
    if (!button) return;
    const figure = button.closest("figure");
    const text = csv(figure.querySelector("table"));
    if (button.dataset.table === "copy") copy(text, "Table copied as CSV.");
    else save(text, figure.querySelector("figcaption bdi")?.textContent);
  });
}

function csv(table) {
  return [...table.rows].map((row) => [...row.cells].map(cell).join(",")).join("\r\n") + "\r\n";
}

function cell(part) {
  if (part.dataset.raw) return part.dataset.raw;
  const text = part.querySelector("bdi").textContent;
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function save(text, caption) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  link.download = `${(caption || "answer").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
