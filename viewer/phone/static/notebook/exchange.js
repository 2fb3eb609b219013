// The exchange with the ledger: what waits on this phone goes there, and what the ledger has comes here.  One timer
// asks about the open game; all other games of this phone take their turn.

import { Again, MINUTE, pauseAfter, PAUSES } from "../../../every_page/static/retry_and_follow.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { admitted, replyTo, request } from "../entries/api.js";
import { note } from "../entries/transport_log.js";
import { kindOf } from "../entries/trouble.js";
import { ask, AT_ONCE, merge, newLog, putAside, waiting } from "./log.js";
import { newRecordId, Notebook } from "./notebook.js";
import { NEVER } from "./words.js";

/** Milliseconds until a game with nothing waiting is compared again. */
const OLD = 600_000;
/** The fewest letters of an entry that can be too large for whatever stands before the ledger. */
const LARGE = 5000;
/** So many games in a row that find no connection: the others will not find one now either. */
const ENOUGH = 2;

/** @import { Log, Entry, Question } from "./log.js" */
/**
 * What became of a question: `again` and `all` as `merge` says it, `grown`: how many more entries the ledger has
 * acknowledged; `news`: what others recorded; `newId`: the game has another id now.
 * @typedef {{ again: boolean, all: boolean, grown: number, news: Entry[], twins: Entry[], newId?: string }} Heard
 */

/** A question that has no answer yet, and to which there is nothing to say. @type {Heard} */
const NOTHING = { again: false, all: false, grown: 0, news: [], twins: [] };

/** What the disk must know of a log besides its entries. @param {Log} log */
const gist = ({ entries, asked, answered, heard, ...rest }) => JSON.stringify(rest);

/** Whether an answer changes nothing that the disk must know. @param {Log} before @param {Log} after */
const isSame = (before, after) =>
  gist(before) === gist(after) &&
  before.entries.length === after.entries.length &&
  before.entries.every((entry, n) => entry === after.entries[n]) &&
  after.heard - before.heard < MINUTE;

export class Exchange {
  /** The game of the page; "" for none. */
  id = "";
  /** @type {import("./words.js").Contact} */
  contact = { trouble: "", reason: "", since: "", heard: NEVER, fault: "", site: addresses.site };
  /** When the ledger answered last about each game, by this page's own clock. @type {Map<string, number>} */
  heardAt = new Map();
  /** How many entries go at once. */
  most = AT_ONCE;
  /** The question that has no answer yet. @type {Promise<void> | null} */
  running = null;
  isWanted = false;
  newsAt = 0;
  /** @type {Again | null} */
  timer = null;

  /**
   * @param {import("./notebook.js").Notebook} notebook
   * @param {(id: string, heard: Heard | null) => unknown} heard hears what became of each question; null: no answer
   */
  constructor(notebook, heard) {
    this.notebook = notebook;
    this.heard = heard;
    /** @type {Again} */
    this.others = new Again(() => this.round(), { shortest: 2000, longest: 30_000 });
  }

  /** What this page knows of the ledger and a game. @param {string} id @returns {import("./words.js").Contact} */
  contactOf(id) {
    return { ...this.contact, heard: this.heardAt.get(id) ?? NEVER };
  }

  /** Asks about this game from now on. @param {string} id */
  open(id) {
    this.close();
    this.id = id;
    this.newsAt = Date.now();
    if (addresses.site) return Promise.resolve();
    this.timer = new Again(() => this.run(), PAUSES);
    return this.soon();
  }

  close() {
    this.timer?.stop();
    this.timer = null;
    this.id = "";
  }

  /** Asks at once, or as soon as the last question has its answer. */
  async soon() {
    if (this.timer) await this.timer.soon();
  }

  /** Asks about the game of the page until there is nothing more to say at once. */
  run() {
    this.isWanted = true;
    this.running ??= this.#run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async #run() {
    const { id, timer } = this;
    let all = false;
    while (this.isWanted && timer === this.timer && timer) {
      this.isWanted = false;
      const log = this.notebook.cache.get(id)?.log;
      if (document.hidden && !(log && waiting(log).length)) return;
      const heard = await this.once(id, all);
      if (timer !== this.timer) return;
      if (!heard) return timer.later();
      all = heard.all;
      if (heard.news.length) this.newsAt = Date.now();
      if (all || (heard.again && heard.grown !== 0)) this.isWanted = true;
      else if (heard.again && !this.isWanted) return timer.later();
    }
    timer?.after(pauseAfter(this.newsAt));
  }

  /**
   * Asks the ledger once, and takes over what it answers; null if it does not.
   * @param {string} id @param {boolean} [all] about the whole record @returns {Promise<Heard | null>}
   */
  async once(id, all = false) {
    let heard = /** @type {Heard | null} */ (null);
    try {
      heard = await this.#once(id, all);
    } catch (error) {
      // This phone's disk failed: nothing has changed, and the ledger knows again what it has got.
      this.contact.fault = kindOf(error);
    }
    await this.heard(id, heard);
    return heard;
  }

