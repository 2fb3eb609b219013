// Where the entries are: on this phone, on their way, or saved in the ledger.
// @ts-check

import { by, plural } from "./marks.js";

/** A mark, a few words for the header, and the whole sentence. @param {import("./recorder.js").Recorder} recorder */
function syncState(recorder) {
  const { post, queue, secret } = recorder;
  const waiting = post.waiting.length;
  const refused = queue.filter((entry) => entry.state === "refused").length;
  const kept = `${plural(waiting, "entry", "entries")} kept on this phone`;
  const state = (/** @type {string} */ mark, /** @type {string} */ words, /** @type {string} */ whole) => ({
    mark,
    words: refused ? `${words} · ${refused} refused` : words,
    whole,
  });
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
      `The ledger has lost this game. ${kept}.`,
    );
  if (post.locked) return state("offline", `Not saved · ${waiting} kept`, `${kept}: ${post.reason}.`);
  if (waiting && post.offline)
    return state("offline", `Offline · ${waiting} waiting`, `${kept}, to be sent when there is a connection.`);
  if (waiting) return state("waiting", `Saving ${waiting}`, `${kept}, on the way to the ledger.`);
  if (post.offline) return state("saved", "Saved · offline", "Everything is saved. There is no connection now.");
  return state("saved", "Saved", "Everything is saved in the ledger.");
}

/** Shows it in the header. @param {import("./recorder.js").Recorder} recorder */
export function showSync(recorder) {
  const { mark, words, whole } = syncState(recorder);
  const line = by("sync");
  if (line.textContent !== words) line.textContent = words;
  line.title = whole;
  line.dataset.total = String(recorder.upto);
  line.className = mark;
}
