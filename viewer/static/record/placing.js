// Lays a tile on the squares where the tap means; a second tap turns it, and a tap on a tile lifts it.
// @ts-check

import { everyWay, footprints, lowFirst, near, placeEvent, places, topTile } from "./geometry.js";

/** How many milliseconds a tile that was put down can be turned before it is sent. */
export const HELD = 1200;
/** How much nearer to the finger than any legal place another place must be, in squares, to be meant. */
const LEANING = 0.3;
/** How far apart two taps on the same spot may be, in CSS pixels. */
const FINGER = 24;
/** How near to a + a tap must be to mean it, in squares. */
const PLUS = 0.17;

/** Which squares are shown, for comparing. @param {import("./geometry.js").Window | null} box */
const extent = (box) => box && `${[box.left, box.top, box.right, box.bottom]}`;

export class Placing {
  /** @param {import("./recorder.js").Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** The tile that can still be turned: all the ways it may lie, and which of them it lies in. @type {any} */
    this.laid = null;
    this.busy = Promise.resolve();
  }

  /** Whether a tap on the tile laid last has turned it. */
  get tapped() {
    return Boolean(this.laid?.tapped);
  }

  /** Whether the tile laid last can be turned. */
  get turns() {
    return Boolean(this.laid?.id && this.laid.all.length > 1);
  }

  forget() {
    this.laid = null;
  }

  /** A tap on the squares. @param {number[]} point in squares @param {number[]} glass in CSS pixels */
  async tap(point, glass) {
    const now = Date.now();
    // A tile that was just put down may still be on its way to the disk; a second tap is for that tile.
    await this.busy;
    const { pick, view } = this.recorder;
    const grid = view.scene.areas.find((/** @type {any} */ area) => area.type === "grid");
    if (!pick.tile) return this.tapWithoutTile(grid, point, glass, now);
    const legal = places(this.recorder.way("place"), pick.tile);
    const pair = footprints(legal).find(({ centre }) => Math.hypot(centre[0] - point[0], centre[1] - point[1]) < PLUS);
    if (pair) return this.lay(pair.places, true, glass);
    const fit = near(legal, point, pick.held);
    const free = everyWay(point, pick.held, (x, y) => topTile(grid, [x, y])?.level || 0);
    // A tap far from every legal place means another place.
    const fits = fit.length > 0 && !(free.length && fit[0].far > free[0].far + LEANING);
    return this.lay(
      (fits ? fit : free).map(({ place }) => place),
      fits,
      glass,
    );
  }

  /** The + with that number. @param {number} number @param {number[]} glass */
  async plus(number, glass) {
    const pair = footprints(places(this.recorder.way("place"), this.recorder.pick.tile))[number];
    if (pair) await this.lay(pair.places, true, glass);
  }

  /**
   * A second tap on the same spot turns the tile that was just put there; a tap on another tile lifts it.
   * @param {any} grid @param {number[]} point @param {number[]} glass @param {number} now
   */
  async tapWithoutTile(grid, point, glass, now) {
    const { laid, recorder } = this;
    const top = topTile(grid, point.map(Math.floor));
    if (laid && now < laid.until && this.turns && this.isMeant(top, glass)) {
      laid.tapped = true;
      return this.turn();
    }
    if (!top || !("lift" in recorder.view.form.names)) return undefined;
    const tile = lowFirst(top.tile);
    const legal = recorder.way("lift")?.legal?.some((/** @type {any} */ group) => group.tiles.includes(tile));
    return recorder.enter({ type: "lift", player: recorder.pick.player, tile }, { legal });
  }

  /**
   * Whether a tap means the tile that was put down last.
   * @param {any} top the tile that the tap is on, if any @param {number[]} glass
   */
  isMeant(top, glass) {
    const { laid, recorder } = this;
    if (top && lowFirst(top.tile) === lowFirst(laid.tile)) return true;
    // The squares may have moved under the finger to make room for the new tile; else another tile is another tile.
    const hasMoved = extent(recorder.box) !== laid.extent;
    return (!top || hasMoved) && Math.hypot(glass[0] - laid.glass[0], glass[1] - laid.glass[1]) < FINGER;
  }

  /**
   * @param {any[]} all the places that the tap may mean, the best first @param {boolean} legal @param {number[]} glass
   */
  async lay(all, legal, glass) {
    if (!all.length) return;
    const { recorder } = this;
    const { player, tile } = recorder.pick;
    this.laid = { player, tile, all, n: 0, id: "", base: 0, until: 0, extent: extent(recorder.box), glass };
    const entering = recorder.enter(placeEvent(player, tile, all[0]), { legal });
    this.busy = entering.then(
      () => undefined,
      () => undefined,
    );
    const [entry] = (await entering) || [];
    if (entry?.event.type === "place")
      Object.assign(this.laid, { id: entry.id, base: entry.base, until: Date.now() + HELD });
    else this.forget();
    recorder.changed();
  }

  /** The last tile the other way round, or in the next place that fits the tap. */
  async turn() {
    const { laid, recorder } = this;
    if (!laid) return;
    laid.n = (laid.n + 1) % laid.all.length;
    laid.until = Date.now() + HELD;
    const event = placeEvent(laid.player, laid.tile, laid.all[laid.n]);
    const entry = recorder.queue.find(({ id }) => id === laid.id);
    if (entry && !recorder.post.sending.includes(entry)) {
      entry.event = { ...entry.event, ...event };
      await recorder.outbox.put([entry]);
      recorder.rest();
    } else {
      await recorder.keep({ type: "amend", seq: laid.base, event, why: "turned at once" });
    }
  }
}
