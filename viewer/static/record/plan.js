// Draws the squares from above: the highest tiles are seen, and the tile in hand is a ghost wherever it may lie.
// @ts-check

import { footprints, lowFirst, squares, topTile } from "./geometry.js";
import { faceMarks, safe } from "./marks.js";

/** @typedef {import("./geometry.js").Window} Window */

const TURN = /** @type {Record<string, number>} */ ({ "1,0": 0, "0,1": 90, "-1,0": 180, "0,-1": 270 });
/** Room for the names of rows and columns, in squares. */
const RIM = { left: 0.5, bottom: 0.46, other: 0.14 };
/** The size of ghosts whose squares overlap. */
const SMALL = 0.4;
/** The least width of a half with pips, in CSS pixels: a smaller one has a numeral. */
export const LEAST = 28;
/** How much darker than the highest a face is at most. */
const SHADE = 0.2;

/**
 * The width of a square on the screen, in CSS pixels, if the drawing has this much room.
 * @param {Window} box @param {number} width @param {number} height
 */
export function squareSize(box, width, height) {
  return Math.min(
    width / (box.right - box.left + 1 + RIM.left + RIM.other),
    height / (box.bottom - box.top + 1 + RIM.bottom + RIM.other),
  );
}

/**
 * The drawing.  `px` is the width of a square in CSS pixels: what people read or press has a least size.
 * @param {any} grid @param {any[]} lit legal places of the tile in hand @param {Window} box
 * @param {import("./squares.js").SquareNames} names @param {number} px @param {string} tile the tile in hand
 * @param {string} held the half that was named first, "low" or "high"
 */
export function plan(grid, lit, box, names, px, tile, held) {
  const [wide, high] = [box.right - box.left + 1, box.bottom - box.top + 1];
  const spot = (/** @type {number[]} */ [x, y]) => [x - box.left, y - box.top];
  let lines = "";
  for (let x = 1; x < wide; x += 1) lines += `M${x} 0v${high}`;
  for (let y = 1; y < high; y += 1) lines += `M0 ${y}h${wide}`;
  const view = `${-RIM.left} ${-RIM.other} ${wide + RIM.left + RIM.other} ${high + RIM.bottom + RIM.other}`;
  return (
    `<svg class="squares" id="squares" data-left="${box.left}" data-top="${box.top}"` +
    ` viewBox="${view}" role="group" aria-label="The table from above">` +
    `<rect class="floor" x="-.05" y="-.05" width="${wide + 0.1}" height="${high + 0.1}" rx=".12"/>` +
    `<path class="cell" d="${lines}"/>` +
    rim(box, names, px) +
    tiles(grid, spot) +
    levelChips(grid, spot, px) +
    ghosts(lit, spot, names, px, tile, held) +
    "</svg>"
  );
}

/** @param {Window} box @param {import("./squares.js").SquareNames} names @param {number} px */
function rim(box, names, px) {
  const size = Math.min(0.4, Math.max(0.16, 12 / px));
  let text = "";
  for (let x = box.left; x <= box.right; x += 1)
    text += `<text x="${x - box.left + 0.5}" y="${box.bottom - box.top + 1.34}">${names.column(x)}</text>`;
  for (let y = box.top; y <= box.bottom; y += 1)
    text += `<text x="-.27" y="${y - box.top + 0.5 + size * 0.35}">${names.row(y)}</text>`;
  return `<g class="rim" font-size="${size.toFixed(3)}" aria-hidden="true">${text}</g>`;
}

/** @param {any} grid @param {(square: number[]) => number[]} spot */
function tiles(grid, spot) {
  const laid = [...grid.laid].sort((a, b) => a.level - b.level);
  const onTop = new Set(laid.flatMap(({ at, to }) => [topTile(grid, at), topTile(grid, to)]));
  const levels = laid.filter((domino) => onTop.has(domino)).map(({ level }) => level);
  const [highest, lowest] = [Math.max(0, ...levels), Math.min(...levels, 99)];
  const veil = (/** @type {number} */ level) => (SHADE * (highest - level)) / Math.max(5, highest - lowest);
  return (
    laid.map((domino) => tileMarkup(domino, spot, veil(domino.level))).join("") +
    laid
      .filter(({ marks }) => marks?.includes("last"))
      .map((domino) => ring(domino, spot))
      .join("")
  );
}

