// Keeps what is entered: on the disk of this phone first, then on the screen, then in the ledger.

import { soon, frame } from "../../../every_page/static/retry_and_follow.js";
import { entriesOf } from "./outbox.js";
import { inOne, kindOf, trouble } from "./trouble.js";
import { recall, remember } from "../../../every_page/static/browser_memory.js";
import { safe } from "../pieces/markup.js";
import { sentence } from "../pieces/dialog_parts.js";

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
    // One after the other, because each must know how many came before it.
    const writing = this.writing.catch(() => []).then(() => this.write(events));
    this.writing = writing;
    this.recorder.redo.quiet();
    // Draw at once: a finger may be on the next tile before the disk has this one.
    this.recorder.pick.clear();
    buzz();
    return writing;
  }

  /** @param {GameEvent[]} events */
  async write(events) {
    const { recorder } = this;
    const { ahead } = recorder;
    const entries = entriesOf(recorder.record, recorder.upto, events);
    if (!recorder.sure) for (const entry of entries) entry.blind = Boolean(entry.event.player);
    // The rules look while the disk writes.
    const lookAhead = recorder.quick && ahead.look([...ahead.events, ...entries.map(({ event }) => event)]);
    try {
      await recorder.outbox.add(entries, true);
    } catch (error) {
      recorder.dialogs.say("This phone cannot keep it", `Nothing was recorded. ${inOne(trouble(kindOf(error)))}`);
      return [];
    }
    const look = lookAhead && (await Promise.race([lookAhead, soon()]));
    recorder.queue.push(...entries);
    if (look) ahead.last = look;
    recorder.all = false;
    recorder.tabs?.postMessage("");
    recorder.changed();
    if (lookAhead && !look) ahead.show();
    // The finger sees its entry first; the disk has it already.
    const { post } = recorder;
    frame().then(() => post.soon());
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

/** The labels of the corrections. @type {Record<string, string>} */
const VERBS = { amend: "Change", insert: "Insert before", retract: "Delete" };

/**
 * Whether events may be kept: at once if the rules ask nothing, else when the table says that it happened.  Two events
 * move an entry.
 * @param {Recorder} recorder @param {GameEvent[]} events @returns {Promise<boolean>}
 */
export async function mayKeep(recorder, ...events) {
  const { ledger, ahead, screen, dialogs } = recorder;
  let verdict;
  try {
    const answer = await ledger.ask("check", [...ahead.events, ...events], screen);
    verdict = await answer.json();
    if (!answer.ok)
      return dialogs.question("That cannot be recorded", `<p>${safe(sentence(verdict.detail || ""))}</p>`, "");
  } catch {
    return unchecked(recorder, events);
  }
  const { question } = verdict;
  return !question || dialogs.question(question.title, question.body, question.yes);
}

/** Asks while nobody can judge it. @param {Recorder} recorder @param {GameEvent[]} events */
function unchecked({ dialogs, judged }, events) {
  const [event] = events;
  const none = "<p>There is no connection. ";
  const verb = events.length > 1 ? "Move up" : VERBS[event.type];
  if (!verb)
    return dialogs.question(
      "Record it anyway?",
      `${none}Whether it was legal is checked when there is one.</p>`,
      "Yes, record it",
    );
  const entry = judged.moves.find(({ seq }) => seq === (event.seq ?? event.before));
  const title = `${verb} ${entry?.called || "an entry"}?`;
  return dialogs.question(title, `${none}What no longer fits is shown when there is one.</p>`, verb.split(" ")[0]);
}
