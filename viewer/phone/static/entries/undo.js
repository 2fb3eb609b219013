// Takes back what was done last, and does it again.  While it cannot have left this phone, no trace is left; after that
// corrections say it.
// The rules say what that is (ledger/keep/undo.py); while none are there, waiting.js keeps count.  Entries are named by
// their ids, which never change.

import { frame } from "../../../every_page/static/retry_and_follow.js";
import { append, idAt, isOnlyHere, takeBack, correctedId } from "../notebook/log.js";
import { buzz, entriesOf } from "./keep_entries.js";
import { kindOf, trouble } from "./trouble.js";
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
  const words = redo.said(last.corrections);
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
    const why = `It still stands. ${trouble(kindOf(error))}`;
    return void recorder.dialogs.say("This phone cannot take it back", why);
  }
  // A change of one of these may have begun while they were taken back.
  const { edit } = /** @type {{ edit: Edit | null }} */ (recorder);
  if (edit && last.seqs.includes(edit.seq)) recorder.edit = null;
  if (!kept) return undefined;
  const gone = log.entries.filter((entry) => ids.includes(entry.id) && !kept.entries.includes(entry));
  const again = gone.length
    ? gone.map(({ id, event, of }) => ({ event: bare(event), of, was: id }))
    : corrections.reverse().map((correction) => inverse(kept, correction));
  redo.taken(again, words, goesOn);
  await redo.keep();
  return void frame().then(() => recorder.exchange.soon());
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
 * @typedef {{ event: GameEvent, of?: string, was?: string }} Again  an event to record again, which corrects the entry
 *   with the id `of`; `was` is the id of the entry that it makes anew
 * @typedef {{ events: Again[], words: string, upto: number }} Step  what was taken back, and the number of events then
 */

/** An event without when and by whom it was recorded. @param {GameEvent} event */
export const bare = ({ when, by, ...event }) => event;

/**
 * What does again what a correction took back: the entry as it stood before.
 * @param {Log} log @param {Entry} correction
 */
function inverse(log, { id, event, of = "" }) {
  if (event.type === "insert") return { event: { type: "retract", why: AGAIN }, of: id };
  const [entry, ...changes] = log.entries.filter((one) => one.id !== id && (one.id === of || isChange(log, one, of)));
  const was = changes.at(-1)?.event.event || entry.event.event || entry.event;
  if (event.type === "amend") return { event: { type: "amend", event: bare(was), why: AGAIN }, of };
  if (entry.event.type !== "insert") return { event: bare(was), was: of };
  return { event: { type: "insert", event: bare(was), why: AGAIN }, of: correctedId(log, entry), was: of };
}

/** Whether an entry changes that one. @param {Log} log @param {Entry} entry @param {string} id */
const isChange = (log, entry, id) => entry.event.type === "amend" && correctedId(log, entry) === id;

/** Does again what Undo took back, while nothing else has been recorded since. */
export class Redo {
  /** @type {Step[]} */
  steps = [];
  /** What was taken back a moment ago; "" for nothing. */
  words = "";
  timer = 0;

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** What can be done again now. @returns {Step | null} */
  get next() {
    const { edit, upto } = this.recorder;
    const step = this.steps[this.steps.length - 1];
    return step && !edit && step.upto === upto ? step : null;
  }

  /** What is taken back, in words. @param {GameEvent[]} corrections */
  said([{ type, seq, event }, ...more]) {
    const { latest, log } = this.recorder;
    const move = latest.moves.find((one) => one.seq === seq)?.called;
    const called = () => move || (log?.entries[seq] ? plainly(log.entries[seq].event, latest) : "an entry");
    if (more.length > 1) return "Taken back: changes that were made together";
    if (more.length) return "Taken back: a move in the list";
    if (type === "retract") return `Taken back: ${called()}`;
    if (type === "amend") return `Taken back: the change of ${called()}`;
    return `Back again: ${plainly(event, latest)}`;
  }

  /**
   * Remembers what was taken back.
   * @param {Again[]} events what does it again @param {string} words
   * @param {boolean} goesOn whether the step before was taken back just before
   */
  taken(events, words, goesOn) {
    this.steps = [...(goesOn ? this.steps : []), { events, words, upto: this.recorder.upto }];
    this.say(words);
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
    // They are known by other ids now.
    for (const again of this.steps.flatMap(({ events }) => events)) {
      const n = step.events.findIndex(({ was }) => was && was === again.of);
      if (entries[n]) again.of = entries[n].id;
    }
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
