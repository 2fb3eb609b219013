import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "./table.mjs";

const LAID = [
  { tile: "3-4", at: [2, 0], to: [3, 0], level: 1 },
  { tile: "2-1", at: [0, 0], to: [1, 0], level: 1 },
];
const PLACE = { type: "place", player: "a", tile: "0-5" };
const LIFT = { type: "lift", player: "a" };

/** Two tiles lie, and one is in hand that fits at these places. @param {any[]} at */
function holding(at, more = {}) {
  const one = table({ laid: LAID, tiles: ["0-5"], legal: at.length ? [{ tiles: ["0-5"], at }] : [], ...more });
  Object.assign(one.pick, { tiles: ["0-5"], held: "low" });
  return one;
}

test("a tap on a lit place lays the tile there, and one beside it says what to do", () => {
  const { placing, entered } = holding([[0, 1, "e", 1]]);
  placing.tap([5.5, 5.5]);
  placing.tap([1.9, 1.1]);
  assert.match(entered[0], /Somewhere else/);
  assert.deepEqual(entered[1], [{ ...PLACE, at: [0, 1], dir: "e", level: 1 }, true]);
});

test("somewhere else, and where nothing fits, a tap lays the tile anywhere", () => {
  const asked = holding([[0, 1, "e", 1]]);
  asked.pick.anywhere = true;
  asked.placing.tap([5.8, 5.5]);
  assert.deepEqual(asked.entered, [[{ ...PLACE, at: [5, 5], dir: "e", level: 1 }, false]]);
  const unfit = holding([]);
  unfit.placing.tap([2.8, 0.5]);
  assert.deepEqual(unfit.entered, [[{ ...PLACE, at: [2, 0], dir: "e", level: 2 }, false]]);
});

test("a tile that is dropped lies where it is lit, or anywhere else", () => {
  for (const [point, at, isLegal] of [
    [[0.5, 1.5], [0, 1], true],
    [[5.8, 5.5], [5, 5], false],
  ]) {
    const { placing, entered } = holding([[0, 1, "e", 1]]);
    placing.drop(point);
    assert.deepEqual([entered[0][0].at, entered[0][1]], [at, isLegal]);
  }
});

test("without a tile in hand, a tap on a tile lifts it, but not the second of two taps that laid it", () => {
  const way = (kind) => ({ legal: [{ tiles: kind === "lift" ? ["1-2", "3-4"] : ["1-2"], at: [] }] });
  const { placing, entered, pick } = table({ laid: LAID, way });
  placing.tap([2.1, 0.5]);
  assert.deepEqual(entered, [[{ ...LIFT, tile: "3-4" }, true]]);
  pick.tiles = ["1-2"];
  placing.tap([0.5, 0.5]); // lays it
  placing.tap([0.5, 0.5]);
  assert.equal(entered.length, 2);
  placing.last.at = 0;
  placing.tap([0.5, 0.5]);
  assert.deepEqual(entered[2], [{ ...LIFT, tile: "1-2" }, true]);
  const unliftable = table({ laid: LAID });
  unliftable.recorder.view.form.names = {};
  unliftable.placing.tap([0.5, 0.5]);
  assert.deepEqual(unliftable.entered, []);
});

test("the second of two taps does not lay the tile that was taken without a tap", () => {
  const { placing, entered, pick } = holding([[0, 1, "e", 1]]);
  const tap = (untapped) => {
    Object.assign(pick, { tiles: ["0-5"], held: "low", untapped });
    placing.tap([0.5, 1.5]);
    return entered.length;
  };
  assert.deepEqual([tap(false), tap(true), tap(false)], [1, 1, 2]);
});
