// The recorder of one record: the known state, the waiting entries, and new ones.
// @ts-check

import { soon } from "../again.js";
import { idle } from "../rules/phone.js";
import { Ahead } from "./ahead.js";
import { buzz } from "./buzz.js";
import { Dialogs } from "./dialogs.js";
import { mayKeep } from "./judge.js";
import { Ledger } from "./server_ledger.js";
import { by } from "./marks.js";
import { recall, remember } from "../memory.js";
import { withAllParts } from "./moves.js";
import { entriesOf, Outbox } from "./outbox.js";
import { takeOnly } from "./pad.js";
import { Pick } from "./pick.js";
import { Placing } from "./placing.js";
import { Post } from "./send_entries.js";
import { Redo } from "./redo.js";
import { replyTo } from "./reply.js";
import { show } from "./show.js";
import { showSync, whyNot } from "./sync.js";
import { inOne, kindOf, trouble } from "./trouble.js";
import { Witness } from "./witness.js";

/** @import { GameEvent, View } from "./view.js" */
/** @import { Entry } from "./outbox.js" */

export class Recorder {
  /** The record that is open: its id; "" for none. */
  record = "";
  /** Where the record is: in the ledger of the server, or only on this phone. @type {any} */
  ledger = null;
  /** The entries that are not settled. @type {Entry[]} */
  queue = [];
  /** The record by the ledger's last answer; null before the first. @type {View} */
  screen = /** @type {any} */ (null);
  /** Whether this phone’s store was not read for the record yet: until then no answer takes the place of anything. */
  unread = true;
  /** The entry that is changed, with the screen before it. @type {import("./view.js").Edit | null} */
  edit = null;
  /** The squares that are shown. @type {import("./geometry.js").Window | null} */
  box = null;
  /** Whether every kind of act is offered. */
  all = false;
  /** Whether the table plays on although the game is over by the record: an entry may be wrong. */
  goesOn = false;
  slots = new Map();
  secret = "";
  /** Why the ledger does not take a game that only this phone has; "" if it does. */
  refused = "";
  /** Why such a game is not in the ledger yet, as the end of a sentence; "" if nothing is known. */
  delay = "";
  writing = Promise.resolve(/** @type {Entry[]} */ ([]));
  stopFollowing = () => {};
  /** Hands in again what the ledger lost of this record; whether it has all then, and at least so many events. */
  handBack = async (_least = 0) => false;

  /** @param {import("../rules/phone.js").PhoneRules} rules */
  constructor(rules) {
    this.rules = rules;
    this.outbox = new Outbox("");
    this.witness = new Witness("", this.outbox);
    this.ledger = this.ofServer();
    this.post = new Post(this.outbox, this);
    this.ahead = new Ahead(this);
    this.pick = new Pick(this);
    this.placing = new Placing(this);
    this.redo = new Redo(this);
    this.dialogs = new Dialogs(this);
  }

  /** Forgets everything about the record that was open, and turns to another. @param {string} record its id */
  clear(record) {
    this.post.stop();
    this.stopFollowing();
    this.record = record;
    this.queue = [];
    this.unread = true;
    this.edit = this.box = this.ahead.last = null;
    this.screen = /** @type {any} */ (null);
    this.all = this.goesOn = false;
    this.slots.clear();
    this.secret = this.refused = this.delay = "";
    this.outbox = new Outbox(record);
    this.witness = new Witness(record, this.outbox);
    this.ledger = this.ofServer();
    this.post = new Post(this.outbox, this);
    this.pick = new Pick(this);
    this.placing = new Placing(this);
    this.redo.quiet();
    this.redo = new Redo(this);
    this.dialogs.banners.conflict = null;
    this.dialogs.lookBack.forget();
  }

  /** Whether the record is only on this phone. */
  get local() {
    return this.ledger.local;
  }

  /** The record in the ledger of the server. */
  ofServer() {
    return new Ledger(this.record, () => this.secret, this.rules, this.outbox);
  }

  /** Brings entries to where the record is. @param {number} expected @param {{ id: string, event: any }[]} entries */
  send(expected, entries) {
    return this.ledger.take(expected, entries);
  }

  /** Moves the key from the link's fragment to this phone, so that no copied address contains it. */
  async admit() {
    const { post, record } = this;
    const fresh = location.hash.slice(1);
    const secret = await this.outbox.key(fresh || recall(`key.${record}`));
    remember(`key.${record}`, secret);
    if (post !== this.post) return;
    this.secret = secret;
    if (fresh) history.replaceState(null, "", location.pathname);
  }

  // ── What is known ────────────────────────────────────────────────────────────────────────────────────

