// The puzzle of a day, made by the rules in this browser: a tap shows which of five moves breaks a rule, and why.

import { today } from "../../every_page/static/times.js";
import { recall, remember } from "../../every_page/static/browser_memory.js";

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
export function putPuzzle(box, html) {
  // Our own template (viewer/referee/puzzle_page.py); every name in it is escaped.
  box.innerHTML = html;
  ready(box);
}

/** Makes the puzzle in a page work: a tap on a move is the verdict. @param {HTMLElement} box */
export function ready(box) {
  const puzzle = /** @type {HTMLElement | null} */ (box.querySelector(".puzzle"));
  if (!puzzle) return;
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (puzzle.querySelectorAll("[data-move]")))
    card.addEventListener("click", (event) => {
      event.preventDefault();
      judged(puzzle, Number(card.dataset.move));
    });
  marks(puzzle);
  // Where this phone is it may be another day than where the server is, or the page may be of yesterday.
  const { day, said } = puzzle.dataset;
  const heading = /** @type {HTMLElement} */ (puzzle.querySelector("#of-day"));
  heading.textContent = day === today() ? "Today’s puzzle" : `The puzzle of ${said}`;
}

/** What was said on each day: whether it was right. @returns {Record<string, boolean>} */
function kept() {
  try {
    return JSON.parse(recall("referee") || "{}");
  } catch {
    return {};
  }
}

/** Marks the days whose puzzle has been answered. @param {ParentNode} puzzle */
export function marks(puzzle) {
  const verdicts = kept();
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (puzzle.querySelectorAll("[data-of]"))) {
    const right = verdicts[link.dataset.of || ""];
    const mark = /** @type {HTMLElement} */ (link.querySelector(".mark-of"));
    mark.textContent = right === undefined ? "" : right ? "✓" : "✗";
    if (right !== undefined) link.title = right ? "Your answer was right" : "Your answer was wrong";
  }
}

/** Shows the answer, and how this choice was. @param {HTMLElement} puzzle @param {number} chosen */
export function judged(puzzle, chosen) {
  const answer = Number(puzzle.dataset.answer);
  const right = chosen === answer;
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (puzzle.querySelectorAll("[data-move]"))) {
    const breaks = Number(card.dataset.move) === answer;
    const picked = Number(card.dataset.move) === chosen;
    card.classList.toggle("right", breaks);
    card.classList.toggle("picked", picked);
    const result = /** @type {HTMLElement} */ (card.querySelector(".result"));
    result.hidden = !(breaks || picked);
    result.textContent = breaks ? "⚑ Breaks a rule" : "Keeps the rules";
  }
  /** @param {string} id */
  const by = (id) => /** @type {HTMLElement} */ (puzzle.querySelector(`#${id}`));
  by("position").hidden = true;
  by("shown").hidden = false;
  const caption = /** @type {HTMLElement} */ (puzzle.querySelector("figcaption"));
  caption.textContent = `The table after move ${answer + 1}.`;
  const box = by("answer");
  /** @type {HTMLElement} */ (box.querySelector(".verdict")).textContent = right ? "Right." : "Not that one.";
  box.hidden = false;
  remember("referee", JSON.stringify({ [puzzle.dataset.day || ""]: right, ...kept() }));
  marks(puzzle);
  box.focus({ preventScroll: true });
  box.scrollIntoView({ block: "nearest" });
}
