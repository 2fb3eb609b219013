// Sends the waiting entries to the ledger, again and again until it acknowledges them; none is stored twice.
// Every entry has an id of its own, by which the ledger recognises it.  It also names the version that the phone saw
// before, so that two people who record at once notice each other.

import { Again, soon } from "../../../every_page/static/retry_and_follow.js";
import { AT_ONCE, replyTo } from "./api.js";
import { kindOf } from "./trouble.js";

const PAUSES = { shortest: 1000, longest: 15_000 };
/** The fewest letters of an entry that can be too large for whatever stands before the ledger. */
const LARGE = 5000;

/**
 * @typedef {{ queue: Entry[], local?: boolean, handBack?: (least?: number) => Promise<boolean>,
 *   ledger: { take: (expected: number, entries: Submission[]) => Promise<Response> },
 *   answers: Pick<import("./answers.js").Answers, "ask" | "refresh" | "show">,
 *   changed: () => void, tabs?: BroadcastChannel | null,
 *   blind?: Pick<import("./blind.js").Blind, "recorded">,
 *   witness?: import("./witness.js").Witness,
 *   dialogs: Pick<import("../recorder/recorder_dialogs.js").Dialogs, "overtaken"> }} Sender  whose entries are sent
 */

/**
 * Whether something before the ledger says that a small entry is too large: then it is sick, and not the entry.
 * @param {string} kind @param {any} body @param {Entry[]} batch
 */
const isAbsurd = (kind, body, batch) =>
  kind === "large" && batch.length === 1 && !body.detail && JSON.stringify(batch[0].event).length < LARGE;

export class Post {
  /** @param {Outbox} outbox @param {Sender} recorder */
  constructor(outbox, recorder) {
    this.outbox = outbox;
    this.recorder = recorder;
    this.sending = /** @type {Entry[]} */ ([]);
    /** Ends when `sending` is settled, or waits again. */
    this.attempt = Promise.resolve();
    /** Whether the page shows already what became of `sending`. */
    this.shown = false;
    this.offline = false;
    /** Why the server does not take the entries although it answers, as the end of a sentence; "" if it does. */
    this.trouble = "";
    /** When the ledger was last heard to do so, if it does not now. */
    this.since = "";
    /** What is wrong with this phone's own store; "" if nothing is. @type {import("./trouble.js").Kind | ""} */
    this.fault = "";
    this.most = AT_ONCE;
    this.locked = false;
    this.gone = false;
    this.reason = "";
    this.stopped = false;
    this.again = new Again(() => this.flush(), PAUSES);
  }

  /** Sends no more: another record is open. */
  stop() {
    this.stopped = true;
    this.again.stop();
  }

  /** Goes on after a refusal whose reason is gone. */
  resume() {
    this.stopped = this.locked = false;
    return this.soon();
  }

  get waiting() {
    return this.recorder.queue.filter((entry) => entry.state === "waiting");
  }

  /** Tries again at once. */
  soon() {
    return this.again.soon();
  }

  /** Sends the waiting entries one batch at a time: the next one goes out when this phone has settled the last. */
  async flush() {
    if (this.sending.length || this.stopped) return;
    if (!this.waiting.length) return;
    this.sending = this.waiting.slice(0, this.most);
    this.attempt = this.try();
    await this.attempt;
  }

  /**
   * While the ledger does not answer, waits a moment for the attempt to end: if it fails, its entries are known to be
   * waiting here again.
   */
  async ended() {
    if (this.offline && this.sending.length) await Promise.race([this.attempt, soon()]);
  }

  /** Sends what is in `sending`, and then what waits. */
  async try() {
    let again = false;
    this.shown = false;
    try {
      again = await this.deliver(this.sending);
    } catch (error) {
      // This phone's disk failed: nothing is settled, and the ledger knows the entries again.
      this.fault = kindOf(error);
      this.again.later();
    } finally {
      this.sending = [];
    }
    if (!this.shown) this.recorder.changed();
    if (again) await this.flush();
  }

  /** Notes how the ledger answers. @param {boolean} offline @param {string} trouble */
  note(offline, trouble) {
    this.offline = offline;
    this.trouble = trouble;
    this.since = offline || trouble ? this.since || new Date().toISOString() : "";
  }

