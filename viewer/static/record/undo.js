// Takes back what was done last: without a trace while it cannot have left this phone, with corrections after that.
// The rules say what that is (ledger/keep/undo.py); while none are there, waiting.js keeps count.

import { buzz } from "./keep_entries.js";
import { inOne, kindOf, trouble } from "./trouble.js";

/** The reason of a correction that takes something back. */
export const TAKEN_BACK = "taken back at once";

/**
 * Takes it back once everything before it is on the disk, and before anything that is entered from now on: each entry
 * must know how many came before it.
 * @param {Recorder} recorder @returns {Promise<unknown>}
 */
export function undo(recorder) {
  recorder.writer.writing = recorder.writer.writing.catch(() => []).then(() => takeBack(recorder));
  return recorder.writer.writing;
}

/** @param {Recorder} recorder @returns {Promise<unknown>} */
async function takeBack(recorder) {
  await recorder.post.ended();
  if (recorder.edit) return recorder.writer.leaveEdit();
  const { post, outbox, pick } = recorder;
  const [last] = recorder.latest.undo;
  if (!last) return undefined;
  const { redo } = recorder;
  const goesOn = Boolean(redo.next);
  const step = redo.step(last.corrections);
  const entries = post.waiting.slice(-last.seqs.length);
  const isHere =
    entries.length === last.seqs.length &&
    entries.every((entry, n) => entry.base === last.seqs[n] && !entry.tried && !post.sending.includes(entry));
  if (!isHere) {
    buzz();
    pick.clear();
    const corrections = await recorder.writer.write(last.corrections);
    if (!corrections.length) return recorder.changed();
    redo.taken(step, last.corrections, corrections, goesOn);
    endChange(recorder, last.seqs);
    return recorder.changed();
  }
  recorder.queue = recorder.queue.filter((entry) => !entries.includes(entry));
  try {
    await outbox.settle(entries, null);
  } catch (error) {
    recorder.queue.push(...entries);
    recorder.changed();
    const why = `It still waits to be sent. ${inOne(trouble(kindOf(error)))}`;
    return void recorder.dialogs.say("This phone cannot take it back", why);
  }
  pick.clear();
  redo.taken(step, last.corrections, [], goesOn);
  endChange(recorder, last.seqs);
  return recorder.ahead.show();
}

/**
 * Ends a change of one of these that was begun while they were taken back.
 * @param {Recorder} recorder @param {number[]} seqs
 */
function endChange(recorder, seqs) {
  if (recorder.edit && seqs.includes(recorder.edit.seq)) recorder.edit = null;
}

/** Goes on with a game that was closed. @param {Recorder} recorder @returns {Promise<unknown>} */
export function resume(recorder) {
  const close = recorder.judged.moves.findLast(({ event }) => event.type === "close");
  // Without the rules, a close that waits is not among the moves, but it was done last.
  return close ? recorder.writer.keep({ type: "retract", seq: close.seq, why: TAKEN_BACK }) : undo(recorder);
}
