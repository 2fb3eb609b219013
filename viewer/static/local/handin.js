// Hands in a game that only this phone has: again and again until the ledger has all of it, and never twice.
// @ts-check
// The phone made the id of the game and of every entry, so the ledger knows them again.  The game stays here until the
// ledger has answered with the link of the last event: then both have the same record.

import { after } from "../record/post.js";

/** @typedef {import("./games.js").LocalGame} LocalGame */
/** @typedef {{ id: string, event: any, base: number }} Leftover  an entry that the ledger did not take */
/**
 * What a hand-in needs of the phone.
 * @typedef {{ get: (id: string) => Promise<LocalGame | undefined>,
 *   note: (id: string, facts: Partial<LocalGame>) => Promise<void>,
 *   forget: (id: string, version: number) => Promise<boolean> }} Shelf
 */

const PATIENCE = 15_000;
const BATCH = 200;
const LATER = [408, 425, 429];

/**
 * Posts JSON; returns the answer, or null if it is worth another try later.
 * @param {string} address @param {string} key @param {any} body
 */
async function post(address, key, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key ? { Authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify(body),
      signal: after(PATIENCE),
    });
    if (answer.status >= 500 || LATER.includes(answer.status)) return null;
    return { ok: answer.ok, body: await answer.json() };
  } catch {
    return null;
  }
}

/**
 * Hands a game in.  `handed`: the ledger has it, and this phone has forgotten it; `later`: there is no connection;
 * `refused`: the ledger will not begin it, for the reason that is noted with the game.
 * @param {string} id @param {Shelf} games
 * @param {(game: LocalGame, leftover: Leftover[]) => Promise<void>} take keeps the key, and what the ledger did not
 *   accept; when it is done, the game is forgotten
 * @returns {Promise<"handed" | "later" | "refused">}
 */
export async function handIn(id, games, take) {
  const first = await games.get(id);
  if (!first) return "handed";
  const beginning = await post("/api/v1/records", "", { id, key: first.key, opening: first.events[0] });
  if (!beginning) return "later";
  if (!beginning.ok) return refuse(id, games, beginning.body.detail || beginning.body.title);
  for (;;) {
    const game = await games.get(id);
    if (!game) return "handed";
    const result = await sendAll(game);
    if (result === "later") return "later";
    if (!result.leftover.length && game.ids.length && result.link !== game.link) {
      return refuse(id, games, "the ledger has another game under this name");
    }
    await take(game, result.leftover);
    // What was entered meanwhile goes, too.
    if (await games.forget(id, game.events.length)) return "handed";
  }
}

/** @param {LocalGame} game @returns {Promise<"later" | { link: string, leftover: Leftover[] }>} */
async function sendAll({ id, key, events, ids }) {
  const entries = ids.map((entry, n) => ({ id: entry, event: events[n + 1], base: n + 1 }));
  let link = "";
  for (let from = 0; from < entries.length; from += BATCH) {
    const batch = entries.slice(from, from + BATCH);
    const answer = await post(`/api/v1/records/${id}/events`, key, {
      expected: batch[0].base,
      entries: batch.map(({ id: entry, event }) => ({ id: entry, event })),
    });
    if (!answer) return "later";
    if (!answer.ok) return { link: "", leftover: entries.slice(from + (answer.body.done || 0)) };
    link = answer.body.link;
  }
  return { link, leftover: [] };
}

/** @param {string} id @param {Shelf} games @param {string} reason @returns {Promise<"refused">} */
async function refuse(id, games, reason) {
  await games.note(id, { refused: reason });
  return "refused";
}
