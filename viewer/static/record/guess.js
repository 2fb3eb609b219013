// The view while entries wait: a guess, until the ledger answers.
// @ts-check
// It has no rules.  It puts the tiles where they were laid, takes them out of the tray, and passes the turn on.  It
// does not know what is legal, and says so (`sure`).

import { lowFirst, STEP } from "./geometry.js";

const TURNS = new Set(["place", "stack", "play", "bid", "pass"]);

/**
 * The part of the recorder's view that the guess uses (viewer/recorder/view.py).
 * @typedef {{ tile: string, at: number[], to: number[], level: number, marks: string[] }} Laid
 * @typedef {{ label: string, tiles: string[], owners: number[], hidden: number, marks: string[] }} Pile
 * @typedef {{ type: string, laid: Laid[], piles?: Pile[] }} Area
 * @typedef {{ kind: string, player: string, tiles?: string[], legal: any[], due: boolean }} Way
 * @typedef {{ players: string[][], scene: { areas: Area[], seats: { turn: boolean }[] }, next: any, sure: boolean,
 *   form: { names: Record<string, string[]>, ways: Way[] } }} View
 */

/** @param {any} screen @param {any[]} events */
export function guess(screen, events) {
  if (!events.length) return { ...screen, sure: true };
  const view = structuredClone(screen);
  view.sure = false;
  for (const event of events) if (event.player) act(view, event);
  return view;
}

/** Changes the view by the known effects of an event. @param {View} view @param {any} event */
function act(view, event) {
  const grid = view.scene.areas.find((area) => area.type === "grid");
  const seat = view.players.findIndex(([id]) => id === event.player);
  const tiles = /** @type {string[]} */ (event.tiles || (event.tile ? [event.tile] : []));
  if (event.type === "place" && grid) {
    const [right, down] = STEP[event.dir];
    const [x, y] = event.at;
    for (const laid of grid.laid) laid.marks = [];
    grid.laid.push({ tile: event.tile, at: [x, y], to: [x + right, y + down], level: event.level, marks: ["last"] });
  } else if (event.type === "lift" && grid) {
    grid.laid = grid.laid.filter((laid) => lowFirst(laid.tile) !== lowFirst(event.tile));
  } else if (event.type === "stack") {
    const stack = piles(view).find(({ label }) => label === String(event.stack));
    stack?.tiles.push(event.tile);
    stack?.owners.push(seat);
  } else if (event.type === "play" && view.form.names.play?.includes("end")) {
    lengthen(
      view.scene.areas.find((area) => area.type === "row"),
      event,
    );
  } else if (event.type === "play") {
    piles(view)[0]?.tiles.push(event.tile);
  } else if (event.type === "layout") {
    const next = piles(view).filter(({ label }) => /^\d+$/.test(label)).length;
    const stacks = tiles.map((tile, n) => pile(String(next + n + 1), tile, [seat]));
    view.scene.areas.push(/** @type {any} */ ({ type: "row", title: "", owner: null, piles: stacks }));
  }
  const used = new Set(tiles.map(lowFirst));
  // A player who had a turn waits for the next one.
  const gone = TURNS.has(event.type) && view.players.length > 1;
  // Without turns the same act may come again, except a draw: after that the tile is laid.
  const done = gone || view.players.length > 1 || event.type === "draw";
  for (const way of view.form.ways) {
    way.legal = [];
    if ((done && way.kind === event.type) || (gone && way.player === event.player)) way.due = false;
    // A guess never asks for a lift.
    if (way.kind === "lift") way.due = false;
    if (way.player !== event.player || !way.tiles) continue;
    const comes = event.type === "draw" || event.type === "over" || event.type === "lift";
    if (way.kind === event.type) way.tiles = way.tiles.filter((tile) => !used.has(tile));
    else if (comes && ["place", "play", "stack"].includes(way.kind)) way.tiles = [...new Set([...way.tiles, ...used])];
    else if (event.type === "deal" && !event.partial && way.kind !== "deal") way.tiles = [...used];
  }
  // A tile on the table is in no hand.
  if (["place", "play"].includes(event.type)) {
    for (const way of view.form.ways) way.tiles = way.tiles?.filter((tile) => !used.has(tile));
  }
  if (TURNS.has(event.type) || event.type === "draw" || event.type === "layout" || event.type === "deal") {
    const next = TURNS.has(event.type) || view.players.length > 1 ? (seat + 1) % view.players.length : seat;
    view.scene.seats.forEach((one, n) => {
      one.turn = n === next;
    });
    view.next = { kind: event.type === "pass" ? view.next?.kind : event.type, player: view.players[next][0] };
  }
}

/**
 * A line with one tile more, turned so that equal halves meet if they can.
 * @param {Area | undefined} row @param {{ tile: string, end?: string }} event
 */
function lengthen(row, { tile, end }) {
  if (!row?.piles) return;
  const turned = tile.split("-").reverse().join("-");
  const left = end === "left" && row.piles.length;
  const last = row.piles[left ? 0 : row.piles.length - 1]?.tiles[0]?.split("-") || [];
  const meets = left ? tile.endsWith(`-${last[0]}`) : tile.startsWith(`${last[1]}-`);
  const lies = !last.length || meets ? tile : turned;
  row.piles[left ? "unshift" : "push"](pile(lies, lies, []));
}

/** A pile of one tile. @param {string} label @param {string} tile @param {number[]} owners @returns {Pile} */
const pile = (label, tile, owners) => ({ label, tiles: [tile], owners, hidden: 0, marks: [] });

/** @param {View} view */
const piles = (view) => view.scene.areas.flatMap((area) => area.piles || []);
