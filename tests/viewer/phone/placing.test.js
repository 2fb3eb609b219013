import assert from "node:assert/strict";
import { test } from "node:test";

import { Placing } from "../../../viewer/phone/static/recorder/place_tile.js";

/** A table with two tiles; `lift`: tiles can be lifted. */
function table({ lift = true, tile = "", legal = [] } = {}) {
  const laid = [
    { tile: "3-4", at: [2, 0], to: [3, 0], level: 1 },
    { tile: "2-1", at: [0, 0], to: [1, 0], level: 1 },
  ];
  const entered = [];
  const recorder = {
    pick: { tile, player: "a", held: "low" },
    view: { scene: { areas: [{ type: "grid", laid }] }, form: { names: lift ? { lift: [] } : {} } },
    way: (kind) => ({ legal: kind === "lift" ? [{ tiles: ["1-2", "3-4"] }] : [{ tiles: ["0-5"], at: legal }] }),
    writer: { enter: async (event, how) => entered.push([event, how.legal]) },
    dialogs: { hint: (text) => entered.push(text) },
  };
  return { placing: new Placing(recorder), entered, recorder };
}

const PLACE = { type: "place", player: "a", tile: "0-5" };

test("a tap on a lit place lays the tile there, and one beside it says what to do", () => {
  const { placing, entered } = table({ tile: "0-5", legal: [[0, 1, "e", 1]] });
  placing.tap([1.9, 1.1]);
  placing.tap([5.5, 5.5]);
  assert.deepEqual(entered[0], [{ ...PLACE, at: [0, 1], dir: "e", level: 1 }, true]);
  assert.match(entered[1], /Somewhere else/);
});

test("somewhere else, and where nothing fits, a tap lays the tile anywhere", () => {
  const asked = table({ tile: "0-5", legal: [[0, 1, "e", 1]] });
  asked.recorder.pick.anywhere = true;
  asked.placing.tap([5.8, 5.5]);
  assert.deepEqual(asked.entered, [[{ ...PLACE, at: [5, 5], dir: "e", level: 1 }, false]]);
  const unfit = table({ tile: "0-5" });
  unfit.placing.tap([2.8, 0.5]);
  assert.deepEqual(unfit.entered, [[{ ...PLACE, at: [2, 0], dir: "e", level: 2 }, false]]);
});

test("a tile that is dropped lies where it is lit, or anywhere else", () => {
  const { placing, entered } = table({ tile: "0-5", legal: [[0, 1, "e", 1]] });
  placing.drop([0.5, 1.5]);
  placing.drop([5.8, 5.5]);
  assert.deepEqual(
    entered.map(([event, legal]) => [event.at, legal]),
    [
      [[0, 1], true],
      [[5, 5], false],
    ],
  );
});

test("without a tile in hand, a tap on a tile lifts it, but not the second of two taps that laid it", () => {
  const { placing, entered, recorder } = table();
  placing.tap([2.1, 0.5]);
  assert.deepEqual(entered, [[{ type: "lift", player: "a", tile: "3-4" }, true]]);
  recorder.pick.tile = "1-2";
  placing.tap([0.5, 0.5]);
  recorder.pick.tile = "";
  placing.tap([0.5, 0.5]);
  assert.equal(entered.length, 2);
  placing.last.at = 0;
  placing.tap([0.5, 0.5]);
  assert.equal(entered.length, 3);
});

test("the second of two taps does not lay the tile that was taken without a tap", () => {
  const { placing, entered, recorder } = table({ tile: "0-5", legal: [[0, 1, "e", 1]] });
  placing.tap([0.5, 1.5]);
  recorder.pick.untapped = true;
  placing.tap([0.5, 1.5]);
  assert.equal(entered.length, 1);
  recorder.pick.untapped = false;
  placing.tap([0.5, 1.5]);
  assert.equal(entered.length, 2);
});

test("without lifts, a tile stays as it is", () => {
  const { placing, entered } = table({ lift: false });
  placing.tap([0.5, 0.5]);
  assert.deepEqual(entered, []);
});
