// The form for a new game: as many name fields as the game takes, and the names of those who played last.

import { ofClub } from "../../../every_page/static/club_root.js";
import { recalled, remember } from "../../../every_page/static/browser_memory.js";
import { today } from "../../../every_page/static/times.js";

/** A name in the form for comparison: one Unicode form, lower case, single spaces. @param {string} name */
export const folded = (name) =>
  name.normalize("NFC").toLowerCase().split(/\s+/u).filter(Boolean).join(" ").normalize("NFC");

/** Whether a name is blank. @param {string} name */
const isBlank = (name) => /^[\p{Z}\p{C}]*$/u.test(name);

/**
 * What is wrong with names, by place from 1; the server checks the same (viewer/phone/new_game.py).
 * @param {string[]} names
 * @param {([place: number, sentence: string] | null)[]} counts what is wrong with each number of names
 * @returns {Map<number, string>}
 */
export function wrongNames(names, counts) {
  const used = names.reduce((last, name, n) => (isBlank(name) ? last : n + 1), 0);
  const errors = new Map();
  const foldedNames = new Set();
  names.slice(0, used).forEach((name, n) => {
    if (isBlank(name)) errors.set(n + 1, `Player ${n + 1} has no name.`);
    else if (foldedNames.has(folded(name)))
      errors.set(n + 1, `There are two players called ${name}. Add a letter to one: “${name} L.”?`);
    foldedNames.add(folded(name));
  });
  const [place, sentence] = counts[used] || [0, ""];
  if (place && !errors.has(place)) errors.set(place, sentence);
  return errors;
}

/** The names of those who played last. */
const companions = () => recalled("people", /** @type {string[]} */ ([]));

/** What is typed into a form, by field. @param {HTMLFormElement} form @returns {Record<string, string>} */
const typedIn = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/**
 * Makes a form ready.
 * @param {HTMLFormElement} form
 * @param {((typed: Record<string, string>) => void) | null} begin begins the game here; null: the form is sent
 */
export function prepareForm(form, begin = null) {
  const people = /** @type {HTMLElement} */ (form.querySelector("#people"));
  const add = /** @type {HTMLButtonElement} */ (form.querySelector("#add"));
  const fields = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name^=player]")]);
  const box = (/** @type {HTMLInputElement} */ field) => /** @type {HTMLElement} */ (field.closest(".player"));

  /** What the form says of the chosen edition, or of the game. */
  function chosen() {
    const edition = /** @type {HTMLSelectElement | null} */ (form.querySelector("[name=edition]"));
    return (edition ? edition.selectedOptions[0] : form).dataset;
  }

  /** The numbers of players that it allows. */
  const counts = () => (chosen().counts || "").split(" ").filter(Boolean).map(Number);

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

  /** Says what is wrong; returns the first wrong field. @param {boolean} complete whether names may not be missing */
  function check(complete) {
    const names = fields.map((field) => field.value.trim());
    const errors = wrongNames(names, complete ? JSON.parse(chosen().wrong || "[]") : []);
    fields.forEach((field, n) => {
      const line = /** @type {HTMLElement} */ (form.querySelector(`[id="${field.id}-wrong"]`));
      const message = errors.get(n + 1) || "";
      const silent = !complete && message.endsWith("no name.");
      line.textContent = silent ? "" : message;
      line.hidden = !line.textContent;
      field.toggleAttribute("aria-invalid", !line.hidden);
    });
    return fields.find((_, n) => errors.has(n + 1));
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
    check(false);
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
  const wrong = [...form.querySelectorAll(".player .wrong")].map((line) => line.textContent);
  show(Math.max(first, counts()[0]));
  form.noValidate = true;
  wrong.forEach((text, n) => text && fields[n].setAttribute("aria-invalid", "true"));

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
  // A corrected field loses its message at once; a wrong one gets it when it is left: nothing moves while typing.
  form.addEventListener("input", () => form.querySelector(".player .wrong:not([hidden])") && check(false));
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
    const names = fields.map((field) => field.value.trim()).filter(Boolean);
    const used = new Set(names.map(folded));
    const others = companions().filter((name) => !used.has(folded(name)));
    remember("people", JSON.stringify([...names, ...others].slice(0, 30)));
    const day = /** @type {HTMLInputElement} */ (form.querySelector("[name=played]"));
    day.value ||= today();
    if (begin) {
      event.preventDefault();
      begin(typedIn(form));
    }
  });
}

const NAME = ofClub("domino-ledger.typed");

/** @param {Record<string, string>} fields */
export function keepTyped(fields) {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(fields));
  } catch {
    /* it has to be typed again */
  }
}

/** What was kept for a game, once. @param {string} game @returns {Record<string, string>} */
export function takeTyped(game) {
  try {
    const fields = JSON.parse(sessionStorage.getItem(NAME) || "{}");
    if (fields.game !== game) return {};
    sessionStorage.removeItem(NAME);
    return fields;
  } catch {
    return {};
  }
}
