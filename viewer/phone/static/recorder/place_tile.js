// Lays a tile on the squares where the tap means; a tap on a tile without one in hand lifts it.

import {
  footprints,
  freePlace,
  lowFirst,
  placeAt,
  placeEvent,
  places,
  spots,
  topTile,
} from "../pieces/tile_geometry.js";

/** Two taps on one spot within so many milliseconds are one. */
const TWICE = 500;

export class Placing {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** The tile that was laid last, and when: a second tap on it at once does not lift it again. */
    this.last = { tile: "", at: 0 };
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
    if (this.free) return this.drop(point);
    const place = placeAt(this.legal, point, recorder.pick.held);
    if (place) return this.lay(place, true);
    return recorder.dialogs.hint("Tap where it is lit, or “Somewhere else”");
  }

  /** Lays the tile in hand under a finger, which may be anywhere. @param {number[]} point in squares */
  drop(point) {
    const { held, anywhere } = this.recorder.pick;
    const legal = placeAt(this.legal, point, held);
    if (legal && !anywhere) return this.lay(legal, true);
    const { grid } = this;
    const place = freePlace(point, held, (x, y) => topTile(grid, [x, y])?.level || 0);
    const isLegal = this.legal.some((other) => `${other}` === `${place}`);
    return this.lay(place, isLegal);
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
    return recorder.writer.enter(placeEvent(player, tile, place), { legal });
  }
}
