import assert from "node:assert/strict";
import { test } from "node:test";

import { hintNow } from "../../viewer/static/record/entry.js";
import { HELD, Placing } from "../../viewer/static/record/placing.js";

const BOX = { left: 0, top: 0, right: 5, bottom: 5 };

/** A table with two tiles, where the 1-2 was just put down; `ways` are those in which it may lie. */
function table({ ways = 2, lift = true } = {}) {
  const laid = [
    { tile: "3-4", at: [2, 0], to: [3, 0], level: 1 },
    { tile: "2-1", at: [0, 0], to: [1, 0], level: 1 },
  ];
  const entered = [];
  const recorder = {
    box: BOX,
    pick: { tile: "", player: "a" },
    view: { scene: { areas: [{ type: "grid", laid }] }, form: { names: lift ? { lift: [] } : {} } },
    way: () => ({ legal: [{ tiles: ["1-2", "3-4"] }] }),
    enter: async (event) => entered.push(event),
  };
  const placing = new Placing(recorder);
  const all = Array.from({ length: ways }, () => [0, 0, "e", 1]);
  placing.laid = { id: "x", tile: "1-2", all, n: 0, until: Date.now() + HELD, extent: "0,0,5,5", glass: [40, 40] };
  placing.turn = async () => entered.push("turned");
  return { placing, recorder, entered };
}

test("a second tap turns the tile that was just put down, on either half", async () => {
  for (const point of [
    [0.5, 0.5],
    [1.5, 0.5],
  ]) {
    const { placing, entered } = table();
    await placing.tap(point, [point[0] * 80, 40]);
    assert.deepEqual(entered, ["turned"]);
    assert.equal(placing.tapped, true);
  }
});

test("a tap on another tile lifts that one, however near it is", async () => {
  const { placing, entered } = table();
  await placing.tap([2.1, 0.5], [42, 42]);
  assert.deepEqual(entered, [{ type: "lift", player: "a", tile: "3-4" }]);
});

test("where the squares have moved, the same spot is still the same tile", async () => {
  const { placing, recorder, entered } = table();
  recorder.box = { ...BOX, left: -1 };
  await placing.tap([2.1, 0.5], [42, 42]);
  assert.deepEqual(entered, ["turned"]);
});

test("a tile that lies in its only way is lifted, and after a moment every tile is", async () => {
  const only = table({ ways: 1 });
  await only.placing.tap([0.5, 0.5], [40, 40]);
  const late = table();
  late.placing.laid.until = Date.now() - 1;
  await late.placing.tap([0.5, 0.5], [40, 40]);
  for (const { entered } of [only, late]) assert.deepEqual(entered, [{ type: "lift", player: "a", tile: "1-2" }]);
});

test("without lifts, a tile in its only way stays as it is", async () => {
  const { placing, entered } = table({ ways: 1, lift: false });
  await placing.tap([0.5, 0.5], [40, 40]);
  assert.deepEqual(entered, []);
});

test("the hint says what another tap does, and what it did", () => {
  const hint = ({ kind = "place", lift, turns, tapped }) =>
    hintNow(
      {
        pick: { kind, tile: "", tiles: [] },
        placing: { turns, tapped },
        prompt: () => ({ many: false }),
        way: () => ({ legal: lift ? [{}] : [] }),
      },
      { tiles: [] },
      [],
    );
  assert.equal(hint({ lift: false, turns: true, tapped: true }), "tap it again to turn it");
  assert.match(hint({ lift: true, turns: true, tapped: false }), /at once to turn it, later to lift it/);
  assert.match(hint({ lift: true, turns: true, tapped: true }), /^turned; to lift it, wait/);
  assert.match(hint({ kind: "draw", lift: true, turns: true, tapped: true }), /^turned/);
  assert.match(hint({ lift: true, turns: false, tapped: false }), /tap one on the table to lift it/);
  assert.equal(hint({ kind: "over", lift: true, turns: true, tapped: true }), "");
});
