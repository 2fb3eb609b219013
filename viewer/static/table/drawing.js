// The drawing of a table at one step: its parts, the room for each, and the words for people who listen.
// viewer/pictures/drawing.py does the same for picture files.
// @ts-check

import { building } from "./building.js";
import { shorten } from "./flat.js";
import { allLines, around, band, bandOfLines, contract, corners, racks } from "./hands.js";
import { isolated, SHORT, SMALL, text, two } from "./look.js";
import { plan } from "./plan.js";
import { LABELLED, rows, stacksWide } from "./rows.js";
import { Space } from "./space.js";

/**
 * @typedef {import("./look.js").Look} Look @typedef {import("./look.js").Lying} Lying
 * @typedef {import("./look.js").Piece} Piece
 */

/** The margins at the sides and below, and of a small picture. */
const SIDE = 14;
const FOOT = 14;
const QUIET = 4;
/** How much larger stacks become, at the least, if hands give way to them; or else large enough for pips. */
const GAINED = 1.2;
/** The part of the width of a small picture that stays free at each side of rows. */
const ROOM = 0.06;
/**
 * The height of a line of hands below a plan, what it takes from a building, the room above a plan, a contract, a
 * heading.
 */
const STRIP = 24;
const BELOW = 20;
const HEAD = 6;
const GOAL = 48;
const HEADING = 24;
/** A table of this width has room for a note beside the heading. */
const NOTED = 300;
/** A table of this width has the heading beside the contract, a narrower one above it. */
const BROAD = 800;
/** The part of the height for the winner's name, the least height with room for it, and the size of its letters. */
const WON = 0.3;
const TALL = 280;
const BIG = 24;

/**
 * The latest spaces: while the building keeps its levels its space is the same, and each has pieces that are drawn.
 * @type {Map<string, Space>}
 */
const spaces = new Map();
const KEPT = 4;

/** Where the building stands; nothing for a game without squares. @param {Lying} table @param {Look} look */
export function spaceOf(table, look) {
  if (!table.floor) return null;
  const margin = look.quiet ? QUIET : SIDE;
  const top = look.quiet ? QUIET : look.top;
  const count = look.quiet || look.height < SHORT ? 0 : table.hands.length + table.rows.length;
  // More than one line of hands in a corner needs room below the building.
  const foot = look.quiet ? QUIET : FOOT + Math.max(0, Math.ceil(count / 2) - 1) * BELOW;
  const box = { left: margin, top, right: look.width - margin, bottom: look.height - foot };
  const sky = table.sky.map(([x, y, level]) => [x, y, Math.min(level, look.level || level)]);
  const key = JSON.stringify([table.floor, sky, look.turn, box, look.quiet]);
  const space = spaces.get(key) || new Space(table.floor, sky, look.turn, box, !look.quiet);
  // The latest come last, so the first is the oldest.
  spaces.delete(key);
  spaces.set(key, space);
  if (spaces.size > KEPT) spaces.delete([...spaces.keys()][0]);
  return { box, space };
}

/**
 * The pieces of a drawing, the farthest first; the building in another space than its own, if one is given.
 * @param {Lying} table @param {Look} look @param {Space | null} [drawn] @returns {Piece[]}
 */
export function drawing(table, look, drawn) {
  const stage = spaceOf(table, look);
  if (!stage) return inRows(table, look);
  const { space, box } = stage;
  if (look.view === "plan" && !look.quiet) {
    const hands = look.height < SHORT ? [] : racks(table, look, true);
    const strip = Math.ceil(hands.length / 2) * STRIP + (hands.length ? 8 : 0);
    return [
      ...plan(table, space, { ...box, top: box.top + HEAD, bottom: look.height - FOOT - strip }, look),
      ...allLines(hands, look),
    ];
  }
  return [...building(table, drawn || space, look), ...(look.quiet ? [] : corners(table, space, look))];
}

