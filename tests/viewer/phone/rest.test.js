import assert from "node:assert/strict";
import { test } from "node:test";

import { tapTile, overOf, takeRest } from "../../../viewer/phone/static/recorder/taps.js";

/** A table that asks for a hand: how many tiles it has, and which are left. */
function table(count, tiles, more = {}) {
  const entered = [];
  const pick = { kind: "deal", player: "b", tiles: [], numbers: ["1"] };
  const recorder = {
    pick,
    sure: true,
    prompt: () => ({ kind: "deal", many: true }),
    way: () => ({ tiles, count, due: true }),
    writer: { enter: (event, { legal }) => entered.push([event, legal]) },
    changed: () => undefined,
    ...more,
  };
  return { recorder, pick, entered };
}

const tiles = (count) => Array.from({ length: count }, (_, n) => `${n % 7}-${Math.floor(n / 7)}`);

test("where just as many tiles are left as the hand has, one tap writes it down like any other", () => {
  const { recorder, entered } = table(14, tiles(14));
  assert.equal(overOf(recorder), 0);
  takeRest(recorder);
  assert.deepEqual(entered, [[{ type: "deal", player: "b", tiles: tiles(14) }, true]]);
});

test("where one tile is over, it is tapped away", () => {
  const { recorder, pick, entered } = table(45, tiles(46));
  assert.equal(overOf(recorder), 1);
  takeRest(recorder);
  assert.deepEqual([entered.length, pick.tiles.length, pick.numbers], [0, 46, []]);
  tapTile(recorder, "3-2", "low");
  const expected = tiles(46).filter((tile) => tile !== "3-2");
  assert.deepEqual(entered, [[{ type: "deal", player: "b", tiles: expected }, true]]);
});

test("the rest is offered only where the rules say how many tiles the hand has, and about so many are left", () => {
  for (const [count, left] of [
    [14, 13],
    [14, 28],
    [14, 18],
    [0, 14],
    [undefined, 14],
    [1, 1],
    [3, 4],
  ]) {
    const { recorder, entered } = table(count, tiles(left));
    assert.equal(overOf(recorder), -1, `${count} of ${left}`);
    takeRest(recorder);
    assert.deepEqual(entered, []);
  }
  assert.equal(overOf(table(22, tiles(25)).recorder), 3);
  assert.equal(overOf(table(14, tiles(14), { sure: false }).recorder), -1);
  assert.equal(overOf(table(14, tiles(14), { prompt: () => ({ kind: "draw" }) }).recorder), -1);
  const begun = table(14, tiles(14));
  begun.pick.tiles = ["0-0"];
  assert.equal(overOf(begun.recorder), -1);
});
