// The recorder of one record: the known state, the waiting entries, and new ones.
// @ts-check

import { buzz } from "./buzz.js";
import { Dialogs } from "./dialogs.js";
import { fitWindow, places, widened } from "./geometry.js";
import { guess } from "./guess.js";
import { Ledger } from "./ledger.js";
import { by } from "./marks.js";
import { recall, remember } from "./memory.js";
import { whole } from "./moves.js";
import { newId, Outbox } from "./outbox.js";
import { Pick } from "./pick.js";
import { HELD, Placing } from "./placing.js";
import { Post } from "./post.js";
import { show } from "./show.js";
import { SquareNames } from "./squares.js";
import { showSync } from "./sync.js";

/** What a look ahead is made of. @param {any} screen @param {any[]} events */
const stamp = (screen, events) => `${screen.version} ${JSON.stringify(events)}`;

export class Recorder {
  /** @param {string} record its id */
  constructor(record) {
    this.record = record;
    this.outbox = new Outbox(record);
    this.ledger = new Ledger(record, () => this.secret);
    /** The entries that are not settled. @type {any[]} */
    this.queue = [];
    /** The record by the ledger's last answer. @type {any} */
    this.screen = null;
    /** The entry that is changed, with the screen before it. @type {any} */
    this.edit = null;
    /** The view with the waiting entries, and what it was made from. @type {any} */
    this.made = null;
    /** The squares that are shown. @type {import("./geometry.js").Window | null} */
    this.box = null;
    /** Whether every kind of act is offered. */
    this.all = false;
    /** Whether the table plays on although the game is over by the record: an entry may be wrong. */
    this.goesOn = false;
    this.slots = new Map();
    this.secret = "";
    this.altered = false;
    this.resting = 0;
    this.writing = Promise.resolve(/** @type {any[]} */ ([]));
    this.post = new Post(this.outbox, this);
    this.pick = new Pick(this);
    this.placing = new Placing(this);
    this.dialogs = new Dialogs(this);
  }

  key() {
    return this.secret;
  }

  /**
   * Moves the key from the link's fragment to this phone, so that no copied address contains it.
   */
  async admit() {
    const fresh = location.hash.slice(1);
    this.secret = await this.outbox.key(fresh || recall(`key.${this.record}`));
    remember(`key.${this.record}`, this.secret);
    if (fresh) history.replaceState(null, "", location.pathname);
  }

  // ── What is known ────────────────────────────────────────────────────────────────────────────────────

  async begin() {
    await this.admit();
    for (const entry of await this.outbox.all()) this.queue.push(entry);
    const kept = await this.outbox.screen();
    if (kept) this.seen(kept);
    await this.refresh();
    this.post.flush();
    this.ledger.follow(
      () => this.screen?.version || 0,
      (version) => {
        if (version > (this.screen?.version || 0) && !this.post.sending.length) this.refresh();
        this.post.soon();
      },
      () => this.refresh(),
    );
    document.documentElement.dataset.ready = "yes";
  }

  /** Asks the ledger for the current screen. */
  async refresh() {
    const known = this.screen;
    const answer = await this.answer();
    if (!answer) return;
    this.post.gone = false;
    // Every event that this phone saw must still be there.
    this.altered = Boolean(known?.link) && answer.then !== known.link && answer.version >= known.version;
    // Another answer may have been faster and newer; and while entries wait, the answer to them says more.
    const telling = () =>
      !this.screen || (answer.version >= this.screen.version && (this.post.locked || !this.post.waiting.length));
    if (!telling()) return;
    await this.outbox.settle([], answer);
    // The disk may be slow, and entries made or sent in the meantime must not be undone by an older screen.
    if (telling()) this.seen(answer);
  }

  /** The screen before an event; null without a connection. @param {number} seq */
  before(seq) {
    return this.answer(seq);
  }

  /** The screen from the ledger, now or before an event; null if it is not available. @param {number} [before] */
  async answer(before) {
    const known = this.screen;
    try {
      const answer = await this.ledger.screen(known, before);
      const body = await answer.json();
      if (answer.ok) return whole(known, body);
      if (!this.screen)
        by("status").textContent =
          answer.status === 404
            ? `There is no game “${this.record}” in this ledger. Check the link.`
            : `${body.title}: ${body.detail}.`;
      else if (answer.status === 404) {
        this.post.gone = true;
        this.changed();
      }
    } catch {
      this.post.offline = true;
      if (!this.screen)
        by("status").textContent =
          "There is no connection, and this phone has not opened this game before. Try again when there is one.";
      this.changed();
    }
    return null;
  }

  /** @param {any} screen */
  seen(screen) {
    this.screen = screen;
    this.made = null;
    this.changed();
  }

  /** The version of the record with all waiting entries: the seq of the next entry. */
  get upto() {
    const { waiting } = this.post;
    return waiting.length ? waiting[waiting.length - 1].base + 1 : this.screen?.version || 0;
  }

  /** The view with all waiting entries, or before the entry that is being changed. */
  get view() {
    if (this.edit) return this.edit.screen;
    const events = this.post.waiting.map((entry) => entry.event);
    const of = stamp(this.screen, events);
    if (this.made?.of !== of) this.made = { of, view: guess(this.screen, events) };
    return this.made.view;
  }

  /** Whether the view comes from the ledger, and is not a guess of this phone. */
  get sure() {
    return this.view.sure !== false;
  }

  /** The names of the squares. */
  get names() {
    return new SquareNames(this.screen.corner || [0, 0]);
  }

  /** Asks for the view with the entries that rest on this phone for a moment. */
  async peek() {
    const events = this.post.waiting.map((entry) => entry.event);
    const known = this.screen;
    const of = stamp(known, events);
    try {
      const answer = await this.ledger.ask("draft", events, known);
      const view = { ...whole(known, await answer.json()), sure: true };
      // More may have been entered since; then this view is out of date.
      if (answer.ok && this.made?.of === of) this.made = { of, view };
      this.changed();
    } catch {
      /* the guess stays */
    }
  }

