// The pad: two numbers name a tile.  With few tiles left to choose from, the tiles themselves are the keys.

import { buzz } from "../entries/keep_entries.js";
import { lowFirst, places, spots } from "../pieces/tile_geometry.js";
import { recall } from "../../../every_page/static/browser_memory.js";
import { tapTile } from "./taps.js";
import { by } from "../pieces/markup.js";

/** How many keys are in a row. */
export const KEYS = 7;
/** On a screen of at least this height, in CSS pixels, so many rows of keys leave enough of the table. */
const ROWS = [
  [640, 4],
  [620, 3],
  [0, 2],
];
/** So many tiles are shown at once where several are written down, on a screen of at least the height `LOW`. */
export const MANY = 28;
const LOW = 520;
/** How many milliseconds a typed 1 waits for the second digit of a 10, 11 or 12. */
const TYPING = 600;

/** Whether a person wants tiles as keys, however many there are. */
export const wantsTiles = () => recall("keys") === "tiles";

/** Beside more stacks than this, the keys have one row, so that all stacks are on the screen. */
const STACKS = 21;

/** A narrower screen, as with text at twice its size, has one row of keys beside its table, in three rows of three. */
const NARROW = 340;

/** The size of the screen; 0: ask the browser, which has to lay out the page to tell. */
let [width, height] = [0, 0];
globalThis.addEventListener?.("resize", () => (height = 0));

/** So many rows of keys there may be. @param {Recorder} recorder */
export function rows({ view }) {
  if (view.parts.stacks.split("data-stack=").length - 1 > STACKS) return 1;
  if (!height) [width, height] = [globalThis.innerWidth, globalThis.innerHeight];
  if (width < NARROW) return 1;
  return ROWS.find(([least]) => height >= least)?.[1] || 2;
}

/** Whether numbers name the tile of this kind of act now. @param {Recorder} recorder */
export function usesPad(recorder) {
  const prompt = recorder.prompt();
  const tiles = recorder.way()?.tiles || [];
  if (!prompt || prompt.kind === "rank" || wantsTiles()) return false;
  const most = KEYS * rows(recorder);
  return tiles.length > (prompt.many && height >= LOW ? MANY : most);
}

/**
 * Where only one place is left: the tiles, each with the ways round in which it may lie there, if there is room for all
 * of them as keys; null if not.  Beside the pad they are those with the number that was tapped.
 * @param {Recorder} recorder @returns {{ tile: string, ways: any[][] }[] | null}
 */
export function lying(recorder) {
  const { pick, placing, view } = recorder;
  const pad = usesPad(recorder);
  if (pick.tile || pad !== (pick.numbers.length === 1) || !placing.onlyPair) return null;
  const way = recorder.way();
  const tiles = (way?.tiles || []).filter((/** @type {string} */ tile) => pick.numbers.every((one) => has(tile, one)));
  const taken = pad ? Math.ceil((view.parts.largest + 1) / KEYS) : 0;
  if (!tiles.length || taken + 2 * Math.ceil(tiles.length / KEYS) > rows(recorder)) return null;
  return tiles.map((/** @type {string} */ tile) => ({ tile, ways: spots(way, tile) }));
}

/** A tile by its numbers, the smaller first. @param {string} one @param {string} other */
const named = (one, other) => lowFirst(`${one}-${other}`);

/** @param {string} tile @param {string} number */
const has = (tile, number) => tile.split("-").includes(number);

/** The tiles that are left for this act; by the rules, if they say what fits. @param {Recorder} recorder */
function candidates(recorder) {
  const way = recorder.way();
  const legal = (way?.legal || []).flatMap((/** @type {any} */ group) => group.tiles);
  return {
    /** @type {string[]} */ left: way?.tiles || [],
    /** @type {string[]} */ fit: legal.length ? legal : way?.tiles || [],
  };
}

/** The keys. @param {Recorder} recorder @param {number} largest */
export function padKeys(recorder, largest) {
  const { numbers, tile } = recorder.pick;
  const { fit } = candidates(recorder);
  const many = recorder.prompt()?.many;
  const first = numbers.length === 1 ? numbers[0] : "";
  const open = first ? fit.filter((one) => has(one, first)) : fit;
  const pressed = new Set(numbers.length === 1 ? [first] : tile && !many ? tile.split("-") : []);
  return Array.from({ length: largest + 1 }, (_, n) => {
    const number = String(n);
    const lit = first && !many ? open.includes(named(first, number)) : fit.some((one) => has(one, number));
    return (
      `<button type="button" class="key${lit ? "" : " dim"}" data-number="${n}" aria-pressed="${pressed.has(number)}"` +
      ` aria-label="${n}${lit ? "" : ", no tile left"}"><svg viewBox="0 0 1 1" aria-hidden="true"><use class="t-pip"` +
      ` href="#h${n}"/></svg><small aria-hidden="true">${n}</small></button>`
    );
  }).join("");
}

