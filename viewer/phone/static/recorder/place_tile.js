// Lays a tile on the squares where the tap means; a tap on a tile without one in hand lifts it.

import { THUMB } from "./squares_from_above.js";
import {
  footprints,
  freePlace,
  lowFirst,
  placeAt,
  RIM,
  placeEvent,
  places,
  spots,
  topTile,
} from "../pieces/tile_geometry.js";

/** Two taps on one spot within so many milliseconds are one. */
const TWICE = 500;
/** How far a finger that rests may tremble without showing another place, in CSS pixels. */
const STEADY = 6;
/** How far beside a place a finger may be that shows it, in squares, and at least so many CSS pixels. */
const NEAR = [0.5, 24];

/** Whether a place is among others. @param {Place[]} all @param {Place} place */
const has = (all, place) => all.some((one) => `${one}` === `${place}`);

export class Placing {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** The tile that was laid last, and when: a second tap on it at once does not lift it again. */
    this.last = { tile: "", at: 0 };
    /** The place that shows large, and of which tile. @type {{ tile: string, place: Place } | null} */
    this.aim = null;
    /** The width of a square as it is drawn, in CSS pixels. */
    this.px = Infinity;
  }

  /** @returns {any} */
  get grid() {
    return this.recorder.view.scene.areas.find((/** @type {any} */ area) => area.type === "grid");
  }

  /** The legal places of the tile in hand; none while nobody knows them. @returns {any[]} */
  get legal() {
    const { recorder } = this;
    return recorder.pick.tile ? spots(recorder.way("place"), recorder.pick.tile) : [];
  }

  /** The places that are lit: on an empty floor, where each is as good, one. @returns {Place[]} */
  get lit() {
    const { legal, aimed } = this;
    if (footprints(legal).length < 2 || this.grid.laid.length) return legal;
    if (aimed) return [aimed];
    const [left, top, right, bottom] = this.grid.bounds;
    const far = (/** @type {any} */ { centre: [x, y] }) =>
      Math.hypot(2 * x - left - right - 1, 2 * y - top - bottom - 1);
    return [footprints(legal).sort((one, other) => far(one) - far(other))[0].places[0]];
  }

  /** The place that shows large, if it is still one for the tile in hand; null for none. @returns {Place | null} */
  get aimed() {
    const { aim, free, legal, recorder } = this;
    if (!aim || aim.tile !== recorder.pick.tile) return null;
    return free || has(legal, aim.place) ? aim.place : null;
  }

  /** Whether a quick tap lays a tile at this place, because it is lit and as large as a thumb. @param {Place} place */
  isLarge(place) {
    if (this.free) return this.px >= THUMB;
    const pair = footprints(this.lit).find((one) => has(one.places, place));
    return Boolean(pair) && pair.size * this.px >= THUMB;
  }

  /** Shows the place under a finger that stays on the table. @param {number[]} point @param {number} [rim] */
  point(point, rim = Math.max(NEAR[0], NEAR[1] / this.px)) {
    const place = this.placeUnder(point, { rim, shown: this.aimed || undefined, steady: STEADY / this.px });
    this.aim = place && { tile: this.recorder.pick.tile, place };
  }

  /**
   * The place that a finger means, which may be any; null for none.
   * @param {number[]} point @param {Parameters<typeof placeAt>[3]} [finger] @param {boolean} [free]
   */
  placeUnder(point, finger, free = this.free) {
    const { held } = this.recorder.pick;
    const levelAt = (/** @type {number} */ x, /** @type {number} */ y) => topTile(this.grid, [x, y])?.level || 0;
    return free ? freePlace(point, held, levelAt, finger) : placeAt(this.legal, point, held, finger);
  }

  /** Lays the tile in hand at the place that shows. */
  layAimed(place = this.aimed) {
    return place && this.lay(place, has(this.legal, place));
  }

  /** Whether a tap may lay a tile where it is sure to belong: not while something is put right. */
  get mayLay() {
    const { sure, edit, redo } = this.recorder;
    return sure && !edit && !redo.next;
  }

  /** The pair of squares on which alone any tile may lie now, by the rules; null if there are more. */
  get onlyPair() {
    const { recorder } = this;
    const { kind, anywhere } = recorder.pick;
    if (kind !== "place" || anywhere || !this.mayLay) return null;
    const [pair, ...more] = footprints(places(recorder.way(), null));
    return pair && !more.length ? pair : null;
  }

  /** Whether a tap may mean any squares: nothing is lit, or the table did something else. */
  get free() {
    return this.recorder.pick.anywhere || !this.legal.length;
  }

  /** Whether a tile was laid so lately that a tap now may be the second of two that laid it. */
  get justLaid() {
    return Date.now() - this.last.at < TWICE;
  }

  /** A tap on the squares. @param {number[]} point in squares */
  tap(point) {
    const { recorder } = this;
    if (!recorder.pick.tile) return this.lift(point);
    // The second of two taps that laid a tile is not meant for the one that was taken without a tap.
    if (recorder.pick.untapped && this.justLaid) return undefined;
    const place = this.placeUnder(point);
    if (!place) return recorder.dialogs.hint("Tap where it is lit, or “Somewhere else”");
    if (this.isLarge(place)) return this.layAimed(place);
    this.aim = { tile: recorder.pick.tile, place };
    return recorder.changed({ keep: true });
  }

  /** Lays the tile in hand under a finger that dragged it there, which may be anywhere. @param {number[]} point */
  drop(point) {
    this.point(point, RIM);
    return this.layAimed(this.aimed || this.placeUnder(point, {}, true));
  }

  /** A tap on a tile, without one in hand. @param {number[]} point */
  lift(point) {
    const { recorder } = this;
    const top = topTile(this.grid, point.map(Math.floor));
    if (!top || !("lift" in recorder.view.form.names)) return undefined;
    const tile = lowFirst(top.tile);
    if (tile === this.last.tile && this.justLaid) return undefined;
    const legal = recorder.way("lift")?.legal?.some((/** @type {any} */ group) => group.tiles.includes(tile));
    return recorder.writer.enter({ type: "lift", player: recorder.pick.player, tile }, { legal });
  }

  /** @param {Place} place @param {boolean} legal */
  lay(place, legal) {
    const { recorder } = this;
    const { player, tile } = recorder.pick;
    this.last = { tile, at: Date.now() };
    this.aim = null;
    return recorder.writer.enter(placeEvent(player, tile, place), { legal });
  }
}
