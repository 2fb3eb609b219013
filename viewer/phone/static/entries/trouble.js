// What is wrong between this phone and the ledger, and what to do: five different things, each with its own sentence.

import { Unreadable } from "../../../in_browser/static/browser_database.js";
import { sentence } from "../pieces/dialog_parts.js";

/** @typedef {"refused" | "offline" | "sick" | "full" | "unreadable"} Kind */

/** A time as a clock shows it. @param {string} time RFC 3339 */
export const clock = (time) => new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

const GO_ON = "Go on: this phone keeps everything, and tries again by itself.";

/**
 * What is wrong, and the next step.
 * @param {Kind} kind @param {string} [reason] as in `Reply` @param {string} [since] when it began (RFC 3339)
 */
export function trouble(kind, reason = "", since = "") {
  const when = since && `, since ${clock(since)}`;
  return {
    refused:
      `The ledger refuses it: ${sentence(reason || "it gives no reason")} ` +
      "Save it as a file, and give that to the owner of the ledger.",
    offline: `The ledger cannot be reached${when}: there is no connection. ${GO_ON}`,
    sick: `Nothing can be handed in${when}: ${sentence(reason)} ${GO_ON} If it lasts, tell the owner of the ledger.`,
    full: "There is no room on this phone. Delete something else from it, such as videos, and enter it again.",
    unreadable:
      "This phone’s store cannot be read or written now. Close other tabs of this page, and enter it again. " +
      "A private window keeps nothing: use an ordinary one.",
  }[kind];
}

/** What kept this phone from writing. @param {unknown} error @returns {Kind} */
export function kindOf(error) {
  const causes = [error, error instanceof Unreadable ? error.cause : null];
  return causes.some((one) => /** @type {any} */ (one)?.name === "QuotaExceededError") ? "full" : "unreadable";
}
