// Keeps what is entered: on the disk of this phone first, then on the screen, then in the ledger.

import { frame } from "../../../every_page/static/retry_and_follow.js";
import { append, named } from "../notebook/log.js";
import { newId } from "../notebook/notebook.js";
import { kindOf, trouble } from "./trouble.js";
import { recall, remember } from "../../../every_page/static/browser_memory.js";
import { safe } from "../pieces/markup.js";
import { sentence } from "../pieces/dialog_parts.js";

/**
 * Events as entries that wait: a correction names its target by id.
 * @param {Recorder} recorder @param {GameEvent[]} events @returns {Entry[]}
 */
export function entriesOf({ log, sure }, events) {
  const when = new Date().toISOString();
  const who = recall("by");
  return events.map((event) => ({
    id: newId(),
    ...(log ? named(log, { ...event, when, ...(who ? { by: who } : {}) }) : { event }),
    ...(sure || !event.player ? {} : { blind: true }),
  }));
}

export class Writer {
  /** Ends when everything that was entered is on the disk. */
  writing = /** @type {Promise<unknown>} */ (Promise.resolve());
  /** When somebody last entered something, in milliseconds since the page was opened. */
  entered = -Infinity;

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** Keeps events. @param {GameEvent[]} events @returns {Promise<Entry[]>} */
  keep(...events) {
    return this.soon(() => entriesOf(this.recorder, events));
  }

  /**
   * Keeps entries, once everything before them is on the disk.
   * @param {() => Entry[]} make @returns {Promise<Entry[]>} none if they cannot be kept
   */
  soon(make) {
    // One after the other, because each may name those before it.
    const writing = this.writing.catch(() => []).then(() => this.write(make()));
    this.writing = writing;
    this.recorder.redo.quiet();
    // Draw at once: a finger may be on the next tile before the disk has this one.
    this.recorder.pick.clear();
    buzz();
    return writing;
  }

  /** @param {Entry[]} entries */
  async write(entries) {
    const { recorder } = this;
    recorder.all = false;
    try {
      await recorder.change((log) => entries.reduce(append, log));
    } catch (error) {
      recorder.dialogs.say("This phone cannot keep it", `Nothing was recorded. ${trouble(kindOf(error))}`);
      return [];
    }
    // The finger sees its entry first; the disk has it already.
    frame().then(() => recorder.exchange.soon());
    return entries;
  }

  /**
   * Enters an event, or a change of an earlier one; it is judged first unless it is known to be legal.
   * @param {GameEvent} act @param {{legal?: boolean}} how
   */
  async enter(act, { legal = false } = {}) {
    this.entered = performance.now();
    const { recorder } = this;
    const { edit } = recorder;
    if (act.player === "") {
      recorder.dialogs.hint("Tap who plays first.");
      return [];
    }
    if (!recorder.secret && !recorder.log?.from) {
      recorder.dialogs.hint("This phone only watches. To record, open the recorder’s link.");
      return [];
    }
    let event = act;
    if (edit?.mode === "amend") event = { type: "amend", seq: edit.seq, event: act, why: edit.why };
    if (edit?.mode === "insert") event = { type: "insert", before: edit.seq, event: act, why: edit.why };
    if (!legal && recorder.sure && !(await mayKeep(recorder, event))) return [];
    recorder.edit = null;
    return this.keep(event);
  }

  /** Ends changing an entry, without a change. */
  leaveEdit() {
    const { recorder } = this;
    recorder.edit = null;
    recorder.pick.clear();
    recorder.changed();
  }
}

export const canBuzz = "vibrate" in navigator;

export const wantsBuzz = () => recall("vibration") !== "off";

/** @param {boolean} on */
export function setBuzz(on) {
  remember("vibration", on ? "on" : "off");
  if (on) buzz();
}

export function buzz() {
  if (canBuzz && wantsBuzz()) navigator.vibrate(12);
}

/**
 * Whether events may be kept: at once if the rules ask nothing or are not there, else when the table says that it
 * happened.  Two events move an entry.
 * @param {Recorder} recorder @param {GameEvent[]} events @returns {Promise<boolean>}
 */
export async function mayKeep({ dialogs, views }, ...events) {
  const { problem, question } = (await views.check(events)) || {};
  if (problem) return dialogs.question("That cannot be recorded", `<p>${safe(sentence(problem))}</p>`, "");
  return !question || dialogs.question(question.title, question.body, question.yes);
}
