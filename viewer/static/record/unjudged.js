// The view while entries wait and nobody here knows the rules: what was entered lies where it was put.
// @ts-check
// Nothing is known about what is legal, whose turn it is or what comes next, and the view says so (`sure`).

import { lowFirst, STEP } from "./geometry.js";
import { TAKEN_BACK } from "./undo.js";

/**
 * What is changed in the recorder's view (viewer/recorder/view.py).
 * @typedef {{ tile: string, at: number[], to: number[], level: number, marks: string[] }} Laid
 * @typedef {{ label: string, tiles: string[], owners: number[], hidden: number, marks: string[] }} Pile
 * @typedef {{ type: string, laid: Laid[], piles?: Pile[] }} Area
 * @typedef {{ kind: string, player: string, tiles?: string[], legal: any[], due: boolean }} Way
 * @typedef {{ seqs: number[], corrections: any[] }} Undo  what was done, and what takes it back (ledger/keep/undo.py)
 * @typedef {{ players: string[][], scene: { areas: Area[], seats: { turn: boolean }[] }, sure: boolean,
 *   version: number, moves: { seq: number, event: any }[], undo: Undo[], closed: boolean,
 *   next: { kind: string, player: string }, form: { names: Record<string, string[]>, ways: Way[] } }} View
 */

/** @param {any} screen what the ledger said last @param {any[]} events what waits @returns {any} */
export function unjudged(screen, events) {
  const view = /** @type {View} */ (structuredClone(screen));
  view.sure = false;
  for (const seat of view.scene.seats) seat.turn = false;
  for (const way of view.form.ways) Object.assign(way, { legal: [], due: false });
  const standing = new Map(view.moves.map(({ seq, event }) => [seq, event]));
  for (const [n, event] of events.entries()) {
    const seq = view.version + n;
    if (event.type === "retract" && standing.get(event.seq)?.type === "close") {
      view.closed = false;
      view.undo = view.undo.filter(({ corrections }) => corrections[0].seq !== event.seq);
    } else done(view, event, seq, standing, events[n - 1]);
    if (event.type === "close") view.closed = true;
    standing.set(event.type === "amend" ? event.seq : seq, event.event || event);
    put(view, event);
    trays(view, event);
    // Nobody knows who is next: the same again, until somebody taps another seat.
    if (event.player) view.next = { kind: event.type, player: event.player };
  }
  return view;
}

/**
 * Adds an event to what Undo takes back, as ledger/keep/undo.py does it.
 * @param {View} view @param {any} event @param {number} seq @param {Map<number, any>} standing the events by their seqs
 * @param {any} previous the event before
 */
function done(view, event, seq, standing, previous) {
  const [last] = view.undo;
  if (event.why === TAKEN_BACK && last) {
    last.corrections.shift();
    if (!last.corrections.length) view.undo.shift();
    // What was deleted is known by another seq now.
    if (event.type === "insert")
      for (const correction of view.undo.flatMap(({ corrections }) => corrections))
        if (correction.seq === event.before) correction.seq = seq;
  } else if (event.type === "insert" && previous?.type === "retract" && previous.when === event.when) {
    last.seqs.push(seq);
    last.corrections.unshift({ type: "retract", seq, why: TAKEN_BACK });
  } else if (event.type !== "confirm") {
    const was = { event: standing.get(event.seq), why: TAKEN_BACK };
    const corrections = /** @type {Record<string, any>} */ ({
      retract: { type: "insert", before: event.seq, ...was },
      amend: { type: "amend", seq: event.seq, ...was },
    });
    view.undo.unshift({
      seqs: [seq],
      corrections: [corrections[event.type] || { type: "retract", seq, why: TAKEN_BACK }],
    });
  }
}

/** Puts the tiles of an event where it says. @param {View} view @param {any} event */
function put(view, event) {
  const grid = view.scene.areas.find((area) => area.type === "grid");
  const piles = view.scene.areas.flatMap((area) => area.piles || []);
  const seat = view.players.findIndex(([id]) => id === event.player);
  if (event.type === "place" && grid) {
    const [right, down] = STEP[event.dir];
    const [x, y] = event.at;
    for (const laid of grid.laid) laid.marks = [];
    grid.laid.push({ tile: event.tile, at: [x, y], to: [x + right, y + down], level: event.level, marks: ["last"] });
  } else if (event.type === "lift" && grid) {
    grid.laid = grid.laid.filter((laid) => lowFirst(laid.tile) !== lowFirst(event.tile));
  } else if (event.type === "stack") {
    const stack = piles.find(({ label }) => label === String(event.stack));
    stack?.tiles.push(event.tile);
    stack?.owners.push(seat);
  } else if (event.type === "play" && view.form.names.play?.includes("end")) {
    const row = view.scene.areas.find((area) => area.type === "row");
    lengthen(row?.piles || [], event);
  } else if (event.type === "play") {
    piles[0]?.tiles.push(event.tile);
  } else if (event.type === "layout") {
    const next = piles.filter(({ label }) => /^\d+$/.test(label)).length;
    const stacks = event.tiles.map((/** @type {string} */ tile, /** @type {number} */ n) =>
      pile(String(next + n + 1), tile, [seat]),
    );
    view.scene.areas.push(/** @type {any} */ ({ type: "row", title: "", owner: null, piles: stacks }));
  }
}

/** Takes used tiles out of the trays, and puts new ones into them. @param {View} view @param {any} event */
function trays(view, event) {
  const tiles = new Set(/** @type {string[]} */ (event.tiles || (event.tile ? [event.tile] : [])).map(lowFirst));
  const leavesTray = ["place", "play", "stack", "layout"].includes(event.type);
  const joinsTray = ["draw", "over", "lift"].includes(event.type);
  for (const way of view.form.ways) {
    if (!way.tiles) continue;
    const isPlayers = way.player === event.player;
    if (leavesTray || (isPlayers && way.kind === event.type)) way.tiles = way.tiles.filter((tile) => !tiles.has(tile));
    else if (isPlayers && joinsTray && way.kind !== "deal") way.tiles = [...new Set([...way.tiles, ...tiles])];
    else if (isPlayers && event.type === "deal" && !event.partial && way.kind !== "deal") way.tiles = [...tiles];
  }
}

/**
 * A line gets one tile more, turned so that equal halves meet if they can.
 * @param {Pile[]} line @param {{ tile: string, end?: string }} event
 */
function lengthen(line, { tile, end }) {
  const reversed = tile.split("-").reverse().join("-");
  const left = end === "left" && line.length;
  const last = line[left ? 0 : line.length - 1]?.tiles[0]?.split("-") || [];
  const meets = left ? tile.endsWith(`-${last[0]}`) : tile.startsWith(`${last[1]}-`);
  const laidTile = !last.length || meets ? tile : reversed;
  line[left ? "unshift" : "push"](pile(laidTile, laidTile, []));
}

/** A pile of one tile. @param {string} label @param {string} tile @param {number[]} owners @returns {Pile} */
const pile = (label, tile, owners) => ({ label, tiles: [tile], owners, hidden: 0, marks: [] });
