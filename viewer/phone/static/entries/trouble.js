// What is wrong between this phone and the ledger, and what to do: five different things, each with its own sentence.

import { Unreadable } from "../../../in_browser/static/browser_database.js";
import { sentence } from "../pieces/dialog_parts.js";

/** @typedef {"refused" | "offline" | "sick" | "large" | "full" | "unreadable"} Kind */

/** A time as a clock shows it. @param {string} time RFC 3339 */
export const clock = (time) => new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** When something began. @param {string} time RFC 3339, or nothing */
const since = (time) => (time ? `, since ${clock(time)}` : "");

/** @type {Record<Kind, (reason: string, since: string) => { what: string, next: string }>} */
const SENTENCES = {
  refused: (reason) => ({
    what: `The ledger refuses it: ${sentence(reason || "it gives no reason")}`,
    next: "Save it as a file, and give that to the owner of the ledger.",
  }),
  offline: (_, time) => ({
    what: `The ledger cannot be reached${since(time)}: there is no connection.`,
    next: "Go on: this phone keeps everything, and tries again by itself.",
  }),
  sick: (reason, time) => ({
    what: `Nothing can be handed in${since(time)}: ${sentence(reason)}`,
    next: "Go on: this phone keeps everything, and tries again by itself. If it lasts, tell the owner of the ledger.",
  }),
  large: (reason) => ({
    what: `The ledger does not take it: ${sentence(reason)}`,
    next: "Save it as a file, and give that to the owner of the ledger.",
  }),
  full: () => ({
    what: "There is no room on this phone.",
    next: "Delete something else from it, such as videos, and enter it again.",
  }),
  unreadable: () => ({
    what: "This phone’s store cannot be read or written now.",
    next: "Close other tabs of this page, and enter it again. A private window keeps nothing: use an ordinary one.",
  }),
};

/**
 * What is wrong, and the next step.
 * @param {Kind} kind @param {string} [reason] as in `Reply` @param {string} [since] when it began
 */
export const trouble = (kind, reason = "", since = "") => SENTENCES[kind](reason, since);

/** What kept this phone from writing. @param {unknown} error @returns {Kind} */
export function kindOf(error) {
  const causes = [error, error instanceof Unreadable ? error.cause : null];
  return causes.some((one) => /** @type {any} */ (one)?.name === "QuotaExceededError") ? "full" : "unreadable";
}

/** The same in one text. @param {{ what: string, next: string }} both */
export const inOne = ({ what, next }) => `${what} ${next}`;
