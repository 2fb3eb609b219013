// What a tap means: on a tile, a stack, an end of the line, a number.

import { buzz } from "../entries/keep_entries.js";
import { fromOtherHalf, placeEvent, places, spots } from "../pieces/tile_geometry.js";
import { by, drawn } from "../pieces/markup.js";

/**
 * Takes a tile in hand by the half that was touched, or enters it at once.
 * @param {Recorder} recorder @param {string} tile @param {string} held
 * @param {string} [at] the place where the key shows it
 */
export function tapTile(recorder, tile, held, at = "") {
  const { pick } = recorder;
  const { kind, player } = pick;
  const way = recorder.way();
  if (recorder.edit?.only === "tile") return enterInstead(recorder, tile);
  if (recorder.prompt()?.many) {
    pick.tiles = pick.tiles.includes(tile) ? pick.tiles.filter((other) => other !== tile) : [...pick.tiles, tile];
    buzz();
    recorder.changed({ keep: true });
    return way?.count && pick.tiles.length === way.count ? enterMany(recorder) : undefined;
  }
  if (kind === "place" || kind === "stack") {
    const half = kind === "place" ? held : "";
    const again = !pick.untapped && pick.tile === tile && pick.held === half;
    pick.untapped = false;
    pick.tiles = again ? [] : [tile];
    pick.held = half;
    const only = again ? null : onlyPlace(recorder, at);
    if (only) return only();
    buzz();
    return recorder.changed({ keep: true });
  }
  if (kind === "play" && recorder.view.form.names.play.includes("end")) return tapForLine(recorder, tile);
  const legal = way?.legal?.some((group) => group.tiles.includes(tile)) || (kind !== "play" && way?.due);
  return recorder.writer.enter({ type: kind, player, tile }, { legal });
}

/** Another tile in an entry where all else was right. @param {Recorder} recorder @param {string} tile */
function enterInstead(recorder, tile) {
  const { when, by: who, ...was } = /** @type {GameEvent} */ (recorder.edit?.was);
  return recorder.writer.enter({ ...was, tile: inPlaceOf(was, tile, recorder.way()) });
}

/**
 * A tile on the squares of another: the way round that is legal, or else the one that has a number where it was.
 * @param {GameEvent} was @param {string} tile @param {Way | undefined} way
 */
function inPlaceOf(was, tile, way) {
  if (was.type !== "place") return tile;
  const where = (/** @type {GameEvent} */ { at, dir }) => `${at},${dir}`;
  const ways = spots(way, tile).map((place) => placeEvent("", tile, place));
  const [only, ...more] = ways.filter((event) => where(event) === where(was));
  if (only && !more.length) return only.tile;
  const [first, second] = (was.tile || "").split("-");
  const turned = fromOtherHalf(tile);
  return turned.startsWith(`${first}-`) || turned.endsWith(`-${second}`) ? turned : tile;
}

/**
 * What lays the tile in hand where alone it fits; null where a tap must say the place.  A tile that one number named
 * can still become another.  After Undo it waits in hand, because the table may have done something else.
 * @param {Recorder} recorder @param {string} at the place where the key shows it; "" if it shows none
 * @returns {(() => Promise<any[]>) | null}
 */
function onlyPlace(recorder, at) {
  const { pick, placing } = recorder;
  const { kind, player, tile } = pick;
  if (!placing.mayLay || (pick.numbers.length === 1 && !at) || placing.justLaid) return null;
  const legal = kind === "place" ? placing.legal : places(recorder.way(kind), tile);
  const [place, ...more] = at ? legal.filter((one) => `${one}` === at) : legal;
  if (!place || more.length) return null;
  if (kind === "place") return () => placing.lay(place, true);
  placing.last = { tile, at: Date.now() };
  return () => recorder.writer.enter({ type: kind, player, tile, stack: place[0] }, { legal: true });
}

/** A tile for a line: it goes to the tapped end, or to the only one. @param {Recorder} recorder @param {string} tile */
function tapForLine(recorder, tile) {
  const { pick } = recorder;
  const at = places(recorder.way("play"), tile);
  if (pick.end) return playAtEnd(recorder, tile, pick.end);
  const line = recorder.view.scene.areas.find((/** @type {any} */ area) => area.type === "row");
  const isEmpty = !line?.piles.length && !recorder.views.unjudged.some(({ type }) => type === "play");
  if (at.length === 1 || isEmpty) return playAtEnd(recorder, tile, at[0]?.[0]);
  pick.tiles = pick.tile === tile ? [] : [tile];
  buzz();
  return recorder.changed({ keep: true });
}

