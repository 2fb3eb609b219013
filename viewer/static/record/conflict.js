// Two phones recorded at once: entries that wait on this phone are recorded after the other phone's, or stay here.

import { safe } from "./marks.js";
import { plainly } from "./plainly.js";
import { goOn } from "./witness.js";

/**
 * How the ledger answers entries that are late: its version, and what it has that this phone has not seen.
 * @typedef {{ version: number, title: string, missed: Pick<Move, "seq" | "words" | "event">[] }} Conflict
 */

/** An event without when and by whom it was recorded, for comparing. @param {GameEvent} event */
function essence({ when, by, ...event }) {
  return JSON.stringify(Object.entries(event).sort());
}

/** The entries to choose from. @param {Recorder} recorder @param {Conflict} conflict the answer of the ledger */
export function choices(recorder, conflict) {
  const theirs = new Set(conflict.missed.map(({ event }) => essence(event)));
  const missed = conflict.missed.map(({ seq, words }) => `<li>${seq}: ${safe(words)}</li>`);
  const list = missed.length ? `<p>Recorded there:</p><ul>${missed.join("")}</ul>` : "";
  const waiting = recorder.post.waiting.map((entry) => {
    const same = theirs.has(essence(entry.event));
    const words = plainly(entry.event, recorder.screen);
    return (
      `<p><label class="check"><input type="checkbox" data-keep="${entry.id}"${same ? "" : " checked"}>` +
      ` <span>${safe(words)}${same ? " <small>(the same is recorded already)</small>" : ""}</span></label></p>`
    );
  });
  return (
    `<section class="banner" role="alert"><h2>${safe(conflict.title)}</h2>${list}<p>` +
    `Entered on this phone and not sent yet. Which of it should be recorded now?</p>${waiting.join("")}` +
    '<p><button type="button" class="btn go tap" data-panel="resolve">Continue</button></p></section>'
  );
}

/**
 * Records what is ticked, and puts the rest away on this phone.
 * @param {Recorder} recorder @param {number} version the ledger's
 */
export async function resolve(recorder, version) {
  const { post, outbox } = recorder;
  const keptIds = new Set(
    [...document.querySelectorAll("[data-keep]:checked")].map((box) => box.getAttribute("data-keep")),
  );
  const dropped = post.waiting.filter(({ id }) => !keptIds.has(id));
  for (const entry of dropped) entry.state = "dropped";
  await outbox.put(dropped);
  await post.rebase(version, dropped);
  post.stopped = false;
  if (version < (recorder.screen?.version || 0)) await goOn(recorder);
  else await recorder.answers.refresh();
  recorder.changed();
  post.soon();
}
