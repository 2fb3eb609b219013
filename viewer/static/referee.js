// You are the referee: a tap on a move is the verdict.  What you said stays on this phone, for the row of days.
// @ts-check

import { keepPages } from "./offline.js";
import { judged, marks, wire } from "./verdicts.js";

const puzzle = /** @type {HTMLElement | null} */ (document.querySelector(".puzzle"));
if (puzzle) {
  wire(puzzle);
  marks(puzzle);
  if (puzzle.dataset.chosen !== undefined) judged(puzzle, Number(puzzle.dataset.chosen));
}
keepPages();
