// Two phones have recorded one game.  What both have is recorded once; where both have an act for one turn, people
// choose, with one tap: theirs, ours, or both where the rules allow it.  The rest follows after what the others have.

import { withAllParts } from "../entries/api.js";
import { SquareNames, squares } from "../pieces/tile_geometry.js";
import { by, drawn, safe } from "../pieces/markup.js";
import { newId } from "../entries/outbox.js";
import { plainly } from "../pieces/entries_in_words.js";
import { withWaiting } from "./squares_from_above.js";
import { isMistake } from "../pieces/dialog_parts.js";
import { clock } from "../entries/trouble.js";
import { bare } from "../entries/undo.js";
import { unjudged } from "../entries/waiting.js";
import { goOn } from "../entries/witness.js";

/**
 * How the ledger answers entries that are late: its version, and what it has that this phone has not seen.
 * @typedef {Pick<Move, "seq" | "words" | "event">} Missed
 * @typedef {{ version: number, title: string, missed: Missed[] }} Conflict
 */

const WHY = "the other version was chosen";

/** What two recordings of an event have in common. @param {GameEvent} event */
const essence = (event) => JSON.stringify(Object.entries(bare(event)).sort());

export class Versions {
  /** What another phone recorded first; null if there is nothing to compare. @type {Conflict | null} */
  conflict = null;
  /** What others recorded that nobody has compared yet. @type {Missed[]} */
  missed = [];
  /** The two acts for one turn. @type {{ theirs: Missed, mine: Entry, both: boolean } | null} */
  pair = null;
  /** The entries that are compared, by id. @type {Set<string>} */
  done = new Set();
  /** What is not recorded, because theirs was chosen. @type {Entry[]} */
  aside = [];
  /** What both have: the entries here, each with the seq of the other phone's. @type {Map<Entry, number>} */
  twins = new Map();

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** @param {Conflict} conflict */
  async begin(conflict) {
    const deleted = new Set(conflict.missed.map(({ event }) => (event.type === "retract" ? event.seq : 0)));
    this.conflict = conflict;
    this.missed = conflict.missed.filter(({ seq }) => !deleted.has(seq));
    [this.pair, this.done, this.aside, this.twins] = [null, new Set(), [], new Map()];
    // If the ledger has less than this phone saw, that is the first thing to know.
    if (conflict.version >= (this.recorder.screen?.version || 0)) return this.next();
    this.recorder.changed();
    return this.recorder.answers.refresh();
  }

  /** Whether an event is something that a player does at a turn. @param {GameEvent} event */
  isAct({ type, player }) {
    return Boolean(player) && this.recorder.screen.prompts.some(({ kind }) => kind === type);
  }

  /** Goes on to the next two acts for one turn; ends if there are none. @returns {Promise<void>} */
  async next() {
    const { missed, recorder } = this;
    for (const mine of recorder.post.waiting.filter(({ id }) => !this.done.has(id))) {
      const same = missed.findIndex(({ event }) => essence(event) === essence(mine.event));
      if (same >= 0) this.twins.set(mine, missed.splice(0, same + 1)[same].seq);
      while (missed.length && !this.isAct(missed[0].event)) missed.shift();
      if (same < 0 && missed.length && this.isAct(mine.event)) {
        this.pair = { theirs: missed[0], mine, both: await this.mayBoth(mine) };
        return void recorder.changed();
      }
      this.done.add(mine.id);
    }
    return this.end();
  }

  /** Whether the rules allow an entry after all that others recorded. @param {Entry} mine */
  async mayBoth({ event }) {
    const { ledger, quick, screen } = this.recorder;
    const { missed = [], version = 0 } = this.conflict || {};
    try {
      const events = [...(quick ? missed.map((one) => one.event) : []), event];
      const answer = await ledger.ask("draft", events, screen);
      const { findings } = withAllParts(screen, await answer.json());
      return answer.ok && !findings.some((one) => one.seq === version && isMistake(one));
    } catch {
      return false;
    }
  }

