// What names a tile: its numbers, a slide over them, a key that shows how it will lie; and the rest of a hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "./table.mjs";

/** What listens, by the kind of event. */
const listeners = {};
const listen = (kind, act) => (listeners[kind] = act);
/** Under a finger at x is the key of that number; -1 is beside the pad. */
const under = (x) => (x < 0 ? null : { closest: () => ({ dataset: { number: `${x}` } }) });
Object.assign(globalThis, {
  addEventListener: listen,
  document: { getElementById: () => ({ addEventListener: listen }), elementFromPoint: under },
});
const { besidePad, lying, padKeys, slideOverKeys, takeOnly, tapKey, tapNumber, usesPad } =
  await import("../../../viewer/phone/static/recorder/number_pad.js");
const { overOf, takeRest, tapTile } = await import("../../../viewer/phone/static/recorder/taps.js");

/** Gives the screen this height. */
function resize(height) {
  globalThis.innerHeight = height;
  listeners.resize();
}

/** The numbers without a tile. */
const dim = (recorder, largest) =>
  [...padKeys(recorder, largest).matchAll(/class="key dim" data-number="(\d+)"/g)].map(([, number]) => Number(number));
const eventsOf = (entered) => entered.map(([event]) => event);

test("two numbers name a tile, and the half that was named first is the one that a tap lays", () => {
  const { recorder, pick } = table({ tiles: ["3-5", "5-6", "3-6"] });
  for (const [number, tile, held] of [
    ["5", "", ""],
    ["3", "3-5", "high"],
    ["3", "", "high"],
    ["5", "3-5", "low"],
  ]) {
    tapKey(recorder, number);
    assert.equal(pick.tile, tile);
    if (tile) assert.equal(pick.held, held);
  }
});

test("one tile with a number: one tap takes it, and another number still names another tile", () => {
  const { recorder, pick } = table({ tiles: ["3-5", "5-6", "3-6", "1-2"] });
  tapKey(recorder, "2");
  assert.deepEqual([pick.tile, pick.held], ["1-2", "high"]);
  tapKey(recorder, "6");
  assert.equal(pick.tile, "2-6");
});

test("a tile that is entered at once needs its second number while another tile is left", () => {
  const { recorder, entered } = table({ kind: "play", tiles: ["3-5", "5-6"], legal: [{ tiles: ["3-5"], at: [[]] }] });
  tapKey(recorder, "5");
  assert.deepEqual(entered, []);
  tapKey(recorder, "3");
  assert.deepEqual(eventsOf(entered), [{ type: "play", player: "a", tile: "3-5" }]);
  const last = table({ kind: "play", tiles: ["3-5", "1-2"] });
  tapKey(last.recorder, "1");
  assert.deepEqual(eventsOf(last.entered), [{ type: "play", player: "a", tile: "1-2" }]);
});

test("numbers without a tile are dim, and can be tapped all the same", () => {
  const { recorder, pick } = table({ tiles: ["0-1", "0-2", "1-2"], legal: [{ tiles: ["0-1", "0-2"], at: [] }] });
  assert.deepEqual(dim(recorder, 4), [3, 4]);
  tapKey(recorder, "0");
  assert.deepEqual(dim(recorder, 4), [0, 3, 4]);
  tapKey(recorder, "0");
  assert.equal(pick.tile, "0-0");
});

const tilesOf = (count) => Array.from({ length: count }, (_, n) => `${n % 7}-${Math.floor(n / 7)}`);

test("few tiles are keys themselves, as are those that are written down", () => {
  for (const [height, few] of [
    [560, 14],
    [620, 21],
    [640, 28],
  ]) {
    resize(height);
    assert.equal(usesPad(table({ tiles: tilesOf(few) }).recorder), false);
    assert.equal(usesPad(table({ tiles: tilesOf(few + 1) }).recorder), true);
  }
  assert.equal(usesPad(table({ kind: "deal", many: true, tiles: tilesOf(28) }).recorder), false);
  assert.equal(usesPad(table({ kind: "deal", many: true, tiles: tilesOf(91) }).recorder), true);
});

test("where several tiles are named, a number shows those that have it, until another number is tapped", () => {
  const { recorder, pick } = table({ kind: "deal", many: true, count: 4, tiles: ["0-1", "0-2", "1-2", "2-2"] });
  tapNumber(recorder, "2");
  assert.deepEqual(besidePad(recorder), ["0-2", "1-2", "2-2"]);
  tapTile(recorder, "0-2", "low");
  tapTile(recorder, "2-2", "low");
  assert.deepEqual([pick.tiles, pick.numbers], [["0-2", "2-2"], ["2"]]);
  tapNumber(recorder, "0");
  assert.deepEqual([besidePad(recorder), dim(recorder, 3)], [["0-1", "0-2"], [3]]);
  tapNumber(recorder, "0");
  assert.deepEqual(besidePad(recorder), ["0-2", "2-2"]);
  assert.equal(padKeys(recorder, 3).includes('aria-pressed="true"'), false);
  // A keyboard and a slide name a tile by both of its numbers.
  tapKey(recorder, "0");
  tapKey(recorder, "1");
  assert.deepEqual(pick.tiles, ["0-2", "2-2", "0-1"]);
});