/** What puts a tile on its squares, a little smaller than they are. */
const lies = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ turn) =>
  `translate(${x} ${y})rotate(${turn} .5 .5)translate(.015 .0075)scale(.985)`;

/** @param {any} domino @param {(square: number[]) => number[]} spot */
function turnOf(domino, spot) {
  const [x, y] = spot(domino.at);
  const turn = TURN[`${domino.to[0] - domino.at[0]},${domino.to[1] - domino.at[1]}`];
  return { x, y, turn, transform: lies(x, y, turn) };
}

/** @param {any} domino @param {(square: number[]) => number[]} spot @param {number} shade */
function tileMarkup(domino, spot, shade) {
  const { x, y, turn, transform } = turnOf(domino, spot);
  const shadow = `<use class="shadow" href="#outline" transform="${lies(x + 0.05, y + 0.06, turn)}"/>`;
  const veil = shade > 0 ? `<use class="veil" href="#outline" opacity="${shade.toFixed(3)}"/>` : "";
  return (
    `<g data-laid="${lowFirst(domino.tile)}" data-level="${domino.level}">${shadow}` +
    `<g transform="${transform}">${faceMarks(domino.tile)}${veil}</g></g>`
  );
}

/**
 * The level of each tile that nothing covers, small, at the lower or left end of its bar, where no pip is.
 * @param {any} grid @param {(square: number[]) => number[]} spot @param {number} px
 */
function levelChips(grid, spot, px) {
  const size = Math.min(0.2, Math.max(0.15, 11 / px));
  return grid.laid
    .filter(
      (/** @type {any} */ domino) =>
        domino.level > 1 && topTile(grid, domino.at) === domino && topTile(grid, domino.to) === domino,
    )
    .map((/** @type {any} */ domino) => {
      const { turn, transform } = turnOf(domino, spot);
      const [width, height] = [size * (0.5 + 0.62 * String(domino.level).length), size * 1.15];
      return (
        `<g class="level" data-of="${lowFirst(domino.tile)}" transform="${transform}translate(1` +
        ` ${turn < 180 ? 0.92 : 0.08})rotate(${-turn})">` +
        `<rect x="${(-width / 2).toFixed(3)}" y="${(-height / 2).toFixed(3)}"` +
        ` width="${width.toFixed(3)}" height="${height.toFixed(3)}" rx=".05"/>` +
        `<text y="${(size * 0.36).toFixed(3)}" font-size="${size.toFixed(3)}">${domino.level}</text></g>`
      );
    })
    .join("");
}

/**
 * The tile that was laid last: a white ring with a line of ink in it.
 * @param {any} domino @param {(square: number[]) => number[]} spot
 */
function ring(domino, spot) {
  const { transform } = turnOf(domino, spot);
  const line = (/** @type {string} */ kind) => `<use class="${kind}" href="#outline"/>`;
  return `<g transform="${transform}">${line("ring-light")}${line("ring-ink")}</g>`;
}

/**
 * The tile in hand as it may lie: a ghost on each pair of squares.  Where both ways round are legal, each square has
 * the half that was named first, and is a button of its own.  Where pairs overlap, the ghosts are smaller.
 * @param {any[]} lit @param {(square: number[]) => number[]} spot @param {import("./squares.js").SquareNames} names
 * @param {number} px @param {string} tile @param {string} held
 */
