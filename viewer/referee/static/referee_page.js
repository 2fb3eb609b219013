// You are the referee.  What you said stays on this phone, for the row of days.
// The server makes the puzzle; on the static site, the rules in this browser do.  They also do it when the page is for
// another day: without a network, the page is the last one that this phone kept.

import { at } from "../../every_page/static/club_root.js";
import { puzzleIn, puzzleOf, ready, judged } from "./puzzle_of_day.js";
import { PhoneRules } from "../../in_browser/static/rules_in_browser.js";
import { today } from "../../every_page/static/times.js";

const box = /** @type {HTMLElement} */ (document.getElementById("puzzle"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const puzzle = /** @type {HTMLElement | null} */ (box.querySelector(".puzzle"));
const isSite = document.body.dataset.site !== undefined;
const ADDRESSES = isSite
  ? { days: "#{day}", rules: "rules/{game}.html", replay: "game.html#{seq}=referee/{day}" }
  : { days: at("referee/{day}"), rules: at("rules/{game}"), replay: at("referee/{day}/replay?ply={seq}") };
const rules = new PhoneRules();
const DAY = 86_400_000;
/** The number of the latest request: only its puzzle is shown. */
let turn = 0;

/** Has the rules make the puzzle that the address asks for. */
async function make() {
  const request = ++turn;
  if (puzzle) puzzle.hidden = true;
  state.hidden = false;
  state.textContent = rules.ready
    ? "Making the puzzle…"
    : "The rules are starting, to make the puzzle. That takes a few seconds.";
  try {
    const made = await puzzleOf(rules, puzzleIn(location.href) || today(), ADDRESSES);
    if (request !== turn) return;
    // Our own template (viewer/referee/puzzle_page.py); every name in it is escaped.
    box.innerHTML = made.html;
    ready(box);
    state.hidden = true;
    scrollTo({ top: 0 });
  } catch (error) {
    if (request !== turn) return;
    state.textContent = puzzle
      ? "There is no connection, and the rules are not on this phone yet. This is the last puzzle that it has."
      : `There is no puzzle: ${/** @type {Error} */ (error).message}.`;
    if (puzzle) puzzle.hidden = false;
    ready(box);
  }
  document.documentElement.dataset.ready = "yes";
}

const named = puzzleIn(location.pathname);
const { name, chosen } = puzzle?.dataset || {};
// The server may be in another time zone, a day ahead or behind.
const isNear = Math.abs(Date.parse(today()) - Date.parse(name || "")) <= DAY;
if (isSite) addEventListener("hashchange", make);
if (puzzle && name === (named || today())) {
  ready(box);
  if (chosen !== undefined) judged(puzzle, Number(chosen));
  document.documentElement.dataset.ready = "yes";
} else if (named || !isNear) make();
else location.replace(at(`referee/${today()}`));