// ── Where a tile can only lie in one way ─────────────────────────────────────────────────────────────────

const HERE = [0, 0, "e", 1];
const TURNED = [1, 0, "w", 1];
const ELSEWHERE = [0, 0, "s", 1];
const LAID = { type: "place", player: "a", tile: "3-5", at: [0, 0], dir: "e", level: 1 };

test("the last tile of a hand is taken without a tap, and a tap on it keeps it in hand", () => {
  const { recorder, pick } = table({ tiles: ["3-5"], legal: [{ tiles: ["3-5"], at: [HERE, ELSEWHERE] }] });
  takeOnly(recorder);
  assert.deepEqual([pick.tile, pick.held], ["3-5", "low"]);
  tapTile(recorder, "3-5", "low");
  assert.equal(pick.tile, "3-5");
  tapTile(recorder, "3-5", "low");
  assert.equal(pick.tile, "");
  const two = table({ tiles: ["3-5", "3-6"], legal: [{ tiles: ["3-5"], at: [HERE] }] });
  takeOnly(two.recorder);
  assert.equal(two.pick.tile, "");
});

test("a tile that fits in one place only is laid there at once", () => {
  const legal = [{ tiles: ["3-5"], at: [HERE] }];
  const { recorder, entered } = table({ tiles: ["3-5", "3-6"], legal });
  tapTile(recorder, "3-5", "high");
  assert.deepEqual(entered, [[LAID, true]]);
  const numbers = table({ tiles: ["3-5", "3-6"], legal: [...legal, { tiles: ["3-6"], at: [HERE] }] });
  tapKey(numbers.recorder, "3");
  tapKey(numbers.recorder, "5");
  assert.deepEqual(numbers.entered, [[LAID, true]]);
  const stacks = table({ kind: "stack", tiles: ["3-5"], legal: [{ tiles: ["3-5"], at: [[7]] }] });
  tapTile(stacks.recorder, "3-5", "low");
  assert.deepEqual(stacks.entered, [[{ type: "stack", player: "a", tile: "3-5", stack: 7 }, true]]);
  assert.equal(stacks.placing.justLaid, true);
});

for (const [when, more, tap] of [
  ["where it fits twice", { legal: [{ tiles: ["3-5"], at: [HERE, ELSEWHERE] }] }, tapTile],
  ["after one number", {}, (recorder) => tapKey(recorder, "5")],
  ["after Undo", { redo: { next: {} } }, tapTile],
  [
    "after the second of two taps",
    {},
    (recorder, ...tap) => ((recorder.placing.last.at = Date.now()), tapTile(recorder, ...tap)),
  ],
  ["while an entry is changed", { edit: {} }, tapTile],
])
  test(`a tile waits in hand ${when}`, () => {
    const tiles = ["3-5", "1-2"];
    const { recorder, pick, entered } = table({ tiles, legal: [{ tiles, at: [HERE] }], ...more });
    tap(recorder, "3-5", "low");
    assert.deepEqual([entered, pick.tile], [[], "3-5"]);
  });

test("where one place is left, few tiles are shown both ways round, and one tap lays one as it is shown", () => {
  resize(640);
  const legal = [
    { tiles: ["3-5"], at: [HERE, TURNED] },
    { tiles: ["4-4"], at: [HERE] },
  ];
  const { recorder, entered, pick } = table({ tiles: ["3-5", "4-4", "0-6"], legal });
  assert.deepEqual(lying(recorder), [
    { tile: "3-5", ways: [HERE, TURNED] },
    { tile: "4-4", ways: [HERE] },
    { tile: "0-6", ways: [] },
  ]);
  tapTile(recorder, "3-5", "low", `${TURNED}`);
  assert.deepEqual(entered, [[{ ...LAID, tile: "5-3" }, true]]);
  tapTile(recorder, "0-6", "low", "");
  assert.deepEqual([entered.length, pick.tile], [1, "0-6"]);
  for (const more of [
    { redo: { next: {} } },
    { edit: {} },
    { sure: false },
    { legal: [{ tiles: ["3-5"], at: [HERE, ELSEWHERE] }] },
  ])
    assert.equal(lying(table({ tiles: ["3-5", "4-4"], legal, ...more }).recorder), null, Object.keys(more)[0]);
});

