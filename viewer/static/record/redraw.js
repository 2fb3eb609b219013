// A game whose screen was stored by another version of the program, which may lack what this one draws.
// @ts-check

import { soon } from "../again.js";
import { by } from "./marks.js";
import { whyNot } from "./sync.js";

/**
 * Waits for the ledger's answer for a moment, then has the rules on this phone draw the game.
 * @param {Recorder} recorder @param {View} stored the screen as it was stored
 * @param {Promise<unknown>} refreshing ends with the ledger's answer
 */
export async function redraw(recorder, stored, refreshing) {
  const { ledger, post, rules } = recorder;
  await Promise.race([refreshing, soon()]);
  if (recorder.screen || recorder.local) return refreshing;
  const drawn = (await rules.start()) && (await ledger.mirror.drawn(stored).catch(() => null));
  // The ledger may have answered since, or another game was opened.
  if (post !== recorder.post || recorder.screen) return undefined;
  if (drawn) {
    await recorder.outbox.settle([], drawn);
    return recorder.answers.show(drawn);
  }
  recorder.undrawn = true;
  await refreshing;
  if (post === recorder.post && !recorder.screen && post.offline)
    by("status").textContent = whyNot(recorder, "offline", 0, "");
  return undefined;
}
