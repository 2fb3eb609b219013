// The last hundred events between this phone and the ledger, to be sent to somebody who can help.
// It has no names, no keys and no moves: only what became of entries that were handed in, and when.

import { recalled, remember } from "../../../every_page/static/browser_memory.js";

/**
 * What became of entries that were handed in: `times` in a row, from `first` to `last`.
 * @typedef {{ first: string, last: string, times: number, kind: string, status: number, reason: string }} Line
 */

/** All of them, the oldest first. */
const lines = () => recalled("transport", /** @type {Line[]} */ ([]));

/** Notes what became of a request with entries. @param {Reply} reply */
export function note({ kind, status, reason }) {
  const now = new Date().toISOString();
  const all = lines();
  const before = all.at(-1);
  if (before?.kind === kind && before.status === status) {
    before.last = now;
    before.times += 1;
  } else all.push({ first: now, last: now, times: 1, kind, status, reason: reason.slice(0, 200) });
  remember("transport", JSON.stringify(all.slice(-100)));
}

/** The log as a text. */
export const asText = () =>
  lines()
    .map(({ first, last, times, kind, status, reason }) => {
      const span = times > 1 ? `${first} to ${last}, ${times} times` : first;
      return [span, "entries", kind, status || "", reason].filter(Boolean).join(" · ");
    })
    .join("\n");
