// A move in one line: the player's chip, the tile, the place, the points.
// @ts-check

import { chip, flag, safe, tileText } from "./marks.js";
import { sentence } from "./sheet.js";

/** What breaks a rule, with the rule. @param {any} finding */
export const findingMarkup = ({ verdict, message, meaning, clause }) =>
  `<p class="finding">${flag(verdict)}<span><b>${safe(sentence(message))}</b> ` +
  `<small>${safe(meaning)} <code>${safe(clause)}</code></small></span></p>`;

/**
 * @param {{seat: number | null, tile: string | null, place: string, act: string, words: string}} move @param {any} view
 * @param {boolean} [named] whether the name stands beside the chip
 */
export function phraseMarkup({ seat, tile, place, act, words }, view, named = true) {
  if (seat === null || seat === undefined || seat < 0) return `<span class="does">${safe(words)}</span>`;
  const name = view.players[seat][1];
  const does = [act, place].filter(Boolean).join(" ");
  return (
    `${chip(seat, name)}<bdi class="${named ? "nm" : "sr"}">${safe(name)}</bdi>` +
    `${tile ? tileText(tile) : ""}<span class="does">${safe(does)}</span>`
  );
}

/**
 * The points beside the players who got them; a cheat that all share is one cheat.
 * @param {any} move @param {any} view
 */
export function pointsMarkup(move, view) {
  const gained = move.gained || [];
  if (!gained.length) return "";
  if (view.claims.includes("cheats"))
    return `<b class="pts nb">+${gained[0][1]}&nbsp;${gained[0][1] === 1 ? "cheat" : "cheats"}</b>`;
  const signed = (/** @type {number} */ points) => (points > 0 ? `+${points}` : `\u2212${-points}`);
  const isOwn = gained.length === 1 && gained[0][0] === move.seat;
  return gained
    .map(
      (/** @type {number[]} */ [seat, points]) =>
        `<b class="pts nb">${isOwn ? "" : `<bdi>${safe(view.players[seat][1])}</bdi>&nbsp;`}${signed(points)}</b>`,
    )
    .join(" ");
}
