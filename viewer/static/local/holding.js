// What this phone knows about a game that it keeps as a witness.

/**
 * How the ledger stands to what this phone saw of a game.  `same`: it has all of it; `less`, `lost`: it has some, or
 * none; `other`: it has something else; `unknown`: not compared yet.  `has` is its version; `reason` says why the rest
 * is not handed in again, as the end of a sentence, and `trouble` what kind of failure that was.
 * @typedef {{ kind: "unknown" | "same" | "less" | "lost" | "other", has: number, reason: string,
 *   trouble: Reply["kind"] | "" }} State
 */
/**
 * A game that this phone keeps: the newest version that it saw saved, and the link there (“” if it is not known).
 * `copied` tells about the copy that the ledger gave: its version and link, a digest of the names in it, and who
 * sealed it.
 * @typedef {{ id: string, title: string, names: string[], touched: string, version: number, link: string,
 *   copied: { version: number, link: string, names: string, owner: string, bytes: number } | null,
 *   state: State }} Held
 */

/** @type {State} */
const UNKNOWN = { kind: "unknown", has: 0, reason: "", trouble: "" };

/** @param {string} id @returns {Held} */
export const newHeld = (id) => ({
  id,
  title: "",
  names: [],
  touched: "",
  version: 0,
  link: "",
  copied: null,
  state: UNKNOWN,
});
