import assert from "node:assert/strict";
import { test } from "node:test";

import { partsHere, withAllParts } from "../../../viewer/phone/static/entries/api.js";

const screen = {
  version: 4,
  link: "ab",
  moves_digest: "0123456789abcdef",
  findings_digest: "fedcba9876543210",
  kept: 0,
  moves: [{ seq: 1 }, { seq: 3 }],
  findings: [{ seq: 3 }],
};

test("a phone says which moves and findings it has", () => {
  assert.deepEqual(partsHere(screen), { seen: 4, moves: "0123456789abcdef", findings: "fedcba9876543210" });
  assert.deepEqual(partsHere(null), {});
});

test("new moves follow those that the phone has", () => {
  const answer = { version: 5, kept: 2, moves: [{ seq: 4 }], findings: null };
  const whole = withAllParts(screen, answer);
  assert.deepEqual(whole.moves, [{ seq: 1 }, { seq: 3 }, { seq: 4 }]);
  assert.equal(whole.findings, screen.findings, "none were sent: they are still the same");
  assert.equal(screen.moves.length, 2, "the screen stays as it was");
});

test("a move that was retracted is gone", () => {
  assert.deepEqual(withAllParts(screen, { kept: 1, moves: [] }).moves, [{ seq: 1 }]);
});

test("other findings take the place of those that the phone has", () => {
  assert.deepEqual(withAllParts(screen, { kept: 2, moves: [], findings: [] }).findings, []);
});

test("an answer with all its parts stays as it is", () => {
  const answer = { kept: 0, moves: [{ seq: 9 }], findings: [] };
  assert.equal(withAllParts(screen, answer), answer);
});
