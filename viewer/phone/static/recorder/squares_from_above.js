// Draws the squares from above: the tiles come with the view, and the tile in hand is a ghost wherever it may lie.

import { footprints, lowFirst, squares } from "../pieces/tile_geometry.js";
import { by, drawn, fill, pieces, safe } from "../pieces/markup.js";

/** @import { Window } from "../pieces/tile_geometry.js" */

const TURN = /** @type {Record<string, number>} */ ({ "1,0": 0, "0,1": 90, "-1,0": 180, "0,-1": 270 });
/** Room for the names of rows and columns, in squares. */
const RIM = { left: 0.5, bottom: 0.46, other: 0.14 };
/** The size of ghosts whose squares overlap. */
const SMALL = 0.4;
/** The least width of a half with pips, in CSS pixels: a smaller one has a numeral. */
export const LEAST = 28;

/** A square's width in CSS pixels in so much room. @param {Window} box @param {number} width @param {number} height */
export function squareSize(box, width, height) {
  return Math.min(
    width / (box.right - box.left + 1 + RIM.left + RIM.other),
    height / (box.bottom - box.top + 1 + RIM.bottom + RIM.other),
  );
}

/**
 * Draws the squares: their lines and names, the tiles, and the tile in hand wherever it may lie.  A square is one unit,
 * and stands where the record has it.
 * @param {View} view @param {Area} grid @param {Place[]} lit legal places of
 * the tile in hand @param {Window} box @param {SquareNames} names
 * @param {number} px the width of a square in CSS pixels: what people read or press has a least size
 * @param {string} tile the tile in hand @param {string} held the half that was named first, "low" or "high"
 * @param {number[][] | null} [waits] the squares where alone a tile may lie, before there is one in hand
 */
export function plan(view, grid, lit, box, names, px, tile, held, waits) {
  const { left, top, right, bottom } = box;
  const [wide, high] = [right - left + 1, bottom - top + 1];
  let lines = "";
  for (let x = left + 1; x <= right; x += 1) lines += `M${x} ${top}v${high}`;
  for (let y = top + 1; y <= bottom; y += 1) lines += `M${left} ${y}h${wide}`;
  by("squares").setAttribute(
    "viewBox",
    `${left - RIM.left} ${top - RIM.other} ${wide + RIM.left + RIM.other} ${high + RIM.bottom + RIM.other}`,
  );
  by("squares").style.setProperty("--chip", String(Math.min(0.2, Math.max(0.15, 11 / px))));
  fill(
    by("floor"),
    `<rect class="floor" x="${left - 0.05}" y="${top - 0.05}" width="${wide + 0.1}" height="${high + 0.1}" rx=".12"/>` +
      `<path class="cell" d="${lines}"/>${rim(box, names, px)}`,
  );
  fill(by("laid"), view.sure === false ? withWaiting(view.parts.squares, grid.laid) : view.parts.squares);
  fill(by("ghosts"), ghosts(lit, names, px, tile, held) + (waits ? `<g class="both">${outline(waits, 1)}</g>` : ""));
}

/** @param {Window} box @param {SquareNames} names @param {number} px */
function rim(box, names, px) {
  const size = Math.min(0.4, Math.max(0.16, 12 / px));
  let text = "";
  for (let x = box.left; x <= box.right; x += 1)
    text += `<text x="${x + 0.5}" y="${box.bottom + 1.34}">${names.column(x)}</text>`;
  for (let y = box.top; y <= box.bottom; y += 1)
    text += `<text x="${box.left - 0.27}" y="${y + 0.5 + size * 0.35}">${names.row(y)}</text>`;
  return `<g class="rim" font-size="${size.toFixed(3)}" aria-hidden="true">${text}</g>`;
}

/** A tile among others, without the drawing around it. @param {string} tile */
const flat = (tile) => drawn("flat", tile).slice("<svg>".length, -"</svg>".length);

/** The tile that was laid last: a white ring with a line of ink in it. */
const RING = '<use class="ring-light" href="#outline"/><use class="ring-ink" href="#outline"/>';

/** The tiles, with those that wait and without those that were lifted. @param {string} drawn @param {Laid[]} laid */
export function withWaiting(drawn, laid) {
  const tiles = pieces(drawn, true);
  const waiting = laid.filter(({ waits }) => waits);
  const names = new Set(laid.map(({ tile }) => lowFirst(tile)));
  for (const part of tiles.querySelectorAll("[data-laid], [data-of]"))
    if (!names.has(part.dataset.laid || part.dataset.of || "") || (waiting.length && part.matches(".last")))
      part.remove();
  const fresh = waiting.map(
    ({ tile, at, to }, n) =>
      `<g data-laid="${lowFirst(tile)}" transform="${middle([at, to], 1, turnBetween([at, to]))}">` +
      `${flat(tile)}${n === waiting.length - 1 ? RING : ""}</g>`,
  );
  return tiles.innerHTML + fresh.join("");
}

