// The form for a new game: as many name fields as the game takes, and the names of those who played last.

import { recalled, remember } from "../../../every_page/static/browser_memory.js";
import { today } from "../../../every_page/static/times.js";

/** A name in the form for comparison: one Unicode form, lower case, single spaces. @param {string} name */
export const folded = (name) =>
  name.normalize("NFC").toLowerCase().split(/\s+/u).filter(Boolean).join(" ").normalize("NFC");

/** The names of those who played last. */
const companions = () => recalled("people", /** @type {string[]} */ ([]));

/** What is typed into a form, by field. @param {HTMLFormElement} form @returns {Record<string, string>} */
const typedIn = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/**
 * Makes a form ready.
 * @param {HTMLFormElement} form @param {(typed: Record<string, string>) => void} begin begins the game
 */
export function prepareForm(form, begin) {
  const people = /** @type {HTMLElement} */ (form.querySelector("#people"));
  const add = /** @type {HTMLButtonElement} */ (form.querySelector("#add"));
  const fields = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name^=player]")]);
  const box = (/** @type {HTMLInputElement} */ field) => /** @type {HTMLElement} */ (field.closest(".player"));

  /** The numbers of players that the chosen edition allows, or the game. */
  function counts() {
    const edition = /** @type {HTMLSelectElement | null} */ (form.querySelector("[name=edition]"));
    const allowed = (edition ? edition.selectedOptions[0] : form).dataset.counts || "";
    return allowed.split(" ").filter(Boolean).map(Number);
  }

  const visibleFields = () => fields.filter((field) => !box(field).hidden);

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
  const next = () => counts().find((count) => count > visibleFields().length);

  function changed() {
    add.hidden = next() === undefined;
    const used = new Set(fields.map((field) => folded(field.value)));
    for (const chip of people.querySelectorAll("button"))
      chip.setAttribute("aria-pressed", String(used.has(folded(chip.dataset.name || ""))));
  }

  /** Seats a player, or lets one go who is seated already. @param {string} name */
  function seat(name) {
    const seatedField = fields.find((field) => folded(field.value) === folded(name));
    const count = next();
    if (seatedField) seatedField.value = "";
    else {
      if (!visibleFields().some((field) => !field.value.trim()) && count) show(count);
      const freeField = visibleFields().find((field) => !field.value.trim());
      if (freeField) freeField.value = name;
    }
    changed();
  }

  // Without a script the other fields are behind a summary; with one they come one at a time.
  const folds = form.querySelector("#more-players");
  const first = visibleFields().length - (folds ? folds.querySelectorAll("[name^=player]").length : 0);
  if (folds) folds.replaceWith(...[...folds.children].filter((child) => child.nodeName !== "SUMMARY"));
  for (const name of companions().reverse()) {
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
  show(Math.max(first, counts()[0]));
  form.noValidate = true;
  /** @type {HTMLElement | null} */ (form.querySelector("[aria-invalid]"))?.focus();

  people.addEventListener("click", (event) => {
    const chip = /** @type {HTMLElement} */ (event.target).closest("button");
    if (chip) seat(chip.dataset.name || "");
  });
  add.addEventListener("click", () => {
    const before = visibleFields().length;
    show(next() || before);
    fields[before]?.focus();
  });
  form.querySelector("[name=edition]")?.addEventListener("change", () => {
    const most = counts()[counts().length - 1];
    if (visibleFields().length > most) show(most);
    changed();
  });
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => {
    const names = fields.map((field) => field.value.trim()).filter(Boolean);
    const used = new Set(names.map(folded));
    const others = companions().filter((name) => !used.has(folded(name)));
    remember("people", JSON.stringify([...names, ...others].slice(0, 30)));
    const day = /** @type {HTMLInputElement} */ (form.querySelector("[name=played]"));
    day.value ||= today();
    event.preventDefault();
    begin(typedIn(form));
  });
}

/** Keeps what was typed for the page that comes next. @param {Record<string, string>} fields */
export const keepTyped = (fields) => remember("typed", JSON.stringify(fields));

/** What was kept for a game, once. @param {string} game */
export function takeTyped(game) {
  const fields = recalled("typed", /** @type {Record<string, string>} */ ({}));
  if (fields.game !== game) return {};
  remember("typed", "");
  return fields;
}
