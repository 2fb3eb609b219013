import assert from "node:assert/strict";
import { test } from "node:test";

import { padKeys, takeOnly, tapKey, usesPad } from "../../viewer/static/record/pad.js";

/** A table where these tiles are left for an act. */
function table({ kind = "place", tiles, legal = [], many = false, dealt = false }) {
  const entered = [];
  const pick = { kind, player: "a", tiles: [], numbers: [], held: "", clear: () => undefined };
  Object.defineProperty(pick, "tile", { get: () => pick.tiles[0] || "" });
  const recorder = {
    pick,
    sure: true,
    view: { form: { names: { play: [] } } },
    prompt: () => ({ kind, many, dealt }),
    way: (name = kind) => (name === kind ? { tiles, legal } : undefined),
    enter: (event) => entered.push(event),
    changed: () => undefined,
  };
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
  assert.equal(usesPad(table({ tiles: tiles(14) }).recorder), false);
  assert.equal(usesPad(table({ tiles: tiles(15) }).recorder), true);
  assert.equal(usesPad(table({ kind: "deal", dealt: true, many: true, tiles: tiles(28) }).recorder), false);
  assert.equal(usesPad(table({ kind: "deal", dealt: true, many: true, tiles: tiles(91) }).recorder), true);
});

test("the last tile of a hand is taken without a tap", () => {
  const { recorder, pick } = table({ tiles: ["3-5"], legal: [{ tiles: ["3-5"], at: [[0, 0, "e", 1]] }] });
  takeOnly(recorder);
  assert.deepEqual([pick.tile, pick.held], ["3-5", "low"]);
  const two = table({ tiles: ["3-5", "3-6"], legal: [{ tiles: ["3-5"], at: [[0, 0, "e", 1]] }] });
  takeOnly(two.recorder);
  assert.equal(two.pick.tile, "");
});
