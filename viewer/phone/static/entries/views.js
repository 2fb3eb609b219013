// The view of a game: the rules applied to its log.  Before they are there, the last view that somebody judged, and
// what came after it as it was entered.  No view is compared with another.

import { soon } from "../../../every_page/static/retry_and_follow.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { events, waiting } from "../notebook/log.js";
import { admitted, pathOf, replyTo, request } from "./api.js";
import { unjudged } from "./waiting.js";

/** @import { Log } from "../notebook/log.js" */
/** @typedef {Omit<import("../notebook/notebook.js").Stored, "id" | "program">} Judged  see `Stored` */

/** Milliseconds until a view is on the disk: it is large, and only the first screen of the next visit needs it. */
const STORED = 1000;

/** What tells versions of the program apart. */
const program = () => document.body?.dataset.program || "";

/** A view of a log as it is now. @param {Log} log @param {View} view @returns {Judged} */
const judgedOf = ({ entries, names }, view) => ({
  version: entries.length,
  tail: entries[entries.length - 1]?.id || "",
  names,
  view,
});

/** Whether two logs have the same names, as far as a ledger has told. @param {string} one @param {string} other */
const haveSameNames = (one, other) => !one || !other || one === other;

/** Whether a log begins with what a view shows. @param {Judged | null} judged @param {Log | null} log */
const begins = (judged, log) =>
  Boolean(judged && log && haveSameNames(judged.names, log.names)) &&
  log?.entries[(judged?.version || 0) - 1]?.id === judged?.tail;

/** How many first entries a log has in common with what the rules have. @param {Log | null} held @param {Log} log */
function inCommon(held, log) {
  if (!held || !haveSameNames(held.names, log.names)) return 0;
  const other = held.entries.findIndex(({ id }, n) => id !== log.entries[n]?.id);
  return other < 0 ? held.entries.length : other;
}

/** What a question tells, so that its answer leaves out what this phone has. @param {View | null | undefined} view */
const partsOf = (view) =>
  view ? { seen: view.version, moves: view.moves_digest, findings: view.findings_digest } : {};

/** An answer with all its moves and findings. @param {View | null | undefined} view @param {View} answer */
function whole(view, answer) {
  if (!view) return answer;
  const moves = [...view.moves.slice(0, answer.kept), ...answer.moves];
  return { ...answer, kept: 0, moves, findings: answer.findings || view.findings };
}

export class Views {
  /** The latest view that somebody has judged. @type {Judged | null} */
  latest = null;
  /** The one that the store has. @type {Judged | null} */
  stored = null;
  /** Whether the store has a view that this page cannot draw, because another version of the program stored it. */
  undrawn = false;
  /** The log that the rules have. @type {Log | null} */
  held = null;
  /** Why the rules cannot draw the game; "" if they can. */
  problem = "";
  turn = /** @type {Promise<any>} */ (Promise.resolve());
  /**
   * The view that was made last of one that was judged.
   * @type {{ from: Judged, log: Log, view: View } | null}
   */
  #made = null;
  #timer = 0;

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** The judged view with which the log begins; null if there is none. @returns {Judged | null} */
  get judged() {
    return begins(this.latest, this.recorder.log) ? this.latest : null;
  }

  /** The events that nobody has judged. @returns {GameEvent[]} */
  get unjudged() {
    const { log } = this.recorder;
    return log && this.judged ? events(log).slice(this.judged.version) : [];
  }

  /** The view with all entries; null if there is nothing to show. @returns {View} */
  get view() {
    const { log } = this.recorder;
    const { judged, latest } = this;
    if (!latest || !log) return /** @type {any} */ (null);
    if (judged?.version === log.entries.length) return judged.view;
    if (this.#made?.from !== latest || this.#made.log.entries !== log.entries)
      this.#made = { from: latest, log, view: unjudged(latest.view, this.unjudged) };
    return this.#made.view;
  }

  /** Whether the rules on this phone answer at once about what is shown. */
  get quick() {
    const { rules, log } = this.recorder;
    const count = log?.entries.length;
    return rules.ready && Boolean(log && count === this.held?.entries.length && inCommon(this.held, log) === count);
  }

  /** Remembers what the disk has. @param {import("../notebook/notebook.js").Stored | undefined} stored */
  open(stored) {
    if (stored?.program === program()) this.latest = this.stored = stored;
    else this.undrawn = Boolean(stored);
  }

  /** Shows this view, if the log begins with it; whether it does. @param {Judged | null} judged */
  take(judged) {
    if (!judged || !begins(judged, this.recorder.log) || judged.version < (this.judged?.version || 0)) return false;
    this.latest = judged;
    this.undrawn = false;
    // The first view and the last one are on the disk at once.
    if (!this.stored || judged.view.closed) this.store();
    else this.#timer ||= setTimeout(() => this.store(), STORED);
    return true;
  }

  /** Keeps the latest view for the next visit. */
  store() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const { judged } = this;
    if (!judged || judged === this.stored) return;
    this.stored = judged;
    const { record, notebook } = this.recorder;
    notebook.keepScreen({ ...judged, id: record, program: program() }).catch(() => undefined);
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
    if (!log || (this.judged?.version === log.entries.length && (this.quick || !recorder.rules.ready))) return;
    const judged = await this.look(log);
    if (recorder.views === this && this.take(judged)) recorder.changed();
  }

