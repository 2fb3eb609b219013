// Where the entries are: on this phone, on their way, or saved in the ledger.

import { addresses } from "../pieces/recorder_addresses.js";
import { by, plural, setText } from "../pieces/markup.js";
import { sentence } from "../pieces/dialog_parts.js";
import { clock, inOne, trouble } from "./trouble.js";

const ONLY_HERE = addresses.site
  ? "This game is kept in this browser, and nowhere else."
  : "This game is kept on this phone. It is handed in when there is a connection.";

/** A mark, a few words for the header, and the whole sentence. @param {Recorder} recorder */
export function syncState(recorder) {
  const { post, queue, secret } = recorder;
  const waiting = post.waiting.length;
  const refused = queue.filter((entry) => entry.state === "refused").length;
  const keptWords = `${plural(waiting, "entry", "entries")} kept on this phone`;
  const state = (/** @type {string} */ mark, /** @type {string} */ words, /** @type {string} */ whole) => ({
    mark,
    words: refused ? `${words} · ${refused} refused` : words,
    whole,
  });
  if (recorder.local && !waiting)
    return recorder.refused
      ? state("offline", "Not handed in", `This game is only on this phone: ${recorder.refused}.`)
      : state(
          "saved",
          addresses.site ? "In this browser" : "On this phone",
          recorder.delay ? `This game is only on this phone: ${recorder.delay}. It is tried again.` : ONLY_HERE,
        );
  if (recorder.local)
    return state(
      "waiting",
      `Keeping ${waiting}`,
      `${keptWords}. ${recorder.rules.reason || "The rules are starting."}`,
    );
  if (!secret)
    return state(
      "watching",
      "Watching only",
      "This phone has no key to this record: open the recorder’s link to record.",
    );
  if (post.gone)
    return state(
      "offline",
      waiting ? `Not in the ledger · ${waiting} kept` : "Not in the ledger",
      `The ledger has lost this game. ${keptWords}.`,
    );
  const short = recorder.witness.state;
  if (short) return state("offline", waiting ? `${short.words} · ${waiting} kept` : short.words, short.whole);
  if (recorder.versions?.conflict)
    return state("offline", "Two versions", `Others recorded something while ${keptWords}. Choose what happened.`);
  const kept = (/** @type {import("./trouble.js").Kind} */ kind, reason = "") =>
    `${keptWords}. ${inOne(trouble(kind, reason, post.since))}`;
  if (post.locked) return state("offline", `Not saved · ${waiting} kept`, kept("refused", post.reason));
  if (post.fault)
    return state(
      "offline",
      `${post.fault === "full" ? "Phone full" : "Store closed"} · ${waiting} kept`,
      kept(post.fault),
    );
  if (waiting && post.trouble) return state("offline", `Not saved yet · ${waiting} kept`, kept("sick", post.trouble));
  if (waiting && post.offline) return state("offline", `Offline · ${waiting} waiting`, kept("offline"));
  if (waiting) return state("waiting", `Saving ${waiting}`, `${keptWords}, on the way to the ledger.`);
  if (post.offline || post.trouble) {
    const why = post.offline ? "there is no connection" : post.trouble;
    return state("saved", `Saved until ${clock(post.since)}`, `All that is shown was saved then. Now ${why}.`);
  }
  return recorder.witness.copies.length
    ? state("saved", "Saved", "All that is shown is saved in the ledger. This phone keeps more than the ledger has.")
    : state("saved", "Saved", "Everything is saved in the ledger.");
}

/** Shows it in the header. @param {Recorder} recorder */
export function showSync(recorder) {
  const { mark, words, whole } = syncState(recorder);
  const line = by("sync");
  setText("sync", words);
  line.title = whole;
  line.dataset.total = String(recorder.upto);
  line.className = mark;
}

/** What the page says of a game that another version of the program stored, if nobody can draw it. */
const NEWER =
  "There is no connection, and this page is newer than what the phone has stored of the game. Nothing is lost: it" +
  " opens when there is one.";

/**
 * Why a game cannot be shown.
 * @param {Recorder} recorder @param {string} kind @param {number} status @param {string} reason as in `Reply`
 */
export function whyNot({ record, local, undrawn }, kind, status, reason) {
  if (kind === "refused" && status === 404) return `There is no game “${record}” in this ledger. Check the link.`;
  if (local) return `This game cannot be opened here: ${reason}.`;
  if (kind === "offline" && undrawn) return NEWER;
  if (kind === "offline")
    return "There is no connection, and this phone has not opened this game before. Try again when there is one.";
  return `${sentence(reason)} Try again later.`;
}