/** @param {Lying} table @param {Look} look @returns {Piece[]} */
function inRows(table, look) {
  if (look.quiet) {
    const side = look.width * ROOM;
    return rows(table, { left: side, top: QUIET, right: look.width - side, bottom: look.height - QUIET }, look);
  }
  const [height, header] = headerOf(table, look);
  let below = { ...look, top: look.top + height };
  const won = outcome(table, below);
  if (won.length) below = { ...below, top: below.top + (below.height - below.top) * WON };
  const [box, hands] = around(table, below) || roomAbove(table, below);
  const pieces = [...rows(table, box, below), ...won, ...hands];
  if (!pieces.length)
    pieces.push(["empty", text("No tiles on the table yet", look.width / 2, look.height / 2, "t-title", "middle")]);
  return [...header, ...pieces];
}

/**
 * Which hand it is, and the contract, at the upper edge: their height, and the pieces.
 * @param {Lying} table @param {Look} look @returns {[number, Piece[]]}
 */
function headerOf(table, look) {
  const goal = contract(table, look);
  if (!table.heading || look.height < SHORT) return [goal.length ? GOAL : 0, goal];
  const beside = goal.length > 0 && look.width >= BROAD;
  const [x, y] = [SIDE + 2, look.top + (beside ? 21 : 13)];
  /** @type {Piece} */
  const heading = [
    "heading",
    table.note && look.width >= NOTED ? two(table.heading, table.note, x, y) : text(table.heading, x, y, "t-title"),
  ];
  if (!goal.length || beside) return [goal.length ? GOAL : HEADING, [heading, ...goal]];
  return [GOAL + HEADING, [heading, ...contract(table, { ...look, top: look.top + HEADING })]];
}

/**
 * The hands below rows: the room above them, and the pieces.
 * @param {Lying} table @param {Look} look @returns {[ReturnType<typeof above>, Piece[]]}
 */
function roomAbove(table, look) {
  const [high, hands] = handsBelow(table, look);
  return [above(high, look), hands];
}

/**
 * The hands below rows: as tiles, as lines if stacks are too small to read otherwise, or not at all.
 * @param {Lying} table @param {Look} look @returns {[number, Piece[]]}
 */
function handsBelow(table, look) {
  const [high, hands] = band(table, look);
  const wide = hands.length ? stacksWide(table, above(high, look), look) : 0;
  if (wide && wide < 2 * SMALL) {
    const [low, lines] = bandOfLines(table, look);
    const wideAbove = stacksWide(table, above(low, look), look);
    if (wideAbove < LABELLED) return [0, []];
    if (wideAbove >= Math.min(wide * GAINED, 2 * SMALL)) return [low, lines];
  }
  return [high, hands];
}

/** The room for rows above a band of that height. @param {number} high @param {Look} look */
const above = (high, { top, width, height }) => ({ left: SIDE, top, right: width - SIDE, bottom: height - high - 6 });

/**
 * Who has won and by how much, in the upper part of the table.
 * @param {Lying} table @param {Look} look @returns {Piece[]}
 */
function outcome({ outcome: won }, look) {
  const room = look.height - look.top;
  if (!won || room < TALL) return [];
  const [middle, y] = [look.width / 2, look.top + room * WON * 0.6];
  const words = shorten(won.words, ((look.width - 2 * SIDE) * 13) / BIG);
  const margin = won.margin ? text(won.margin, middle, y + 26, "t-title", "middle") : "";
  return [["outcome", `<g>${text(words, middle, y, "t-won", "middle")}${margin}</g>`]];
}

const tileCount = (/** @type {number} */ count) => (count === 1 ? "1 tile" : `${count} tiles`);

/** What is on the table, in words for people who listen. @param {Lying} table */
export function description(table) {
  const parts = table.outcome ? [`${table.outcome.words} ${table.outcome.margin}`.trim()] : [];
  if (table.heading) parts.unshift(table.heading);
  if (table.tiles.length)
    parts.push(`${tileCount(table.tiles.length)} on ${table.high === 1 ? "1 level" : `${table.high} levels`}`);
  for (const row of table.rows)
    parts.push(`${row.title}: ${tileCount(row.heaps.reduce((sum, { count }) => sum + count, 0))}`);
  for (const hand of table.hands)
    parts.push(`${isolated(table.names[hand.owner])} holds ${tileCount(hand.tiles.length + (hand.unknown || 0))}`);
  return parts.join(". ") || "No tiles on the table yet";
}
