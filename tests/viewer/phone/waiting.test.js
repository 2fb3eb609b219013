import assert from "node:assert/strict";
import { test } from "node:test";

import { plainly } from "../../../viewer/phone/static/pieces/entries_in_words.js";
import { unjudged } from "../../../viewer/phone/static/entries/waiting.js";

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
    prompts: [
      { kind: "place", label: "Place", lays: true },
      { kind: "deal", label: "Hand", many: true },
    ],
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
  assert.deepEqual(view.next, { kind: "pass", player: "" });
});

test("a tile that was placed lies where it was put, and leaves all trays", () => {
  const grid = { type: "grid", laid: [{ tile: "5-5", at: [9, 9], to: [9, 8], level: 1 }] };
  const view = screen([grid]);
  const next = unjudged(view, [{ type: "place", player: "a", tile: "2-1", at: [0, 0], dir: "e", level: 1 }]);
  assert.deepEqual(
    next.scene.areas[0].laid.map(({ waits }) => Boolean(waits)),
    [false, true],
  );
  assert.deepEqual(next.scene.areas[0].laid[1].to, [1, 0]);
  assert.deepEqual(
    next.form.ways.map(({ tiles }) => tiles),
    [["3-4"], ["3-4"]],
  );
  assert.equal(grid.laid.length, 1, "the ledger's view stays as it was");
});

test("a tile of a player's own set leaves only the trays of that player", () => {
  const view = screen([]);
  Object.assign(view.prompts[0], { kind: "stack", own: true });
  for (const one of view.form.ways) one.kind = "stack";
  const next = unjudged(view, [{ type: "stack", player: "a", tile: "1-2", stack: 1 }]);
  assert.deepEqual(
    next.form.ways.map(({ tiles }) => tiles),
    [["3-4"], ["1-2", "3-4"]],
  );
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

test("what a player drew or was dealt can be played, and is not drawn again", () => {
  const view = screen([]);
  view.form.ways.push(way("draw", "b", ["3-4", "5-5"]));
  const next = unjudged(view, [{ type: "draw", player: "b", tile: "5-5" }]);
  assert.deepEqual(
    next.form.ways.map(({ tiles }) => tiles),
    [["1-2", "3-4"], ["1-2", "3-4", "5-5"], ["3-4"]],
  );
});

test("an entry that waits is said in plain words, whatever its kind", () => {
  const view = { ...screen([]), moves: [{ seq: 1, words: "Ana plays 1-2", event: {} }] };
  const words = (event) => plainly(event, view).replaceAll("\u2011", "-");
  assert.equal(words({ type: "place", player: "a", tile: "3-6", at: [0, 0], dir: "e", level: 1 }), "Ana plays 3-6");
  assert.equal(words({ type: "deal", player: "b", tiles: ["1-2", "3-4"] }), "Ben has 1-2, 3-4");
  assert.equal(words({ type: "bid", player: "a", bid: 0 }), "Ana bids 0");
  assert.equal(words({ type: "pass", player: "a" }), "Ana passes");
  assert.equal(words({ type: "swap", player: "b" }), "Ben: swap");
  assert.equal(words({ type: "note", text: "rain" }), "note");
  assert.equal(words({ type: "retract", seq: 1 }), "Deleted: Ana plays 1-2");
  assert.equal(words({ type: "insert", before: 1, event: { type: "place", tile: "0-0" } }), "Inserted: Place 0-0");
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