/** An end of the line, for the tile in hand or for the next one. @param {Recorder} recorder @param {string} end */
export function tapEnd(recorder, end) {
  const { pick } = recorder;
  if (pick.tile) return playAtEnd(recorder, pick.tile, end);
  pick.end = pick.end === end ? "" : end;
  buzz();
  return recorder.changed({ keep: true });
}

/** The first tile goes to no end. @param {Recorder} recorder @param {string} tile @param {string | undefined} end */
function playAtEnd(recorder, tile, end) {
  const legal = places(recorder.way("play"), tile).some((at) => at[0] === end);
  const where = end ? { end } : {};
  return recorder.writer.enter({ type: "play", player: recorder.pick.player, tile, ...where }, { legal });
}

/** Several tiles at once: a layout, a hand. @param {Recorder} recorder */
export function enterMany(recorder) {
  const { kind, player, tiles } = recorder.pick;
  const way = recorder.way();
  const part = kind === "deal" && way?.count && tiles.length < way.count ? { partial: true } : {};
  return recorder.writer.enter({ type: kind, player, tiles, ...part }, { legal: way?.due });
}

/** A stack for the tile in hand. @param {Recorder} recorder @param {number} number */
export function tapStack(recorder, number) {
  const { player, tile } = recorder.pick;
  if (!tile) return recorder.dialogs.hint("Tap a tile first, then its stack.");
  const legal = places(recorder.way("stack"), tile).some(([stack]) => stack === number);
  return recorder.writer.enter({ type: "stack", player, tile, stack: number }, { legal });
}

/** A second tap within so many milliseconds is part of the first: nobody has seen yet what the button says now. */
const TWICE = 300;

/** An act without a tile: a bid, a pass. @param {Recorder} recorder @param {string} kind @param {any[]} at */
export function tapBare(recorder, kind, at, now = performance.now()) {
  if (now - recorder.writer.entered < TWICE) return undefined;
  const legal = recorder.way(kind)?.legal?.some((group) => group.at.some((choice) => `${choice}` === `${at}`));
  const fields = Object.fromEntries(recorder.view.form.names[kind].map((field, n) => [field, at[n]]));
  return recorder.writer.enter({ type: kind, player: recorder.pick.player, ...fields }, { legal });
}

/** So many tiles at most are over when the tiles are dealt. */
const OVER = 3;

/**
 * How many of the tiles that are left are not in the hand that is asked for; -1 where it is quicker to tap those that
 * are, or where nobody knows how many it has.
 * @param {Recorder} recorder
 */
export function overOf(recorder) {
  const { count = 0, tiles = [] } = recorder.way() || {};
  if (!recorder.prompt()?.many || !recorder.sure || recorder.pick.tiles.length) return -1;
  const over = tiles.length - count;
  return over >= 0 && over <= OVER && count > 2 * over + 1 ? over : -1;
}

/** Takes all tiles that are left as the hand; if some are over, they are tapped away. @param {Recorder} recorder */
export function takeRest(recorder) {
  const over = overOf(recorder);
  if (over < 0) return undefined;
  recorder.pick.tiles = [...(recorder.way()?.tiles || [])];
  recorder.pick.numbers = [];
  return over ? recorder.changed({ keep: true }) : enterMany(recorder);
}

/** How far a finger moves before it drags, in CSS pixels. */
const FAR = 12;

/**
 * @param {string[]} boxes where tiles can be taken, each with its `data-tile`
 * @param {(tile: string, held: string) => void} take takes a tile in hand
 * @param {(event: PointerEvent, isDown: boolean) => void} over shows it under the finger, or lays it there
 */
export function dragTiles(boxes, take, over) {
  /** @type {{ tile: string, held: string, x: number, y: number, id: number, shown: HTMLElement | null } | null} */
  let drag = null;
  const end = () => {
    drag?.shown?.remove();
    drag = null;
  };
  const isOver = (/** @type {PointerEvent} */ event) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest("#squares");
  for (const box of boxes)
    by(box).addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      const piece = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-tile]"));
      if (!piece?.dataset.tile || by("table").hidden) return;
      const { left, width } = piece.getBoundingClientRect();
      const held = event.clientX > left + width / 2 ? "high" : "low";
      drag = { tile: piece.dataset.tile, held, x: event.clientX, y: event.clientY, id: event.pointerId, shown: null };
    });
  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.shown) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      const look = { className: "dragged", innerHTML: drawn("face", drag.tile) };
      drag.shown = Object.assign(document.createElement("div"), look);
      document.body.append(drag.shown);
      take(drag.tile, drag.held);
    }
    drag.shown.style.translate = `${event.clientX}px ${event.clientY}px`;
    if (isOver(event)) over(event, true);
  });
  addEventListener("pointerup", (event) => {
    const shown = drag?.shown;
    end();
    if (shown && isOver(event)) over(event, false);
  });
  addEventListener("pointercancel", end);
}
