// Tiles, places and squares as plain data; nothing here knows the page.

/** @typedef {[number, number, string, number]} Place the lower half's square, the way to the other half, the level */
/**
 * The squares that are shown; `level` is the highest level when they were chosen, `open` whether tiles could be laid
 * outside of those that lie.
 * @typedef {{ left: number, top: number, right: number, bottom: number, level: number, open: boolean }} Window
 */

/** One step east, west, south, north; rows are counted downwards. @type {Record<string, number[]>} */
export const STEP = { e: [1, 0], w: [-1, 0], s: [0, 1], n: [0, -1] };

/** A tile's name, its lower half first. @param {string} tile */
export function lowFirst(tile) {
  const [first, second] = tile.split("-").map(Number);
  return first <= second ? `${first}-${second}` : `${second}-${first}`;
}

/** The same tile written from its other half. @param {string} tile */
export const fromOtherHalf = (tile) => tile.split("-").reverse().join("-");

/** The legal places of a tile, or of all. @param {Way | undefined} way @param {string | null} tile @returns {any[]} */
export function places(way, tile) {
  return (way?.legal || []).filter((group) => !tile || group.tiles.includes(tile)).flatMap((group) => group.at);
}

/** Whether both halves of a tile are the same. @param {string} tile */
const isDouble = (tile) => tile.split("-")[0] === tile.split("-")[1];

/** The same on squares: a double has one place on two squares. @param {Way | undefined} way @param {string} tile */
export function spots(way, tile) {
  const all = places(way, tile);
  return isDouble(tile) ? footprints(all).map((pair) => pair.places[0]) : all;
}

/** The squares of a place: the lower half's, then the other's. @param {Place} place */
export function squares([x, y, way]) {
  const [right, down] = STEP[way];
  return [
    [x, y],
    [x + right, y + down],
  ];
}

/** The size of ghosts whose squares overlap. */
const SMALL = 0.4;

/** The pairs of squares of places, and the `size` of their ghosts, in squares. @param {Place[]} all */
export function footprints(all) {
  const pairs = new Map();
  for (const place of all) {
    const cells = squares(place).sort(([x, y], [u, v]) => x - u || y - v);
    const pair = pairs.get(`${cells}`) || {
      cells,
      centre: [(cells[0][0] + cells[1][0] + 1) / 2, (cells[0][1] + cells[1][1] + 1) / 2],
      places: [],
    };
    pair.places.push(place);
    pairs.set(`${cells}`, pair);
  }
  const count = new Map();
  for (const { cells } of pairs.values())
    for (const cell of cells) count.set(`${cell}`, (count.get(`${cell}`) || 0) + 1);
  return [...pairs.values()].map((pair) => ({
    ...pair,
    size: pair.cells.some((/** @type {number[]} */ cell) => count.get(`${cell}`) > 1) ? SMALL : 1,
  }));
}

/** @typedef {"left" | "top" | "right" | "bottom"} Side */
/** A rectangle. @param {(side: Side, way: number) => number} at where each side is; `way` is outwards: -1 or 1 */
const rectangle = (at) => ({
  left: at("left", -1),
  top: at("top", -1),
  right: at("right", 1),
  bottom: at("bottom", 1),
});

/** The outer one of two sides, or of many. @param {number} way @param {number[]} sides */
const outer = (way, ...sides) => way * Math.max(...sides.map((side) => way * side));

/** The smallest rectangle around squares. @param {number[][]} cells */
const around = (cells) =>
  rectangle((side, way) => outer(way, ...cells.map(([x, y]) => (side === "left" || side === "right" ? x : y))));

/**
 * Which squares are shown.  While a level is built they only grow, so that nothing moves under a finger; with a new
 * level they fit again.  What may be played is known only if `sure`; else a base that was open gets room beside a tile
 * at its rim.
 * @param {Area} grid @param {Place[]} legal the legal places @param {Window | null} before @param {boolean} sure
 * @returns {Window}
 */
export function fitWindow(grid, legal, before, sure) {
  const [left, top, right, bottom] = grid.bounds;
  const cells = [[left, top], [right, bottom], ...grid.laid.flatMap((laid) => [laid.at, laid.to])];
  const level = Math.max(0, ...grid.laid.map((laid) => laid.level));
  const inner = around(cells);
  const whole = sure ? around([...cells, ...legal.flatMap(squares)]) : inner;
  if (sure) {
    const open = !level || `${Object.values(whole)}` !== `${Object.values(inner)}`;
    if (!before || (level !== before.level && Math.max(level, before.level) > 1)) return { ...whole, level, open };
    return { ...union(whole, before), level, open };
  }
  if (!before) return { ...whole, level, open: true };
  const isAtRim = (/** @type {Side} */ side) => before.open && inner[side] === before[side];
  const room = rectangle((side, way) => inner[side] + way * Number(isAtRim(side)));
  return { ...union(room, before), level: before.level, open: before.open };
}

/** @typedef {ReturnType<typeof rectangle>} Rectangle */
/** @param {Rectangle} box @param {Rectangle} other */
const union = (box, other) => rectangle((side, way) => outer(way, box[side], other[side]));

/** One square more at each side. @param {Window} box @returns {Window} */
export const widened = (box) => ({ ...box, ...rectangle((side, way) => box[side] + way) });

/**
 * What a tap in a place means: the held half goes where the finger is, the other half to the side it is nearest to.
 * @param {Place} place @param {string} held
 */