test("beside the pad, the tiles with the first number are shown as they would lie", () => {
  resize(640);
  const tiles = Array.from({ length: 30 }, (_, n) => `${n % 6}-${6 + Math.floor(n / 6)}`);
  const { recorder, pick, entered } = table({ tiles, legal: [{ tiles, at: [HERE, TURNED] }] });
  assert.equal(lying(recorder), null);
  tapKey(recorder, "4");
  assert.equal(usesPad(recorder), true);
  const shown = ["4-6", "4-7", "4-8", "4-9", "4-10"];
  assert.deepEqual(
    lying(recorder).map(({ tile }) => tile),
    shown,
  );
  resize(620);
  assert.equal(lying(recorder), null);
  resize(640);
  tapTile(recorder, "4-8", "low", `${TURNED}`);
  assert.deepEqual(eventsOf(entered), [{ ...LAID, tile: "8-4" }]);
  pick.numbers = ["4"];
  tapKey(recorder, "8");
  assert.deepEqual([pick.tile, entered.length], ["4-8", 1]);
});

// ── A slide from one number to another ───────────────────────────────────────────────────────────────────

/** A finger comes down, moves, and is lifted where it is last, on a table where these tiles are left. */
function slide(way, { kind = "place", legal = [], numbers = [], finger = 7, end = "pointerup" } = {}) {
  const one = table({ kind, tiles: ["3-5", "5-5", "5-6", "3-6", "1-2"], legal });
  one.pick.numbers = numbers;
  slideOverKeys(one.recorder);
  const at = (x) => ({ clientX: x, clientY: 0, pointerId: finger, isPrimary: finger === 7 });
  listeners.pointerdown(at(way[0]));
  for (const x of way.slice(1)) listeners.pointermove(at(x));
  listeners[end](at(way[way.length - 1]));
  return one;
}

for (const [what, way, more, tile, held, numbers] of [
  ["takes the tile by the half where it began", [5, 4, 3], {}, "3-5", "high", ["5", "3"]],
  ["or by the other", [3, 6], {}, "3-6", "low", ["3", "6"]],
  ["that leaves the pad names one number", [5, 3, -1], {}, "", "", ["5"]],
  ["that comes back, too", [5, 3, 5], {}, "", "", ["5"]],
  ["that goes nowhere is a tap", [5, 5], {}, "", "", []],
  ["of a second finger is none", [5, 3], { finger: 8 }, "", "", []],
  ["that the browser takes away names one number", [5, 3], { end: "pointercancel" }, "", "", ["5"]],
  ["has nothing to do with a number that was tapped before", [5, 3], { numbers: ["6"] }, "3-5", "high", ["5", "3"]],
])
  test(`a slide ${what}`, () => {
    const { pick } = slide(way, more);
    assert.deepEqual([pick.tile, pick.held, pick.numbers], [tile, held, numbers]);
  });

test("where the first number is enough, the second names nothing", () => {
  const legal = [{ tiles: ["1-2", "3-5"], at: [[]] }];
  assert.deepEqual(eventsOf(slide([1, 3], { kind: "play", legal }).entered), [
    { type: "play", player: "a", tile: "1-2" },
  ]);
});

// ── The rest of a hand ───────────────────────────────────────────────────────────────────────────────────

/** A table that asks for a hand: how many tiles it has, and how many are left. */
const hand = (count, left, more = {}) => table({ kind: "deal", many: true, count, tiles: tilesOf(left), ...more });
const deal = (tiles) => [[{ type: "deal", player: "a", tiles }, true]];

test("where just as many tiles are left as the hand has, one tap writes it down; what is over is tapped away", () => {
  const { recorder, entered } = hand(14, 14);
  assert.equal(overOf(recorder), 0);
  takeRest(recorder);
  assert.deepEqual(entered, deal(tilesOf(14)));
  const more = hand(45, 46);
  more.pick.numbers = ["1"];
  assert.equal(overOf(more.recorder), 1);
  takeRest(more.recorder);
  assert.deepEqual([more.entered.length, more.pick.tiles.length, more.pick.numbers], [0, 46, []]);
  tapTile(more.recorder, "3-2", "low");
  assert.deepEqual(more.entered, deal(tilesOf(46).filter((tile) => tile !== "3-2")));
});

test("the rest is offered only where the rules say how many tiles the hand has, and about so many are left", () => {
  for (const [count, left, over, more] of [
    [14, 13, -1],
    [14, 28, -1],
    [14, 18, -1],
    [0, 14, -1],
    [undefined, 14, -1],
    [1, 1, -1],
    [3, 4, -1],
    [22, 25, 3],
    [14, 14, -1, { sure: false }],
    [14, 14, -1, { many: false }],
  ]) {
    const { recorder, entered } = hand(count, left, more);
    assert.equal(overOf(recorder), over, `${count} of ${left}`);
    if (over < 0) takeRest(recorder);
    assert.deepEqual(entered, []);
  }
  const begun = hand(14, 14);
  begun.pick.tiles = ["0-0"];
  assert.equal(overOf(begun.recorder), -1);
});
