// Takes back what was done last, and does it again.  While it cannot have left this phone, no trace is left; after that
// corrections say it.
// The rules say what that is (ledger/keep/undo.py); while none are there, waiting.js keeps count.  Entries are named by
// their ids, which never change.

import { frame } from "../../../every_page/static/retry_and_follow.js";
import { append, idAt, isOnlyHere, takeBack } from "../notebook/log.js";
import { buzz, entriesOf } from "./keep_entries.js";
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
  recorder.writer.writing = recorder.writer.writing.catch(() => []).then(() => undoLast(recorder));
  return recorder.writer.writing;
}

/** @param {Recorder} recorder @returns {Promise<unknown>} */
async function undoLast(recorder) {
  if (recorder.edit) return recorder.writer.leaveEdit();
  const { pick, redo, log, views } = recorder;
  const [last] = recorder.latest.undo;
  if (!last || !log) return undefined;
  const goesOn = Boolean(redo.next);
  const step = redo.step(last.corrections);
  const ids = last.seqs.map((seq) => idAt(log, seq) || "");
  const corrections = entriesOf(recorder, last.corrections);
  // A view that has them cannot be drawn without them until the rules are here.
  const mayVanish = recorder.quick || last.seqs.every((seq) => seq >= (views.judged?.version || 0));
  const isHere = mayVanish && ids.every(Boolean) && isOnlyHere(log, ids);
  const work = (/** @type {Log} */ log) => (isHere ? takeBack(log, ids, corrections) : corrections.reduce(append, log));
  if (!isHere) buzz();
  pick.clear();
  let kept;
  try {
    kept = await recorder.change(work);
  } catch (error) {
    recorder.changed();
    const why = `It still stands. ${inOne(trouble(kindOf(error)))}`;
    return void recorder.dialogs.say("This phone cannot take it back", why);
  }
  const isGone = !kept?.entries.some(({ id }) => ids.includes(id));
  redo.taken(step, last.corrections, isGone ? [] : corrections, goesOn);
  endChange(recorder, last.seqs);
  await redo.keep();
  return void frame().then(() => recorder.exchange.soon());
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

/** @import { Log, Entry } from "../notebook/log.js" */
/**
 * @typedef {{ event: GameEvent, of?: string, was: string }} Again  an event to record again, which corrects the entry
 *   with the id `of`; `was` is the id of the entry that it makes anew, "" if it makes none
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

  /** The id of the entry of that seq. @param {number} seq */
  idAt(seq) {
    const { log } = this.recorder;
    return (log && idAt(log, seq)) || "";
  }

  /** The entry of that seq, as it stands or waits. @param {number} seq */
  entry(seq) {
    const { latest, log, waiting } = this.recorder;
    const id = this.idAt(seq);
    // A change that nobody has judged is not among the moves.
    const change = waiting.findLast(({ event, of }) => event.type === "amend" && of === id);
    const move = latest.moves.find((one) => one.seq === seq);
    if (move) return { event: change?.event.event || move.event, called: move.called };
    const event = (change || log?.entries.find((entry) => entry.id === id))?.event;
    return { event: event?.event || event, called: event ? plainly(event, latest) : "an entry" };
  }

  /**
   * What does again what these corrections take back.  Call it before they are recorded.
   * @param {GameEvent[]} corrections @returns {Step}
   */
  step(corrections) {
    const { latest, waiting } = this.recorder;
    const { moves } = latest;
    const events = corrections.map((correction) => {
      if (correction.type === "insert") return { event: { type: "retract", why: AGAIN }, of: "", was: "" };
      const { event } = this.entry(correction.seq);
      const id = this.idAt(correction.seq);
      // The heading is not among the moves: what changed it is not done again.
      if (!event) return { event: { type: "" }, was: "" };
      if (correction.type === "amend")
        return { event: { type: "amend", event: bare(event), why: AGAIN }, of: id, was: "" };
      const place = moves.findIndex((move) => move.seq === correction.seq);
      // An insertion that nobody has judged is not among the moves: it knows before which entry it stands.
      const inserted = waiting.find((entry) => entry.id === id && entry.event.type === "insert");
      const before = place < 0 ? inserted?.of : moves[place + 1] && this.idAt(moves[place + 1].seq);
      return before
        ? { event: { type: "insert", event: bare(event), why: AGAIN }, of: before, was: id }
        : { event: bare(event), was: id };
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
    return `Back again: ${plainly(event, this.recorder.latest)}`;
  }

  /**
   * Remembers what was taken back.
   * @param {Step} step @param {GameEvent[]} corrections
   * @param {Entry[]} entries those that recorded them; none if what was done was only here
   * @param {boolean} goesOn whether the step before was taken back just before
   */
  taken(step, corrections, entries, goesOn) {
    if (!goesOn) this.steps = [];
    const deletions = step.events.filter(({ event }) => event.type === "retract");
    // The events stand the other way round.
    corrections.forEach((correction, n) => {
      if (correction.type !== "insert") return;
      const id = this.idAt(correction.before);
      const newId = entries[n]?.id ?? id;
      const deletion = deletions.pop();
      if (deletion) deletion.of = newId;
      this.rename(id, newId);
    });
    const isKnown = (/** @type {Again} */ { event, of }) =>
      event.type && !(event.type === "amend" && !event.event) && !(event.type === "retract" && !of);
    if (!step.events.every(isKnown)) return;
    this.steps.push({ ...step, upto: this.recorder.upto });
    this.say(step.words);
  }

  /** An entry is known by another id now. @param {string} old @param {string} newId */
  rename(old, newId) {
    for (const { events } of this.steps) for (const again of events) if (again.of === old) again.of = newId;
  }

  /** Says for a moment what was taken back. @param {string} words */
  say(words) {
    clearTimeout(this.timer);
    this.words = words;
    this.timer = setTimeout(() => {
      this.words = "";
      if (this.recorder.latest) this.recorder.changed({ keep: true });
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
    const { recorder } = this;
    const entries = await recorder.writer.soon(() =>
      entriesOf(
        recorder,
        step.events.map(({ event }) => event),
      ).map((entry, n) => ({ ...entry, ...(step.events[n].of ? { of: step.events[n].of } : {}) })),
    );
    step.events.forEach(({ was }, n) => {
      if (was && entries[n]) this.rename(was, entries[n].id);
    });
    const before = this.steps[this.steps.length - 1];
    if (before) before.upto = this.recorder.upto;
    await this.keep();
  }

  /** Keeps what was taken back on the disk: it can be done again when the page opens anew. */
  async keep() {
    const { recorder, steps } = this;
    // If the disk fails, this page still knows it.
    await recorder.change((log) => ({ ...log, redo: steps })).catch(() => recorder.changed());
  }
}
