// What is asked before an entry is corrected: what changes, what stays, and what no longer fits.
// @ts-check

import { findingMarkup } from "./lines.js";
import { safe } from "./marks.js";
import { sentence } from "./sheet.js";
import { phrase } from "./words.js";

/** The moves of a game are the tiles that were laid, as everywhere (ledger/record/events.py). */
const MOVES = ["place", "stack", "play"];
const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** A number in words, up to twelve. @param {number} count */
const inWords = (count) => NUMBERS[count] || String(count);

/** @param {any} finding */
const isGrave = ({ verdict }) => verdict === "breach" || verdict === "impossible";

/**
 * What becomes of the later entries, as a sentence; "" if there are none.
 * @param {number} moves how many moves come later @param {number} misfits how many of them fit until now
 * @param {number} others how many other entries fit until now
 */
export function laterWords(moves, misfits, others) {
  const stay = `${inWords(moves)} later ${moves === 1 ? "move stays" : "moves stay"}`;
  const who = moves === 1 ? "it" : inWords(misfits);
  const fit = misfits ? `; ${who} no longer ${misfits === 1 ? "fits" : "fit"}` : "";
  const other = `${inWords(others)} other ${others === 1 ? "entry no longer fits" : "entries no longer fit"}`;
  return [moves ? stay + fit : "", others ? other : ""].filter(Boolean).map(sentence).join(" ");
}

/** An entry in a sentence: Ana’s 3-5, or all of it in quotation marks. @param {any} entry @param {any} view */
function called({ seat, tile, act, words }, view) {
  if (!tile || act || seat === null || seat < 0) return `“${words}”`;
  return `${view.players[seat][1]}’s ${tile.replace("-", "\u2011")}`;
}

/**
 * The question before a correction is recorded.
 * @param {{ judged: any, upto: number, names: import("./squares.js").SquareNames }} recorder @param {any} event
 * @param {any[] | null} findings those that the record has only with it; null: nobody can tell now
 * @returns {{ title: string, body: string, yes: string }} `body` is markup
 */
export function question({ judged, upto, names }, event, findings) {
  const { moves } = judged;
  const place = moves.findIndex((/** @type {any} */ { seq }) => seq === (event.seq ?? event.before));
  const entry = called(moves[place], judged);
  const now = event.event && called(phrase(event.event, judged, names), judged);
  const { title, yes } = {
    retract: { title: `Delete ${entry}?`, yes: "Delete" },
    amend: { title: `Change ${entry} to ${now}?`, yes: "Change" },
    insert: { title: `Insert ${now} before ${entry}?`, yes: "Insert" },
  }[/** @type {"retract" | "amend" | "insert"} */ (event.type)];
  const later = moves.slice(event.type === "insert" ? place : place + 1);
  const isMove = (/** @type {any} */ move) => MOVES.includes(move.event.type);
  const before = new Set(judged.findings.filter(isGrave).map((/** @type {any} */ { seq }) => seq));
  const grave = (findings || []).filter(isGrave);
  const broken = new Set(grave.map(({ seq }) => seq));
  const misfits = later.filter((/** @type {any} */ { seq }) => broken.has(seq) && !before.has(seq));
  const misfitMoves = misfits.filter(isMove).length;
  const own = event.type === "amend" ? event.seq : upto;
  const rules = grave.filter(({ seq }) => seq === own).map(findingMarkup);
  const words = laterWords(later.filter(isMove).length, misfitMoves, misfits.length - misfitMoves);
  const unknown = findings ? "" : "There is no connection. What no longer fits is shown when there is one.";
  const body = rules.join("") + [words, unknown].map((text) => (text ? `<p>${safe(text)}</p>` : "")).join("");
  return { title, body, yes };
}
