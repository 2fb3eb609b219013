// What a drawing draws: the things on the table sorted by kind, and small pieces of SVG.
// viewer/pictures/look.py does the same for picture files; a test compares the two drawings.
// @ts-check

/**
 * How a drawing looks: `top` is kept free for buttons; `level` lifts off what is above it (0: nothing), `peel` the same
 * without a new fit; `turn` counts quarter turns; `eyes` is the seat whose hand is seen (-1: everybody's, -2:
 * nobody's); `round` is the radius of a tile's corners and `gap` what is free at each of its sides, in squares.
 * @typedef {{ width: number, height: number, top: number, view: string, level: number, peel: number, turn: number,
 *   eyes: number, round: number, gap: number,
 *   numerals: boolean, coloured: boolean, quiet: boolean }} Look
 * @typedef {{ tile: string, x: number, y: number, dx: number, dy: number, level: number, mark: string,
 *   key: string }} Laid  `key` says which tile it is and how it lies
 * @typedef {{ row: number, place: number, label: string, count: number, tiles: string[], owners: number[],
 *   mark: string }} Heap
 * @typedef {{ number: number, title: string, places: number, heaps: Heap[] }} Row
 * @typedef {{ owner: number, tiles: string[], unknown: number | null }} Hand
 * @typedef {{ left: number, top: number, right: number, bottom: number, columns: string[], rows: string[] }} Floor
 * @typedef {{ text: string, struck: boolean }} Gain
 * @typedef {{ names: string[], floor: Floor | null, sky: number[][], tiles: Laid[], ties: number[][],
 *   heading: string, note: string, rows: Row[], hands: Hand[], room: number,
 *   goal: { seat: number, bid: number, done: number, unit: string } | null, last: number[], gains: Gain[],
 *   outcome: { words: string, margin: string } | null, high: number }} Lying
 * @typedef {[string, string]} Piece  a key that is its own, and SVG
 */

/** Halves with shorter sides show numerals. */
export const SMALL = 28;
/** A lower table has no buttons, and no lines for hands that would cover what lies on it. */
export const SHORT = 220;

/** The tiles of a film that were read before: a step reads few that are new. @type {WeakMap<any[], Laid>} */
const read = new WeakMap();

/** A tile on the table. @param {any[]} thing @returns {Laid} */
function laidOf(thing) {
  let laid = read.get(thing);
  if (!laid) {
    const [, tile, x, y, dx, dy, level, mark] = thing;
    read.set(thing, (laid = { tile, x, y, dx, dy, level, mark, key: [tile, x, y, dx, dy, level].join() }));
  }
  return laid;
}

/**
 * The things on the table at one step, sorted by kind.
 * @param {any[][]} things @param {string[]} names @returns {Lying}
 */
export function sortThings(things, names) {
  /** @type {Lying} */
  const lying = {
    names,
    floor: null,
    sky: [],
    tiles: [],
    ties: [],
    rows: [],
    hands: [],
    room: 0,
    heading: "",
    note: "",
    goal: null,
    last: [],
    gains: [],
    outcome: null,
    high: 0,
  };
  /** @type {Map<number, Row>} */
  const rows = new Map();
  const row = (/** @type {number} */ number) => {
    if (!rows.has(number)) rows.set(number, { number, title: "", places: 1, heaps: [] });
    return /** @type {Row} */ (rows.get(number));
  };
  for (const thing of things) {
    const [kind, ...rest] = thing;
    if (kind === "tile") lying.tiles.push(laidOf(thing));
    else if (kind === "pile") {
      const [number, place, label, count, tiles, owners, mark] = rest;
      row(number).heaps.push({ row: number, place, label, count, tiles, owners, mark });
    } else if (kind === "row") Object.assign(row(rest[0]), { title: rest[1], places: rest[2] });
    else if (kind === "hand") lying.hands.push({ owner: rest[0], tiles: rest[1], unknown: rest[2] });
    else if (kind === "floor") {
      const [left, top, right, bottom, columns, lines] = rest;
      lying.floor = { left, top, right, bottom, columns, rows: lines };
    } else if (kind === "sky") lying.sky = rest[0];
    else if (kind === "tie") lying.ties.push(rest);
    else if (kind === "room") lying.room = rest[0];
    else if (kind === "heading") [lying.heading, lying.note] = rest;
    else if (kind === "goal") lying.goal = { seat: rest[0], bid: rest[1], done: rest[2], unit: rest[3] };
    else if (kind === "last") lying.last = rest[0];
    else if (kind === "gain") lying.gains.push({ text: rest[0], struck: rest[1] });
    else if (kind === "outcome") lying.outcome = { words: rest[0], margin: rest[1] };
  }
  lying.rows = [...rows].sort(([a], [b]) => a - b).map(([, entry]) => entry);
  for (const { heaps } of lying.rows) heaps.sort((a, b) => a.place - b.place);
  lying.hands.sort((a, b) => a.owner - b.owner);
  lying.tiles.sort((a, b) => a.level - b.level || a.y - b.y || a.x - b.x || (a.tile < b.tile ? -1 : 1));
  lying.high = Math.max(0, ...lying.tiles.map(({ level }) => level));
  return lying;
}

