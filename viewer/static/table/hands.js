// The hands: racks in the lower corners where the building leaves room, or a band below rows, or lines of text.
// viewer/pictures/hands.py draws the same.
// @ts-check

import { chip, face, measure, shorten, symbol } from "./flat.js";
import { isolated, px, safe, SHORT, SMALL, text, two } from "./look.js";

/**
 * @typedef {import("./look.js").Look} Look @typedef {import("./look.js").Lying} Lying
 * @typedef {import("./look.js").Piece} Piece
 */
/** @typedef {import("./space.js").Space} Space */
/** @typedef {{ key: string, seat: number | null, title: string, note: string, tiles: string[], backs: number }} Rack */

/**
 * The height of a rack's heading and of a hand as a line of text; the margin; the gap between tiles; the room for a
 * heading.
 */
const HEAD = 26;
const LINE = 24;
const EDGE = 16;
const GAP = 4;
const LEAST = 120;
/** Widths of a tile and tiles in a line, the most readable first. */
const RACKS = [
  [62, 2],
  [52, 2],
  [62, 3],
  [52, 3],
  [44, 3],
  [62, 1],
  [44, 4],
  [44, 2],
  [36, 3],
  [36, 4],
];
/** On a narrower table, the margin and the least gap of a band: six tiles with pips fit side by side on a phone. */
const NARROW = 600;
const CLOSER = [14, 2];
const BAND = [84, 72, 62, 56, 48, 40];
/**
 * The greatest part of the height of a band of hands: below rows, below few piles, and with nothing else on the table;
 * the most piles that count as few.
 */
const SHARE = 0.46;
const MORE = 0.68;
const ALONE = 0.94;
const FEW = 8;
/** Hands round a pile: the least width of the table, a tile's width, tiles in a line at the sides, how many hands. */
const BROAD = 800;
const ROUND = 62;
const BESIDE = 3;
const THREE = 3;
/** The most lines of tiles in a rack. */
const LONG = 6;
/** The room for the ruler of levels, at the left of the building. */
const RULER = 44;
/** The room for a heading at the left, such as that of tiles that are out of the game. */
const ASIDE = 176;

/**
 * Every hand, then, if `rows`, the tiles that lie beside the squares.
 * @param {Lying} table @param {Look} look @param {boolean} rows
 */
export function racks(table, look, rows) {
  const all = table.hands.map((hand) => {
    const isVisible = look.eyes === -1 || look.eyes === hand.owner;
    const count = hand.tiles.length + (hand.unknown || 0);
    const tiles = isVisible ? hand.tiles : [];
    const note = hand.unknown !== null ? tileCount(count) : count ? `${tileCount(count)} or more` : "not known";
    return /** @type {Rack} */ ({
      key: `hand ${hand.owner}`,
      seat: hand.owner,
      title: table.names[hand.owner],
      note,
      tiles,
      backs: count - tiles.length,
    });
  });
  if (rows) {
    table.rows.forEach((row) => {
      const tiles = row.heaps.flatMap((heap) => heap.tiles);
      const backs = row.heaps.reduce((sum, { count }) => sum + count, 0) - tiles.length;
      all.push({
        key: `row ${row.number}`,
        seat: null,
        title: row.title,
        note: tileCount(tiles.length + backs),
        tiles,
        backs,
      });
    });
  }
  return all;
}

/** A number of tiles in words. @param {number} count */
const tileCount = (count) => (!count ? "no tiles" : count === 1 ? "1 tile" : `${count} tiles`);

/** @param {Rack} rack */
const sizeOf = (rack) => rack.tiles.length + rack.backs;

/** Every second of the racks, from the first or from the second on. @param {Rack[]} all @param {number} side */
const columnOf = (all, side) => all.filter((_, n) => n % 2 === side);

/**
 * The hands at the left and right below the building, as racks where they fit, else as lines that open them.
 * @param {Lying} table @param {Space} space @param {Look} look @returns {Piece[]}
 */
