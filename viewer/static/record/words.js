// Words for an event that the ledger does not have yet, the same that the ledger will use.
// @ts-check

import { STEP } from "./geometry.js";
import { isolated } from "./marks.js";

/** @typedef {{seat: number | null, tile: string | null, place: string, act: string, words: string}} Phrase */

const hard = (/** @type {string} */ tile) => tile.replaceAll("-", "\u2011");
const list = (/** @type {string[]} */ tiles) => tiles.map(hard).join(", ") || "no tiles";

/** Where an event lays its tile. @param {any} event @param {import("./squares.js").SquareNames} names */
export function placeWords(event, names) {
  if (event.type === "place") {
    const [right, down] = STEP[event.dir];
    const [x, y] = event.at;
    const pair = names.pair([
      [x, y],
      [x + right, y + down],
    ]);
    return [`level ${event.level}`, pair].filter(Boolean).join(", ");
  }
  if (event.type === "stack") return `on stack ${event.stack}`;
  return event.type === "play" && event.end ? `${event.end} end` : "";
}

/** The points that the table gave for a placement. @param {any} event */
function called({ type, points }) {
  if (type !== "place" || points === undefined || points === null) return "";
  return ` · ${points ? `${points} point${points === 1 ? "" : "s"}` : "no points"}`;
}

/**
 * What an event does, without its player and its one tile; "" for a tile that is played.
 * @param {any} event @param {(id: string) => string} nameOf @returns {string}
 */
export function actWords(event, nameOf) {
  const points = (/** @type {Record<string, number>} */ all) =>
    Object.entries(all)
      .map(([id, count]) => `${nameOf(id)} ${count}`)
      .join(", ");
  switch (event.type) {
    case "place":
    case "stack":
    case "play":
      return "";
    case "draw":
      return "draws";
    case "lift":
      return "lifts";
    case "over":
      return "takes the tile over";
    case "bid":
      return `bids ${event.bid}`;
    case "pass":
      return "passes";
    case "rank":
      return `names ${event.high} as the highest number${event.direction ? `, in ${event.direction} order` : ""}`;
    case "layout":
      return `lays out ${list(event.tiles)}`;
    case "deal":
      return `holds ${list(event.tiles)}${event.partial ? " and others" : ""}`;
    case "aside":
      return event.player ? `sets aside ${list(event.tiles)}` : `Out of the game: ${list(event.tiles)}`;
    case "take":
      return `takes ${event.tiles === undefined ? "the pile" : `${event.tiles} tiles`} (as called)`;
    case "score":
      return `${event.scope === "hand" ? "Points of the hand" : "Scores"} as called: ${points(event.points)}`;
    case "cheats":
      return `Cheats as called: ${event.count}`;
    case "result":
      return `Result as called: ${event.winners.map(nameOf).join(" and ") || "nobody"} won`;
    case "note":
      return `Note: ${event.text}`;
    case "confirm":
      return "agrees to the record";
    case "close":
      return event.why === "finished" ? "Game over" : "Game left unfinished";
    default:
      return event.type;
  }
}

/**
 * An event in parts and as a sentence: "Ana plays 3-6 on level 4, b2-c2".
 * @param {any} event @param {{players: string[][], moves: any[]}} view
 * @param {import("./squares.js").SquareNames} names @returns {Phrase}
 */
export function phrase(event, view, names) {
  const nameOf = (/** @type {string} */ id) => isolated(view.players.find(([playerId]) => playerId === id)?.[1] || id);
  const originalWords = view.moves.find(({ seq }) => seq === (event.seq ?? event.before))?.words || "an entry";
  const correction = (/** @type {string} */ words) => ({ seat: null, tile: null, place: "", act: words, words });
  if (event.type === "retract") return correction(`Deleted: ${originalWords}`);
  if (event.type === "amend")
    return correction(`Changed: ${originalWords} to ${phrase(event.event, view, names).words}`);
  if (event.type === "insert") return correction(`Inserted: ${phrase(event.event, view, names).words}`);
  const seat =
    event.player === undefined || event.player === null ? null : view.players.findIndex(([id]) => id === event.player);
  const [place, act] = [placeWords(event, names), actWords(event, nameOf)];
  const where = !place || place.startsWith("on ") ? place : event.type === "play" ? `on the ${place}` : `on ${place}`;
  const tile = event.tile || null;
  const verb = act || "plays";
  const words = [seat === null || seat < 0 ? "" : nameOf(event.player), verb, tile && hard(tile), where]
    .filter(Boolean)
    .join(" ")
    .concat(called(event));
  return { seat, tile, place, act, words };
}
