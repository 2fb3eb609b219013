// The recorder of one record: what is known of it, what waits, and what is shown.

import { Ahead } from "../entries/waiting.js";
import { Answers } from "../entries/answers.js";
import { Blind } from "../entries/blind.js";
import { Dialogs } from "./recorder_dialogs.js";
import { Writer } from "../entries/keep_entries.js";
import { Ledger } from "../entries/server_ledger.js";
import { Outbox } from "../entries/outbox.js";
import { takeOnly } from "./number_pad.js";
import { Pick } from "./next_entry.js";
import { Placing } from "./place_tile.js";
import { Post } from "../entries/send_entries.js";
import { Redo } from "../entries/undo.js";
import { Versions } from "./two_phones.js";
import { drawPage } from "./draw_page.js";
import { showSync } from "../entries/sync.js";
import { Witness } from "../entries/witness.js";

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
  /** Whether the store has a screen that this page cannot draw, because another version of the program stored it. */
  undrawn = false;
  /** The entry that is changed, with the screen before it. @type {Edit | null} */
  edit = null;
  /** The squares that are shown. @type {import("../pieces/tile_geometry.js").Window | null} */
  box = null;
  /** Whether every kind of act is offered. */
  all = false;
  /** Whether the table plays on although the game is over by the record: an entry may be wrong. */
  goesOn = false;
  slots = new Map();
  secret = "";
  /** Tells the other tabs of this phone to look at the disk again. @type {BroadcastChannel | null} */
  tabs = null;
  /** Why the ledger does not take a game that only this phone has; "" if it does. */
  refused = "";
  /** Why such a game is not in the ledger yet, as the end of a sentence; "" if nothing is known. */
  delay = "";
  /** Hands in again what the ledger lost of this record; whether it has all then, and at least so many events. */
  handBack = async (_least = 0) => false;

  /** @param {PhoneRules} rules */
  constructor(rules) {
    this.rules = rules;
    this.outbox = new Outbox("");
    this.witness = new Witness("", this.outbox);
    this.ledger = this.ofServer();
    this.post = new Post(this.outbox, this);
    this.answers = new Answers(this);
    this.writer = new Writer(this);
    this.ahead = new Ahead(this);
    this.pick = new Pick(this);
    this.placing = new Placing(this);
    this.redo = new Redo(this);
    this.blind = new Blind(this);
    this.versions = new Versions(this);
    this.dialogs = new Dialogs(this);
  }

  /** Forgets everything about the record that was open, and turns to another. @param {string} record its id */
  clear(record) {
    this.post.stop();
    this.answers.stopFollowing();
    this.tabs?.close();
    this.tabs = null;
    this.record = record;
    this.queue = [];
    this.unread = true;
    this.undrawn = false;
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
    this.blind = new Blind(this);
    this.versions = new Versions(this);
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
    if (!this.screen) return showSync(this);
    this.pick.update(keep);
    if (!keep) takeOnly(this);
    return drawPage(this, this.view);
  }
}