export function corners(table, space, look) {
  const all = racks(table, look, true);
  const columns = [0, 1].map((side) => columnOf(all, side)).filter(({ length }) => length);
  const sizes = columns.map((column, side) => RACKS.filter((size) => fits(column, space, look, side, size)));
  // Both sides alike where that is possible, and never tiles on one side only.
  const alike = RACKS.find((size) => sizes.every((able) => able.includes(size)));
  const haveRoom = sizes.every(({ length }) => length);
  if (!haveRoom && look.height < SHORT) return [];
  return columns.flatMap((column, side) =>
    haveRoom ? columnPieces(column, look, side, alike || sizes[side][0]) : lines(column, look, side),
  );
}

/** The hands below a plan, as lines. @param {Rack[]} all @param {Look} look @returns {Piece[]} */
export const allLines = (all, look) => [0, 1].flatMap((side) => lines(columnOf(all, side), look, side));

/** Whether racks of this size stay clear of the building, its square names and its ruler. */
function fits(
  /** @type {Rack[]} */ column,
  /** @type {Space} */ space,
  /** @type {Look} */ look,
  /** @type {number} */ side,
  /** @type {number[]} */ [wide, across],
) {
  if (column.some((rack) => sizeOf(rack) > LONG * across)) return false;
  const reach = EDGE + breadth(wide, across) + GAP;
  const high = column.reduce((sum, rack) => sum + height(sizeOf(rack), wide, across), 12);
  const low = space.at(space.wide, space.deep, 0);
  const corner = side === 0 ? space.at(0, space.deep, 0) : space.at(space.wide, 0, 0);
  const inner = side === 0 ? reach : look.width - reach;
  // How far the edge of the racks is along the front edge of the floor, from its outer corner to the lowest one.
  const part = (inner - corner[0]) / (low[0] - corner[0]);
  if (part > 1) return false;
  // Beside the floor and its ruler altogether, nothing is in the way.
  const beside = part < 0 && (side === 1 || inner <= corner[0] - RULER);
  const clear = beside ? look.top : corner[1] + Math.max(part, 0) * (low[1] - corner[1]) + 30;
  return look.height - high >= clear;
}

/** The breadth of a rack: that of its tiles, or of its heading. @param {number} wide @param {number} across */
const breadth = (wide, across) => Math.max(across * (wide + GAP) - GAP, LEAST);

/** The height of a rack with its heading. @param {number} count @param {number} wide @param {number} across */
const height = (count, wide, across, gap = GAP) => HEAD + Math.ceil(count / across) * (wide / 2 + gap + 3) + 6;

/** @param {Rack[]} column @param {Look} look @param {number} side @param {number[]} size @returns {Piece[]} */
function columnPieces(column, look, side, size) {
  const [wide, across] = size;
  let y = look.height - column.reduce((sum, rack) => sum + height(sizeOf(rack), wide, across), 12);
  const broad = breadth(wide, across);
  return column.map((rack) => {
    const x = side === 0 ? EDGE : look.width - EDGE - broad;
    const title = heading(
      rack,
      x,
      y + 10,
      side === 0 ? Math.max(broad, Math.min(ASIDE, look.width / 2 - EDGE - GAP)) : broad,
    );
    const svg = `<g>${title}${tiles(rack, x, y + HEAD, size, look)}</g>`;
    y += height(sizeOf(rack), wide, across);
    return /** @type {Piece} */ ([rack.key, svg]);
  });
}

/**
 * Whose tiles they are, and how many, in one line.
 * @param {Rack} rack @param {number} x @param {number} y @param {number} wide
 */
function heading(rack, x, y, wide) {
  const sign = rack.seat === null ? "" : chip(rack.seat, rack.title, x + 10, y);
  const [left, room] = rack.seat === null ? [x, wide] : [x + 26, wide - 26];
  const title = shorten(rack.title, Math.max(40, room - measure(rack.note, 12) - 8));
  return sign + two(title, rack.note, left, y + 5);
}

/**
 * The tiles in lines, the unknown ones face down at the end.
 * @param {Rack} rack @param {number} x @param {number} y @param {number[]} size @param {Look} look
 */
function tiles(rack, x, y, [wide, across], look, gap = GAP) {
  let svg = "";
  for (let n = 0; n < sizeOf(rack); n += 1) {
    const [left, top] = [x + (n % across) * (wide + gap), y + Math.floor(n / across) * (wide / 2 + gap + 3)];
    svg += n < rack.tiles.length ? face(rack.tiles[n], left, top, wide, look) : symbol("back", left, top, wide);
  }
  return svg;
}