  /** How a log looks; null if nobody can tell now. @param {Log} log @returns {Promise<Judged | null>} */
  async look(log) {
    const answer = await this.#ask("screen", log);
    if (answer && answer.problem === undefined) return judgedOf(log, answer);
    return answer ? null : this.#byLedger(log);
  }

  /**
   * What the rules say about a log; null if they cannot.  One question after the other.
   * @param {"screen" | "check"} what @param {Log} log
   * @param {{ more?: GameEvent[], before?: number }} [question] events after the log; the seq before which it is shown
   * @returns {Promise<any>}
   */
  #ask(what, log, question = {}) {
    const { rules, record } = this.recorder;
    const answering = this.turn.then(async () => {
      if (!rules.ready || !log.entries.length) return null;
      const version = inCommon(this.held, log);
      const view = begins(this.latest, log) ? this.latest?.view : null;
      const here = { id: record, version, events: events(log).slice(version) };
      this.held = null;
      const answer = await rules.ask(what, { ...here, ...question, ...(what === "screen" ? partsOf(view) : {}) });
      this.problem = answer.problem || "";
      if (this.problem) return answer;
      this.held = log;
      return what === "screen" ? whole(view, answer) : answer;
    });
    // The rules may be gone: then nobody can tell.
    this.turn = answering.catch(() => null);
    return this.turn;
  }

  /** Whether the ledger answers, and has all of a log. @param {Log} log */
  #isLedgers(log) {
    const { trouble } = this.recorder.exchange.contact;
    return !addresses.site && !["offline", "sick"].includes(trouble) && log.acked > 0 && !waiting(log).length;
  }

  /** @param {string} what @param {string} field see `replyTo` @param {{ body?: object }} [how] */
  #fromLedger(what, field, how) {
    const { record, secret } = this.recorder;
    return replyTo(() => admitted(record, secret, () => request(pathOf(record, what), how)), field);
  }

  /**
   * The ledger's own view of a log, if the ledger has all of it.
   * @param {Log} log @param {number} [before] see `before` @param {GameEvent[]} [more] @returns {Promise<any>}
   */
  async #byLedger(log, before, more = []) {
    if (!this.#isLedgers(log)) return null;
    const view = begins(this.latest, log) ? this.latest?.view : null;
    const asked = /** @type {any} */ ({ ...partsOf(view), ...(before ? { before } : {}) });
    const { kind, body } = await (more.length
      ? this.#fromLedger("draft", "version", { body: { ...asked, events: more } })
      : this.#fromLedger(`screen?${new URLSearchParams(asked)}`, "version"));
    // What others have recorded since comes by the next exchange.
    if (kind !== "ok" || body.version !== log.entries.length + more.length) return null;
    if (!more.length && log.entries[body.version - 1].link !== body.link) return null;
    return before ? whole(view, body) : judgedOf(log, whole(view, body));
  }

  /** What is asked before these; null if nobody can tell. @param {GameEvent[]} more @returns {Promise<any>} */
  async check(more) {
    const { log, rules } = this.recorder;
    const answer = log && (await this.#ask("check", log, { more }));
    // Where the rules are not to be had, or do not know the game, the ledger says it.
    const isLedgers = log && (rules.reason || this.problem) && this.#isLedgers(log);
    if (!isLedgers) return answer;
    const { kind, body, reason } = await this.#fromLedger("check", "question", { body: { events: more } });
    return kind === "refused" ? { problem: reason } : body;
  }

  /**
   * The view before an event, with more events after all others; null if nobody can tell now.
   * @param {number} seq @param {GameEvent[]} [more] @returns {Promise<View | null>}
   */
  async before(seq, more = []) {
    const { log } = this.recorder;
    if (!log) return null;
    const answer = await this.#ask("screen", log, { before: seq, more });
    if (answer) return answer.problem === undefined ? answer : null;
    return this.#byLedger(log, seq, more);
  }
}
