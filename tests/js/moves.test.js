import assert from "node:assert/strict";
import { test } from "node:test";

import { movesHere, withAllMoves } from "../../viewer/static/record/moves.js";

const screen = { version: 4, link: "ab", moves_digest: "0123456789abcdef", kept: 0, moves: [{ seq: 1 }, { seq: 3 }] };

test("a phone says which moves it has", () => {
  assert.deepEqual(movesHere(screen), { seen: 4, moves: "0123456789abcdef" });
  assert.deepEqual(movesHere(null), {});
});

test("new moves follow those that the phone has", () => {
  const answer = { version: 5, kept: 2, moves: [{ seq: 4 }] };
  assert.deepEqual(withAllMoves(screen, answer), { version: 5, kept: 0, moves: [{ seq: 1 }, { seq: 3 }, { seq: 4 }] });
  assert.equal(screen.moves.length, 2, "the screen stays as it was");
});

test("a move that was retracted is gone", () => {
  assert.deepEqual(withAllMoves(screen, { kept: 1, moves: [] }).moves, [{ seq: 1 }]);
});

test("an answer with all moves stays as it is", () => {
  const answer = { kept: 0, moves: [{ seq: 9 }] };
  assert.equal(withAllMoves(screen, answer), answer);
});
