// A game that only this phone has, for others: as a link that holds all of it, as a replay, as a file.

import { events } from "../notebook/log.js";
import { playersOf } from "./entries_in_words.js";
import { addresses } from "./recorder_addresses.js";
import { pack } from "./game_in_link.js";

/** @import { Log } from "../notebook/log.js" */

/** The file of a game: one line, as an archive has it. @param {GameEvent[]} events @param {Log["from"]} [from] */
export const recordText = (events, from) => `${JSON.stringify({ format: "domino-ledger/1", from, events })}\n`;

/** The address of the replay, which holds the whole game. @param {Log} log */
export async function replayAddress(log) {
  return addresses.replay(await pack(recordText(events(log), log.from)));
}

/** Shows the replay. @param {Log | null} log */
export async function replay(log) {
  if (log) location.assign(await replayAddress(log));
}

/** Saves a game as a file. @param {Log | null} log */
export function save(log) {
  if (!log) return;
  const [{ event }] = log.entries;
  const names = playersOf(event).join("-");
  const name = names.replace(/[^\p{L}\p{N}-]+/gu, "_") || "game";
  const day = (event.played || log.touched || "").slice(0, 10);
  saveText(recordText(events(log), log.from), `${name}-${day}.ndjson`);
}

/** Saves a text as a file. @param {string} text @param {string} name */
export function saveText(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The lines of a file for `domino-ledger recover`: what the ledger sealed, and all of it. @param {Log} log */
export function copiesOf(log) {
  const { id, from, seal } = log;
  if (from) return "";
  const all = events(log);
  const line = (/** @type {number} */ version, /** @type {any} */ proof) => ({
    format: "domino-ledger-copy/1",
    record: id,
    events: all.slice(0, version),
    ids: Object.fromEntries(
      log.entries.slice(0, version).flatMap((entry, seq) => (seq && entry.id !== entry.link ? [[seq, entry.id]] : [])),
    ),
    keys: proof?.keys || {},
    seal: proof?.text || "",
  });
  const lines = seal ? [line(seal.version, seal)] : [];
  if (!seal || seal.version < all.length) lines.push({ ...line(all.length, null), keys: lines[0]?.keys || {} });
  return lines.map((one) => `${JSON.stringify(one)}\n`).join("");
}
