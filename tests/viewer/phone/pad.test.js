import assert from "node:assert/strict";
import { test } from "node:test";

const resized = [];
globalThis.addEventListener = (_kind, act) => resized.push(act);
const { besidePad, lying, padKeys, takeOnly, tapKey, tapNumber, usesPad } =
  await import("../../../viewer/phone/static/recorder/number_pad.js");
const { Placing } = await import("../../../viewer/phone/static/recorder/place_tile.js");
const { tapTile } = await import("../../../viewer/phone/static/recorder/taps.js");

/** Gives the screen this height. */
function resize(height) {
  globalThis.innerHeight = height;
  for (const act of resized) act();
}

/** A table where these tiles are left for an act. */
function table({ kind = "place", tiles, legal = [], many = false, dealt = false }) {
  const entered = [];
  const pick = { kind, player: "a", tiles: [], numbers: [], held: "", clear: () => undefined };
  Object.defineProperty(pick, "tile", { get: () => pick.tiles[0] || "" });
  const recorder = {
    pick,
    sure: true,
    redo: { next: null },
    view: { form: { names: { play: [] } }, parts: { largest: 12, stacks: "" } },
    prompt: () => ({ kind, many, dealt }),
    way: (name = kind) => (name === kind ? { tiles, legal } : undefined),
    writer: { enter: (event) => entered.push(event) },
    changed: () => undefined,
  };
  recorder.placing = new Placing(recorder);
  const dim = (largest) =>
    [...padKeys(recorder, largest).matchAll(/class="key( dim)?" data-number="(\d+)"/g)]
      .filter(([, isDim]) => isDim)
      .map(([, , number]) => Number(number));
  return { recorder, pick, entered, dim };
}

test("two numbers name a tile, and the half that was named first is the one that a tap lays", () => {
  const { recorder, pick } = table({ tiles: ["3-5", "5-6", "3-6"] });
  tapKey(recorder, "5");
  assert.deepEqual([pick.tile, pick.numbers], ["", ["5"]]);
  tapKey(recorder, "3");
  assert.deepEqual([pick.tile, pick.held], ["3-5", "high"]);
  tapKey(recorder, "3");
  assert.deepEqual([pick.tile, pick.numbers], ["", ["3"]]);
  tapKey(recorder, "5");
  assert.deepEqual([pick.tile, pick.held], ["3-5", "low"]);
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
  assert.deepEqual(entered, [{ type: "play", player: "a", tile: "3-5" }]);
  const last = table({ kind: "play", tiles: ["3-5", "1-2"] });
  tapKey(last.recorder, "1");
  assert.deepEqual(last.entered, [{ type: "play", player: "a", tile: "1-2" }]);
});

test("numbers without a tile are dim, and can be tapped all the same", () => {
  const { recorder, pick, dim } = table({ tiles: ["0-1", "0-2", "1-2"], legal: [{ tiles: ["0-1", "0-2"], at: [] }] });
  assert.deepEqual(dim(4), [3, 4]);
  tapKey(recorder, "0");
  assert.deepEqual(dim(4), [0, 3, 4]);
  tapKey(recorder, "0");
  assert.equal(pick.tile, "0-0");
});

test("few tiles are keys themselves, as are those that are written down", () => {
  const tiles = (count) => Array.from({ length: count }, (_, n) => `0-${n}`);
  for (const [height, few] of [
    [560, 14],
    [620, 21],
    [640, 28],
  ]) {
    resize(height);
    assert.equal(usesPad(table({ tiles: tiles(few) }).recorder), false);
    assert.equal(usesPad(table({ tiles: tiles(few + 1) }).recorder), true);
  }
  assert.equal(usesPad(table({ kind: "deal", dealt: true, many: true, tiles: tiles(28) }).recorder), false);
  assert.equal(usesPad(table({ kind: "deal", dealt: true, many: true, tiles: tiles(91) }).recorder), true);
});

test("where several tiles are named, a number shows those that have it, until another number is tapped", () => {
  const tiles = ["0-1", "0-2", "1-2", "2-2"];
  const { recorder, pick, dim } = table({ kind: "deal", dealt: true, many: true, tiles });
  recorder.way = () => ({ tiles, count: 3, due: true });
  tapNumber(recorder, "2");
  assert.deepEqual(besidePad(recorder), ["0-2", "1-2", "2-2"]);
  tapTile(recorder, "0-2", "low");
  tapTile(recorder, "2-2", "low");
  assert.deepEqual([pick.tiles, pick.numbers], [["0-2", "2-2"], ["2"]]);
  tapNumber(recorder, "0");
  assert.deepEqual([besidePad(recorder), dim(3)], [["0-1", "0-2"], [3]]);
  tapNumber(recorder, "0");
  assert.deepEqual(besidePad(recorder), ["0-2", "2-2"]);
  assert.equal(padKeys(recorder, 3).includes('aria-pressed="true"'), false);
  // A keyboard and a slide name a tile by both of its numbers.
  tapKey(recorder, "0");
  tapKey(recorder, "1");
  assert.deepEqual(pick.tiles, ["0-2", "2-2", "0-1"]);
});

