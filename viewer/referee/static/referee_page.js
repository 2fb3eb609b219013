// You are the referee.  What you said stays on this phone, for the row of days.
// Without a network the page is the one that this phone kept, and may be of another day: then the rules on the phone
// make the puzzle of the day that was asked for.

import { at } from "../../every_page/static/club_root.js";
import { puzzleIn, putPuzzle, puzzleOf, ready, judged } from "./puzzle_of_day.js";
import { PhoneRules } from "../../in_browser/static/rules_in_browser.js";
import { today } from "../../every_page/static/times.js";

/** Milliseconds that the server gets to send the puzzle of another day. */
const PATIENCE = 4000;
const box = /** @type {HTMLElement} */ (document.getElementById("puzzle"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const puzzle = /** @type {HTMLElement | null} */ (box.querySelector(".puzzle"));

const ADDRESSES = {
  days: at("referee/{day}"),
  rules: at("rules/{game}"),
  replay: at("referee/{day}/replay?ply={seq}"),
};

/** The server's puzzle of a day; "" without a server. @param {string} day */
async function fromServer(day) {
  try {
    const answer = await fetch(at(`referee/${day}`), { signal: AbortSignal.timeout(PATIENCE) });
    const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
    const found = page.querySelector(`.puzzle[data-name="${day}"]`);
    return found?.outerHTML || "";
  } catch {
    return "";
  }
}

/** @param {string} text */
function say(text) {
  state.hidden = !text;
  state.textContent = text;
}

/** Shows the puzzle of another day than the page's. @param {string} day */
async function change(day) {
  box.hidden = true;
  say("Making the puzzle…");
  try {
    putPuzzle(box, (await fromServer(day)) || (await puzzleOf(new PhoneRules(), day, ADDRESSES)).html);
    say("");
  } catch {
    ready(box);
    say(
      puzzle
        ? "There is no connection, and the rules are not on this phone yet. This is the last puzzle that it has."
        : "There is no connection, and no puzzle on this phone.",
    );
  }
  box.hidden = false;
}

const day = puzzleIn(location.pathname) || today();
if (puzzle && puzzle.dataset.name !== day) change(day).then(() => (document.documentElement.dataset.ready = "yes"));
else {
  ready(box);
  if (puzzle?.dataset.chosen !== undefined) judged(puzzle, Number(puzzle.dataset.chosen));
  document.documentElement.dataset.ready = "yes";
}