/**
 * Hands as lines of text, one above the other, that open them.
 * @param {Rack[]} column @param {Look} look @param {number} side @returns {Piece[]}
 */
function lines(column, look, side) {
  return column.map((rack, n) => {
    const y = look.height - 22 - (column.length - 1 - n) * LINE;
    const most = look.width / 2 - EDGE;
    const broad = Math.min(most, (rack.seat === null ? 0 : 26) + measure(rack.title) + measure(rack.note, 12) + 9);
    const x = side === 0 ? EDGE : look.width - EDGE - broad;
    return [
      rack.key,
      `<g data-open="${rack.key}" class="t-open">${target(x, y, broad)}${heading(rack, x, y, broad)}</g>`,
    ];
  });
}

/**
 * A hand by its key, for a reader who has opened it: its title and its tiles.
 * @param {Lying} table @param {Look} look @param {string} key @returns {[string, string]}
 */
export function openHand(table, look, key) {
  const rack = racks(table, look, true).find((other) => other.key === key);
  if (!rack) return ["", ""];
  const across = Math.max(1, Math.min(8, Math.floor((look.width - 32 + GAP) / (60 + GAP))));
  const [wide, high] = [across * (60 + GAP), Math.ceil(sizeOf(rack) / across) * (30 + GAP + 3) + 4];
  const opening =
    `<svg class="drawing" width="${wide}" height="${high}" viewBox="0 0 ${wide}` +
    ` ${high}" role="img" aria-label="${safe(rack.tiles.join(", ") || "face down")}">`;
  return [`${rack.title}: ${rack.note}`, `${opening}${tiles(rack, 0, 1, [60, across], look)}</svg>`];
}

/** Room for a finger. @param {number} x @param {number} y @param {number} wide */
const target = (x, y, wide) =>
  `<rect class="t-hit" x="${px(x - 6)}" y="${px(y - 14)}" width="${px(wide + 12)}" height="28" rx="8"/>`;

/**
 * The contract, at the upper edge: who bid how much, and how much of it is reached.
 * @param {Lying} table @param {Look} look @returns {Piece[]}
 */
export function contract(table, look) {
  const { goal } = table;
  if (!goal) return [];
  const progress = `${goal.done} of ${goal.bid} ${goal.unit === "points" ? "points" : "taken"}`;
  const bar = look.width > 600 ? 120 : look.width > 350 ? 64 : 24;
  const spare = look.width - 16 - 38 - bar - measure(progress) - 46 - measure(` bid ${goal.bid}`);
  const bidWords = `${isolated(shorten(table.names[goal.seat], Math.min(look.width / 4, spare)))} bid ${goal.bid}`;
  const wide = 38 + measure(bidWords) + bar + measure(progress) + 46;
  const [x, y] = [(look.width - wide) / 2, look.top + 16];
  const part = Math.min(1, goal.done / Math.max(1, goal.bid));
  const track = `x="${px(x + 46 + measure(bidWords))}" y="${px(y - 4)}"`;
  return [
    [
      "goal",
      `<g><rect class="t-band" x="${px(x)}" y="${px(y - 16)}" width="${px(wide)}" height="32" rx="16"/>` +
        chip(goal.seat, table.names[goal.seat], x + 17, y) +
        text(bidWords, x + 34, y + 5, "t-title") +
        `<rect class="t-track" ${track} width="${bar}" height="8" rx="4"/>` +
        `<rect class="t-tile" ${track} width="${px(bar * part)}"` +
        ` height="8" rx="${px(Math.min(4, (bar * part) / 2))}"/>` +
        `${text(progress, x + wide - 16, y + 5, "t-title", "end")}</g>`,
    ],
  ];
}

/**
 * The hands side by side at the lower edge, for games without squares: the height of the band, and its pieces.
 * @param {Lying} table @param {Look} look @returns {[number, Piece[]]}
 */
