import assert from "node:assert/strict";
import { test } from "node:test";

import { HELD, Placing } from "../../viewer/static/record/placing.js";
import { prompt } from "../../viewer/static/record/prompt.js";

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
  const now = { kind: "place", who: "Ana", tile: "", chosen: 0, tray: 5, lowest: null, tie: false, line: false };
  assert.equal(prompt({ ...now, lift: false, turn: true, turned: true }).hint, "tap it again to turn it");
  assert.match(prompt({ ...now, lift: true, turn: true, turned: false }).hint, /at once to turn it, later to lift it/);
  assert.match(prompt({ ...now, lift: true, turn: true, turned: true }).hint, /^turned; to lift it, wait/);
  assert.match(prompt({ ...now, kind: "draw", lift: true, turn: true, turned: true }).hint, /^turned/);
  assert.match(prompt({ ...now, lift: true, turn: false, turned: false }).hint, /tap one on the table to lift it/);
});
