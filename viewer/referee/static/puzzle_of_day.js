// A puzzle: five moves play on one table, and the reader stops the wrong one.  There are two tries.

import { today } from "../../every_page/static/times.js";
import { recalled, remember } from "../../every_page/static/browser_memory.js";

/** Milliseconds that the rules get for a puzzle: a slow phone needs some seconds for the rarest ones. */
const PATIENCE = 90_000;

/** The puzzle at the end of an address, of a day or of a game; "" if there is none. @param {string} address */
export const puzzleIn = (address) => /[/#]([a-z-]*[\d-]*\d)$/.exec(address)?.[1] || "";

/**
 * A puzzle as the rules make it.  Throws, with a sentence, if there is none.
 * @param {PhoneRules} rules @param {string} name
 * @param {{ days?: string, rules?: string, replay?: string }} addresses where its links lead
 */
export async function puzzleOf(rules, name, addresses) {
  if (!(await rules.start())) throw new Error(rules.reason);
  return rules.answer("referee", { name, today: today(), ...addresses }, PATIENCE);
}

/** Seconds that a move stays, and how many tries there are. */
const [PAUSE, A_WORD, TRIES] = [0.8, 0.3, 2];

/** Makes the puzzle in a page work. @param {HTMLElement} box */
export function ready(box) {
  const puzzle = /** @type {HTMLElement | null} */ (box.querySelector(".puzzle"));
  if (!puzzle) return;
  marks(puzzle);
  // Where this phone is it may be another day than where the server is, or the page may be of yesterday.
  const { day, said } = puzzle.dataset;
  if (day) by(puzzle, "of-day").textContent = day === today() ? "Today’s puzzle" : `The puzzle of ${said}`;
  if (by(puzzle, "answer").hidden) play(puzzle);
}

/** An element of the puzzle. @param {ParentNode} puzzle @param {string} id */
const by = (puzzle, id) => /** @type {HTMLElement} */ (puzzle.querySelector(`#${id}`));

/** Shows one table, and the words of its move. @param {HTMLElement} puzzle @param {string} shown */
function show(puzzle, shown) {
  for (const picture of /** @type {NodeListOf<HTMLElement>} */ (puzzle.querySelectorAll("[data-shown]")))
    picture.hidden = picture.dataset.shown !== shown;
  for (const row of puzzle.querySelectorAll("[data-move]"))
    row.classList.toggle("now", Number(/** @type {HTMLElement} */ (row).dataset.move) + 1 === Number(shown));
}

/** The five moves play, until one is stopped. @param {HTMLElement} puzzle */
function play(puzzle) {
  const [stop, again, lead, which] = ["stop", "from-start", "lead", "which"].map((id) => by(puzzle, id));
  const rows = /** @type {HTMLElement[]} */ ([...puzzle.querySelectorAll("[data-move]")]);
  const parts = /** @type {HTMLButtonElement[]} */ ([...puzzle.querySelectorAll("[data-part]")]);
  const tries = by(puzzle, "tries");
  let [place, seen, left, timer] = [0, 0, TRIES, 0];
  const tell = (/** @type {string} */ words) => {
    tries.textContent = `${words}${left === 1 ? "One try left" : "Two tries left"}`;
  };
  const to = (/** @type {number} */ number, running = true) => {
    clearTimeout(timer);
    place = number;
    seen = Math.max(seen, place);
    lead.hidden = place > 0;
    which.hidden = !place;
    which.textContent = `Move ${place} of ${rows.length}`;
    rows.forEach((row, n) => (row.hidden = n >= seen));
    parts.forEach((part, n) => {
      part.disabled = n >= seen;
      part.toggleAttribute("aria-current", n + 1 === place);
    });
    /** @type {HTMLButtonElement} */ (again).disabled = !place;
    stop.textContent = place ? "Stop!" : "Start";
    show(puzzle, String(place));
    const words = place ? rows[place - 1].textContent?.split(/\s+/).length || 0 : 0;
    if (running && place < rows.length) timer = setTimeout(() => to(place + 1), 1000 * (PAUSE + A_WORD * words));
  };
  const answer = (/** @type {number} */ chosen) => {
    clearTimeout(timer);
    left -= 1;
    if (chosen === Number(puzzle.dataset.answer) || !left) return judged(puzzle, chosen);
    rows[chosen].classList.add("fine");
    tell(`Move ${chosen + 1} keeps the rules. `);
    to(chosen + 1);
  };
  const press = () => (place ? answer(place - 1) : to(1));
  stop.addEventListener("click", press);
  by(puzzle, "screen").addEventListener("click", press);
  again.addEventListener("click", () => to(1));
  for (const part of parts) part.addEventListener("click", () => to(Number(part.dataset.part), false));
  for (const row of rows)
    row.addEventListener("click", (event) => {
      event.preventDefault();
      answer(Number(row.dataset.move));
    });
  by(puzzle, "keys").hidden = tries.hidden = false;
  tell("");
  puzzle.classList.add("plays");
  to(0, false);
}

/** What was said on each day: whether it was right. */
const kept = () => recalled("referee", /** @type {Record<string, boolean>} */ ({}));

/** Marks the days whose puzzle has been answered, and says how the week went. @param {HTMLElement} puzzle */
export function marks(puzzle) {
  const verdicts = kept();
  const links = /** @type {HTMLElement[]} */ ([...puzzle.querySelectorAll("[data-of]")]);
  const week = links.map((link) => verdicts[link.dataset.of || ""]);
  links.forEach((link, n) => {
    const mark = /** @type {HTMLElement} */ (link.querySelector(".mark-of"));
    mark.textContent = week[n] === undefined ? "" : week[n] ? "✓" : "✗";
    if (week[n] !== undefined) link.title = week[n] ? "Found" : "Missed";
  });
  const played = week.filter((right) => right !== undefined);
  const line = by(puzzle, "week");
  line.hidden = !played.length;
  const words = `${played.filter(Boolean).length} of ${played.length} found this week`;
  /** @type {HTMLElement} */ (line.querySelector("b")).textContent = words;
  /** @type {HTMLElement} */ (line.querySelector("button")).onclick = async (event) => {
    const text = `You are the referee: ${words} ${played.map((right) => (right ? "✓" : "✗")).join("")}`;
    const url = location.href.replace(/[?#].*|\/[^/]*-[^/]*$/, "");
    if (navigator.share) return navigator.share({ text, url }).catch(() => undefined);
    await navigator.clipboard?.writeText(`${text} ${url}`);
    /** @type {HTMLElement} */ (event.target).textContent = "Copied";
  };
}

/** Shows the answer, and how this choice was. @param {HTMLElement} puzzle @param {number} chosen */
export function judged(puzzle, chosen) {
  const answer = Number(puzzle.dataset.answer);
  const right = chosen === answer;
  show(puzzle, "judged");
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (puzzle.querySelectorAll("[data-move]"))) {
    row.hidden = false;
    row.classList.toggle("right", Number(row.dataset.move) === answer);
  }
  const which = by(puzzle, "which");
  which.hidden = false;
  which.textContent = `Move ${answer + 1}`;
  for (const id of ["keys", "lead", "tries"]) by(puzzle, id).hidden = true;
  puzzle.classList.add("over");
  const box = by(puzzle, "answer");
  /** @type {HTMLElement} */ (box.querySelector(".verdict")).textContent = right ? "Right!" : "Not that one.";
  box.hidden = false;
  const { day } = puzzle.dataset;
  if (day) remember("referee", JSON.stringify({ [day]: right, ...kept() }));
  marks(puzzle);
  // The next puzzle is one that was not answered yet.
  const next = /** @type {HTMLAnchorElement} */ (by(puzzle, "next"));
  const verdicts = kept();
  for (let date = puzzleIn(next.href); date in verdicts; date = puzzleIn(next.href))
    next.href = next.href.replace(date, dayBefore(date));
  box.focus({ preventScroll: true });
}

/** @param {string} day as `2026-11-28` */
const dayBefore = (day) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