test("the last tile of a hand is taken without a tap", () => {
  const { recorder, pick } = table({ tiles: ["3-5"], legal: [{ tiles: ["3-5"], at: [[0, 0, "e", 1]] }] });
  takeOnly(recorder);
  assert.deepEqual([pick.tile, pick.held], ["3-5", "low"]);
  const two = table({ tiles: ["3-5", "3-6"], legal: [{ tiles: ["3-5"], at: [[0, 0, "e", 1]] }] });
  takeOnly(two.recorder);
  assert.equal(two.pick.tile, "");
});

const HERE = [0, 0, "e", 1];
const LAID = { type: "place", player: "a", tile: "3-5", at: [0, 0], dir: "e", level: 1 };

test("a tile that fits in one place only is laid there at once", () => {
  const legal = [{ tiles: ["3-5"], at: [HERE] }];
  const { recorder, entered } = table({ tiles: ["3-5", "3-6"], legal });
  tapTile(recorder, "3-5", "high");
  assert.deepEqual(entered, [LAID]);
  const numbers = table({ tiles: ["3-5", "3-6"], legal: [...legal, { tiles: ["3-6"], at: [HERE] }] });
  tapKey(numbers.recorder, "3");
  tapKey(numbers.recorder, "5");
  assert.deepEqual(numbers.entered, [LAID]);
  const stacks = table({ kind: "stack", tiles: ["3-5"], legal: [{ tiles: ["3-5"], at: [[7]] }] });
  tapTile(stacks.recorder, "3-5", "low");
  assert.deepEqual(stacks.entered, [{ type: "stack", player: "a", tile: "3-5", stack: 7 }]);
  assert.equal(stacks.recorder.placing.justLaid, true);
});

test("a tile waits in hand where it fits twice, after one number, after Undo, and after the second of two taps", () => {
  const once = { tiles: ["3-5", "1-2"], legal: [{ tiles: ["3-5", "1-2"], at: [HERE] }] };
  const twice = table({ ...once, legal: [{ tiles: ["3-5"], at: [HERE, [0, 0, "s", 1]] }] });
  tapTile(twice.recorder, "3-5", "low");
  const number = table(once);
  tapKey(number.recorder, "5");
  const undone = table(once);
  undone.recorder.redo.next = {};
  tapTile(undone.recorder, "3-5", "low");
  const second = table(once);
  second.recorder.placing.last.at = Date.now();
  tapTile(second.recorder, "3-5", "low");
  const changed = table(once);
  changed.recorder.edit = {};
  tapTile(changed.recorder, "3-5", "low");
  for (const { entered, pick } of [twice, number, undone, second, changed])
    assert.deepEqual([entered, pick.tile], [[], "3-5"]);
});

const TURNED = [1, 0, "w", 1];

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
  assert.deepEqual(entered, [{ ...LAID, tile: "5-3" }]);
  pick.tiles = [];
  tapTile(recorder, "0-6", "low", "");
  assert.deepEqual([entered.length, pick.tile], [1, "0-6"]);
  pick.tiles = [];
  for (const other of [{ redo: { next: {} } }, { edit: {} }, { sure: false }]) {
    const saved = { redo: recorder.redo, edit: recorder.edit, sure: recorder.sure };
    Object.assign(recorder, other);
    assert.equal(lying(recorder), null, Object.keys(other)[0]);
    Object.assign(recorder, saved);
  }
  const two = table({ tiles: ["3-5"], legal: [{ tiles: ["3-5"], at: [HERE, [0, 0, "s", 1]] }] });
  assert.equal(lying(two.recorder), null);
});

test("beside the pad, the tiles with the first number are shown as they would lie", () => {
  resize(640);
  const tiles = Array.from({ length: 30 }, (_, n) => `${n % 6}-${6 + Math.floor(n / 6)}`);
  const { recorder, pick, entered } = table({ tiles, legal: [{ tiles, at: [HERE, TURNED] }] });
  assert.equal(lying(recorder), null);
  tapKey(recorder, "4");
  assert.equal(usesPad(recorder), true);
  assert.deepEqual(
    lying(recorder).map(({ tile }) => tile),
    ["4-6", "4-7", "4-8", "4-9", "4-10"],
  );
  resize(560);
  assert.equal(lying(recorder), null);
  resize(640);
  tapTile(recorder, "4-8", "low", `${TURNED}`);
  assert.deepEqual(entered, [{ ...LAID, tile: "8-4" }]);
  [pick.tiles, pick.numbers] = [[], ["4"]];
  tapKey(recorder, "8");
  assert.deepEqual([pick.tile, entered.length], ["4-8", 1]);
});

test("a tap on the tile that was taken without one keeps it in hand", () => {
  const legal = [{ tiles: ["3-5"], at: [HERE, [0, 0, "s", 1]] }];
  const { recorder, pick } = table({ tiles: ["3-5"], legal });
  takeOnly(recorder);
  tapTile(recorder, "3-5", "low");
  assert.equal(pick.tile, "3-5");
  tapTile(recorder, "3-5", "low");
  assert.equal(pick.tile, "");
});
