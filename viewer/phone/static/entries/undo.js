// Takes back what was done last, and does it again.  While it cannot have left this phone, no trace is left; after that
// corrections say it.
// The rules say what that is (ledger/keep/undo.py); while none are there, waiting.js keeps count.

import { buzz } from "./keep_entries.js";
import { inOne, kindOf, trouble } from "./trouble.js";
import { plainly } from "../pieces/entries_in_words.js";

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
  recorder.tabs?.postMessage("");
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

/** For how many milliseconds the page says what was taken back. */
const SAID = 5000;
/** The reason of a correction that does something again. */
const AGAIN = "done again";

/**
 * @typedef {{ event: GameEvent, was: number }} Again  an event to record again; `was` is the seq of the entry that it
 *   makes anew, 0 if it makes none
 * @typedef {{ events: Again[], words: string, upto: number }} Step  what was taken back, and the number of events then
 */

/** An event without when and by whom it was recorded. @param {GameEvent} event */
export const bare = ({ when, by, ...event }) => event;

/** Does again what Undo took back, while nothing else has been recorded since. */
export class Redo {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** @type {Step[]} */
    this.steps = [];
    /** What was taken back a moment ago; "" for nothing. */
    this.words = "";
    this.timer = 0;
  }

  /** What can be done again now. @returns {Step | null} */
  get next() {
    const { edit, upto } = this.recorder;
    const step = this.steps[this.steps.length - 1];
    return step && !edit && step.upto === upto ? step : null;
  }

  /** The entry of that seq, as it stands or waits. @param {number} seq */
  entry(seq) {
    const { latest, queue, screen } = this.recorder;
    // A change that nobody has judged is not among the moves.
    const change = queue.findLast(
      (one) => one.event.type === "amend" && one.event.seq === seq && one.state === "waiting",
    );
    const move = latest.moves.find((one) => one.seq === seq);
    if (move) return { event: change?.event.event || move.event, called: move.called };
    const event = (change || queue.find(({ base }) => base === seq))?.event;
    return { event: event?.event || event, called: event ? plainly(event, screen) : "an entry" };
  }

  /**
   * What does again what these corrections take back.  Call it before they are recorded.
   * @param {GameEvent[]} corrections @returns {Step}
   */
  step(corrections) {
    const { moves } = this.recorder.latest;
    const events = corrections.map((correction) => {
      if (correction.type === "insert") return { event: { type: "retract", seq: 0, why: AGAIN }, was: 0 };
      const { event } = this.entry(correction.seq);
      // The heading is not among the moves: what changed it is not done again.
      if (!event) return { event: { type: "" }, was: 0 };
      if (correction.type === "amend")
        return { event: { type: "amend", seq: correction.seq, event: bare(event), why: AGAIN }, was: 0 };
      const place = moves.findIndex((move) => move.seq === correction.seq);
      const after = place < 0 ? undefined : moves[place + 1];
      return after
        ? { event: { type: "insert", before: after.seq, event: bare(event), why: AGAIN }, was: correction.seq }
        : { event: bare(event), was: correction.seq };
    });
    return { events: events.reverse(), words: this.said(corrections), upto: -1 };
  }

  /** What is taken back, in words. @param {GameEvent[]} corrections */
  said(corrections) {
    const [{ type, seq, event }, second] = corrections;
    if (corrections.length > 2) return "Taken back: changes that were made together";
    if (second) return "Taken back: a move in the list";
    if (type === "retract") return `Taken back: ${this.entry(seq).called}`;
    if (type === "amend") return `Taken back: the change of ${this.entry(seq).called}`;
    return `Back again: ${plainly(event, this.recorder.screen)}`;
  }

  /**
   * Remembers what was taken back.
   * @param {Step} step @param {GameEvent[]} corrections
   * @param {Entry[]} entries those that recorded them; none if what was done was only here
   * @param {boolean} goesOn whether the step before was taken back just before
   */
  taken(step, corrections, entries, goesOn) {
    if (!goesOn) this.steps = [];
    const deletions = step.events.filter(({ event }) => event.type === "retract" && !event.seq);
    // The events stand the other way round.
    corrections.forEach((correction, n) => {
      if (correction.type !== "insert") return;
      const seq = entries[n]?.base ?? correction.before;
      const deletion = deletions.pop();
      if (deletion) deletion.event.seq = seq;
      this.renumber(correction.before, seq);
    });
    if (step.events.some(({ event }) => !event?.type || (event.event === undefined && event.type === "amend"))) return;
    this.steps.push({ ...step, upto: this.recorder.upto });
    this.say(step.words);
  }

  /** An entry is known by another seq now. @param {number} old @param {number} fresh */
  renumber(old, fresh) {
    for (const { events } of this.steps)
      for (const { event } of events) {
        if (event.seq === old) event.seq = fresh;
        if (event.before === old) event.before = fresh;
      }
  }

  /** Says for a moment what was taken back. @param {string} words */
  say(words) {
    clearTimeout(this.timer);
    this.words = words;
    this.timer = setTimeout(() => {
      this.words = "";
      if (this.recorder.screen) this.recorder.changed({ keep: true });
    }, SAID);
  }

  /** Forgets what was said. */
  quiet() {
    clearTimeout(this.timer);
    this.words = "";
  }

  /** Does it again. */
  async redo() {
    await this.recorder.writer.writing.catch(() => []);
    const step = this.next;
    if (!step) return;
    this.steps.pop();
    this.quiet();
    const entries = await this.recorder.writer.keep(...step.events.map(({ event }) => event));
    step.events.forEach(({ was }, n) => {
      if (was && entries[n]) this.renumber(was, entries[n].base);
    });
    const before = this.steps[this.steps.length - 1];
    if (before) before.upto = this.recorder.upto;
    this.recorder.changed();
  }
}
