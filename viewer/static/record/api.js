// Requests to the API of the ledger.

import { after, replyTo } from "./reply.js";

const PATIENCE = 15_000;
/** The most entries in one request; fewer go where they are too large together. */
export const AT_ONCE = 200;

/** The path of something about a record. @param {string} id @param {string} what */
export const pathOf = (id, what) => `records/${encodeURIComponent(id)}/${what}`;

/**
 * Asks the API, or sends it something.
 * @param {string} path @param {number} patience in milliseconds
 * @param {{ key?: string, body?: object }} [how] the key that allows it, and what to send
 */
export const request = (path, patience, { key = "", body } = {}) =>
  fetch(`/api/v1/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      ...(body ? { "Content-Type": "application/json" } : {}),
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: after(patience),
  });

/**
 * Asks the API, and says what became of it; what was sent is noted in the log of this phone.
 * @param {string} path @param {string} key @param {object} [body] to send; without it, it only asks
 * @param {string} [field] what an answer always has
 */
export const ask = (path, key, body, field = "version") =>
  replyTo(
    () => request(path, PATIENCE, { key, body }),
    field,
    body ? path.replace(/records\/[^/]*\//, "a game: ") : "",
  );

/**
 * Sends the entries of a record, each once however often it is sent, until one is refused or nothing answers.
 * @param {string} id @param {string} key @param {Leftover[]} entries
 * @returns {Promise<{ reply: Reply, done: number }>} the last answer, and how many entries the ledger has
 */
export async function sendAll(id, key, entries) {
  /** @type {Reply} */
  let reply = { kind: "ok", status: 200, body: {}, reason: "" };
  let most = AT_ONCE;
  let done = 0;
  while (done < entries.length && reply.kind === "ok") {
    const batch = entries.slice(done, done + most);
    const body = { expected: batch[0].base, entries: batch.map((entry) => ({ id: entry.id, event: entry.event })) };
    const next = await ask(pathOf(id, "events"), key, body);
    if (next.kind === "large" && batch.length > 1) most = Math.ceil(batch.length / 2);
    else {
      reply = next;
      done += reply.kind === "ok" ? batch.length : reply.body.done || 0;
    }
  }
  return { reply, done };
}