  /**
   * Opens a record.
   * @param {string} record its id
   * @param {any} [local] for a game that only this phone has: its `ledger`, its `key`, and why it was `refused`
   */
  async open(record, local = null) {
    // What was entered last belongs to the record before.
    await this.writing.catch(() => []);
    this.clear(record);
    const { post, outbox, witness } = this;
    if (local) {
      this.ledger = local.ledger;
      this.secret = local.key;
      this.refused = local.refused;
    } else await this.admit();
    await witness.open();
    const [entries, screen] = [await outbox.all(), await outbox.screen()];
    // Another record may have been opened meanwhile.
    if (post !== this.post) return;
    this.queue.push(...entries);
    this.screen = screen || null;
    this.unread = false;
    this.changed();
    const refreshing = this.refresh();
    // What the disk has is enough to go on: a network that does not answer is not waited for.
    await (this.screen ? Promise.race([refreshing, soon()]) : refreshing);
    if (post !== this.post) return;
    post.flush();
    this.follow();
    document.documentElement.dataset.ready = "yes";
    // The page is usable now.
    await idle();
    await this.catchUp();
  }

  /** Listens for what others record. */
  follow() {
    this.stopFollowing();
    this.stopFollowing = this.ledger.follow(
      () => this.screen?.version || 0,
      (/** @type {number} */ version) => {
        if (version > (this.screen?.version || 0) && !this.post.sending.length) this.refresh();
        this.post.soon();
      },
      () => this.refresh(),
      // The ledger may have less than this phone saw, or something else.
      (/** @type {number} */ version, /** @type {string} */ link) => {
        const { screen } = this;
        if (screen?.link && (version < screen.version || (version === screen.version && link !== screen.link)))
          this.refresh();
      },
    );
  }

  /** The ledger has the game now that only this phone had: from here on its answers count. */
  async moved() {
    if (!this.local) return;
    const { post, outbox } = this;
    this.ledger = this.ofServer();
    await this.admit();
    // What the ledger did not accept of the game waits here again.
    await this.writing;
    const entries = await outbox.all();
    if (post !== this.post) return;
    const knownIds = new Set(this.queue.map(({ id }) => id));
    this.queue.push(...entries.filter(({ id }) => !knownIds.has(id)));
    this.queue.sort((a, b) => a.base - b.base);
    await this.refresh();
    this.follow();
    this.post.soon();
  }

  /** Asks the ledger for the current screen. */
  async refresh() {
    if (this.unread) return;
    const { post } = this;
    const answer = await this.answer();
    if (!answer) return;
    // Another answer may have been faster and newer; and while entries wait, the answer to them says more.
    const isNews = () =>
      post === this.post &&
      (!this.screen || (answer.version >= this.screen.version && (post.locked || !post.waiting.length)));
    if (!isNews()) return;
    await this.outbox.settle([], answer, !this.local);
    // The disk may be slow, and entries made or sent in the meantime must not be undone by an older screen.
    if (isNews()) this.seen(answer);
  }

  /** The ledger stands otherwise to this record since this phone handed it in again: what waited can follow. */
  async handedBack() {
    await this.witness.look();
    await this.refresh();
    const { banners } = this.dialogs;
    if (this.witness.short || (banners.conflict && banners.conflict.version >= (this.screen?.version || 0))) return;
    banners.conflict = null;
    await this.post.resume();
  }

  /** The view before an event; null if nobody can tell now. @param {number} seq */
  async before(seq) {
    const waiting = this.ahead.events;
    if (!waiting.length || !this.quick) return this.answer(seq);
    const answer = await this.ledger.ask("draft", waiting, this.screen, seq);
    return answer.ok ? withAllParts(this.screen, await answer.json()) : null;
  }

  /** The screen from the ledger, now or before an event; null if it is not available. @param {number} [before] */
  async answer(before) {
    const { screen, post } = this;
    const { kind, status, body, reason } = await replyTo(() => this.ledger.screen(screen, before));
    if (post !== this.post) return null;
    if (kind === "ok") {
      const answer = { ...withAllParts(screen, body), seen: screen?.version || 0 }; // where `then` is the link
      if (before) return answer;
      [post.gone, post.offline, post.trouble] = [false, false, ""];
      const { short } = this.witness;
      const isWhole = await this.witness.compare(screen, answer);
      if (short !== this.witness.short) this.changed();
      if (!isWhole) this.handBack();
      return isWhole ? answer : null;
    }
    post.offline ||= kind === "offline";
    if (kind === "sick") post.trouble = reason;
    if (screen && kind === "refused" && status === 404) {
      post.gone = true;
      this.handBack();
    } else if (!screen) by("status").textContent = whyNot(this, kind, status, reason);
    this.changed();
    return null;
  }