  /** Sends a batch and does what the answer says; returns whether to send more at once. @param {Entry[]} batch */
  async deliver(batch) {
    const { local, witness, handBack = async () => false } = this.recorder;
    if (!local && witness && !(await witness.allows(batch[0].base, handBack))) {
      this.trouble = "the ledger does not have all that this phone saw of this game";
      return this.wait();
    }
    // Without a network nothing leaves this phone.
    const fresh = batch.filter((entry) => !entry.tried && navigator.onLine !== false);
    for (const entry of fresh) entry.tried = true;
    const { kind, status, body, reason } = await replyTo(
      () =>
        this.recorder.ledger.take(
          batch[0].base,
          batch.map(({ id, event }) => ({ id, event })),
        ),
      "",
      this.recorder.local ? "" : "entries",
    );
    this.fault = "";
    // Nobody took this attempt; where something before the ledger says so, an earlier one may have arrived.
    if (kind === "refused") for (const entry of batch) entry.tried = false;
    if (kind === "large") for (const entry of fresh) entry.tried = false;
    this.note(kind === "offline", kind === "sick" || isAbsurd(kind, body, batch) ? reason : "");
    // The ledger has lost this game, or an older copy has replaced it: the entries stay here until it is back.
    this.gone = kind === "refused" && status === 404;
    if (this.gone) {
      // Another answer may come meanwhile; even so, the ledger has not refused these entries.
      if (!(await this.recorder.handBack?.(batch[0].base))) return this.wait();
      this.gone = false;
      return true;
    }
    if (this.offline || this.trouble) return this.wait();
    if (kind === "large" && batch.length > 1) {
      this.most = Math.ceil(batch.length / 2);
      return true;
    }
    if (kind === "ok") {
      // An entry is deleted only when this phone has a screen that contains it.  Until then it is sent again.
      const screen = await this.recorder.answers.ask();
      if (!screen) return this.wait();
      this.again.calm();
      this.most = Math.min(AT_ONCE, this.most * 2);
      await this.settled(batch, screen);
      return true;
    }
    this.again.calm();
    await this.settled(batch.slice(0, body.done || 0), null);
    return this.refused(batch, status, body, reason);
  }

  /** Sends again after a pause. */
  wait() {
    this.again.later();
    return false;
  }

  /**
   * Does what a refusal says; returns whether to send more at once.
   * @param {Entry[]} batch @param {number} status @param {any} body @param {string} reason
   */
  async refused(batch, status, body, reason) {
    // The ledger lost what this phone saw of the game: this phone hands it in again, and then what comes after it.
    if (status === 409 && body.version < batch[0].base && (await this.recorder.handBack?.(batch[0].base))) return true;
    if (status === 409 && body.version) {
      this.stopped = true;
      this.recorder.dialogs.overtaken({ ...body, missed: body.missed || [] });
      return false;
    }
    if ([401, 403, 409].includes(status)) {
      this.stopped = this.locked = true;
      this.reason = reason;
      return false;
    }
    // If one entry cannot be recorded as it is, it is set aside with the reason, and the others go on.
    const entry = batch[body.done || 0];
    entry.state = "refused";
    entry.reason = reason;
    await this.outbox.put([entry]);
    await this.rebase(body.version || entry.base, [entry]);
    return true;
  }

  /** Forgets what the ledger has, and shows its answer. @param {Entry[]} batch @param {View | null} screen */
  async settled(batch, screen) {
    await this.outbox.settle(batch, screen, !this.recorder.local);
    this.recorder.blind?.recorded(batch);
    this.recorder.queue = this.recorder.queue.filter((entry) => !batch.includes(entry));
    this.recorder.tabs?.postMessage("");
    if (!screen) return;
    this.shown = true;
    this.recorder.answers.show(
      screen,
      batch.map(({ event }) => event),
    );
  }

  /**
   * Gives the waiting entries new seqs, from this version on.  A correction of a waiting entry follows it; a correction
   * of an entry that was set aside is set aside, too.  `twins` are in the ledger already, by those seqs.
   * @param {number} version @param {Entry[]} aside @param {Map<Entry, number>} [twins]
   */
  async rebase(version, aside, twins = new Map()) {
    const { waiting } = this;
    /** @type {Map<number, number | null>} */
    const newSeqs = new Map(aside.map(({ base }) => [base, null]));
    for (const [{ base }, seq] of twins) newSeqs.set(base, seq);
    let next = version;
    for (const entry of waiting) {
      const name = "before" in entry.event ? "before" : "seq";
      const target = entry.fixed ? undefined : newSeqs.get(entry.event[name]);
      if (target === null)
        Object.assign(entry, { state: "refused", reason: "the entry that it corrects is not recorded" });
      else if (target !== undefined) entry.event = { ...entry.event, [name]: target };
      newSeqs.set(entry.base, target === null ? null : next);
      entry.base = next;
      if (target !== null) next += 1;
    }
    await this.outbox.put(waiting);
  }
}
