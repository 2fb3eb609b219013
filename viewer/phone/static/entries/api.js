// Requests to the API of the ledger, and what became of each: no page may take one kind of failure for another.

import { at } from "../../../every_page/static/club_root.js";

/** Milliseconds that an answer may take. */
const PATIENCE = 8000;

/** The path of something about a record. @param {string} id @param {string} what */
export const pathOf = (id, what) => `records/${encodeURIComponent(id)}/${what}`;

/**
 * Asks the API, or sends it something.
 * @param {string} path @param {{ key?: string, body?: object }} [how] the key that allows it, and what to send
 */
export const request = (path, { key = "", body } = {}) =>
  fetch(at(`api/v1/${path}`), {
    method: body ? "POST" : "GET",
    headers: {
      ...(body ? { "Content-Type": "application/json" } : {}),
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(PATIENCE),
  });

/**
 * If a private ledger refuses, sends in the key and asks again.
 * @param {string} record @param {string} key @param {() => Promise<Response>} request
 */
export async function admitted(record, key, request) {
  const answer = await request();
  if (answer.status !== 401 || !key) return answer;
  const form = new FormData();
  form.set("key", key);
  form.set("record", record);
  const admission = await fetch(at("door"), { method: "POST", body: form, signal: AbortSignal.timeout(PATIENCE) });
  return admission.ok ? request() : answer;
}

/**
 * - `ok`: the ledger did it; `refused`: the ledger will not, and `body` says why;
 * - `large`: the ledger, or what stands before it, takes less at once;
 * - `sick`: something answers, but not as the ledger does; it is worth another try;
 * - `offline`: nothing answers.
 *
 * `reason` says what is wrong in words, as the end of a sentence; "" for `ok`.
 * @typedef {{ kind: "ok" | "refused" | "large" | "sick" | "offline", status: number, body: any, reason: string }} Reply
 */

const LARGE = 413;
/** The ledger's own way to say "later". */
const LATER = [408, 425, 429];

/** What a status means if the ledger itself does not say more. @param {number} status */
function words(status) {
  if (status === LARGE) return "it is too large for the server (status 413)";
  if (status === 429) return "the server has too many requests at the moment (status 429)";
  if ([502, 503, 504].includes(status)) return `the ledger behind the server does not answer (status ${status})`;
  if (status >= 500) return `the server has a fault (status ${status})`;
  if (status >= 400) return `something before the ledger refuses it, perhaps a firewall (status ${status})`;
  return "something else answers in place of the ledger: this network may want you to log in first";
}

/** A reason of the ledger as the end of a sentence. @param {string} text */
const ending = (text) => text.replace(/[.\s]+$/, "");

/**
 * Asks, and says what became of it.
 * @param {() => Promise<Response>} request @param {string} [field] what an answer of the ledger to this always has
 * @returns {Promise<Reply>}
 */
export async function replyTo(request, field = "") {
  let answer;
  try {
    answer = await request();
  } catch (error) {
    // Where the rules on this phone answer in place of a network, they say themselves what is wrong.
    const { name, message } = /** @type {Error} */ (error);
    const silent = name === "TypeError" || name === "TimeoutError";
    return { kind: "offline", status: 0, body: {}, reason: silent ? "there is no connection" : message };
  }
  const { status, ok } = answer;
  /** @type {any} */
  let body = null;
  try {
    body = await answer.json();
  } catch {
    /* it is not the ledger's */
  }
  const reply = (/** @type {Reply["kind"]} */ kind, reason = "") => ({ kind, status, body: body || {}, reason });
  if (status === LARGE) return reply("large", words(status));
  const own = body?.detail || body?.title;
  if (status >= 500 || LATER.includes(status)) return reply("sick", own ? ending(own) : words(status));
  if (!body || typeof body !== "object") return reply("sick", words(status));
  if (ok) return field && body[field] === undefined ? reply("sick", words(status)) : reply("ok");
  return reply("refused", own || words(status));
}
