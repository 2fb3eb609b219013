// Rows of piles: stacks as towers, the pile in the centre, taken tiles, lines of play.
// viewer/pictures/pile_rows.py draws the same.
// @ts-check

import { below, face, letter, lift, measure, MOST, shorten, symbol } from "./flat.js";
import { badges, flag, isolated, rimOf, safe, text, two } from "./look.js";

/**
 * @typedef {import("./look.js").Look} Look @typedef {import("./look.js").Lying} Lying
 * @typedef {import("./look.js").Piece} Piece
 */
/**
 * @typedef {import("./look.js").Heap} Heap @typedef {import("./look.js").Row} Row
 * @typedef {import("./space.js").Box} Box
 */
/**
 * Piles in one flow; `small`: each belongs to a player and is out of play, and the title stands beside them. A block
 * without heaps keeps the room of those to come.
 * @typedef {{ title: string, heaps: Heap[], places: number, labels: boolean, highest: number, small: boolean }} Block
 */
/**
 * How wide a tile is, how many fit side by side, the gaps.
 * @typedef {{ wide: number, across: number, gap: number }} Grid
 */

const WIDEST = 190;
const NARROWEST = 14;
/** Narrower piles have no labels. */
export const LABELLED = 26;
const TINY = 8;
/** The stacks of a small picture, their tiles that are drawn, and how much of its width a single tile takes. */
const FEW = 12;
const LOW = 3;
const ALONE = 0.64;
/** Up to this many piles with a title stay side by side. */
const TOGETHER = 4;
/** Piles of the players: the size beside the others, the least width, the least gap, the gap after their title. */
const SMALLER = 0.5;
const LEAST = 32;
const APART = 22;
const BESIDE = 16;
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
  const flows = [];
  for (const row of table.rows) {
    const numbered = row.heaps.every(({ label }) => isNumber(label));
    const labels = !look.quiet && row.heaps.some(({ label }) => label);
    const highest = Math.max(...row.heaps.map(({ count }) => count));
    const small = !look.quiet && isSmall(row, table);
    const lastFlow = flows[flows.length - 1];
    if (lastFlow && numbered && !lastFlow.title) {
      lastFlow.heaps.push(...row.heaps);
      lastFlow.places += places(row, look);
      lastFlow.labels = labels;
      lastFlow.highest = Math.max(lastFlow.highest, highest);
    } else
      flows.push({
        title: numbered ? "" : row.title,
        heaps: [...row.heaps],
        places: places(row, look),
        labels,
        highest: small || (labels && places(row, look) === 1) ? MOST + 1 : highest,
        small,
      });
  }
  if (!look.quiet) return flows;
  // A small picture has no room for leftovers beside numbered stacks, or for tiles that lie face down.
  const stacks = flows.filter(({ title }) => !title);
  if (stacks.length) return [tallest(stacks)];
  const open = flows.filter(({ heaps }) => heaps.some(({ tiles }) => tiles.length));
  return open.length ? open : flows;
}

/**
 * Whether each pile of a row belongs to a player, and something else is or will be on the table.
 * @param {Row} row @param {Lying} table
 */
const isSmall = ({ heaps }, { goal, names, rows: all }) =>
  (goal !== null || all.length > 1) && heaps.every(({ label }) => names.includes(label));

/**
 * The flows with room for the pile of a contract and for what is taken, so that none of them moves the other.
 * @param {Block[]} flows @param {Lying} table
 */
function withRoom(flows, { goal, names }) {
  if (!goal || flows.some(({ places: count, small }) => count > 1 && !small)) return flows;
  const empty = { title: "", heaps: [], labels: true, highest: MOST + 1 };
  const pile = flows.filter(({ small }) => !small);
  const takenPiles = flows.filter(({ small }) => small);
  return [
    ...(pile.length ? pile : [{ ...empty, places: 1, small: false }]),
    ...(takenPiles.length ? takenPiles : [{ ...empty, places: names.length, small: true }]),
  ];
}

/**
 * The tallest stacks, as many as can be read in a small picture, in their order.
 * @param {Block[]} stacks @returns {Block}
 */
