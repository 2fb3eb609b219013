// The form for a new game: as many name fields as the game takes, and the names of those who played last.
// @ts-check

import { recallList, remember } from "./memory.js";
import { folded, wrongNames } from "./names.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.opening"));
const people = /** @type {HTMLElement} */ (document.getElementById("people"));
const add = /** @type {HTMLButtonElement} */ (document.getElementById("add"));
const fields = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name^=player]")]);
const box = (/** @type {HTMLInputElement} */ field) => /** @type {HTMLElement} */ (field.closest(".player"));

/** The numbers of players that the chosen edition allows. */
function counts() {
  const edition = /** @type {HTMLSelectElement | null} */ (form.querySelector("[name=edition]"));
  const source = edition ? edition.selectedOptions[0] : form;
  return (source.dataset.counts || "").split(" ").filter(Boolean).map(Number);
}

const shown = () => fields.filter((field) => !box(field).hidden);

/** Shows this many name fields; hidden fields lose their name. @param {number} count */
function show(count) {
  fields.forEach((field, n) => {
    box(field).hidden = n >= count;
    if (n >= count) field.value = "";
    field.required = false;
  });
  changed();
}

/** The number of fields after one more player joins: the next that the game allows. */
const next = () => counts().find((count) => count > shown().length);

function changed() {
  add.hidden = next() === undefined;
  const used = new Set(fields.map((field) => folded(field.value)));
  for (const chip of people.querySelectorAll("button"))
    chip.setAttribute("aria-pressed", String(used.has(folded(chip.dataset.name || ""))));
}

/**
 * Says what is wrong at the fields; returns the first of them.
 * @param {boolean} complete whether names may not be missing
 */
function check(complete) {
  const wrong = wrongNames(
    fields.map((field) => field.value.trim()),
    form.dataset.title || "",
    complete ? counts() : [],
  );
  fields.forEach((field, n) => {
    const line = /** @type {HTMLElement} */ (document.getElementById(`${field.id}-wrong`));
    const said = wrong.get(n + 1) || "";
    const silent = !complete && said.endsWith("no name.");
    line.textContent = silent ? "" : said;
    line.hidden = !line.textContent;
    field.toggleAttribute("aria-invalid", !line.hidden);
  });
  return fields.find((_, n) => wrong.has(n + 1));
}

/** Seats a player, or removes one who is seated. @param {string} name */
function seat(name) {
  const seated = fields.find((field) => folded(field.value) === folded(name));
  const more = next();
  if (seated) seated.value = "";
  else {
    if (!shown().some((field) => !field.value.trim()) && more) show(more);
    const free = shown().find((field) => !field.value.trim());
    if (free) free.value = name;
  }
  changed();
  check(false);
}

// Without a script the other fields are behind a summary; with one they come one at a time.
const folds = document.getElementById("more");
const first = shown().length - (folds ? folds.querySelectorAll("[name^=player]").length : 0);
if (folds) folds.replaceWith(...[...folds.children].filter((child) => child.nodeName !== "SUMMARY"));
for (const name of recallList("people").reverse()) {
  const known = [...people.children].find(
    (chip) => folded(/** @type {HTMLElement} */ (chip).dataset.name || "") === folded(name),
  );
  const chip = known || Object.assign(document.createElement("button"), { type: "button", className: "chip" });
  if (!known) {
    /** @type {HTMLElement} */ (chip).dataset.name = name;
    chip.append(Object.assign(document.createElement("bdi"), { textContent: name }));
  }
  people.prepend(chip);
}
while (people.children.length > 12) people.lastElementChild?.remove();
people.hidden = !people.children.length;
const wrong = [...form.querySelectorAll(".player .wrong")].map((line) => line.textContent);
show(Math.max(first, counts()[0]));
form.noValidate = true;
wrong.forEach((text, n) => {
  if (text) fields[n].setAttribute("aria-invalid", "true");
});

people.addEventListener("click", (event) => {
  const chip = /** @type {HTMLElement} */ (event.target).closest("button");
  if (chip) seat(chip.dataset.name || "");
});
add.addEventListener("click", () => {
  const before = shown().length;
  show(next() || before);
  fields[before]?.focus();
});
form.querySelector("[name=edition]")?.addEventListener("change", () => {
  const most = counts()[counts().length - 1];
  if (shown().length > most) show(most);
  changed();
});
// A message goes away as soon as the field is right, but appears only when the field is left, so that nothing moves
// while somebody types.
form.addEventListener("input", () => {
  if (form.querySelector(".player .wrong:not([hidden])")) check(false);
});
form.addEventListener("change", () => {
  changed();
  check(false);
});
form.addEventListener("submit", (event) => {
  const field = check(true);
  if (field) {
    event.preventDefault();
    if (box(field).hidden) show(fields.indexOf(field) + 1);
    field.focus();
    return;
  }
  const names = fields.map((one) => one.value.trim()).filter(Boolean);
  const others = recallList("people").filter((name) => !names.some((one) => folded(one) === folded(name)));
  remember("people", JSON.stringify([...names, ...others].slice(0, 30)));
});