  /**
   * Shows what the ledger answered.
   * @param {View} screen @param {any[]} [sent] the events that this phone sent since the last answer
   */
  seen(screen, sent = []) {
    this.screen = screen;
    this.changed();
    this.catchUp(sent);
  }

  /** Brings the record beside the rules on this phone to where the ledger is. @param {any[]} [sent] */
  async catchUp(sent = []) {
    // The page comes first.
    if (!document.documentElement.dataset.ready || !(await this.rules.start())) return;
    const { ledger, screen } = this;
    if (!ledger.local) await ledger.mirror.follow(screen, sent);
    if (ledger !== this.ledger || !this.screen) return;
    if (this.ahead.events.length && !this.sure) await this.ahead.show();
    else if (ledger.mirror?.disputed.length) this.changed();
    this.dialogs.banners.mistakes.look();
  }

  /** The version of the record with all waiting entries: the seq of the next entry. */
  get upto() {
    const { waiting } = this.post;
    if (waiting.length) return waiting[waiting.length - 1].base + 1;
    return Math.max(this.screen?.version || 0, this.witness.short?.seen || 0);
  }

  /** The view with all waiting entries, or before the entry that is being changed. @returns {View} */
  get view() {
    return this.edit ? this.edit.screen : this.latest;
  }

  /** The view with all waiting entries. @returns {View} */
  get latest() {
    return this.ahead.view;
  }

  /** The newest view that the rules have made: with all that waits, or else the ledger's screen. @returns {View} */
  get judged() {
    return this.latest?.sure === false ? this.screen : this.latest;
  }

  /** Whether the view was made by the rules. */
  get sure() {
    return this.view.sure !== false;
  }

  /** Whether the rules on this phone answer at once. */
  get quick() {
    return this.ledger.quick(this.screen);
  }

  // ── What is entered ──────────────────────────────────────────────────────────────────────────────────

  /**
   * Keeps events: on the disk of this phone first, then on the screen, then in the ledger.
   * @param {GameEvent[]} events @returns {Promise<any[]>}
   */
  keep(...events) {
    // One after the other, because each must know how many came before it.
    this.writing = this.writing.catch(() => []).then(() => this.write(events));
    this.redo.quiet();
    // Draw at once: a finger may be on the next tile before the disk has this one.
    this.pick.clear();
    buzz();
    return this.writing;
  }

  /** @param {GameEvent[]} events */
  async write(events) {
    const entries = entriesOf(this.record, this.upto, events);
    // The rules look while the disk writes.
    const lookAhead = this.quick && this.ahead.look([...this.ahead.events, ...entries.map(({ event }) => event)]);
    try {
      await this.outbox.add(entries);
    } catch (error) {
      this.dialogs.say("This phone cannot keep it", `Nothing was recorded. ${inOne(trouble(kindOf(error)))}`);
      return [];
    }
    const look = lookAhead && (await Promise.race([lookAhead, soon()]));
    this.queue.push(...entries);
    if (look) this.ahead.last = look;
    this.all = false;
    this.changed();
    if (lookAhead && !look) this.ahead.show();
    this.post.soon();
    return entries;
  }

  /**
   * Enters an event, or a change of an earlier one; it is judged first unless it is known to be legal.
   * @param {GameEvent} act @param {{legal?: boolean}} how
   */
  async enter(act, { legal = false } = {}) {
    const { edit } = this;
    let event = act;
    if (edit?.mode === "amend") event = { type: "amend", seq: edit.seq, event: act, why: edit.why };
    if (edit?.mode === "insert") event = { type: "insert", before: edit.seq, event: act, why: edit.why };
    if (!legal && this.sure && !(await mayKeep(this, event))) return [];
    this.edit = null;
    return this.keep(event);
  }

  /** Ends changing an entry, without a change. */
  leaveEdit() {
    this.edit = null;
    this.pick.clear();
    this.changed();
  }

  // ── What is shown ────────────────────────────────────────────────────────────────────────────────────

  /** One kind of act by one player. @param {string} [kind] @param {string} [player] */
  way(kind = this.pick.kind, player = this.pick.player) {
    return this.view.form.ways.find((way) => way.kind === kind && (way.player || player) === player);
  }

  /** What is said about a kind of act. @param {string} [kind] */
  prompt(kind = this.pick.kind) {
    return this.view.prompts.find((prompt) => prompt.kind === kind);
  }

  /** Draws everything again; with `keep`, what was picked by hand stays. */
  changed({ keep = false } = {}) {
    if (!this.screen) {
      showSync(this);
      return;
    }
    this.pick.update(keep);
    if (!keep) takeOnly(this);
    show(this, this.view);
  }

  /** Another phone recorded something first. @param {any} problem */
  overtaken(problem) {
    this.dialogs.overtaken(problem);
  }
}
