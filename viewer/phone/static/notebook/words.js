// What the header says: of the log, of this phone's store, and of the last contact.  Each word has one source.

import { CHOSEN } from "./log.js";
import { plural } from "../pieces/markup.js";
import { clock, trouble as sentences } from "../entries/trouble.js";

/**
 * The last contact of this page with the ledger.  `trouble` is "" while it answers; `reason` says what is wrong, as the
 * end of a sentence, `since` when that began (RFC 3339).  `heard`: when it answered last, by this page's own clock.
 * `fault`: why this phone cannot keep anything now; "" if it can.  `site`: there is no ledger at all.
 * `left`: an earlier version may have left entries on this phone that are in no log yet.
 * @typedef {{ trouble: "" | "offline" | "sick" | "refused", reason: string, since: string, heard: number,
 *   fault: import("../entries/trouble.js").Kind | "", site?: boolean, left?: boolean }} Contact
 */
/** @typedef {{ word: string, banner: string, mark: "saved" | "waiting" | "offline" | "watching" }} Words */

/** Milliseconds for which an answer of the ledger counts as now. */
export const FRESH = 10_000;
/** What is said where the key of this phone does not record. */
const ENDED =
  "This link does not record: the owner has ended it, or it is for watching only. Ask the owner of the ledger for a" +
  " new recorder’s link.";
/** What is said where a ledger that was lost may have had the game. */
const FOR_OWNER =
  "The ledger was lost, and nothing proves that it had this game: save it as a file (On this phone), and give that to" +
  " the owner of the ledger, who takes it in.";
/** When nothing has been heard. */
export const NEVER = -Infinity;
/** What is said of what might have been. */
const WHAT_IF = "This never happened. It stays on this phone.";
/** What is said where the ledger has another game. */
const TAKEN = "The ledger has another game of this id. Both are kept.";
const time = (/** @type {number} */ at) => clock(new Date(at).toISOString());

/** A sentence: these wait here. @param {string} what @param {boolean} isOne */
const waitsHere = (what, isOne) => `${what} ${isOne ? "waits" : "wait"} on this phone.`;

/**
 * Why they wait; "" if nobody knows.
 * @param {Pick<import("./log.js").Log, "key" | "waits" | "locked">} log @param {Contact} contact
 */
function whyHere({ key, waits, locked }, { trouble, reason, since }) {
  if (!key) return "This phone has no key to hand them in.";
  if (waits) return FOR_OWNER;
  if (locked) return ENDED;
  return trouble && sentences(trouble, reason, since);
}

/**
 * @param {import("./log.js").Log} log @param {Contact} contact
 * @param {number} now by this page's own clock, which nobody moves @param {number} [today] by the phone's
 * @returns {Words}
 */
export function words(log, contact, now, today = Date.now()) {
  const { site, fault, trouble, reason, since } = contact;
  const waits = log.entries.slice(log.acked);
  const n = waits.length;
  const lost = waits.filter(({ was }) => was).length;
  const aside = log.aside.filter(({ why }) => why !== CHOSEN).length;
  const say = (/** @type {Words["mark"]} */ mark, /** @type {string} */ word, banner = "") => ({
    mark,
    word: word + (aside ? ` · ${aside} put aside` : ""),
    banner,
  });
  const kept = waitsHere(plural(n, "entry", "entries"), n === 1);
  const wait = n === 1 ? "1 waits here" : `${n} wait here`;
  // A phone's clock may have been moved, and a page's own may have stood while the phone slept.
  const isFresh =
    !contact.left &&
    trouble !== "offline" &&
    trouble !== "sick" &&
    now - contact.heard <= FRESH &&
    Math.abs(today - log.heard) <= FRESH;
  const some = lost === n ? "them" : `${lost} of them`;
  const isBack = lost && !log.waits;
  const back = isBack ? ` The ledger has lost ${some}${log.key ? "; this phone hands them in again" : ""}.` : "";
  if (fault) return say("offline", "Not kept", sentences(fault));
  if (log.from) return say("watching", "What if", WHAT_IF);
  if (site) return say("saved", "In this browser", "This game is kept in this browser, and nowhere else.");
  if (log.taken) return say("offline", "Two games", TAKEN);
  if (log.choice) return say("offline", "Two versions", `Others recorded something. ${kept} Choose what happened.`);
  if (!log.key && !n)
    return say("watching", isFresh ? "Live" : `As it was at ${time(log.heard)}`, "This phone only watches.");
  if (!n && isFresh) return say("saved", "Saved", "Everything is saved in the ledger.");
  if (!n) {
    const state = trouble ? ` ${sentences(trouble, reason, since)}` : "";
    return say("saved", `Saved until ${time(log.heard)}`, `All that is shown was saved then.${state}`);
  }
  if (!log.key || log.locked || trouble || !isFresh) {
    const why = whyHere(log, contact) || "The ledger has not answered yet.";
    return say("offline", wait, `${kept} ${why}${back}`);
  }
  return say("waiting", `Saving ${n}`, `${kept} On the way to the ledger.${back}`);
}

/**
 * Where a game of a list is: in the ledger, or what of it waits here, and why.
 * @param {import("./notebook.js").Row} row @param {Contact} contact
 */
export function stateOf(row, contact) {
  const { total, acked, aside } = row;
  const waits = total - acked;
  if (row.from) return `What if. ${WHAT_IF}`;
  if (contact.site) return "Kept in this browser";
  if (row.taken) return TAKEN;
  if (row.choice) return "Two versions: open it, and choose what happened.";
  const more = aside.length ? ` ${plural(aside.length, "entry", "entries")} put aside.` : "";
  const isFresh = performance.now() - contact.heard < 6 * FRESH;
  if (!waits) return (isFresh ? "In the ledger, and the same." : "Was in the ledger when it was last compared.") + more;
  const what = acked ? waitsHere(plural(waits, "entry", "entries"), waits === 1) : waitsHere("The game", true);
  return `${what} ${whyHere(row, contact)}${more}`.trim();
}
