// Entries that were made while nobody knew whose turn it was.  As soon as the rules or the ledger can tell, they are
// read again, one after the other, with the seat that was due at each.  Findings would say too little: in the second
// edition of Gale's game wrong players make none.

import { idAt } from "../notebook/log.js";
import { numberOf } from "../pieces/entries_in_words.js";
import { drawn, safe, stamp } from "../pieces/markup.js";
import { bare } from "./undo.js";

/** @typedef {{ seq: number, event: GameEvent, player: string }} Row  `player`: who did it, by the turn or by a tap */

/** So many names are read out in a question. */
const NAMED = 6;
const WHY = "entered without the rules";

/** How often, in words. @param {number} count */
const times = (count) => (count === 2 ? "twice" : count === 3 ? "three times" : `${count} times`);

export class Blind {
  /** What somebody must look at; empty if every seat was due. @type {Row[]} */
  rows = [];
  /** What was read last. */
  about = "";
  /** The seats that somebody has tapped since, by seq. @type {Map<number, string>} */
  tapped = new Map();

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** The seqs of the entries that nobody has read again. @returns {number[]} */
  get seqs() {
    const { log } = this.recorder;
    return (log?.entries || []).flatMap(({ blind }, n) => (blind ? [n] : []));
  }

  /** Reads them again, if somebody can tell now and has not yet. */
  look() {
    const { latest, log, edit } = this.recorder;
    if (!latest || latest.sure === false || edit || log?.choice) return;
    const { seqs } = this;
    const about = seqs.length ? `${seqs}/${log?.entries.length}/${[...this.tapped]}` : "";
    if (about === this.about) return;
    this.about = about;
    this.read(seqs, about).catch(() => (this.about = ""));
  }

  /** @param {number[]} seqs @param {string} about */
  async read(seqs, about) {
    const { recorder } = this;
    const moves = new Map(recorder.latest.moves.map(({ seq, event }) => [seq, event]));
    /** @type {Row[]} */
    const rows = [];
    for (const seq of seqs.filter((one) => moves.has(one))) {
      const event = /** @type {GameEvent} */ (moves.get(seq));
      const view = await recorder.views.before(seq, this.corrections(rows));
      if (!view) return void (this.about = "");
      if (this.about !== about) return;
      const ways = view.form.ways.filter(({ due, kind }) => due && kind === event.type);
      const due = [...new Set(ways.map(({ player }) => player || ""))];
      const isClear = due.length === 1 && due[0];
      rows.push({ seq, event, player: this.tapped.get(seq) || (isClear ? due[0] : event.player || "") });
    }
    const wrong = rows.filter(({ event, player }) => player !== event.player);
    if (!wrong.length && !this.tapped.size) return this.done(seqs);
    this.rows = rows;
    recorder.changed({ keep: true });
  }

  /** What puts the seats right. @param {Row[]} rows @returns {GameEvent[]} */
  corrections(rows) {
    return rows
      .filter(({ event, player }) => player !== event.player)
      .map(({ seq, event, player }) => ({ type: "amend", seq, event: { ...bare(event), player }, why: WHY }));
  }

  /** Forgets these: every seat was due, or somebody has decided. @param {number[]} seqs */
  async done(seqs) {
    [this.rows, this.about, this.tapped] = [[], "", new Map()];
    const { log } = this.recorder;
    const ids = seqs.map((seq) => log && idAt(log, seq));
    const sighted = (/** @type {import("../notebook/log.js").Entry} */ { blind, ...entry }) => entry;
    await this.recorder.change((log) => ({
      ...log,
      entries: log.entries.map((entry) => (entry.blind && ids.includes(entry.id) ? sighted(entry) : entry)),
    }));
  }

  /** Somebody says who it was. @param {number} seq @param {string} player */
  tap(seq, player) {
    this.tapped.set(seq, player);
    this.look();
  }

  /** @param {boolean} isRight whether the seats are to be put right as they are shown */
  async decide(isRight) {
    const { recorder, rows } = this;
    const corrections = isRight ? this.corrections(rows) : [];
    await this.done(rows.map(({ seq }) => seq));
    if (corrections.length) await recorder.writer.keep(...corrections);
    recorder.changed();
  }

  /** The question; "" if there is none. @returns {string} */
  markup() {
    const { players } = this.recorder.judged;
    const wrong = this.rows.filter(({ event, player }) => player !== event.player);
    if (!this.rows.length) return "";
    const name = (/** @type {string | undefined} */ id) => safe(players.find(([one]) => one === id)?.[1] || "");
    const [first] = this.rows;
    const isOne = this.rows.length > 1 && this.rows.every(({ event }) => event.player === first.event.player);
    const entered = isOne
      ? `${name(first.event.player)} ${times(this.rows.length)} running`
      : this.rows.map(({ event }) => name(event.player)).join(", ");
    const title =
      this.rows.length > NAMED || !wrong.length
        ? "Whose moves were these?"
        : this.rows.length === 1
          ? `Was it ${name(first.player)}, not ${name(first.event.player)}?`
          : `${entered}: ${this.rows.map(({ player }) => name(player)).join(", ")}?`;
    const number = (/** @type {Row} */ { seq }) => numberOf(this.recorder.latest, seq);
    const rows = this.rows.map((row) => {
      const { seq, event, player } = row;
      const seats = players.map(([id]) =>
        stamp("blind-seat", { seq, id: safe(id), pressed: id === player, name: name(id) }),
      );
      const tiles = [event.tile, ...(event.tiles || [])].filter(Boolean).map((tile) => drawn("in-text", tile || ""));
      const what = tiles.join(" ") || safe(String(event.bid ?? event.type));
      const differs = player === event.player ? "" : "ask";
      return stamp("blind-row", { differs, no: number(row), what, seats: seats.join("") });
    });
    const change =
      wrong.length === 1 ? `Yes, ${number(wrong[0])} was ${name(wrong[0].player)}` : `Yes, change ${wrong.length}`;
    const words = isOne ? `No, all ${name(first.event.player)}` : "No, as entered";
    const no = stamp("panel-key", { act: "as-entered", words });
    const yes = wrong.length ? stamp("panel-key", { act: "by-turn", words: change, more: " go" }) : "";
    return stamp("blind", { title, rows: rows.join(""), no, yes });
  }
}