  /** @param {string} what "theirs", "mine" or "both"; "end" if there is nothing to choose @returns {Promise<void>} */
  async choose(what) {
    if (what === "end") return this.end();
    if (!this.pair) return;
    const { theirs, mine } = this.pair;
    const { when, by: who } = mine.event;
    this.pair = null;
    this.missed.shift();
    this.done.add(mine.id);
    if (what === "theirs") {
      mine.state = "dropped";
      this.aside.push(mine);
    } else if (what === "mine") {
      const event = { type: "amend", seq: theirs.seq, event: bare(mine.event), why: WHY, when };
      Object.assign(mine, { id: newId(), event: who ? { ...event, by: who } : event, fixed: true });
      this.done.add(mine.id);
    }
    await this.recorder.outbox.put([mine]);
    await this.next();
  }

  /** Hands in what is left, after what the others recorded. */
  async end() {
    const { conflict, recorder, twins } = this;
    if (!conflict) return;
    this.conflict = this.pair = null;
    const { post, outbox, screen } = recorder;
    const same = [...twins.keys()];
    await outbox.settle(same, null);
    recorder.queue = recorder.queue.filter((entry) => !same.includes(entry));
    await post.rebase(conflict.version, this.aside, twins);
    post.stopped = false;
    if (same.length) recorder.redo.say(`On both phones, recorded once: ${plainly(same[0].event, screen)}`);
    if (conflict.version < (screen?.version || 0)) await goOn(recorder);
    else await recorder.answers.refresh();
    recorder.changed();
    post.soon();
  }

  /** The question; "" if there is none. */
  markup() {
    if (!this.conflict) return "";
    const key = (/** @type {string} */ what, /** @type {string} */ words, more = "") =>
      `<button type="button" class="btn tap${more}" data-panel="version" data-what="${what}">${words}</button>`;
    const { pair, recorder, conflict } = this;
    if (!pair) {
      const title = conflict.version < (recorder.screen?.version || 0) && `<h2>${safe(conflict.title)}</h2>`;
      return title ? `<section class="banner" role="alert">${title}${key("end", "Continue", " go")}</section>` : "";
    }
    const { theirs, mine, both } = pair;
    const other = recorder.local ? "another tab" : "the other phone";
    return (
      `<section class="banner versions" role="alert"><h2>${this.title(theirs.event, mine.event)}</h2>` +
      key("theirs", this.face(theirs.event, other)) +
      key("mine", this.face(mine.event, "this phone")) +
      `<p>${both ? key("both", "Both happened") : "Both cannot be."}</p></section>`
    );
  }

  /** @param {GameEvent} theirs @param {GameEvent} mine */
  title(theirs, mine) {
    const { screen } = this.recorder;
    if (theirs.player !== mine.player || theirs.type !== mine.type)
      return `${safe(plainly(theirs, screen))}, or ${safe(plainly(mine, screen))}?`;
    const name = screen.players.find(([id]) => id === mine.player)?.[1] || "";
    const [one, other] = [this.where(theirs), this.where(mine)];
    const first = `${this.what(theirs)}${one === other ? "" : one}`;
    return `${safe(name)}’s move: ${first} or ${this.what(mine)}${other}?`;
  }

  /** What an act names. @param {GameEvent} event */
  what({ type, tile, tiles = [], bid }) {
    return safe((tile || tiles.join(", ") || String(bid ?? type)).replaceAll("-", "\u2011"));
  }

  /** Where it is. @param {GameEvent} event */
  where({ at, dir, level, stack, end }) {
    const names = new SquareNames(this.recorder.judged.squares);
    if (dir) return safe(` on ${names.pair(squares([at[0], at[1], dir, level])) || "new squares"}`);
    if (stack) return ` on stack ${stack}`;
    return end ? ` at the ${end} end` : "";
  }

  /** An act as the table would look after it. @param {GameEvent} event @param {string} whose */
  face(event, whose) {
    const { parts, scene } = unjudged(this.recorder.screen, [event]);
    const grid = scene.areas.find((area) => area.type === "grid");
    const box = by("squares").getAttribute("viewBox");
    const table = grid
      ? `<svg class="squares" viewBox="${box}">${by("floor").innerHTML}${withWaiting(parts.squares, grid.laid)}</svg>`
      : event.tile
        ? drawn("face", event.tile)
        : "";
    const when = event.when ? `, ${clock(event.when)}` : "";
    return `${table}<span><b>${this.what(event)}${this.where(event)}</b><small>${whose}${when}</small></span>`;
  }
}
