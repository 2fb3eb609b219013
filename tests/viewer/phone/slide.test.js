import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** What listens, by the kind of event. */
const listeners = /** @type {Record<string, (event: any) => void>} */ ({});
const listen = (/** @type {string} */ kind, /** @type {(event: any) => void} */ act) => (listeners[kind] = act);
/** Under a finger at x is the key of that number; -1 is beside the pad. */
const under = (/** @type {number} */ x) => (x < 0 ? null : { closest: () => ({ dataset: { number: `${x}` } }) });
Object.assign(globalThis, {
  addEventListener: listen,
  document: { getElementById: () => ({ addEventListener: listen }), elementFromPoint: under },
});
const { Pick } = await import("../../../viewer/phone/static/recorder/next_entry.js");
const { Placing } = await import("../../../viewer/phone/static/recorder/place_tile.js");
const { slideOverKeys } = await import("../../../viewer/phone/static/recorder/number_pad.js");

const TILES = ["3-5", "5-5", "5-6", "3-6", "1-2"];
let entered = /** @type {any[]} */ ([]);

/** A table where these tiles are left. @param {string} kind @param {any[]} [legal] */
function table(kind, legal = []) {
  entered = [];
  const recorder = /** @type {any} */ ({
    sure: true,
    redo: { next: null },
    view: { form: { names: { play: [] } } },
    prompt: () => ({ kind }),
    way: (name = kind) => (name === kind ? { tiles: TILES, legal } : undefined),
    writer: { enter: (/** @type {any} */ event) => (entered.push(event.tile), recorder.pick.clear()) },
    changed: () => undefined,
  });
  recorder.pick = Object.assign(new Pick(recorder), { kind, player: "a" });
  recorder.placing = new Placing(recorder);
  slideOverKeys(recorder);
  return recorder.pick;
}

/** A finger comes down, moves, and is lifted where it is last. @param {number[]} way @param {number} [finger] */
function slide(way, finger = 7) {
  const at = (/** @type {number} */ x) => ({ clientX: x, clientY: 0, pointerId: finger, isPrimary: finger === 7 });
  listeners.pointerdown(at(way[0]));
  for (const x of way.slice(1)) listeners.pointermove(at(x));
  listeners.pointerup(at(way[way.length - 1]));
}

let pick = table("place");
beforeEach(() => {
  pick = table("place");
});

test("a slide from one number to another takes the tile by the half where it began", () => {
  slide([5, 4, 3]);
  assert.deepEqual([pick.tile, pick.held], ["3-5", "high"]);
  slide([3, 6]);
  assert.deepEqual([pick.tile, pick.held], ["3-6", "low"], "another tile in its place");
});

test("a finger that leaves the pad, or comes back, has named one number", () => {
  for (const way of [
    [5, 3, -1],
    [5, 3, 5],
  ]) {
    slide(way);
    assert.deepEqual([pick.tile, pick.numbers], ["", ["5"]]);
  }
});

test("a tap is no slide, and neither is a second finger or one that the browser takes away", () => {
  slide([5, 5]);
  slide([5, 3], 8);
  listeners.pointerdown({ clientX: 5, pointerId: 7, isPrimary: true });
  listeners.pointercancel({});
  listeners.pointermove({ clientX: 3, pointerId: 7 });
  listeners.pointerup({ clientX: 3, pointerId: 7 });
  assert.deepEqual([pick.tile, pick.numbers], ["", []]);
});

test("a number that was tapped before is not the other half", () => {
  pick.numbers = ["6"];
  slide([5, 3]);
  assert.equal(pick.tile, "3-5");
});

test("where the first number is enough, the second names nothing", () => {
  table("play", [{ tiles: TILES, at: [[]] }]);
  slide([1, 3]);
  assert.deepEqual(entered, ["1-2"]);
});
