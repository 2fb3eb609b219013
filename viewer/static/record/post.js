// Sends the waiting entries to the ledger, again and again until it acknowledges them; none is stored twice.
// @ts-check
// Every entry has an id of its own, by which the ledger recognises it.  It also names the version that the phone saw
// before, so that two people who record at once notice each other.

const LONGEST = 15_000;

/** @typedef {import("./outbox.js").Entry} Entry */
/**
 * @typedef {{ send: (expected: number, entries: { id: string, event: any }[]) => Promise<Response>, queue: Entry[],
 *   seen: (screen: any, sent?: any[]) => void, changed: () => void, answer: () => Promise<any>,
 *   overtaken: (problem: any) => void }} Sender  whose entries are sent
 */

export class Post {
  /** @param {import("./outbox.js").Outbox} outbox @param {Sender} recorder */
  constructor(outbox, recorder) {
    this.outbox = outbox;
    this.recorder = recorder;
    this.sending = /** @type {any[]} */ ([]);
    this.offline = false;
    this.locked = false;
    this.gone = false;
    this.reason = "";
    this.stopped = false;
    this.wait = 0;
    this.timer = 0;
    addEventListener("online", () => this.soon());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.soon();
    });
  }

  /** Sends no more: another record is open. */
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  get waiting() {
    return this.recorder.queue.filter((entry) => entry.state === "waiting");
  }

  /** Tries again at once. */
  soon() {
    this.wait = 0;
    clearTimeout(this.timer);
    return this.flush();
  }

  later() {
    this.wait = Math.min(LONGEST, Math.max(1000, this.wait * 2));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), this.wait);
  }

  /** Sends the waiting entries one batch at a time: the next one goes out when this phone has settled the last. */
  async flush() {
    if (this.sending.length || this.stopped || !this.waiting.length) return;
    this.sending = this.waiting.slice(0, 200);
    this.recorder.changed();
    let again = false;
    try {
      again = await this.deliver(this.sending);
    } finally {
      this.sending = [];
    }
    this.recorder.changed();
    if (again) await this.flush();
  }

  /** Sends a batch and does what the answer says; returns whether to send more at once. @param {Entry[]} batch */
  async deliver(batch) {
    let answer;
    let body;
    try {
      answer = await this.recorder.send(
        batch[0].base,
        batch.map(({ id, event }) => ({ id, event })),
      );
      body = await answer.json();
    } catch {
      answer = null;
    }
    if (!answer || answer.status >= 500 || answer.status === 429) {
      this.offline = true;
      this.later();
      return false;
    }
    this.offline = false;
    // The ledger has lost this game, or an older copy has replaced it: the entries stay here until it is back.
    this.gone = answer.status === 404;
    if (this.gone) {
      this.later();
      return false;
    }
    // An entry is deleted only when this phone has a screen that contains it.  Until then it is sent again.
    const screen = answer.ok ? await this.recorder.answer() : null;
    if (answer.ok && !screen) {
      this.later();
      return false;
    }
    this.wait = 0;
    await this.settled(answer.ok ? batch : batch.slice(0, body.done || 0), screen);
    if (answer.ok) return true;
    if (answer.status === 409 && body.version) {
      this.stopped = true;
      this.recorder.overtaken({ ...body, missed: body.missed || [] });
      return false;
    }
    if ([401, 403, 409].includes(answer.status)) {
      this.stopped = this.locked = true;
      this.reason = body.detail;
      return false;
    }
    // If one entry cannot be recorded as it is, it is set aside with the reason, and the others go on.
    const entry = batch[body.done || 0];
    entry.state = "refused";
    entry.reason = body.detail;
    await this.outbox.put([entry]);
    await this.rebase(body.version || entry.base, [entry]);
    return true;
  }

  /** Forgets what the ledger has, and shows its answer. @param {Entry[]} batch @param {any} screen */
  async settled(batch, screen) {
    await this.outbox.settle(batch, screen);
    this.recorder.queue = this.recorder.queue.filter((entry) => !batch.includes(entry));
    if (screen)
      this.recorder.seen(
        screen,
        batch.map(({ event }) => event),
      );
  }

  /**
   * Gives the waiting entries new seqs, from this version on.  A correction of a waiting entry follows it; a correction
   * of an entry that was set aside is set aside, too.
   * @param {number} version @param {Entry[]} aside
   */
  async rebase(version, aside) {
    const { waiting } = this;
    /** @type {Map<number, number | null>} */
    const newSeqs = new Map(aside.map(({ base }) => [base, null]));
    let next = version;
    for (const entry of waiting) {
      const name = "before" in entry.event ? "before" : "seq";
      const target = newSeqs.get(entry.event[name]);
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

/** A signal that gives up after `patience` milliseconds. @param {number} patience */
export function after(patience) {
  const control = new AbortController();
  setTimeout(() => control.abort(), patience);
  return control.signal;
}