function tallest(stacks) {
  const all = stacks.flatMap(({ heaps }) => heaps);
  const indexes = new Set([...all.keys()].sort((a, b) => all[b].count - all[a].count || a - b).slice(0, FEW));
  const heaps = all.filter((_, n) => indexes.has(n)).map((heap) => ({ ...heap, count: Math.min(heap.count, LOW) }));
  return {
    title: "",
    heaps,
    places: heaps.length,
    labels: false,
    highest: Math.max(...heaps.map(({ count }) => count)),
    small: false,
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
  const flows = look.quiet ? blocks(table, look) : withRoom(blocks(table, look), table);
  if (!flows.some(({ heaps }) => heaps.length)) return [];
  const wide = scale(flows, box, look);
  const whole = flows.reduce((sum, flow) => sum + high(flow, grid(flow, wide, box), look), 0);
  const spare = Math.max(0, (box.bottom - box.top - whole) / (flows.length + 1));
  let top = box.top + spare;
  return flows.flatMap((flow) => {
    const size = grid(flow, wide, box);
    const pieces = flow.heaps.length ? flowPieces(table, flow, size, { ...box, top }, look) : [];
    top += high(flow, size, look) + spare;
    return pieces;
  });
}

/**
 * How wide a tile is, so that all flows fit.
 * @param {Block[]} flows @param {Box} box @param {Look} look
 */
function scale(flows, box, look) {
  const whole = (/** @type {number} */ wide) =>
    flows.reduce((sum, flow) => sum + high(flow, grid(flow, wide, box), look), 0);
  const together = (/** @type {number} */ wide) =>
    flows.every((flow) => !flow.title || flow.places > TOGETHER || grid(flow, wide, box).across >= flow.places);
  let wide = look.quiet ? Math.min(WIDEST, Math.floor((box.right - box.left) * ALONE)) : WIDEST;
  while (wide > (look.quiet ? TINY : NARROWEST) + 2 && !(together(wide) && whole(wide) <= box.bottom - box.top))
    wide -= 2;
  return wide;
}

/**
 * How wide the tiles of numbered stacks are in that box when they have grown high; 0 without stacks.
 * @param {Lying} table @param {Box} box @param {Look} look
 */
export function stacksWide(table, box, look) {
  const flows = blocks(table, look);
  if (flows.every(({ title }) => title)) return 0;
  const highFlows = flows.map((flow) => (flow.title ? flow : { ...flow, highest: MOST + 1 }));
  return scale(highFlows, box, look);
}

/**
 * How a flow is divided into lines, as even as possible.
 * @param {Block} flow @param {number} wide @param {Box} box @returns {Grid}
 */
function grid(flow, wide, box) {
  let broad = box.right - box.left;
  let gap = flow.labels && wide >= LABELLED ? Math.max(8, wide * (broad > NARROW ? 0.28 : 0.15)) : 3;
  let size = wide;
  if (flow.small) {
    size = Math.max(Math.floor(wide * SMALLER), Math.min(wide, LEAST));
    gap = Math.max(APART, size * 0.28);
    broad -= aside(flow);
  }
  const most = Math.max(1, Math.floor((broad + gap) / (size + gap)));
  return { wide: size, across: Math.ceil(flow.places / Math.ceil(flow.places / most)), gap };
}

/** The room for a title beside small piles. @param {Block} flow */
const aside = (flow) => (flow.small ? measure(flow.title, 12) + BESIDE : 0);

/** The title above a flow; a single pile with a name needs none. @param {Block} flow @param {Look} look */
const heading = (flow, look) => (look.quiet || flow.small || (flow.labels && flow.places === 1) ? "" : flow.title);

/**
 * The room below a line of piles, for a label that is clear of the ring of the last act.
 * @param {Block} flow @param {number} wide
 */
const foot = (flow, wide) =>
  flow.labels && wide >= LABELLED ? LABEL + wide * 0.09 + Math.min(CLEAR, wide * 0.12) : Math.min(7, 2 + wide * 0.2);

/** The height of one line of a flow. @param {Block} flow @param {Grid} size */
const lineHeight = (flow, size) => size.wide / 2 + lift(flow.highest, size.wide) + foot(flow, size.wide);

/** The height of a flow. @param {Block} flow @param {Grid} size @param {Look} look */
const high = (flow, size, look) =>
  (heading(flow, look) ? TITLE : 0) + Math.ceil(flow.places / size.across) * lineHeight(flow, size);

/**
 * @param {Lying} table @param {Block} flow @param {Grid} size @param {Box} box @param {Look} look @returns {Piece[]}
 */
function flowPieces(table, flow, size, box, look) {
  /** @type {Piece[]} */
  const pieces = [];
  const middle = (box.left + box.right) / 2;
  const left = middle - (size.across * (size.wide + size.gap) - size.gap - aside(flow)) / 2;
  let { top } = box;
  if (flow.small) {
    const y = top + lineHeight(flow, size) - foot(flow, size.wide) - size.wide / 4 + 4;
    pieces.push([`title ${flow.heaps[0].row}`, text(flow.title, left - BESIDE, y, "t-name", "end")]);
  } else if (heading(flow, look)) {
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
    const room = flow.small ? size.wide + size.gap - 16 : size.wide;
    pieces.push([`pile ${heap.row} ${heap.place}`, heapMarkup(heap, x, base, size.wide, room, table, look)]);
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
 * A pile that stands on a line, with its label, at most `room` wide, below it.
 * @param {Heap} heap @param {number} x @param {number} base @param {number} wide @param {number} room
 * @param {Lying} table @param {Look} look
 */
function heapMarkup(heap, x, base, wide, room, table, look) {
  const y = base - wide / 2 - lift(heap.count, wide);
  const owner = heap.owners.length ? heap.owners[heap.owners.length - 1] : null;
  let [top, rim] = ["", ""];
  if (heap.tiles.length) {
    top = face(heap.tiles[heap.tiles.length - 1], x, y, wide, look);
    if (owner !== null) rim = symbol(`rim${(owner % 8) + 1}`, x, y, wide, 0, ` class="t-o${(owner % 8) + 1}"`);
  } else if (heap.count) top = symbol("back", x, y, wide);
  const wrong = heap.mark && !look.quiet ? symbol(rimOf(heap.mark), x, y, wide) : "";
  const ring = isLast(heap, table) && !look.quiet ? symbol("ring", x, y, wide) : "";
  const pole = wrong ? flag(heap.mark, x + wide / 2, y + 4, Math.max(0.7, wide / 120)) : "";
  const label = look.quiet ? "" : labelOf(heap, x, base + LABEL + wide * 0.09, wide, room, owner, table);
  const title = look.quiet ? "" : `<title>${safe(titleOf(heap, owner, table))}</title>`;
  return `<g>${title}${below(heap.count, x, y, wide, look)}${top}${rim}${wrong}${ring}${pole}${label}</g>`;
}

/**
 * Below a stack its number, the owner's letter and the height; below other piles the name and the count.
 * @param {Heap} heap @param {number} x @param {number} y @param {number} wide @param {number} room
 * @param {number | null} owner @param {Lying} table
 */
function labelOf(heap, x, y, wide, room, owner, table) {
  if (!heap.label || wide < LABELLED) return "";
  const count = String(heap.count);
  if (isNumber(heap.label)) {
    const sign = owner === null ? "" : letter(table.names[owner]);
    const whose = sign ? text(sign, x + 8 + measure(heap.label, 12), y, `t-owner t-l${((owner || 0) % 8) + 1}`) : "";
    const more = heap.count > 1 ? `×${count}` : "";
    // Narrow tiles have no room for both, and whose stack it is matters more.
    const fits = more && measure(more, 12) <= wide - 20 - measure(heap.label + sign, 12);
    return text(heap.label, x + 2, y, "t-name") + whose + (fits ? text(more, x + wide - 2, y, "t-name", "end") : "");
  }
  const name = shorten(heap.label, Math.max(34, room - measure(count) - 2));
  return two(name, count, x + wide / 2, y, "middle");
}

/** @param {Heap} heap @param {number | null} owner @param {Lying} table */
function titleOf(heap, owner, table) {
  const tiles = [...heap.tiles].reverse();
  if (!tiles.length) return `${heap.label}: ${heap.count}`;
  const whose = owner === null ? "" : `, ${isolated(table.names[owner])}`;
  return (
    `${heap.label ? `${heap.label}: ` : ""}${tiles[0]}${whose}` +
    `${tiles.length > 1 ? ` on ${tiles.slice(1).join(" on ")}` : ""}`
  );
}
