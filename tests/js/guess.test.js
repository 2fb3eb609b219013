import assert from "node:assert/strict";
import { test } from "node:test";

import { guess } from "../../viewer/static/record/guess.js";

const way = (kind, player, tiles) => ({ kind, player, tiles, legal: [{}], due: player === "a" });

function screen(areas, names = {}) {
  return {
    players: [
      ["a", "Ana"],
      ["b", "Ben"],
    ],
    next: { kind: "place", player: "a" },
    scene: { areas, seats: [{ turn: true }, { turn: false }] },
    form: { names, ways: ["a", "b"].map((player) => way("place", player, ["1-2", "3-4"])) },
  };
}

test("where nothing waits, the view is the ledger's, and sure", () => {
  const view = screen([]);
  assert.deepEqual(guess(view, []), { ...view, sure: true });
});

test("a tile that was placed lies there, leaves all trays, and the turn goes round", () => {
  const grid = { type: "grid", laid: [{ tile: "5-5", at: [9, 9], to: [9, 8], level: 1, marks: ["last"] }] };
  const view = screen([grid]);
  const event = { type: "place", player: "a", tile: "2-1", at: [0, 0], dir: "e", level: 1 };
  const next = guess(view, [event]);
  assert.equal(next.sure, false);
  assert.deepEqual(
    next.scene.areas[0].laid.map(({ marks }) => marks),
    [[], ["last"]],
  );
  assert.deepEqual(next.scene.areas[0].laid[1].to, [1, 0]);
  assert.deepEqual(
    next.form.ways.map(({ tiles }) => tiles),
    [["3-4"], ["3-4"]],
  );
  assert.deepEqual(
    next.scene.seats.map(({ turn }) => turn),
    [false, true],
  );
  assert.equal(next.next.player, "b");
  assert.equal(grid.laid.length, 1, "the ledger's view stays as it was");
});

test("a tile that was lifted comes back into the tray", () => {
  const grid = { type: "grid", laid: [{ tile: "5-6", at: [0, 0], to: [1, 0], level: 1, marks: [] }] };
  const next = guess(screen([grid]), [{ type: "lift", player: "a", tile: "6-5" }]);
  assert.equal(next.scene.areas[0].laid.length, 0);
  assert.deepEqual(next.form.ways[0].tiles, ["1-2", "3-4", "5-6"]);
});

test("one player who has laid a tile is asked for the next one, and never to lift one", () => {
  const view = screen([{ type: "grid", laid: [], marks: [] }]);
  view.players.pop();
  view.scene.seats.pop();
  view.form.ways = ["draw", "place", "lift"].map((kind) => way(kind, "a", ["1-2", "3-4"]));
  const due = (/** @type {any[]} */ events) =>
    guess(view, events)
      .form.ways.filter(({ due }) => due)
      .map(({ kind }) => kind);
  assert.deepEqual(due([{ type: "place", player: "a", tile: "1-2", at: [0, 0], dir: "e", level: 1 }]), [
    "draw",
    "place",
  ]);
  assert.deepEqual(due([{ type: "draw", player: "a", tile: "5-6" }]), ["place"]);
});

test("a tile of a line is turned so that equal halves meet", () => {
  const row = { type: "row", piles: [{ label: "1-2", tiles: ["1-2"], owners: [], hidden: 0, marks: [] }] };
  const view = screen([row], { play: ["end"] });
  const right = { type: "play", player: "a", tile: "5-2", end: "right" };
  const left = { type: "play", player: "b", tile: "1-6", end: "left" };
  const tiles = guess(view, [right, left]).scene.areas[0].piles.map(({ label }) => label);
  assert.deepEqual(tiles, ["6-1", "1-2", "2-5"]);
});

test("what no player did changes nothing", () => {
  const next = guess(screen([]), [{ type: "note", text: "rain" }]);
  assert.deepEqual(next.form, screen([]).form);
  assert.equal(next.sure, false);
});
