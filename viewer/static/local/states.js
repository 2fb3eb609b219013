// Where a game on this phone is, in words.

import { plural } from "../record/marks.js";
import { inOne, trouble } from "../record/trouble.js";

const entries = (/** @type {number} */ number) => plural(number, "entry", "entries");

/** Why something is not in the ledger, as sentences. @param {Held["state"]} state */
const because = ({ reason, trouble: kind }) =>
  kind && kind !== "ok" ? ` ${inOne(trouble(kind, reason))}` : " This phone hands it in again.";

/**
 * How the ledger stands to a game that this phone keeps.
 * @param {Held} held @param {boolean} fresh whether that was compared just now
 */
export function inWords({ version, copied, state }, fresh) {
  const most = Math.max(version, copied?.version || 0);
  if (state.kind === "same")
    return fresh
      ? "In the ledger, and the same."
      : "Was in the ledger, and the same, when this phone last had contact.";
  if (state.kind === "less")
    return `The ledger has less: ${state.has} of ${entries(most)} that this phone saw.${because(state)}`;
  if (state.kind === "lost") return `The ledger has lost it, or does not show it to this phone.${because(state)}`;
  if (state.kind === "other")
    return "The ledger has something else. Both are kept: compare them, and let the owner of the ledger decide.";
  return "Not compared with the ledger yet.";
}

/** Entries that are on this phone alone. @param {number} waiting @param {string} reason as the end of a sentence */
export const notYet = (waiting, reason) =>
  `Not yet in the ledger: ${entries(waiting)}, because ${reason || "there was no contact yet"}.`;
