// Hands in a game that only this phone has: again and again until the ledger has all of it, and never twice.
// @ts-check
// The phone made the id of the game and of every entry, so the ledger knows them again.  The game stays here until the
// ledger has answered with the link of the last event: then both have the same record.

import { after, replyTo } from "../record/reply.js";

/** @typedef {import("./games.js").LocalGame} LocalGame */
/** @typedef {{ id: string, event: any, base: number }} Leftover  an entry that the ledger did not take */
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

const PATIENCE = 15_000;
/** The most entries at once; fewer go where they are too large together. */
const BATCH = 200;
const TAKEN = "urn:domino-ledger:problem:another-game-has-this-id";

/**
 * Posts JSON to the ledger.
 * @param {string} address @param {string} key @param {any} body @param {string} field what each answer to it has
 */
const post = (address, key, body, field) =>
  replyTo(
    () =>
      fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...(key ? { Authorization: `Bearer ${key}` } : {}) },
        body: JSON.stringify(body),
        signal: after(PATIENCE),
      }),
    field,
    "hand-in",
  );

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
  const opening = { id, key: first.key, opening: first.events[0] };
  const { kind, body, reason } = await post("/api/v1/records", "", opening, "version");
  if (kind === "refused") return body.type === TAKEN ? { kind: "taken", reason } : refuse(id, games, reason);
  if (kind !== "ok") return { kind: kind === "offline" ? kind : "sick", reason };
  for (;;) {
    const game = await games.get(id);
    if (!game) return { kind: "handed", reason: "" };
    const sent = await sendAll(game);
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
async function sendAll({ id, key, events, ids }) {
  const entries = ids.map((entry, n) => ({ id: entry, event: events[n + 1], base: n + 1 }));
  let link = "";
  let most = BATCH;
  for (let from = 0; from < entries.length;) {
    const batch = entries.slice(from, from + most);
    const { kind, status, body, reason } = await post(
      `/api/v1/records/${id}/events`,
      key,
      { expected: batch[0].base, entries: batch.map(({ id: entry, event }) => ({ id: entry, event })) },
      "link",
    );
    if (kind === "large" && batch.length > 1) most = Math.ceil(batch.length / 2);
    // It was there a moment ago: a backup was restored meanwhile.
    else if (status === 404) return { kind: "sick", reason };
    else if (kind === "large" || kind === "refused")
      return { link: "", leftover: entries.slice(from + (body.done || 0)) };
    else if (kind !== "ok") return { kind, reason };
    else {
      link = body.link;
      from += batch.length;
    }
  }
  return { link, leftover: [] };
}

/** @param {string} id @param {Shelf} games @param {string} reason @returns {Promise<Result>} */
async function refuse(id, games, reason) {
  await games.note(id, { refused: reason });
  return { kind: "refused", reason };
}
