// The verdicts of a referee: a tap shows which of five moves breaks a rule, and why.

import { recall, remember } from "./memory.js";

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

/** Makes a tap on a move the verdict. @param {HTMLElement} puzzle */
export function wire(puzzle) {
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (puzzle.querySelectorAll("[data-move]")))
    card.addEventListener("click", (event) => {
      event.preventDefault();
      judged(puzzle, Number(card.dataset.move));
    });
}
