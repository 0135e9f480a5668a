// Lists of records in a form: a row is a copy of the list's template, with its place where the template has a star.
//
// What a row's fields say is for form.js.

const LIST = '[data-kind="list"]';

// Calls `shorter` when a row was taken away.
export function start(shorter) {
  document.addEventListener("click", (event) => {
    const list = event.target.closest?.(LIST);
    if (!list) return;
    if (event.target.closest("[data-add]")) add(list).querySelector("select, input, textarea").focus();
    const gone = event.target.closest("[data-remove]")?.closest(".row");
    if (!gone) return;
    gone.remove();
    limit(list).focus();
    shorter();
  });
}

export function shown(form) {
  return [...form.querySelectorAll(LIST)].filter((list) => !list.hidden);
}

function rowsOf(list) {
  return list.querySelector(":scope > .rows");
}

function add(list) {
  const rows = rowsOf(list);
  const place = Number(rows.lastElementChild?.dataset.place ?? -1) + 1;
  const text = list.querySelector(":scope > template").innerHTML;
  rows.insertAdjacentHTML(
    "beforeend",
    text.replaceAll(".*.", `.${place}.`).replaceAll("-*-", `-${place}-`).replaceAll("no. *", `no. ${place + 1}`),
  );
  rows.lastElementChild.dataset.place = place;
  limit(list);
  return rows.lastElementChild;
}

function limit(list) {
  const button = list.querySelector(":scope > [data-add]");
  button.disabled = rowsOf(list).children.length >= Number(list.dataset.most ?? Infinity);
  return button;
}

// Exactly the rows that the names of a draft's answers need.
export function regrow(form, names) {
  for (const list of form.querySelectorAll(LIST)) {
    const start = `${list.dataset.path}.`;
    const places = names.filter((name) => name.startsWith(start)).map((name) => parseInt(name.slice(start.length), 10));
    rowsOf(list).replaceChildren();
    while (rowsOf(list).children.length <= Math.max(-1, ...places)) add(list);
    limit(list);
  }
}

// Only rows that are filled in are sent and counted; an error's path gets the place that its row has on the page.
export function placed(form, errors, isFilled) {
  const found = { ...errors };
  for (const list of shown(form)) {
    const filled = [...rowsOf(list).children].filter(isFilled);
    for (const key of Object.keys(errors)) {
      const [path, sent, ...rest] = key.split(".");
      if (path !== list.dataset.path || !filled[sent]) continue;
      delete found[key];
      found[[path, filled[sent].dataset.place, ...rest].join(".")] = errors[key];
    }
  }
  return found;
}