/** A length as SVG writes it, to a tenth of a pixel. @param {number} value */
export const px = (value) => String(Math.round(value * 10) / 10 || 0);

/** Text that may hold anything, inside markup. @param {string} words */
export const safe = (words) =>
  words.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A name as a text of its own: one written from right to left would pull a number beside it to its other side.
 * @param {string} name
 */
const apart = (name) => (LEFTWARD.test(name) ? `\u2068${name}\u2069` : name);

/** A line of text at its baseline. @param {string} words @param {number} x @param {number} y @param {string} kind */
export function text(words, x, y, kind, anchor = "start") {
  const where = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text class="${kind}" x="${px(x)}" y="${px(y)}"${where}>${safe(words)}</text>`;
}

/**
 * A word that matters and a lesser one in a line.
 * @param {string} first @param {string} second @param {number} x @param {number} y
 */
export function two(first, second, x, y, anchor = "start") {
  const where = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return (
    `<text x="${px(x)}" y="${px(y)}"${where}><tspan class="t-title">${safe(apart(first))}</tspan>` +
    `<tspan class="t-name" dx="6">${safe(second)}</tspan></text>`
  );
}

/** A name in a text: one from right to left is kept apart (ledger/record/visible.py). @param {string} name */
export const isolated = (name) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;

/** The symbol of the rim for a verdict. @param {string} verdict */
export const rimOf = (verdict) => (verdict === "breach" ? "wrong" : `wrong-${verdict}`);

/** A flag planted at a point. @param {string} verdict @param {number} x @param {number} y @param {number} scale */
export const flag = (verdict, x, y, scale) =>
  `<use href="#flag-${verdict}" transform="translate(${px(x)} ${px(y)})scale(${scale.toFixed(2)})"/>`;

/**
 * An equals sign on a white disc: a half covers an equal one, which is hidden.
 * @param {number} x @param {number} y @param {number} scale
 */
export function equals(x, y, scale) {
  const radius = Math.max(6.5, scale * 0.11);
  const [dot, half] = [`M${px(x)} ${px(y)}h0`, radius * 0.45];
  const bars = [-0.28, 0.28].map((off) => `M${px(x - half)} ${px(y + radius * off)}h${px(2 * half)}`).join("");
  return (
    `<path class="t-tie" d="${dot}" stroke-width="${px(2 * radius + 3)}"/>` +
    `<path class="t-tie0" d="${dot}" stroke-width="${px(2 * radius)}"/>` +
    `<path class="t-tie" d="${bars}" stroke-width="${px(Math.max(1.6, radius * 0.28))}"/>`
  );
}

/**
 * The points beside a tile: dark labels side by side, centred at a point but inside the bounds.
 * @param {Gain[]} gains @param {number} x @param {number} y @param {[number, number]} bounds
 */
export function badges(gains, x, y, [least, most]) {
  const labels = gains.map((gain) => ({ ...gain, wide: 14 + 9.5 * gain.text.length }));
  const whole = labels.reduce((sum, { wide }) => sum + wide + 4, labels.length ? -4 : 0);
  let left = Math.min(Math.max(x - whole / 2, least), most - whole);
  return labels
    .map(({ text: words, struck, wide }) => {
      const at = left;
      left += wide + 4;
      return (
        `<rect class="t-badge" x="${px(at)}" y="${px(y - 13)}" width="${px(wide)}" height="26" rx="13"/>` +
        text(words, at + wide / 2, y + 5, struck ? "t-off" : "t-gain", "middle")
      );
    })
    .join("");
}
