// A game that only this phone has, for others: as a link that holds all of it, as a replay, as a file.

import { addresses } from "./recorder_addresses.js";
import { pack } from "./game_in_link.js";

/** The file of a game: one line, as an archive has it. @param {GameEvent[]} events */
const recordText = (events) => `${JSON.stringify({ format: "domino-ledger/1", events })}\n`;

/** The address of the replay, which holds the whole game. @param {GameEvent[]} events */
export async function replayAddress(events) {
  return addresses.replay(await pack(recordText(events)));
}

/** Shows the replay. @param {GameEvent[]} events */
export async function replay(events) {
  location.assign(await replayAddress(events));
}

/** Saves a game as a file. @param {{ names: string[], events: GameEvent[], touched: string }} game */
export function save({ names, events, touched }) {
  const name = names.join("-").replace(/[^\p{L}\p{N}-]+/gu, "_") || "game";
  saveText(recordText(events), `${name}-${(events[0].played || touched).slice(0, 10)}.ndjson`);
}

/** Saves a text as a file. @param {string} text @param {string} name */
export function saveText(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
