// The view while entries wait and nobody here knows the rules: what was entered lies where it was put.
// @ts-check
// Nothing is known about what is legal, whose turn it is or what comes next, and the view says so (`sure`).

import { lowFirst, STEP } from "./geometry.js";

/**
 * What is changed in the recorder's view (viewer/recorder/view.py).
 * @typedef {{ tile: string, at: number[], to: number[], level: number, marks: string[] }} Laid
 * @typedef {{ label: string, tiles: string[], owners: number[], hidden: number, marks: string[] }} Pile
 * @typedef {{ type: string, laid: Laid[], piles?: Pile[] }} Area
 * @typedef {{ kind: string, player: string, tiles?: string[], legal: any[], due: boolean }} Way
 * @typedef {{ players: string[][], scene: { areas: Area[], seats: { turn: boolean }[] }, sure: boolean,
 *   next: { kind: string, player: string }, form: { names: Record<string, string[]>, ways: Way[] } }} View
 */

/** @param {any} screen what the ledger said last @param {any[]} events what waits @returns {any} */
export function unjudged(screen, events) {
  const view = /** @type {View} */ (structuredClone(screen));
  view.sure = false;
  for (const seat of view.scene.seats) seat.turn = false;
  for (const way of view.form.ways) Object.assign(way, { legal: [], due: false });
  for (const event of events) {
    put(view, event);
    trays(view, event);
    // Nobody knows who is next: the same again, until somebody taps another seat.
    if (event.player) view.next = { kind: event.type, player: event.player };
  }
  return view;
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
