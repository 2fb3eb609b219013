// The puzzle of a day, made by the rules in this browser.

import { today } from "./times.js";
import { marks, wire } from "./verdicts.js";

/** Milliseconds that the rules get for a puzzle: a slow phone needs some seconds for the rarest ones. */
const PATIENCE = 90_000;

/** The day at the end of an address; "" if there is none. @param {string} address */
export const dayIn = (address) => /[/#](\d{4}-\d\d-\d\d)$/.exec(address)?.[1] || "";

/**
 * The puzzle of a day as the rules make it.  Throws, with a sentence, if there is none.
 * @param {PhoneRules} rules @param {string} day
 * @param {{ days?: string, rules?: string, replay?: string }} addresses where its links lead
 */
export async function puzzleOf(rules, day, addresses) {
  if (!(await rules.start())) throw new Error(rules.reason);
  const made = await rules.ask("referee", { day, today: today(), ...addresses }, PATIENCE);
  if (made.problem) throw new Error(made.problem);
  return made;
}

/** Puts a puzzle into the page. @param {HTMLElement} box @param {string} html as the rules wrote it */
export function put(box, html) {
  // Our own template (viewer/pages/referee.py); every name in it is escaped.
  box.innerHTML = html;
  ready(box);
}

/** Makes the puzzle in a page work. @param {HTMLElement} box */
export function ready(box) {
  const puzzle = /** @type {HTMLElement | null} */ (box.querySelector(".puzzle"));
  if (!puzzle) return;
  wire(puzzle);
  marks(puzzle);
  // Where this phone is it may be another day than where the server is, or the page may be of yesterday.
  const { day, said } = puzzle.dataset;
  const heading = /** @type {HTMLElement} */ (puzzle.querySelector("#of-day"));
  heading.textContent = day === today() ? "Today’s puzzle" : `The puzzle of ${said}`;
}