function target(place, held) {
  const [low, high] = squares(place);
  const [heldSquare, otherSquare] = held === "high" ? [high, low] : [low, high];
  return { square: heldSquare, point: heldSquare.map((at, n) => at + 0.5 + (otherSquare[n] - at) * 0.3) };
}

/** How far outside of a square a tap may be that means it, in squares. */
export const RIM = 0.2;
/** How much nearer another place must be than the one that a resting finger shows, at most, in squares. */
const STEADY = 0.2;

/**
 * The legal place that a tap means; null if it is on none.  Where a tile may lie both ways round, each square is a
 * target of its own: the held half goes there.  Where it may lie one way, both squares mean that.
 * @param {Place[]} all the legal places of the tile @param {number[]} point in squares @param {string} held
 * @param {{ rim?: number, shown?: Place, steady?: number }} [finger] for a finger that stays on the table: how far
 * outside it may be, the place that it shows now, and how far it may tremble, in squares
 */
export function placeAt(all, point, held, { rim = RIM, shown, steady = 0 } = {}) {
  const targets = footprints(all).flatMap((pair) =>
    pair.places.flatMap((/** @type {Place} */ place) =>
      (pair.places.length > 1 ? [held] : ["low", "high"]).map((half) => ({ place, ...target(place, half) })),
    ),
  );
  const isNear = (/** @type {number} */ at, /** @type {number} */ n) => point[n] > at - rim && point[n] < at + 1 + rim;
  const kept = (/** @type {Place} */ place) => (`${place}` === `${shown}` ? Math.min(STEADY, steady) : 0);
  const near = targets
    .filter(({ square }) => square.every(isNear))
    .map((one) => ({ ...one, far: Math.hypot(point[0] - one.point[0], point[1] - one.point[1]) - kept(one.place) }))
    .sort((a, b) => a.far - b.far);
  return near.length ? near[0].place : null;
}

/**
 * The place for a tile that may lie anywhere: the held half under the finger, the other to the side it is nearest to.
 * @param {number[]} point @param {string} held @param {(x: number, y: number) => number} levelAt
 * @param {Parameters<typeof placeAt>[3]} [finger] @returns {any}
 */
export function freePlace(point, held, levelAt, finger) {
  const [cx, cy] = point.map(Math.floor);
  const near = [-2, -1, 0, 1, 2];
  const all = near.flatMap((right) =>
    near.flatMap((down) =>
      Object.keys(STEP).map((way) => {
        const [[x, y], [u, v]] = squares([cx + right, cy + down, way, 0]);
        return /** @type {Place} */ ([x, y, way, 1 + Math.max(levelAt(x, y), levelAt(u, v))]);
      }),
    ),
  );
  return placeAt(all, point, held, finger);
}

/** The highest tile on a square. @param {Area} grid @param {number[]} square */
export function topTile(grid, square) {
  const tiles = grid.laid.filter(({ at, to }) => `${at}` === `${square}` || `${to}` === `${square}`);
  return tiles.sort((one, other) => one.level - other.level).at(-1) || null;
}

/** A placement from its left or upper half. @param {string} player @param {string} tile @param {Place} place */
export function placeEvent(player, tile, [x, y, way, level]) {
  const [right, down] = STEP[way];
  const event = { type: "place", player, tile, at: [x, y], dir: way, level };
  if (way === "e" || way === "s") return event;
  return { ...event, tile: fromOtherHalf(tile), at: [x + right, y + down], dir: way === "w" ? "e" : "s" };
}

/**
 * The place of each tile in the tray.  It stays there while others come and go, so that a finger does not land on
 * another tile by mistake.  Only when most of the places are empty, or there are more than have room, the tiles close
 * ranks.
 * @param {string[]} tiles @param {string[]} before @param {number} [room]
 */
export function slots(tiles, before, room = Infinity) {
  const tileSet = new Set(tiles);
  const row = before.map((tile) => (tileSet.has(tile) ? tile : ""));
  for (const tile of tiles) {
    if (row.includes(tile)) continue;
    const gap = row.indexOf("");
    if (gap < 0) row.push(tile);
    else row[gap] = tile;
  }
  return row.length > Math.min(2 * tiles.length, room) ? [...tiles] : row;
}

/** Which bids the stepper offers at once: the lowest legal one, then round numbers. @param {number[]} legal */
export function quickBids(legal) {
  if (!legal.length) return [];
  const [low, high] = [Math.min(...legal), Math.max(...legal)];
  const step = high - low > 30 ? 10 : 5;
  const round = legal.filter((bid) => bid > low && bid % step === 0);
  return [low, ...round.slice(0, 5)];
}

/** Names squares.  One that no legal tile can cover has no name, "", until a tile lies there. */
export class SquareNames {
  /** @param {View["squares"]} [names] */
  constructor({ left, top, columns, rows } = { left: 0, top: 0, columns: [], rows: [] }) {
    this.column = (/** @type {number} */ x) => columns[x - left] ?? "";
    this.row = (/** @type {number} */ y) => rows[y - top] ?? "";
  }

  /** `b2` @param {number[]} square */
  square([x, y]) {
    return this.column(x) && this.row(y) && this.column(x) + this.row(y);
  }

  /** `b2-c2`, with a hyphen that does not break. @param {number[][]} both */
  pair([first, second]) {
    const [one, other] = [this.square(first), this.square(second)];
    return one && other && `${one}\u2011${other}`;
  }
}