function ghosts(lit, spot, names, px, tile, held) {
  let n = -1;
  return footprints(lit)
    .map((pair) => {
      const where = `${names.pair(pair.cells) || "new squares"}`;
      const scale = pair.crowded ? SMALL : 1;
      const label = (/** @type {any[]} */ place, more = "") =>
        `class="ghost" role="button" tabindex="0" data-ghost="${(n += 1)}" data-at="${place}"` +
        ` aria-label="${safe(tile)} on ${where}, level ${place[3]}${more}"`;
      if (pair.places.length === 1) return ghost(pair.places[0], label(pair.places[0]), spot, scale, px, tile);
      const around = `<g transform="${middle(pair.cells, spot, scale, turnBetween(pair.cells))}">${OUTLINE}</g>`;
      const halves = pair.places
        .map((/** @type {any[]} */ place) => {
          const [low, high] = squares(place);
          const [square, other] = held === "high" ? [high, low] : [low, high];
          const number = tile.split("-")[held === "high" ? 1 : 0];
          const name = names.square(square);
          const mark = label(place, `, ${number}${name && ` on ${name}`}`);
          return halfGhost(square, other, mark, spot, scale, px, number);
        })
        .join("");
      return `<g class="both">${around}${halves}</g>`;
    })
    .join("");
}

/**
 * What puts a ghost of that size in the middle of its squares.
 * @param {number[][]} cells @param {(square: number[]) => number[]} spot @param {number} scale @param {number} turn
 */
function middle([one, other], spot, scale, turn) {
  const [[x, y], [u, v]] = [spot(one), spot(other)];
  return `translate(${(x + u + 1) / 2} ${(y + v + 1) / 2})rotate(${turn})scale(${0.96 * scale})translate(-1 -.5)`;
}

const OUTLINE = '<use class="whole" href="#outline"/><path class="bar" d="M1 .15V.85"/>';

/** How far a tile is turned whose second half lies on the other square. @param {number[][]} cells */
const turnBetween = ([[x, y], [u, v]]) => TURN[`${u - x},${v - y}`];

/**
 * A number on a ghost: pips, or a numeral where those would be too small.
 * @param {string} number @param {number} width
 */
const symbol = (number, width) => `#${width < LEAST ? "n" : "h"}${number}`;

/**
 * @param {any[]} place @param {string} mark @param {(square: number[]) => number[]} spot @param {number} scale
 * @param {number} px @param {string} tile
 */
function ghost(place, mark, spot, scale, px, tile) {
  const [low, high] = squares(place);
  const turn = turnBetween([low, high]);
  const halves = tile
    .split("-")
    .map((number, n) => upright(number, n, turn, px * scale))
    .join("");
  return `<g ${mark} transform="${middle([low, high], spot, scale, turn)}">${OUTLINE}${halves}</g>`;
}

/**
 * A half of a ghost; a numeral stands upright.
 * @param {string} number @param {number} n @param {number} turn @param {number} width
 */
const upright = (number, n, turn, width) =>
  `<use href="${symbol(number, width)}"` +
  ` transform="translate(${n} 0)${width < LEAST ? `rotate(${-turn} .5 .5)` : ""}"/>`;

/**
 * @param {number[]} square @param {number[]} other @param {string} mark @param {(square: number[]) => number[]} spot
 * @param {number} scale @param {number} px @param {string} number
 */
function halfGhost(square, other, mark, spot, scale, px, number) {
  const turn = turnBetween([square, other]);
  return (
    `<g ${mark} transform="${middle([square, other], spot, scale, turn)}">` +
    `<rect class="two" x=".06" y=".06" width=".88" height=".88" rx=".1"/>` +
    `${upright(number, 0, turn, px * scale)}</g>`
  );
}

/**
 * Where on the squares a finger came down, in squares.
 * @param {SVGSVGElement} picture @param {{clientX: number, clientY: number}} tap @param {Window} box
 */
export function squareAt(picture, { clientX, clientY }, box) {
  const matrix = /** @type {DOMMatrix} */ (picture.getScreenCTM()).inverse();
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
  return [x + box.left, y + box.top];
}
