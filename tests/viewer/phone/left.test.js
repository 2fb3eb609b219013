import assert from "node:assert/strict";
import { test } from "node:test";

import { alike, remaining } from "../../../viewer/phone/static/recorder/tiles_left.js";

test("tiles that fit the same places are listed together, those of the player who is due first", () => {
  const tiles = ["1-2", "3-4", "5-6"];
  const way = (player, due) => ({
    kind: "place",
    player,
    due,
    tiles,
    legal: due ? [{ tiles: ["1-2", "3-4"], at: [[0, 0, "e", 2]] }] : [],
  });
  const groups = remaining({ form: { ways: [way("ben", false), way("ana", true), { kind: "pass", player: "ana" }] } });
  assert.deepEqual(
    groups.map(({ players, fits }) => [players, alike(fits).map(([some]) => some)]),
    [
      [["ana"], [["1-2", "3-4"]]],
      [["ben"], []],
    ],
  );
  assert.deepEqual(
    groups.map((group) => group.tiles),
    [tiles, tiles],
  );
});
