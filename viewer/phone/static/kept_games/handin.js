// Hands in a game that only this phone has: again and again until the ledger has all of it, and never twice.
// The phone made the id of the game and of every entry, so the ledger knows them again.  The game stays here until the
// ledger has answered with the link of the last event: then both have the same record.

import { ask, sendAll } from "../entries/api.js";

/** @typedef {Submission & { base: number }} Leftover  an entry that the ledger did not take */
/**
 * What a hand-in needs of the phone.
 * @typedef {{ get: (id: string) => Promise<LocalGame | undefined>,
 *   note: (id: string, facts: Partial<LocalGame>) => Promise<void>,
 *   forget: (id: string, version: number) => Promise<boolean> }} Shelf
 */
/**
 * What became of a game.  `handed`: the ledger has it, and this phone has forgotten it; `refused`: the ledger will not
 * begin it; `taken`: the ledger has another game of this id; `sick` and `offline`: as in `Reply`, worth another try.
 * `reason` says why, as the end of a sentence.
 * @typedef {{ kind: "handed" | "refused" | "taken" | "sick" | "offline", reason: string }} Result
 */

const TAKEN = "urn:domino-ledger:problem:another-game-has-this-id";

/**
 * Hands a game in.
 * @param {string} id @param {Shelf} games
 * @param {(game: LocalGame, leftover: Leftover[]) => Promise<void>} take keeps the key, and what the ledger did not
 *   accept; when it is done, the game is forgotten
 * @returns {Promise<Result>}
 */
export async function handIn(id, games, take) {
  const first = await games.get(id);
  if (!first) return { kind: "handed", reason: "" };
  const opening = { id, key: first.key, opening: first.events[0], sure: true }; // the form has asked about its day
  const { kind, body, reason } = await ask("records", "", opening);
  if (kind === "refused") return body.type === TAKEN ? { kind: "taken", reason } : refuse(id, games, reason);
  if (kind !== "ok") return { kind: kind === "offline" ? kind : "sick", reason };
  for (;;) {
    const game = await games.get(id);
    if (!game) return { kind: "handed", reason: "" };
    const sent = await send(game);
    if ("kind" in sent) return sent;
    if (!sent.leftover.length && game.ids.length && sent.link !== game.link) {
      return refuse(id, games, "the ledger has another game under this name");
    }
    await take(game, sent.leftover);
    // What was entered meanwhile goes, too.
    if (await games.forget(id, game.events.length)) return { kind: "handed", reason: "" };
  }
}

/** @param {LocalGame} game @returns {Promise<Result | { link: string, leftover: Leftover[] }>} */
async function send({ id, key, events, ids }) {
  const entries = ids.map((entry, n) => ({ id: entry, event: events[n + 1], base: n + 1 }));
  const { reply, done } = await sendAll(id, key, entries);
  const { kind, status, body, reason } = reply;
  // It was there a moment ago: a backup was restored meanwhile.
  if (status === 404) return { kind: "sick", reason };
  if (kind === "sick" || kind === "offline") return { kind, reason };
  return { link: body.link || "", leftover: entries.slice(done) };
}

/** @param {string} id @param {Shelf} games @param {string} reason @returns {Promise<Result>} */
async function refuse(id, games, reason) {
  await games.note(id, { refused: reason });
  return { kind: "refused", reason };
}