/**
 * The tile in hand as it may lie: a ghost on each pair of squares.  Where both ways round are legal, each square has
 * the half that was named first, and is a button of its own.  Where pairs overlap, the ghosts are smaller.
 * @param {Place[]} lit @param {SquareNames} names @param {number} px @param {string} tile @param {string} held
 */
function ghosts(lit, names, px, tile, held) {
  let n = -1;
  return footprints(lit)
    .map((pair) => {
      const where = `${names.pair(pair.cells) || "new squares"}`;
      const scale = pair.crowded ? SMALL : 1;
      const label = (/** @type {Place} */ place, more = "") =>
        `class="ghost" role="button" tabindex="0" data-ghost="${(n += 1)}" data-at="${place}"` +
        ` aria-label="${safe(tile)} on ${where}, level ${place[3]}${more}"`;
      if (pair.places.length === 1) return ghost(pair.places[0], label(pair.places[0]), scale, px, tile);
      const around = outline(pair.cells, scale);
      const halves = pair.places
        .map((/** @type {Place} */ place) => {
          const [low, high] = squares(place);
          const [square, other] = held === "high" ? [high, low] : [low, high];
          const number = tile.split("-")[held === "high" ? 1 : 0];
          const name = names.square(square);
          const mark = label(place, `, ${number}${name && ` on ${name}`}`);
          return halfGhost(square, other, mark, scale, px, number);
        })
        .join("");
      return `<g class="both">${around}${halves}</g>`;
    })
    .join("");
}

/** Puts a ghost in the middle of its squares. @param {number[][]} cells @param {number} scale @param {number} turn */
function middle([[x, y], [u, v]], scale, turn) {
  return `translate(${(x + u + 1) / 2} ${(y + v + 1) / 2})rotate(${turn})scale(${0.96 * scale})translate(-1 -.5)`;
}

const OUTLINE = '<use class="whole" href="#outline"/><path class="bar" d="M1 .15V.85"/>';

/** @param {number[][]} cells @param {number} scale */
const outline = (cells, scale) => `<g transform="${middle(cells, scale, turnBetween(cells))}">${OUTLINE}</g>`;

/** How far a tile is turned whose second half lies on the other square. @param {number[][]} cells */
const turnBetween = ([[x, y], [u, v]]) => TURN[`${u - x},${v - y}`];

/** A number on a ghost: a numeral if pips would be too small. @param {string} number @param {number} width */
const symbol = (number, width) => `#${width < LEAST ? "n" : "h"}${number}`;

/** @param {Place} place @param {string} mark @param {number} scale @param {number} px @param {string} tile */
function ghost(place, mark, scale, px, tile) {
  const [low, high] = squares(place);
  const turn = turnBetween([low, high]);
  const halves = tile
    .split("-")
    .map((number, n) => upright(number, n, turn, px * scale))
    .join("");
  return `<g ${mark} transform="${middle([low, high], scale, turn)}">${OUTLINE}${halves}</g>`;
}

/** A ghost's half, upright. @param {string} number @param {number} n @param {number} turn @param {number} width */
const upright = (number, n, turn, width) =>
  `<use href="${symbol(number, width)}"` +
  ` transform="translate(${n} 0)${width < LEAST ? `rotate(${-turn} .5 .5)` : ""}"/>`;

/**
 * @param {number[]} square @param {number[]} other @param {string} mark
 * @param {number} scale @param {number} px @param {string} number
 */
function halfGhost(square, other, mark, scale, px, number) {
  const turn = turnBetween([square, other]);
  return (
    `<g ${mark} transform="${middle([square, other], scale, turn)}">` +
    `<rect class="two" x=".06" y=".06" width=".88" height=".88" rx=".1"/>` +
    `${upright(number, 0, turn, px * scale)}</g>`
  );
}

/** Where on the squares a finger came down, in squares. @param {{clientX: number, clientY: number}} tap */
export function squareAt({ clientX, clientY }) {
  const matrix = /** @type {DOMMatrix} */ (by("squares").getScreenCTM()).inverse();
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
  return [x, y];
}
