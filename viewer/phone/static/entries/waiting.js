// The view of the game with the entries that wait on this phone.

import { lowFirst, STEP } from "../pieces/tile_geometry.js";
import { TAKEN_BACK } from "./undo.js";

/**
 * The last view with what the next tap needs, for when no rules are here.  Nothing is known about what is legal, whose
 * turn it is or what comes next, and the view says so (`sure`).
 * @param {View} screen what the ledger said last @param {GameEvent[]} events what waits @returns {View}
 */
export function unjudged(screen, events) {
  const view = structuredClone(screen);
  view.sure = false;
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
    squares(view, event);
    trays(view, event);
    // What comes next is most likely the same again; nobody knows who does it.
    if (event.player) view.next = { kind: event.type, player: "" };
  }
  return view;
}

/**
 * Adds an event to what Undo takes back, as ledger/keep/undo.py does it.
 * @param {View} view @param {GameEvent} event @param {number} seq
 * @param {Map<number, GameEvent>} standing the events by their seqs
 * @param {GameEvent} previous the event before
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

/**
 * Keeps the squares as they are by now: the level of the next tile depends on them.
 * @param {View} view @param {GameEvent} event
 */
function squares(view, event) {
  const grid = view.scene.areas.find((area) => area.type === "grid");
  if (!grid || !event.tile) return;
  if (event.dir) {
    const [right, down] = STEP[event.dir];
    const [x, y] = event.at;
    grid.laid.push({ tile: event.tile, at: [x, y], to: [x + right, y + down], level: event.level, waits: true });
  } else if (event.type === "lift") {
    const lifted = lowFirst(event.tile);
    grid.laid = grid.laid.filter((laid) => lowFirst(laid.tile) !== lifted);
  }
}

/**
 * Takes laid tiles out of the trays, and puts other tiles into those of their player.
 * @param {View} view @param {GameEvent} event
 */
function trays(view, event) {
  const tiles = new Set(/** @type {string[]} */ (event.tiles || (event.tile ? [event.tile] : [])).map(lowFirst));
  const { lays, own } = view.prompts.find(({ kind }) => kind === event.type) || {};
  for (const way of view.form.ways) {
    if (!way.tiles) continue;
    // Where players have a set each, the others may still lay theirs.
    if (own && way.player !== event.player) continue;
    if (lays || (way.player === event.player && way.kind === event.type))
      way.tiles = way.tiles.filter((tile) => !tiles.has(tile));
    else if (way.player === event.player) way.tiles = [...new Set([...way.tiles, ...tiles])];
  }
}