  // ── What is entered ──────────────────────────────────────────────────────────────────────────────────

  /**
   * Keeps events: on the disk of this phone first, then on the screen, then in the ledger.
   * @param {any[]} events @returns {Promise<any[]>}
   */
  keep(...events) {
    // One after the other, because each must know how many came before it.
    this.writing = this.writing.catch(() => []).then(() => this.write(events));
    // Draw at once: a finger may be on the next tile before the disk has this one.
    this.pick.clear();
    buzz();
    return this.writing;
  }

  /** @param {any[]} events */
  async write(events) {
    const when = new Date().toISOString();
    const who = recall("by");
    const first = this.upto;
    const entries = events.map((event, n) => ({
      id: newId(),
      record: this.record,
      base: first + n,
      state: "waiting",
      event: { ...event, when, ...(who ? { by: who } : {}) },
    }));
    try {
      await this.outbox.add(/** @type {any} */ (entries));
    } catch (error) {
      this.dialogs.say(
        "This phone cannot keep it",
        `Nothing was recorded: ${error}. A private window keeps nothing; try an ordinary one.`,
      );
      return [];
    }
    this.queue.push(...entries);
    this.all = false;
    this.pick.follow(events[events.length - 1]);
    this.changed();
    // A tile that was just put down can be turned without a trace for a moment; then it is sent.  Nothing else waits.
    if (this.placing.laid) this.rest();
    else this.post.soon();
    return entries;
  }

  /** Lets a tile rest on this phone for a moment, and looks ahead in the meantime. */
  rest() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.post.soon(), HELD);
    this.peek();
  }

  /**
   * Enters an event, or a change of an earlier one; it is judged first unless it is known to be legal.
   * @param {any} act @param {{legal?: boolean}} how
   */
  async enter(act, { legal = false } = {}) {
    const { edit } = this;
    let event = act;
    if (edit?.mode === "amend") event = { type: "amend", seq: edit.seq, event: act, why: edit.why };
    if (edit?.mode === "insert") event = { type: "insert", before: edit.seq, event: act, why: edit.why };
    if (!legal && this.sure && !(await this.stood(event))) return [];
    this.edit = null;
    return this.keep(event);
  }

  /**
   * Whether an event may be kept: at once if it breaks no rule, else when the table says that it happened.
   * @param {any} event @returns {Promise<boolean>}
   */
  async stood(event) {
    try {
      const answer = await this.ledger.ask("check", [...this.post.waiting.map((entry) => entry.event), event]);
      const verdict = await answer.json();
      if (!answer.ok) return this.dialogs.doubt(null, verdict.detail, false);
      const grave = verdict.findings.filter(
        (/** @type {any} */ finding) => finding.verdict === "impossible" || finding.verdict === "breach",
      );
      if (!grave.length) return true;
      const later = event.type === "amend" || event.type === "insert" || event.type === "retract";
      return this.dialogs.doubt(
        grave,
        "",
        later || !grave.some((/** @type {any} */ finding) => finding.verdict === "impossible"),
      );
    } catch {
      return this.dialogs.doubt(
        null,
        "There is no connection. Whether it was legal is checked when there is one.",
        true,
      );
    }
  }

  /** Takes back the last entry. */
  async undo() {
    const last = this.post.waiting[this.post.waiting.length - 1];
    if (last && !this.post.sending.includes(last)) {
      await this.outbox.settle([last], null);
      this.queue = this.queue.filter((entry) => entry !== last);
      this.placing.forget();
      this.changed();
      return;
    }
    const standing = this.screen.moves.filter(
      (/** @type {any} */ { event }) => !["note", "close", "confirm"].includes(event.type),
    );
    const seq = last ? last.base : Math.max(...standing.map((/** @type {any} */ move) => move.seq));
    if (Number.isFinite(seq)) await this.keep({ type: "retract", seq, why: "taken back at once" });
  }

  // ── What is shown ────────────────────────────────────────────────────────────────────────────────────

  /** One kind of act by one player. @param {string} [kind] @param {string} [player] @returns {any} */
  way(kind = this.pick.kind, player = this.pick.player) {
    return this.view.form.ways.find((/** @type {any} */ way) => way.kind === kind && (way.player || player) === player);
  }

  /** Fits the squares that are shown to the current table. @param {any} grid */
  fit(grid) {
    const legal = (/** @type {any} */ view) =>
      view.form.ways
        .filter((/** @type {any} */ way) => way.kind === "place")
        .flatMap((/** @type {any} */ way) => places(way, null));
    // Without a connection, the ledger's last answer shows where there is room.
    const known = this.screen.scene.areas.find((/** @type {any} */ area) => area.type === "grid");
    if (!this.box && !this.sure && known) this.box = fitWindow(known, legal(this.screen), null, true);
    this.box = fitWindow(grid, legal(this.view), this.box, this.sure);
    return this.box;
  }

  /** Shows one square more at each side. */
  widen() {
    if (this.box) this.box = widened(this.box);
    this.changed({ keep: true });
  }

  /** Draws everything again; with `keep`, what was picked by hand stays. */
  changed({ keep = false } = {}) {
    if (!this.screen) {
      showSync(this);
      return;
    }
    const total = this.upto;
    if (keep) this.pick.byHand = total;
    else if (this.pick.byHand !== total || this.pick.edited !== this.edit) this.pick.choose();
    show(this, this.view);
  }

  /** Another phone recorded something first. @param {any} problem */
  overtaken(problem) {
    this.dialogs.overtaken(problem);
  }
}
