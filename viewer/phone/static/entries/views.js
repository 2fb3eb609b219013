// The view of a game: the rules applied to its log.  Before they are there, the last view that somebody judged, and
// what came after it as it was entered.  No view is compared with another.

import { soon } from "../../../every_page/static/retry_and_follow.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { events } from "../notebook/log.js";
import { partsHere, replyTo, withAllParts } from "./api.js";
import { unjudged } from "./waiting.js";

/** @import { Log } from "../notebook/log.js" */
/** @typedef {Omit<import("../notebook/notebook.js").Stored, "id" | "program">} Judged  see `Stored` */
/** What somebody has of a log: the number of entries, the id of the last one (`tail`), and the digest of its names.
 * @typedef {{ version: number, tail: string, names: string }} Mark */

/** The rules take over what waits when it is more than this: a look ahead costs what it is long. */
const MANY = 12;
/** Milliseconds until a view is on the disk: it is large, and only the first screen of the next visit needs it. */
const STORED = 1000;

/** What tells versions of the program apart. */
const program = () => document.body?.dataset.program || "";

/** How many events a game has, with those that wait. @param {Log} log */
export const countOf = (log) => (log.seen || 0) + log.entries.length;

/** The first entries of a log. @param {Log} log @param {number} [version] @returns {Mark} */
const markOf = (log, version = countOf(log)) => ({
  version,
  tail: log.entries[version - 1 - (log.seen || 0)]?.id || "",
  names: log.names,
});

/** Whether the log begins with what was marked. @param {Mark | null} mark @param {Log | null} log */
function begins(mark, log) {
  if (!mark || !log || mark.version > countOf(log)) return false;
  if (mark.names && log.names && mark.names !== log.names) return false;
  return log.seen === undefined ? markOf(log, mark.version).tail === mark.tail : mark.version === log.seen;
}

export class Views {
  /** The latest judged view, and the latest of what the ledger has. @type {Judged | null} */
  latest = null;
  /** @type {Judged | null} */
  ground = null;
  /** What the rules have. @type {Mark | null} */
  base = null;
  /** Whether the rules here do not know the game. */
  unusable = false;
  /** Whether the store has a view of this version of the program. */
  hasStored = false;
  /** Whether the store has a view that this page cannot draw, because another version of the program stored it. */
  undrawn = false;
  turn = /** @type {Promise<any>} */ (Promise.resolve());
  /**
   * The view that was made last of one that was judged.
   * @type {{ from: Judged | null, log: Log, view: View } | null}
   */
  #made = null;
  #timer = 0;

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** The judged view with which the log begins; null if there is none. @returns {Judged | null} */
  get judged() {
    const { log } = this.recorder;
    return begins(this.latest, log) ? this.latest : begins(this.ground, log) ? this.ground : null;
  }

  /** The events that nobody has judged. @returns {GameEvent[]} */
  get unjudged() {
    const { log } = this.recorder;
    return log && this.judged ? events(log).slice(this.judged.version - (log.seen || 0)) : [];
  }

