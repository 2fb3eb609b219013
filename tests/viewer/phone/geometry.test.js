import assert from "node:assert/strict";
import { test } from "node:test";

import * as geometry from "../../../viewer/phone/static/pieces/tile_geometry.js";
import { SquareNames } from "../../../viewer/phone/static/pieces/tile_geometry.js";

const GRID = { bounds: [0, 0, 1, 0], laid: [{ tile: "1-2", at: [0, 0], to: [1, 0], level: 1 }] };

test("a tile is named with its lower half first", () => {
  assert.equal(geometry.lowFirst("10-9"), "9-10");
  assert.equal(geometry.lowFirst("3-3"), "3-3");
  assert.equal(geometry.fromOtherHalf("1-2"), "2-1");
});

test("a place covers two squares, and the same pair is offered once", () => {
  assert.deepEqual(geometry.squares([2, 3, "n", 1]), [
    [2, 3],
    [2, 2],
  ]);
  const pairs = geometry.footprints([
    [0, 0, "e", 1],
    [1, 0, "w", 1],
    [0, 0, "s", 1],
  ]);
  assert.deepEqual(
    pairs.map(({ places }) => places.length),
    [2, 1],
  );
  assert.deepEqual(pairs[0].centre, [1, 0.5]);
});

test("a placement is written from its left or upper half, whichever way it was tapped", () => {
  const west = geometry.placeEvent("a", "1-2", [5, 4, "w", 3]);
  assert.deepEqual(west, { type: "place", player: "a", tile: "2-1", at: [4, 4], dir: "e", level: 3 });
  const south = geometry.placeEvent("a", "1-2", [5, 4, "s", 3]);
  assert.deepEqual(south, { type: "place", player: "a", tile: "1-2", at: [5, 4], dir: "s", level: 3 });
});

test("the held half goes under the finger", () => {
  assert.deepEqual(
    geometry.freePlace([2.5, 2.1], "low", () => 0),
    [2, 2, "n", 1],
  );
  assert.deepEqual(
    geometry.freePlace([2.5, 2.1], "high", () => 2),
    [2, 1, "s", 3],
  );
});

test("a tap means the ghost it is on: both squares of one that lies one way, a square for each of two ways", () => {
  const [east, west] = [
    [0, 0, "e", 1],
    [1, 0, "w", 1],
  ];
  for (const point of [
    [0.05, 0.95],
    [1.95, 0.05],
  ])
    assert.equal(geometry.placeAt([east], point, "low"), east);
  assert.equal(geometry.placeAt([east, west], [0.1, 0.9], "low"), east);
  assert.equal(geometry.placeAt([east, west], [1.9, 0.1], "low"), west);
  assert.equal(geometry.placeAt([east, west], [1.9, 0.1], "high"), east);
  assert.equal(geometry.placeAt([east], [9.5, 0.5], "low"), null);
  assert.equal(geometry.placeAt([east], [2.5, 0.5], "low"), null);
});

test("where ghosts overlap, a tap means the one whose middle is nearest", () => {
  const right = [1, 0, "e", 1];
  const left = [0, 0, "e", 1];
  const down = [1, 0, "s", 1];
  const all = [left, right, down];
  assert.deepEqual(
    geometry.footprints(all).map(({ size }) => size),
    [0.4, 0.4, 0.4],
  );
  assert.equal(geometry.placeAt(all, [1.8, 0.5], "low"), right);
  assert.equal(geometry.placeAt(all, [1.2, 0.5], "low"), left);
  assert.equal(geometry.placeAt(all, [1.5, 0.8], "low"), down);
});

test("a double has one place on two squares", () => {
  const way = {
    legal: [
      {
        tiles: ["3-3", "3-4"],
        at: [
          [0, 0, "e", 1],
          [1, 0, "w", 1],
        ],
      },
    ],
  };
  assert.equal(geometry.spots(way, "3-3").length, 1);
  assert.equal(geometry.spots(way, "3-4").length, 2);
});

test("the squares make room for what may be played, and do not shrink on a level", () => {
  const wide = geometry.fitWindow(GRID, [[2, 0, "e", 1]], null, true);
  assert.deepEqual([wide.left, wide.right, wide.level], [0, 3, 1]);
  assert.equal(geometry.fitWindow(GRID, [], wide, true).right, 3);
  const next = { ...GRID, laid: [{ ...GRID.laid[0], level: 2 }] };
  assert.equal(geometry.fitWindow(next, [], wide, true).right, 1);
});

test("without a connection, an open rim gets room beside a tile", () => {
  const before = { left: 0, top: 0, right: 1, bottom: 0, level: 1, open: true };
  assert.equal(geometry.fitWindow(GRID, [], before, false).right, 2);
  assert.equal(geometry.fitWindow(GRID, [], { ...before, open: false }, false).right, 1);
});

test("the highest tile on a square", () => {
  const high = { tile: "4-5", at: [1, 0], to: [2, 0], level: 2 };
  const grid = { laid: [high, GRID.laid[0]] };
  assert.equal(geometry.topTile(grid, [1, 0]), high);
  assert.equal(geometry.topTile(grid, [0, 0]), GRID.laid[0]);
  assert.equal(geometry.topTile(grid, [9, 9]), null);
});

test("tiles keep their places in the tray until most places are empty", () => {
  assert.deepEqual(geometry.slots(["a", "c", "d"], ["a", "b", "c"]), ["a", "d", "c"]);
  assert.deepEqual(geometry.slots(["a", "c"], ["a", "b", "c"]), ["a", "", "c"]);
  assert.deepEqual(geometry.slots(["c"], ["a", "b", "c"]), ["c"]);
});

test("the lowest bid, then round ones", () => {
  assert.deepEqual(geometry.quickBids([]), []);
  assert.deepEqual(geometry.quickBids([7, 8, 9, 10, 11, 15, 20]), [7, 10, 15, 20]);
});

test("squares have the names that came with the view, and others none", () => {
  const names = new SquareNames({ left: 0, top: 2, columns: ["a", "b"], rows: ["3", "2", "1"] });
  assert.equal(names.square([1, 3]), "b2");
  assert.deepEqual([names.square([-1, 4]), names.square([0, 5]), names.square([2, 4])], ["", "", ""]);
  assert.equal(
    names.pair([
      [0, 4],
      [0, 5],
    ]),
    "",
  );
  assert.equal(
    names.pair([
      [0, 4],
      [1, 4],
    ]),
    "a1\u2011b1",
  );
});