export function band(table, look) {
  const hands = racks(table, look, false);
  if (!hands.length) return [0, []];
  const piles = table.rows.reduce((sum, { places }) => sum + places, 0);
  const share = (look.height - look.top) * (!piles ? ALONE : piles <= FEW ? MORE : SHARE);
  const cells = BAND.flatMap((wide) => cellsOf(table, hands, wide, look)).filter(({ whole }) => whole <= share);
  if (!cells.length) return bandOfLines(table, look);
  // Beside rows, the lowest band that is easy to read; without rows, the largest tiles.
  const clear = table.rows.length ? cells.filter(({ wide }) => wide >= 2 * SMALL) : [];
  const cell = clear.reduce((best, other) => (other.whole < best.whole ? other : best), clear[0] || cells[0]);
  const top = table.rows.length ? look.height - cell.whole : look.top + (look.height - look.top - cell.whole) / 2;
  return [
    cell.whole,
    hands.map((rack, n) => {
      const { edge, gap, columns, room } = cell;
      const [x, y] = [edge + (n % columns) * (room + edge), top + Math.floor(n / columns) * cell.high];
      return [
        rack.key,
        `<g>${heading(rack, x, y + 10, room)}${tiles(rack, x, y + HEAD, [cell.wide, cell.across], look, gap)}</g>`,
      ];
    }),
  ];
}

/**
 * Three hands round the pile of a contract: the room between them, and the pieces; null where they do not fit.  The
 * first hand lies at the lower edge, the second at the left, the third at the right, clockwise as they play.
 * @param {Lying} table @param {Look} look
 * @returns {[{ left: number, top: number, right: number, bottom: number }, Piece[]] | null}
 */
export function around(table, look) {
  const hands = racks(table, look, false);
  if (!table.goal || hands.length !== THREE || !table.room || look.width < BROAD) return null;
  const line = Math.floor((look.width - 2 * EDGE + GAP) / (ROUND + GAP));
  const [low, high] = [height(table.room, ROUND, line) + 4, height(table.room, ROUND, BESIDE)];
  const clear = EDGE + breadth(ROUND, BESIDE) + EDGE;
  const box = { left: clear, top: look.top, right: look.width - clear, bottom: look.height - low - 6 };
  if (high > box.bottom - box.top) return null;
  // A hand of one line stands in the middle of the edge, as wide as the largest hand.
  const left = (look.width - Math.min(line, table.room) * (ROUND + GAP) + GAP) / 2;
  // The headings at the sides stay where they are while the hands grow shorter.
  const y = box.top + Math.min(box.bottom - box.top - high, (box.bottom - box.top) / 4);
  const places = [
    [left, look.height - low, line],
    [EDGE, y, BESIDE],
    [box.right + EDGE, y, BESIDE],
  ];
  const pieces = hands.map((rack, n) => {
    const [x, top, across] = places[n];
    const title = heading(rack, x, top + 10, breadth(ROUND, BESIDE));
    return /** @type {Piece} */ ([rack.key, `<g>${title}${tiles(rack, x, top + HEAD, [ROUND, across], look)}</g>`]);
  });
  return [box, pieces];
}

/**
 * The hands as lines at the lower edge: the height of the band, and its pieces.
 * @param {Lying} table @param {Look} look @returns {[number, Piece[]]}
 */
export function bandOfLines(table, look) {
  if (look.height < SHORT) return [0, []];
  const hands = racks(table, look, false);
  return [Math.ceil(hands.length / 2) * LINE + 16, allLines(hands, look)];
}

/**
 * The ways to arrange hands with tiles of that width, the best first.
 * @param {Lying} table @param {Rack[]} hands @param {number} wide @param {Look} look
 */
function cellsOf(table, hands, wide, look) {
  const choices = [...hands.keys()].map((n) => n + 1);
  const narrow = look.width < NARROW;
  const [edge, least] = narrow ? CLOSER : [EDGE, GAP];
  if (!narrow) choices.reverse();
  return choices
    .map((columns) => {
      const room = (look.width - edge) / columns - edge;
      const across = Math.floor((room + least) / (wide + least));
      const gap = Math.min(GAP, (room - across * wide) / Math.max(1, across - 1));
      const high = table.room ? height(table.room, wide, across, gap) : HEAD + 6;
      return { wide, columns, across, room, high, whole: Math.ceil(hands.length / columns) * high + 10, edge, gap };
    })
    .filter(({ across, room }) => across && (room >= 110 || hands.length === 1));
}