/** The tiles beside the pad: those with the tapped number, or those named last. @param {Recorder} recorder */
export function besidePad(recorder) {
  const { numbers, tiles } = recorder.pick;
  const [first] = numbers;
  return first ? candidates(recorder).left.filter((tile) => has(tile, first)) : tiles.slice(-KEYS);
}

/** A number shows the tiles that have it, or names a half. @param {Recorder} recorder @param {string} number */
export function tapNumber(recorder, number) {
  if (!recorder.prompt()?.many) return tapKey(recorder, number);
  const { pick } = recorder;
  pick.numbers = pick.numbers[0] === number ? [] : [number];
  buzz();
  return recorder.changed({ keep: true });
}

/** The first half of a tile, or the second. @param {Recorder} recorder @param {string} number */
export function tapKey(recorder, number) {
  const { pick } = recorder;
  const first = pick.numbers.length === 1 ? pick.numbers[0] : "";
  if (first) {
    const tile = named(first, number);
    const many = recorder.prompt()?.many;
    if (!many) pick.tiles = [];
    pick.numbers = many ? [] : [first, number];
    return tapTile(recorder, tile, first === tile.split("-")[0] ? "low" : "high");
  }
  if (!recorder.prompt()?.many) pick.tiles = [];
  pick.numbers = [number];
  const only = onlyTile(recorder, number);
  if (only) return tapTile(recorder, only, number === only.split("-")[0] ? "low" : "high");
  buzz();
  return recorder.changed({ keep: true });
}

/**
 * The one tile that this number can mean, or "".  A tile that goes somewhere can still be changed by a second number;
 * one that is entered at once must be the only one that is left.
 * @param {Recorder} recorder @param {string} number
 */
function onlyTile(recorder, number) {
  const { kind } = recorder.pick;
  if (!recorder.sure || recorder.prompt()?.many || recorder.all) return "";
  const { left, fit } = candidates(recorder);
  const open = (kind === "place" || kind === "stack" ? fit : left).filter((tile) => has(tile, number));
  return open.length === 1 ? open[0] : "";
}

/** Takes the only tile in hand that a player can lay. @param {Recorder} recorder */
export function takeOnly(recorder) {
  const { pick } = recorder;
  if (pick.tile || pick.numbers.length || !recorder.sure || recorder.edit || recorder.all) return;
  if (pick.kind !== "place" && pick.kind !== "stack") return;
  const [only, ...more] = recorder.way()?.tiles || [];
  if (!only || more.length || !places(recorder.way(), only).length || recorder.way("lift")?.legal?.length) return;
  pick.tiles = [only];
  pick.untapped = true;
  pick.held = pick.kind === "place" ? "low" : "";
}

/** Numbers typed on a keyboard. @param {Recorder} recorder */
export function listenForNumbers(recorder) {
  let typed = "";
  let timer = 0;
  const enter = () => {
    clearTimeout(timer);
    const number = typed;
    typed = "";
    if (number) tapKey(recorder, number);
  };
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const inField = target instanceof Element && target.matches("input, select, textarea");
    if (inField || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (!recorder.latest || !recorder.pick.player || !recorder.way()?.tiles) return;
    if (key === "Backspace" || key === "Escape") {
      typed = "";
      recorder.pick.clear();
      recorder.changed({ keep: true });
    } else if (/^\d$/.test(key)) {
      const { largest } = recorder.view.parts;
      if (typed && Number(typed + key) > largest) enter();
      typed += key;
      if (Number(typed) * 10 > largest || typed === "0") enter();
      else timer = setTimeout(enter, TYPING);
    } else if (typed && /^[-\s]$|^Enter$/.test(key)) {
      event.preventDefault();
      enter();
    }
  });
}

/** The number under a finger; "" for none. @param {{ clientX: number, clientY: number }} event */
function numberAt({ clientX, clientY }) {
  const key = document.elementFromPoint(clientX, clientY)?.closest("#pad [data-number]");
  return /** @type {HTMLElement | null | undefined} */ (key)?.dataset.number ?? "";
}

/** @param {Recorder} recorder */
export function slideOverKeys(recorder) {
  /** @type {{ finger: number, first: string, goes: boolean } | null} */
  let slide = null;
  by("pad").addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    const first = numberAt(event);
    slide = event.isPrimary && first ? { finger: event.pointerId, first, goes: false } : null;
  });
  addEventListener("pointermove", (event) => {
    if (!slide || slide.goes || event.pointerId !== slide.finger) return;
    if (["", slide.first].includes(numberAt(event))) return;
    slide.goes = true;
    // A number that was tapped before is not the other half of this tile.
    recorder.pick.numbers = [];
    tapKey(recorder, slide.first);
  });
  addEventListener("pointerup", (event) => {
    const { finger = 0, first = "", goes = false } = slide || {};
    if (event.pointerId !== finger) return;
    slide = null;
    const second = goes ? numberAt(event) : "";
    // If the first number was enough, the tile is entered already.
    if (["", first].includes(second) || `${recorder.pick.numbers}` !== first) return;
    tapKey(recorder, second);
  });
  addEventListener("pointercancel", () => (slide = null));
}