  /** @param {string} id @param {boolean} all @returns {Promise<Heard | null>} */
  async #once(id, all) {
    const before = await this.notebook.get(id);
    if (!before || before.from || before.ledger) return NOTHING;
    // Without a network nothing leaves this phone.
    if (navigator.onLine === false) return this.#failed("offline", "there is no connection");
    let { question } = ask(before, all, this.most);
    if (question.add.length) {
      // What may be on its way is marked on the disk before it goes.
      const marked = await this.notebook.change(id, (log) => (log ? ask(log, all, this.most) : { log, question }));
      question = marked.question;
    }
    let reply = await this.#send(id, question);
    if (reply.status === 401 && before.seal && before.acked) {
      // A private ledger does not say that it has lost a game: a seal shows that it had it.
      question = ask({ ...before, acked: 0, choice: null }).question;
      reply = await this.#send(id, question);
    }
    this.contact.fault = "";
    const { kind, status, body, reason } = reply;
    const isTooMuch = kind === "large" || (kind === "refused" && status === 422 && question.add.length > 0);
    if (isTooMuch) return this.#less(id, question, kind, body, reason);
    if (kind !== "ok") return this.#failed(kind === "refused" ? "refused" : kind, reason);
    this.most = Math.min(AT_ONCE, this.most * 2);
    return this.#take(id, question, body);
  }

  /** @param {string} id @param {Question} question */
  async #send(id, question) {
    const send = () => request("exchange", { body: question });
    const reply = await replyTo(() => admitted(id, question.key, send), "version");
    if (question.add.length) note(reply);
    return reply;
  }

  /** @param {string} id @param {Question} question @param {any} answer @returns {Promise<Heard>} */
  async #take(id, question, answer) {
    const now = Date.now();
    const heard = await this.notebook.change(id, (log) => {
      if (!log) return { ...NOTHING, log };
      const { log: next, ...rest } = merge(log, question, answer, now);
      return { ...rest, grown: next.acked - log.acked, log: isSame(log, next) ? log : next };
    });
    Object.assign(this.contact, { trouble: "", reason: "", since: "" });
    this.heardAt.set(id, performance.now());
    this.notebook.heard(id, now);
    const { log } = heard;
    // What somebody asked to be forgotten is in no view either.
    if (question.have.names && log && log.names !== question.have.names) await this.notebook.dropScreen(id);
    if (!log?.taken || log.acked || log.entries.some(({ was }) => was)) return heard;
    // No ledger has this game yet, and its id is another one's.
    const newId = answer.taken || newRecordId();
    await this.notebook.rename(id, newId);
    return { ...heard, newId };
  }

  /** @param {"offline" | "sick" | "refused"} trouble @param {string} reason */
  #failed(trouble, reason) {
    const since = this.contact.since || new Date().toISOString();
    Object.assign(this.contact, { trouble, reason, since });
    return null;
  }

  /**
   * The question is too large, or an entry in it is one that this ledger cannot read: fewer go at once, and one that
   * goes alone is put aside.
   * @param {string} id @param {Question} question @param {string} kind @param {any} body @param {string} reason
   */
  async #less(id, question, kind, body, reason) {
    const [first, ...more] = question.add;
    // A seal proves only the whole.
    if (question.seal) return this.#failed("sick", reason);
    if (more.length) {
      this.most = Math.ceil(question.add.length / 2);
      return { ...NOTHING, again: true, grown: 1 };
    }
    // Something before the ledger that takes not even a small entry is sick, and not the entry.
    const isAbsurd = kind === "large" && !body.detail && JSON.stringify(first || "").length < LARGE;
    if (!first || isAbsurd) return this.#failed("sick", reason);
    await this.notebook.change(id, (log) => ({ log: log && putAside(log, [first.id], reason) }));
    return { ...NOTHING, again: true, grown: 1 };
  }

  /** Asks about the other games of this phone: what waits is handed in, and what a ledger lost is brought back. */
  async round() {
    if (addresses.site || navigator.onLine === false) return;
    const rows = await this.notebook.rows().catch(() => null);
    if (!rows) return this.others.later();
    let silences = 0;
    let isLate = false;
    for (const { id, total, acked, key, choice, taken } of rows.filter((row) => row.id !== this.id)) {
      const waits = total > acked && key && !choice && !taken;
      const isKnown = performance.now() - (this.heardAt.get(id) ?? NEVER) < OLD;
      if (silences === ENOUGH || (!waits && isKnown)) continue;
      const done = await this.whole(id);
      silences = done ? 0 : silences + 1;
      isLate ||= !done;
    }
    if (isLate) this.others.later();
    else this.others.calm();
  }

  /** Asks about a game until there is nothing more to say; whether the ledger answered. @param {string} id */
  async whole(id) {
    for (let all = false; ;) {
      const heard = await this.once(id, all);
      if (!heard) return false;
      all = heard.all;
      if (!all && !(heard.again && heard.grown !== 0)) return !heard.again;
    }
  }
}

/** Keeps a game on this phone that it watched to the end. @param {string} id */
export async function watched(id) {
  const notebook = new Notebook();
  await notebook.change(id, (log) => ({ log: log || newLog(id, "") }));
  await new Exchange(notebook, () => undefined).whole(id);
}