  /** The view with all entries; null if there is nothing to show. @returns {View} */
  get view() {
    const { log } = this.recorder;
    const { judged } = this;
    const from = judged || this.ground || this.latest;
    if (!from || !log) return /** @type {any} */ (null);
    if (judged && judged.version === countOf(log)) return judged.view;
    if (this.#made?.from !== from || this.#made.log.entries !== log.entries)
      this.#made = { from, log, view: unjudged(from.view, this.unjudged) };
    return this.#made.view;
  }

  /** Whether the rules on this phone answer at once about what is shown. */
  get quick() {
    return this.recorder.rules.ready && !this.unusable && begins(this.base, this.recorder.log);
  }

  /** The events that the rules do not have yet. @returns {GameEvent[]} */
  get beyond() {
    return this.recorder.log ? events(this.recorder.log).slice(this.base?.version || 0) : [];
  }

  /** Remembers what the disk has. @param {import("../notebook/notebook.js").Stored | undefined} stored */
  open(stored) {
    if (!stored) return;
    this.hasStored = stored.program === program();
    if (this.hasStored) this.latest = stored;
    else this.undrawn = true;
  }

  /** Shows this view, if the log begins with it; whether it does. @param {Judged | null} judged */
  take(judged) {
    const { log } = this.recorder;
    if (!judged || !log || !begins(judged, log)) return false;
    if (judged.version < (this.judged?.version || 0)) return false;
    this.latest = judged;
    this.undrawn = false;
    this.settle();
    return true;
  }

  /** What the ledger has by now, no Undo takes back: that view is kept for the next visit, the last one at once. */
  settle() {
    const { log } = this.recorder;
    const { latest } = this;
    if (!latest || !log || latest === this.ground || !begins(latest, log)) return;
    if (log.acked && latest.version > log.acked) return;
    this.ground = latest;
    if (!this.hasStored || latest.view.closed) this.store();
    else if (!this.#timer) this.#timer = setTimeout(() => this.store(), STORED);
  }

  /** Writes it. */
  store() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const { record, notebook } = this.recorder;
    this.hasStored ||= Boolean(this.ground);
    if (this.ground) notebook.keepScreen({ ...this.ground, id: record, program: program() }).catch(() => undefined);
  }

  /** Has the rules draw a game that this phone has, if the ledger does not soon. */
  async begin() {
    const { recorder } = this;
    await soon();
    if (recorder.log?.entries.length && !recorder.latest && (await recorder.rules.start())) await this.show();
    else await new Promise(() => undefined);
  }

  /** Has the log drawn as it is now. */
  async show() {
    const { recorder } = this;
    const { log } = recorder;
    if (!log || (this.judged?.version === countOf(log) && (this.quick || !recorder.rules.ready))) return;
    const judged = await this.look(log);
    if (recorder.views === this && this.take(judged)) recorder.changed();
  }

  /** How a log looks; null if nobody can tell now. @param {Log} log @returns {Promise<Judged | null>} */
  async look(log) {
    return (await this.#inTurn(() => this.#byRules(log))) || this.#byLedger(log);
  }

  /** One question to the rules after the other. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #inTurn(work) {
    const result = this.turn.then(work);
    this.turn = result.catch(() => null);
    return result;
  }

  /** @param {Log} log @returns {Promise<Judged | null>} */
  async #byRules(log) {
    const { rules, record } = this.recorder;
    if (!rules.ready || this.unusable || log.seen !== undefined || !log.entries.length) return null;
    try {
      const here = events(log);
      if (!begins(this.base, log) || here.length - (this.base?.version || 0) > MANY) await this.#open(log, here);
      if (!this.base) return null;
      const rest = here.slice(this.base.version);
      const had = begins(this.latest, log) ? this.latest : null;
      const parts = { id: record, ...partsHere(had?.view || null) };
      const answer = await rules.ask(rest.length ? "draft" : "screen", {
        ...parts,
        ...(rest.length ? { events: rest } : {}),
      });
      if (answer.problem === undefined) return { ...markOf(log), view: withAllParts(had?.view, answer) };
      if (!log.acked) await this.#open(log, here);
    } catch {
      /* the rules are gone: the ledger may tell */
    }
    return null;
  }

  /**
   * Has the rules open a log.  What only this phone has is judged as a ledger would: an entry that cannot be recorded
   * is put aside.
   * @param {Log} log @param {GameEvent[]} here all its events
   */
  async #open(log, here) {
    const { rules, record } = this.recorder;
    const isHere = !log.acked;
    const first = isHere ? 1 : here.length;
    const known = begins(this.base, log) && this.base ? this.base.version : 0;
    this.base = null;
    let answer;
    if (!known) answer = await rules.ask("open", { id: record, events: here.slice(0, first) });
    else if (!isHere) answer = await rules.ask("append", { id: record, version: known, events: here.slice(known) });
    if (answer?.problem !== undefined && !isHere && !known && log.acked < here.length)
      answer = await rules.ask("open", { id: record, events: here.slice(0, log.acked) });
    // The rules here do not know every game that a server may have.
    if (answer?.problem !== undefined) return void (this.unusable = !known);
    const start = known && isHere ? known : answer?.version;
    this.base = markOf(log, start);
    if (!isHere || start === here.length) return;
    const { done, refused } = await rules.ask("take", { id: record, version: start, events: here.slice(start) });
    this.base = markOf(log, start + done);
    if (refused) this.recorder.putAside(log.entries[start + done].id, refused);
  }

  /** @param {Log} log @returns {Promise<Judged | null>} */
  async #byLedger(log) {
    const { ledger, exchange } = this.recorder;
    const { trouble } = exchange.contact;
    if (addresses.site || (!log.acked && log.seen === undefined) || trouble === "offline" || trouble === "sick")
      return null;
    const had = begins(this.ground, log) ? this.ground : null;
    const waits = events(log).slice(log.acked);
    const view = had?.view || null;
    const ask = () => (waits.length ? ledger.ask("draft", waits, view) : ledger.screen(view));
    const { kind, body } = await replyTo(ask, "version");
    if (kind !== "ok") return null;
    const mark = markOf(log, body.version);
    // What others have recorded since comes by the next exchange.
    const isSame = waits.length ? body.version === countOf(log) : log.entries[body.version - 1]?.link === body.link;
    return isSame ? { ...mark, view: withAllParts(view, body) } : null;
  }

  /**
   * What the rules, or else the ledger, say about events after all that is here: an answer like that of `fetch`.
   * @param {"check" | "draft"} what @param {GameEvent[]} more @param {number} [before] see `Ledger.ask`
   */
  async ask(what, more, before = undefined) {
    const { ledger, rules, record, log } = this.recorder;
    const had = this.judged?.view || null;
    const answer = await this.#inTurn(async () => {
      if (!this.quick || !log || !this.base) return null;
      const rest = [...events(log).slice(this.base.version), ...more];
      const question = { id: record, before, ...partsHere(had) };
      return rest.length
        ? rules.ask(what, { ...question, events: rest }).catch(() => null)
        : rules.ask("screen", question).catch(() => null);
    });
    if (answer) {
      const isDone = answer.problem === undefined;
      const body = isDone ? answer : { title: "That cannot be done", detail: answer.problem };
      return { ok: isDone, json: async () => body };
    }
    if (!log?.acked && log?.seen === undefined) throw new Error("no ledger has this game");
    const waits = log ? events(log).slice(log.acked) : [];
    const all = [...waits, ...more];
    return all.length ? ledger.ask(what, all, had, before) : ledger.screen(had, before);
  }

  /** The view before an event, with more events; null if nobody can tell now.
   * @param {number} seq @param {GameEvent[]} [more] */
  async before(seq, more = []) {
    const { judged } = this;
    try {
      const answer = await this.ask("draft", more, seq);
      return answer.ok ? withAllParts(judged?.view, await answer.json()) : null;
    } catch {
      return null;
    }
  }
}
