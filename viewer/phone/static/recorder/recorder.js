// The recorder of one record: its log, how it is shown, and what is picked.

import { soon } from "../../../every_page/static/retry_and_follow.js";
import { Blind } from "../entries/blind.js";
import { Dialogs } from "./recorder_dialogs.js";
import { Writer } from "../entries/keep_entries.js";
import { Views } from "../entries/views.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { newLog, waiting } from "../notebook/log.js";
import { words } from "../notebook/words.js";
import { SquareNames } from "../pieces/tile_geometry.js";
import { takeOnly } from "./number_pad.js";
import { Pick } from "./next_entry.js";
import { Placing } from "./place_tile.js";
import { Redo } from "../entries/undo.js";
import { Versions } from "./two_phones.js";
import { drawPage } from "./draw_page.js";
import { renewSync, showSync } from "./header.js";

/** @import { Log, Entry } from "../notebook/log.js" */

export class Recorder {
  /** The record that is open: its id; "" for none. */
  record = "";
  /** What this phone has of it; null before the disk was read. @type {Log | null} */
  log = null;
  /** The entry that is changed, with the screen before it. @type {Edit | null} */
  edit = null;
  /** The squares that are shown. @type {import("../pieces/tile_geometry.js").Window | null} */
  box = null;
  /** Whether every kind of act is offered. */
  all = false;
  /** Whether the table plays on although the game is over by the record: an entry may be wrong. */
  goesOn = false;
  slots = new Map();
  views = new Views(this);
  pick = new Pick(this);
  placing = new Placing(this);
  redo = new Redo(this);
  blind = new Blind(this);
  versions = new Versions(this);

  /**
   * @param {PhoneRules} rules @param {import("../notebook/notebook.js").Notebook} notebook
   * @param {import("../notebook/exchange.js").Exchange} exchange
   */
  constructor(rules, notebook, exchange) {
    this.rules = rules;
    this.notebook = notebook;
    this.exchange = exchange;
    this.writer = new Writer(this);
    this.dialogs = new Dialogs(this);
  }

  /** Forgets everything about the record that was open, and turns to another. @param {string} record its id */
  clear(record) {
    this.exchange.close();
    this.views.store();
    this.record = record;
    this.log = this.edit = this.box = null;
    this.all = this.goesOn = false;
    this.slots.clear();
    this.redo.quiet();
    this.views = new Views(this);
    this.pick = new Pick(this);
    this.placing = new Placing(this);
    this.redo = new Redo(this);
    this.blind = new Blind(this);
    this.versions = new Versions(this);
    this.dialogs.lookBack.forget();
  }

  /** The key of this phone to the game; "" for none. */
  get secret() {
    return this.log?.key || "";
  }

  /** Whether no ledger has the game. */
  get local() {
    return addresses.site || Boolean(this.log?.entries.length && !this.log.acked);
  }

  /** How this page stands to the ledger. */
  get contact() {
    return this.exchange.contactOf(this.record);
  }

  /** What the ledger has not acknowledged; what never happened waits for nobody. @returns {Entry[]} */
  get waiting() {
    return this.log && !this.log.from ? waiting(this.log) : [];
  }

  /** The number of events: the seq of the next entry. */
  get upto() {
    return this.log?.entries.length || 0;
  }

  /** What the header says. */
  get words() {
    return words(this.log || newLog(this.record, ""), this.contact, performance.now());
  }

  /** The view with all entries, or before the entry that is being changed. @returns {View} */
  get view() {
    return this.edit ? this.edit.screen : this.latest;
  }

  /** The view with all entries; null while there is nothing to show. @returns {View} */
  get latest() {
    return this.views.view;
  }

  /** The newest view that somebody has judged. @returns {View} */
  get judged() {
    return this.views.judged?.view || this.latest;
  }

  /** The names of the squares. */
  get names() {
    return new SquareNames(this.judged.squares);
  }

  /** Whether the rules have judged what is shown. */
  get sure() {
    return this.view.sure !== false;
  }

  /** Whether the rules on this phone answer at once. */
  get quick() {
    return this.views.quick;
  }

  /** One kind of act by one player. @param {string} [kind] @param {string} [player] */
  way(kind = this.pick.kind, player = this.pick.player) {
    return this.view.form.ways.find((way) => way.kind === kind && (way.player || player) === player);
  }

  /** What is said about a kind of act. @param {string} [kind] */
  prompt(kind = this.pick.kind) {
    return this.view.prompts.find((prompt) => prompt.kind === kind);
  }

  /**
   * Changes the log on the disk, and shows it; null if the page turned to another game.  The rules look while the disk
   * writes.  Raises what kept the disk from it.
   * @param {(log: Log) => Log} work a pure function @returns {Promise<Log | null>}
   */
  async change(work) {
    const { record, notebook, views } = this;
    const next = this.log && work(this.log);
    const looking = next && this.quick && next.entries !== this.log?.entries ? views.look(next) : null;
    const { log } = await notebook.change(record, (log) => ({ log: log && work(log) }));
    const look = looking && (await Promise.race([looking, soon()]));
    if (record !== this.record || !log) return null;
    this.log = log;
    const isDrawn = views.take(look);
    this.changed();
    if (!isDrawn) views.show();
    return log;
  }

  /** The log has changed on the disk: by an answer of the ledger, or in another tab. */
  async look() {
    const { record, notebook } = this;
    const log = await notebook.get(record);
    if (record !== this.record || !log) return;
    this.log = log;
    this.changed();
    await this.views.show();
  }

  /**
   * Shows what became of a question to the ledger.
   * @param {import("../notebook/exchange.js").Heard | null} heard
   */
  async heard(heard) {
    if (heard) this.versions.say(heard.twins);
    const { log } = this;
    const now = this.notebook.cache.get(this.record)?.log;
    if (log && now) this.log = now;
    if (now?.entries === log?.entries && now?.acked === log?.acked) {
      renewSync(this);
      return this.views.judged?.version === this.upto ? undefined : this.views.show();
    }
    this.changed({ keep: now?.entries.length === log?.entries.length });
    return this.views.show();
  }

  /** Draws everything again; with `keep`, what was picked by hand stays. */
  changed({ keep = false } = {}) {
    if (!this.latest) return showSync(this);
    this.versions.look();
    this.pick.update(keep);
    if (!keep) takeOnly(this);
    return drawPage(this, this.view);
  }
}
