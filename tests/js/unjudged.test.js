import assert from "node:assert/strict";
import { test } from "node:test";

import { unjudged } from "../../viewer/static/record/unjudged.js";

const way = (kind, player, tiles) => ({ kind, player, tiles, legal: [{}], due: player === "a" });

function screen(areas, names = {}) {
  return {
    version: 1,
    moves: [],
    undo: [],
    closed: false,
    players: [
      ["a", "Ana"],
      ["b", "Ben"],
    ],
    scene: { areas, seats: [{ turn: true }, { turn: false }] },
    form: { names, ways: ["a", "b"].map((player) => way("place", player, ["1-2", "3-4"])) },
  };
}

test("nothing is said about what is legal, who is next or what comes next", () => {
  const view = unjudged(screen([]), [{ type: "pass", player: "a" }]);
  assert.equal(view.sure, false);
  assert.deepEqual(
    view.form.ways.map(({ legal, due }) => [legal, due]),
    [
      [[], false],
      [[], false],
    ],
  );
  assert.deepEqual(
    view.scene.seats.map(({ turn }) => turn),
    [false, false],
  );
  assert.deepEqual(view.next, { kind: "pass", player: "a" });
});

test("a tile that was placed lies where it was put, and leaves all trays", () => {
  const grid = { type: "grid", laid: [{ tile: "5-5", at: [9, 9], to: [9, 8], level: 1, marks: ["last"] }] };
  const view = screen([grid]);
  const next = unjudged(view, [{ type: "place", player: "a", tile: "2-1", at: [0, 0], dir: "e", level: 1 }]);
  assert.deepEqual(
    next.scene.areas[0].laid.map(({ marks }) => marks),
    [[], ["last"]],
  );
  assert.deepEqual(next.scene.areas[0].laid[1].to, [1, 0]);
  assert.deepEqual(
    next.form.ways.map(({ tiles }) => tiles),
    [["3-4"], ["3-4"]],
  );
  assert.equal(grid.laid.length, 1, "the ledger's view stays as it was");
});

test("a tile that was lifted comes back into the tray of its player", () => {
  const grid = { type: "grid", laid: [{ tile: "5-6", at: [0, 0], to: [1, 0], level: 1, marks: [] }] };
  const next = unjudged(screen([grid]), [{ type: "lift", player: "a", tile: "6-5" }]);
  assert.equal(next.scene.areas[0].laid.length, 0);
  assert.deepEqual(
    next.form.ways.map(({ tiles }) => tiles),
    [
      ["1-2", "3-4", "5-6"],
      ["1-2", "3-4"],
    ],
  );
});

test("a hand that was written down is what its player may play", () => {
  const next = unjudged(screen([]), [{ type: "deal", player: "b", tiles: ["3-4"] }]);
  assert.deepEqual(
    next.form.ways.map(({ tiles }) => tiles),
    [["1-2", "3-4"], ["3-4"]],
  );
});

test("stacks and middles grow by what was played", () => {
  const stacks = { type: "row", piles: [{ label: "1", tiles: ["0-0"], owners: [0], hidden: 0, marks: [] }] };
  const view = unjudged(screen([stacks]), [{ type: "stack", player: "b", tile: "0-1", stack: 1 }]);
  assert.deepEqual(view.scene.areas[0].piles[0].tiles, ["0-0", "0-1"]);
  assert.deepEqual(view.scene.areas[0].piles[0].owners, [0, 1]);
  const laid = unjudged(screen([stacks]), [{ type: "layout", player: "a", tiles: ["1-1", "2-2"] }]);
  assert.deepEqual(
    laid.scene.areas[1].piles.map(({ label }) => label),
    ["2", "3"],
  );
});

test("a tile of a line is turned so that equal halves meet", () => {
  const row = { type: "row", piles: [{ label: "1-2", tiles: ["1-2"], owners: [], hidden: 0, marks: [] }] };
  const view = screen([row], { play: ["end"] });
  const right = { type: "play", player: "a", tile: "5-2", end: "right" };
  const left = { type: "play", player: "b", tile: "1-6", end: "left" };
  const tiles = unjudged(view, [right, left]).scene.areas[0].piles.map(({ label }) => label);
  assert.deepEqual(tiles, ["6-1", "1-2", "2-5"]);
});

test("what no player did changes nothing on the table", () => {
  const next = unjudged(screen([]), [{ type: "note", text: "rain" }]);
  assert.deepEqual(
    next.form.ways.map(({ tiles }) => tiles),
    screen([]).form.ways.map(({ tiles }) => tiles),
  );
});

test("a game that is left unfinished is closed, until that is taken back", () => {
  const close = { type: "close", why: "abandoned" };
  assert.equal(unjudged(screen([]), [close]).closed, true);
  assert.equal(unjudged(screen([]), [close, { type: "retract", seq: 1, why: "taken back at once" }]).closed, false);
});
