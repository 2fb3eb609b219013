// You are the referee, on the static site: the rules in this browser make the puzzle of the day in the address.

import { puzzleIn, putPuzzle, puzzleOf } from "../../referee/static/puzzle_of_day.js";
import { today } from "../../every_page/static/times.js";
import { rulesHere } from "../../in_browser/static/rules_in_browser.js";

/** @param {string} id */
const by = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const rules = rulesHere();
const ADDRESSES = { days: "#{day}", rules: "rules/{game}.html", replay: "game.html#{seq}=referee/{day}" };
/** The number of the latest request: only its puzzle is shown. */
let turn = 0;

async function show() {
  const request = ++turn;
  by("state").hidden = false;
  by("state").textContent = rules.ready
    ? "Making the puzzle…"
    : "The rules are starting, to make the puzzle. That takes a few seconds.";
  try {
    const made = await puzzleOf(rules, puzzleIn(location.hash) || today(), ADDRESSES);
    if (request !== turn) return;
    putPuzzle(by("puzzle"), made.html);
    by("state").hidden = true;
    scrollTo({ top: 0 });
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    if (request === turn) by("state").textContent = `There is no puzzle: ${/** @type {Error} */ (error).message}.`;
  }
}

addEventListener("hashchange", show);
show();
