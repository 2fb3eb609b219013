// Opens a record: its key, what this phone's disk has of it, and what the ledger says.

import { ofClub } from "../../../every_page/static/club_root.js";
import { soon } from "../../../every_page/static/retry_and_follow.js";
import { recall, remember } from "../../../every_page/static/browser_memory.js";
import { isOwn } from "./outbox.js";
import { by } from "../pieces/markup.js";
import { whyNot } from "./sync.js";

/**
 * Moves the key from the link's fragment to this phone, so that no copied address contains it.
 * @param {Recorder} recorder
 */
export async function admit(recorder) {
  const { post, record } = recorder;
  const fresh = location.hash.slice(1);
  const secret = await recorder.outbox.key(fresh || recall(`key.${record}`));
  remember(`key.${record}`, secret);
  if (post !== recorder.post) return;
  recorder.secret = secret;
  if (fresh) history.replaceState(null, "", location.pathname);
}

/**
 * Opens a record.
 * @param {Recorder} recorder @param {string} record its id
 * @param {{ ledger: import("../kept_games/local_ledger.js").LocalLedger, key: string, refused: string }} [local] for a
 *   game
 *   that only this phone has: where it is, its key, and why it was refused
 */
export async function open(recorder, record, local) {
  // What was entered last belongs to the record before.
  await recorder.writer.writing.catch(() => []);
  recorder.clear(record);
  const { answers, post, outbox, witness } = recorder;
  if (local) {
    recorder.ledger = local.ledger;
    recorder.secret = local.key;
    recorder.refused = local.refused;
  } else await admit(recorder);
  recorder.tabs = new BroadcastChannel(ofClub(`domino-ledger.entries.${record}`));
  recorder.tabs.onmessage = () => lookAgain(recorder);
  await witness.open();
  const [entries, screen] = [await outbox.all(), await outbox.screen()];
  // Another record may have been opened meanwhile.
  if (post !== recorder.post) return;
  recorder.queue.push(...entries);
  recorder.screen = screen && isOwn(screen) ? screen : null;
  recorder.unread = false;
  recorder.changed();
  const refreshing = answers.refresh();
  // What the disk has is enough to go on: a network that does not answer is not waited for.
  await (recorder.screen
    ? Promise.race([refreshing, soon()])
    : screen
      ? redraw(recorder, screen, refreshing)
      : refreshing);
  if (post !== recorder.post) return;
  post.flush();
  answers.follow();
  await answers.begin();
}

/**
 * Another tab has kept entries, or the ledger has some: what waits here is what the disk has.
 * @param {Recorder} recorder
 */
async function lookAgain(recorder) {
  await recorder.writer.writing.catch(() => []);
  const { ahead, answers, outbox, post } = recorder;
  const onDisk = await outbox.all();
  if (post !== recorder.post || post.sending.length) return;
  const known = new Map(recorder.queue.map((entry) => [entry.id, entry]));
  const isLess = recorder.queue.some(({ id }) => !onDisk.some((entry) => entry.id === id));
  recorder.queue = onDisk.map((entry) => known.get(entry.id) || entry);
  ahead.last = null;
  if (isLess) await answers.refresh();
  await ahead.show();
}

/** The ledger has the game now that only this phone had: from here on its answers count. @param {Recorder} recorder */
export async function turnToLedger(recorder) {
  if (!recorder.local) return;
  const { answers, post, outbox } = recorder;
  recorder.ledger = recorder.ofServer();
  await admit(recorder);
  // What the ledger did not accept of the game waits here again.
  await recorder.writer.writing;
  const entries = await outbox.all();
  if (post !== recorder.post) return;
  const knownIds = new Set(recorder.queue.map(({ id }) => id));
  recorder.queue.push(...entries.filter(({ id }) => !knownIds.has(id)));
  recorder.queue.sort((a, b) => a.base - b.base);
  await answers.refresh();
  answers.follow();
  recorder.post.soon();
}

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
