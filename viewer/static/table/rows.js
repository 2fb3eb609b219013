// Rows of piles: stacks as towers, the pile in the centre, taken tiles, lines of play.
// viewer/pictures/rows.py draws the same.
// @ts-check

import { below, face, letter, lift, measure, shorten, symbol } from "./flat.js";
import { badges, flag, safe, text, two } from "./look.js";

/**
 * @typedef {import("./look.js").Look} Look @typedef {import("./look.js").Lying} Lying
 * @typedef {import("./look.js").Piece} Piece
 */
/**
 * @typedef {import("./look.js").Heap} Heap @typedef {import("./look.js").Row} Row
 * @typedef {import("./space.js").Box} Box
 */
/** @typedef {{ title: string, heaps: Heap[], places: number, labels: boolean, highest: number }} Block */
/**
 * How wide a tile is, how many fit side by side, the gaps.
 * @typedef {{ wide: number, across: number, gap: number }} Grid
 */

const WIDEST = 190;
const NARROWEST = 26;
const TINY = 8;
/** The stacks of a small picture, their tiles that are drawn, and how much of its width a single tile takes. */
const FEW = 12;
const LOW = 3;
const ALONE = 0.64;
/** Up to this many piles with a title stay side by side. */
const TOGETHER = 4;
/** In a narrower box, piles are closer together. */
const NARROW = 600;
/** The height of a row's title, how far a label is below a small pile, and what stays clear below it. */
const TITLE = 30;
const LABEL = 14;
const CLEAR = 14;

const isNumber = (/** @type {string} */ label) => /^\d+$/.test(label);

/**
 * The flows of a table: lines of play, or stacks that are numbered on from row to row.
 * @param {Lying} table @param {Look} look
 */
function blocks(table, look) {
  /** @type {Block[]} */
  const found = [];
  for (const row of table.rows) {
    const numbered = row.heaps.every(({ label }) => isNumber(label));
    const labels = !look.quiet && row.heaps.some(({ label }) => label);
    const highest = Math.max(...row.heaps.map(({ count }) => count));
    const before = found[found.length - 1];
    if (before && numbered && !before.title) {
      before.heaps.push(...row.heaps);
      before.places += places(row, look);
      before.labels = labels;
      before.highest = Math.max(before.highest, highest);
    } else
      found.push({
        title: numbered ? "" : row.title,
        heaps: [...row.heaps],
        places: places(row, look),
        labels,
        highest,
      });
  }
  if (!look.quiet) return found;
  // A small picture has no room for leftovers beside numbered stacks, or for tiles that lie face down.
  const stacks = found.filter(({ title }) => !title);
  if (stacks.length) return [tallest(stacks)];
  const open = found.filter(({ heaps }) => heaps.some(({ tiles }) => tiles.length));
  return open.length ? open : found;
}

/**
 * The tallest stacks, as many as can be read in a small picture, in their order.
 * @param {Block[]} stacks @returns {Block}
 */
function tallest(stacks) {
  const all = stacks.flatMap(({ heaps }) => heaps);
  const kept = new Set(
    [...all.keys()].sort((one, other) => all[other].count - all[one].count || one - other).slice(0, FEW),
  );
  const heaps = all.filter((_, n) => kept.has(n)).map((heap) => ({ ...heap, count: Math.min(heap.count, LOW) }));
  return {
    title: "",
    heaps,
    places: heaps.length,
    labels: false,
    highest: Math.max(...heaps.map(({ count }) => count)),
  };
}

/**
 * The places that a row is drawn with: as many as it needs at the end, but at most half of them empty.
 * @param {Row} row @param {Look} look
 */
const places = (row, look) => (look.quiet ? row.heaps.length : Math.min(row.places, Math.max(6, 2 * row.heaps.length)));

/**
 * The pieces of all rows, as large as the box allows.
 * @param {Lying} table @param {Box} box @param {Look} look @returns {Piece[]}
 */
export function rows(table, box, look) {
  const flows = blocks(table, look);
  if (!flows.length) return [];
  const whole = (/** @type {number} */ wide) =>
    flows.reduce((sum, flow) => sum + high(flow, grid(flow, wide, box), look), 0);
  const together = (/** @type {number} */ wide) =>
    flows.every((flow) => !flow.title || flow.places > TOGETHER || grid(flow, wide, box).across >= flow.places);
  let wide = look.quiet ? Math.min(WIDEST, Math.floor((box.right - box.left) * ALONE)) : WIDEST;
  while (wide > (look.quiet ? TINY : NARROWEST) + 2 && !(together(wide) && whole(wide) <= box.bottom - box.top))
    wide -= 2;
  const spare = Math.max(0, (box.bottom - box.top - whole(wide)) / (flows.length + 1));
  let top = box.top + spare;
  return flows.flatMap((flow) => {
    const size = grid(flow, wide, box);
    const pieces = flowing(table, flow, size, { ...box, top }, look);
    top += high(flow, size, look) + spare;
    return pieces;
  });
}

/**
 * How a flow is divided into lines, as even as possible.
 * @param {Block} flow @param {number} wide @param {Box} box @returns {Grid}
 */
function grid(flow, wide, box) {
  const gap = flow.labels ? Math.max(8, wide * (box.right - box.left > NARROW ? 0.28 : 0.15)) : 3;
  const most = Math.max(1, Math.floor((box.right - box.left + gap) / (wide + gap)));
  return { wide, across: Math.ceil(flow.places / Math.ceil(flow.places / most)), gap };
}

