// Draws the squares from above: the tiles come with the view, and the tile in hand is a ghost wherever it may lie.

import { footprints, lowFirst, squares } from "../pieces/tile_geometry.js";
import { by, drawn, fill, pieces, safe } from "../pieces/markup.js";

/** @import { Window } from "../pieces/tile_geometry.js" */

const TURN = /** @type {Record<string, number>} */ ({ "1,0": 0, "0,1": 90, "-1,0": 180, "0,-1": 270 });
/** Room for the names of rows and columns, in squares. */
const RIM = { left: 0.5, bottom: 0.46, other: 0.14 };
/** The least width of a half that a quick tap lays, in CSS pixels: a smaller one is chosen in the window. */
export const THUMB = 40;

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
  fill(by("ghosts"), ghosts(lit, names, px, tile, held) + (waits ? `<g class="both">${outline(waits)}</g>` : ""));
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
      `<g data-laid="${lowFirst(tile)}" transform="${middle([at, to])}">` +
      `${flat(tile)}${n === waiting.length - 1 ? RING : ""}</g>`,
  );
  return tiles.innerHTML + fresh.join("");
}

/**
 * The tile in hand as it may lie: a ghost on each pair of squares.  Where both ways round are legal, each square has
 * the half that was named first, and is a button of its own.  Where ghosts are too small for a thumb, their squares are
 * lit, and a finger shows each place in the window (place_window.js).
 * @param {Place[]} lit @param {SquareNames} names @param {number} px @param {string} tile @param {string} held
 */
function ghosts(lit, names, px, tile, held) {
  let n = -1;
  const cells = new Set();
  const all = footprints(lit).map((pair) => {
    const where = `${names.pair(pair.cells) || "new squares"}`;
    const isSmall = pair.size * px < THUMB;
    const isSingle = pair.places.length === 1;
    if (isSmall) for (const cell of pair.cells) cells.add(`${cell}`);
    const buttons = pair.places.map((/** @type {Place} */ place) => {
      const [low, high] = squares(place);
      const [square, other] = held === "high" && !isSingle ? [high, low] : [low, high];
      const numbers = isSingle ? tile.split("-") : [tile.split("-")[held === "high" ? 1 : 0]];
      const name = names.square(square);
      const more = isSingle ? "" : `, ${numbers[0]}${name && ` on ${name}`}`;
      const mark =
        `class="ghost${isSmall ? " small" : ""}" role="button" tabindex="0" data-ghost="${(n += 1)}"` +
        ` data-at="${place}" aria-label="${safe(tile)} on ${where}, level ${place[3]}${more}"`;
      const half = isSingle || isSmall ? OUTLINE : HALF;
      const pips = isSmall ? [] : numbers.map((number, n) => `<use href="#h${number}" x="${n}"/>`);
      const at = middle([square, other], isSmall ? 1 : pair.size);
      return `<g ${mark} transform="${at}">${half}${pips.join("")}</g>`;
    });
    if (isSingle || isSmall) return buttons.join("");
    return `<g class="both">${outline(pair.cells, pair.size)}${buttons.join("")}</g>`;
  });
  const square = (/** @type {string} */ cell) => cell.split(",").map((at) => Number(at) + 0.06);
  const squaresLit = [...cells].map(square).map(([x, y]) => `<rect class="lit" x="${x}" y="${y}"/>`);
  return squaresLit.join("") + all.join("");
}

/** A tile as it would lie, and its outline alone. @param {string} tile @param {Place} place */
export function aimed(tile, place) {
  const at = middle(squares(place));
  const around = '<use class="aim" href="#outline"/>';
  return [`<g transform="${at}">${flat(tile)}${around}</g>`, `<g transform="${at}">${around}</g>`];
}

/** Puts a tile in the middle of its squares, the first half on the first. @param {number[][]} cells */
function middle([[x, y], [u, v]], scale = 1) {
  const turn = TURN[`${u - x},${v - y}`];
  return `translate(${(x + u + 1) / 2} ${(y + v + 1) / 2})rotate(${turn})scale(${0.96 * scale})translate(-1 -.5)`;
}

const OUTLINE = '<use class="whole" href="#outline"/><path class="bar" d="M1 .15V.85"/>';
/** Each square where a tile may lie both ways round. */
const HALF = '<rect class="two" x=".06" y=".06" width=".88" height=".88" rx=".1"/>';

/** @param {number[][]} cells */
const outline = (cells, scale = 1) => `<g transform="${middle(cells, scale)}">${OUTLINE}</g>`;

/** Where on the squares a finger came down, in squares. @param {{clientX: number, clientY: number}} tap */
export function squareAt({ clientX, clientY }) {
  const matrix = /** @type {DOMMatrix} */ (by("squares").getScreenCTM()).inverse();
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
  return [x, y];
}
