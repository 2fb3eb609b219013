// Two phones have recorded one game.  What both have is recorded once; where both have an act for one turn, people
// choose, with one tap: theirs, ours, or both where the rules allow it.  The rest follows after what the others have.

import { isMistake } from "../pieces/dialog_parts.js";
import { plainly } from "../pieces/entries_in_words.js";
import { by, drawn, safe, stamp } from "../pieces/markup.js";
import { squares } from "../pieces/tile_geometry.js";
import { compare, decide } from "../notebook/log.js";
import { newId } from "../notebook/notebook.js";
import { clock } from "../entries/trouble.js";
import { unjudged } from "../entries/waiting.js";
import { withWaiting } from "./squares_from_above.js";

/** @import { Entry } from "../notebook/log.js" */

export class Versions {
  /** The two acts for one turn; null if there is nothing to choose. @type {{ theirs: Entry, mine: Entry } | null} */
  pair = null;
  /** The view before them, if somebody knows it. @type {View | null} */
  before = null;
  /** What was compared last. */
  about = "";

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** Whether an event is something that a player does at a turn. @param {GameEvent} event */
  isAct({ type, player }) {
    return Boolean(player) && this.recorder.judged.prompts.some(({ kind }) => kind === type);
  }

  /** Compares what waits with what others recorded, if that has not been done. */
  look() {
    const { log, waiting } = this.recorder;
    const about = log?.choice ? `${log.choice}/${waiting.map(({ id, compared }) => id + compared)}` : "";
    if (about === this.about) return;
    this.about = about;
    if (log?.choice) this.compare().catch(() => (this.about = ""));
    else this.pair = null;
  }

  async compare() {
    const { recorder } = this;
    const { record, log } = recorder;
    const isAct = this.isAct.bind(this);
    if (!log) return;
    const { log: next, pair, twins } = compare(log, isAct);
    if (next.entries !== log.entries || `${next.choice}` !== `${log.choice}`) {
      await recorder.change((now) => compare(now, isAct).log);
      this.say(twins);
      return void recorder.exchange.soon();
    }
    this.before = pair && (await recorder.views.before(log.entries.findIndex(({ id }) => id === pair.theirs.id)));
    if (record !== recorder.record) return;
    this.pair = pair;
    recorder.changed({ keep: true });
    by("panels").scrollIntoView();
  }

  /** Says what was recorded once, because another phone had it, too. @param {Entry[]} twins */
  say([first]) {
    if (first) this.recorder.redo.say(`On both phones, recorded once: ${plainly(first.event, this.recorder.judged)}`);
  }

  /** Whether the rules allow both. */
  get both() {
    const { latest, log } = this.recorder;
    const seq = log?.entries.findIndex(({ id }) => id === this.pair?.mine.id);
    return latest.sure !== false && !latest.findings.some((one) => one.seq === seq && isMistake(one));
  }

  /** @param {any} what "theirs", "mine" or "both" */
  async choose(what) {
    if (!this.pair) return;
    const { theirs, mine } = this.pair;
    const id = newId();
    this.pair = null;
    await this.recorder.change((log) => decide(log, what, theirs.id, mine.id, id));
    this.recorder.changed();
    await this.recorder.exchange.soon();
  }

  /** The question; "" if there is none. */
  markup() {
    if (!this.pair) return "";
    const key = (/** @type {string} */ id, /** @type {string} */ words) =>
      stamp("panel-key", { act: "version", id, words });
    const { theirs, mine } = this.pair;
    return stamp("versions", {
      title: this.title(theirs.event, mine.event),
      theirs: key("theirs", this.face(theirs.event, "the other phone")),
      mine: key("mine", this.face(mine.event, "this phone")),
      both: this.both ? key("both", "Both happened") : "Both cannot be.",
    });
  }

  /** @param {GameEvent} theirs @param {GameEvent} mine */
  title(theirs, mine) {
    const { judged: screen } = this.recorder;
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
    if (dir) return safe(` on ${this.recorder.names.pair(squares([at[0], at[1], dir, level])) || "new squares"}`);
    if (stack) return ` on stack ${stack}`;
    return end ? ` at the ${end} end` : "";
  }

  /** An act as the table would look after it. @param {GameEvent} event @param {string} whose */
  face(event, whose) {
    const { parts, scene } = unjudged(this.before || this.recorder.judged, [event]);
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