/**
 * The room below a line of piles, for a label that is clear of the ring of the last act.
 * @param {Block} flow @param {number} wide
 */
const foot = (flow, wide) =>
  flow.labels ? LABEL + wide * 0.09 + Math.min(CLEAR, wide * 0.12) : Math.min(7, 2 + wide * 0.2);

/** The height of one line of a flow. @param {Block} flow @param {Grid} size */
const lineHeight = (flow, size) => size.wide / 2 + lift(flow.highest, size.wide) + foot(flow, size.wide);

/** The height of a flow. @param {Block} flow @param {Grid} size @param {Look} look */
const high = (flow, size, look) =>
  (flow.title && !look.quiet ? TITLE : 0) + Math.ceil(flow.places / size.across) * lineHeight(flow, size);

/**
 * @param {Lying} table @param {Block} flow @param {Grid} size @param {Box} box @param {Look} look @returns {Piece[]}
 */
function flowing(table, flow, size, box, look) {
  /** @type {Piece[]} */
  const pieces = [];
  const middle = (box.left + box.right) / 2;
  const left = middle - (size.across * (size.wide + size.gap) - size.gap) / 2;
  let { top } = box;
  if (flow.title && !look.quiet) {
    pieces.push([
      `title ${flow.heaps[0].row}`,
      text(shorten(flow.title, box.right - box.left), middle, top + 13, "t-name", "middle"),
    ]);
    top += TITLE;
  }
  const at = (/** @type {number} */ n) => [
    left + (n % size.across) * (size.wide + size.gap),
    top + (Math.floor(n / size.across) + 1) * lineHeight(flow, size) - foot(flow, size.wide),
  ];
  flow.heaps.forEach((heap, n) => {
    const [x, base] = at(n);
    pieces.push([`pile ${heap.row} ${heap.place}`, standing(heap, x, base, size.wide, table, look)]);
  });
  if (!look.quiet && table.gains.length) {
    flow.heaps.forEach((heap, n) => {
      if (!isLast(heap, table)) return;
      const [x, base] = at(n);
      const y = base - size.wide / 2 - lift(heap.count, size.wide);
      pieces.push(["gain", `<g>${badges(table.gains, x + size.wide, y, [6, look.width - 6])}</g>`]);
    });
  }
  return pieces;
}

/** @param {Heap} heap @param {Lying} table */
const isLast = (heap, table) => table.last.length === 2 && table.last[0] === heap.row && table.last[1] === heap.place;

/**
 * A pile that stands on a line, with its label below it.
 * @param {Heap} heap @param {number} x @param {number} base @param {number} wide @param {Lying} table
 * @param {Look} look
 */
function standing(heap, x, base, wide, table, look) {
  const y = base - wide / 2 - lift(heap.count, wide);
  const owner = heap.owners.length ? heap.owners[heap.owners.length - 1] : null;
  let [top, rim] = ["", ""];
  if (heap.tiles.length) {
    top = face(heap.tiles[heap.tiles.length - 1], x, y, wide, look);
    if (owner !== null) rim = symbol(`rim${(owner % 8) + 1}`, x, y, wide, 0, ` class="t-o${(owner % 8) + 1}"`);
  } else if (heap.count) top = symbol("back", x, y, wide);
  const wrong = heap.mark && !look.quiet ? symbol("wrong", x, y, wide) : "";
  const ring = isLast(heap, table) && !look.quiet ? symbol("ring", x, y, wide) : "";
  const pole = wrong ? flag(heap.mark, x + wide / 2, y + 4, Math.max(0.7, wide / 120)) : "";
  const label = look.quiet ? "" : labelled(heap, x, base + LABEL + wide * 0.09, wide, owner, table);
  const spoken = look.quiet ? "" : `<title>${safe(told(heap, owner, table))}</title>`;
  return `<g>${spoken}${below(heap.count, x, y, wide)}${top}${rim}${wrong}${ring}${pole}${label}</g>`;
}

/**
 * Below a stack its number, the owner's letter and the height; below other piles the name and the count.
 * @param {Heap} heap @param {number} x @param {number} y @param {number} wide @param {number | null} owner
 * @param {Lying} table
 */
function labelled(heap, x, y, wide, owner, table) {
  if (!heap.label) return "";
  const count = String(heap.count);
  if (isNumber(heap.label)) {
    const sign = owner === null ? "" : letter(table.names[owner]);
    const whose = sign ? text(sign, x + 8 + measure(heap.label, 12), y, `t-owner t-l${((owner || 0) % 8) + 1}`) : "";
    const more = heap.count > 1 ? `×${count}` : "";
    // Narrow tiles have no room for both, and whose stack it is matters more.
    const fits = more && measure(more, 12) <= wide - 20 - measure(heap.label + sign, 12);
    return text(heap.label, x + 2, y, "t-name") + whose + (fits ? text(more, x + wide - 2, y, "t-name", "end") : "");
  }
  const name = shorten(heap.label, Math.max(34, wide - measure(count) - 2));
  return two(name, count, x + wide / 2, y, "middle");
}

/** @param {Heap} heap @param {number | null} owner @param {Lying} table */
function told(heap, owner, table) {
  const tiles = [...heap.tiles].reverse();
  if (!tiles.length) return `${heap.label}: ${heap.count}`;
  const whose = owner === null ? "" : `, ${table.names[owner]}`;
  return (
    `${heap.label ? `${heap.label}: ` : ""}${tiles[0]}${whose}` +
    `${tiles.length > 1 ? ` on ${tiles.slice(1).join(" on ")}` : ""}`
  );
}
