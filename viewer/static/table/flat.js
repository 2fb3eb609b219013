// Tiles that lie flat: in hands, in rows, on stacks.  viewer/pictures/flat.py draws the same.
// @ts-check

import { isolated, px, SMALL, text } from "./look.js";

/** @typedef {import("./look.js").Look} Look */

/** The thickness of a tile in a stack, in widths of a tile. */
const EDGE = 0.05;
/** The most courses of a stack that are drawn; the number of tiles is written beside it. */
export const MOST = 5;

/**
 * A tile whose upper left corner is at (x, y), `wide` pixels long; turned clockwise about its first half.
 * @param {string} tile @param {number} x @param {number} y @param {number} wide @param {Look} look
 */
export function face(tile, x, y, wide, look, turn = 0) {
  const [first, second] = tile.split("-");
  let inside = "";
  if (!look.quiet && (look.numerals || wide / 2 < SMALL)) {
    // Numerals are always upright.
    const upright = turn ? ` transform="rotate(${-turn} .5 .5)"` : "";
    const secondPlace = turn ? ` transform="translate(1 0)rotate(${-turn} .5 .5)"` : ' x="1"';
    inside = `<use href="#n${first}"${upright}/><use href="#n${second}"${secondPlace}/>`;
  } else {
    const [firstClass, secondClass] = [first, second].map((number) => (look.coloured ? ` class="t-n${number}"` : ""));
    inside = `<use href="#h${first}"${firstClass}/><use href="#h${second}" x="1"${secondClass}/>`;
  }
  return `<g class="t-pip" transform="${transform(x, y, wide, turn)}"><use href="#face"/>${inside}</g>`;
}

/**
 * A symbol placed like a tile: its back, a rim, the ring of the last act, the rim of a wrong tile.
 * @param {string} name @param {number} x @param {number} y @param {number} wide
 */
export const symbol = (name, x, y, wide, turn = 0, more = "") =>
  `<use href="#${name}"${more} transform="${transform(x, y, wide, turn)}"/>`;

/** The transform of a tile. @param {number} x @param {number} y @param {number} wide */
function transform(x, y, wide, turn = 0) {
  return `translate(${px(x)} ${px(y)})scale(${px(wide / 2)})${turn ? `rotate(${turn} .5 .5)` : ""}`;
}

/** The courses of a stack under its top tile, whose upper left corner is at (x, y). */
export function below(
  /** @type {number} */ count,
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ wide,
  /** @type {Look} */ { round },
) {
  let courses = "";
  const size = `width="${px(wide)}" height="${px(wide / 2)}" rx="${px((wide / 2) * round)}"`;
  for (let n = Math.min(count - 1, MOST); n > 0; n -= 1) {
    courses +=
      `<rect class="t-seam" x="${px(x)}" y="${px(y + n * wide * EDGE)}" ${size}/>` +
      `<rect class="t-left" x="${px(x)}" y="${px(y + n * wide * EDGE - 1)}" ${size}/>`;
  }
  return courses;
}

/** How much higher than a tile a stack is. @param {number} count @param {number} wide */
export const lift = (count, wide) => Math.min(Math.max(count - 1, 0), MOST) * wide * EDGE;

/** A player's sign: the first letter in the player's colour, centred at a point. */
export function chip(
  /** @type {number} */ seat,
  /** @type {string} */ name,
  /** @type {number} */ x,
  /** @type {number} */ y,
) {
  return (
    `<circle class="t-chip t-f${(seat % 8) + 1}" cx="${px(x)}" cy="${px(y)}" r="10"/>` +
    text(letter(name), x, y + 4, "t-letter", "middle")
  );
}

/** The first letter of a name, in capitals; `?` for a blank name. @param {string} name */
export const letter = (name) => ([...name.trim()][0] || "?").toUpperCase();

/** Letters that are much broader than others. */
const BROAD =
  /[MW@%\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{1faff}]/u;

/** How wide a letter is, in usual letters. @param {string} sign */
const share = (sign) => (BROAD.test(sign) ? 1.6 : 1);

/** About how wide a text is, in pixels. @param {string} words */
export const measure = (words, size = 13) => [...words].reduce((sum, sign) => sum + share(sign), 0) * size * 0.58;

/** The text, cut to a width in pixels. @param {string} words @param {number} wide */
export function shorten(words, wide, size = 13) {
  const letters = [...words];
  if (letters.length <= 2 || measure(words, size) <= wide) return words;
  let count = 1;
  let used = share(letters[0]);
  while (used + share(letters[count]) + 1 <= wide / (size * 0.58)) {
    used += share(letters[count]);
    count += 1;
  }
  return isolated(`${letters.slice(0, count).join("")}…`);
}
