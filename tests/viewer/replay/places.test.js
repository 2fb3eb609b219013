import assert from "node:assert/strict";
import { test } from "node:test";

import { beside, placeOf } from "../../../viewer/replay/static/step_numbers.js";

test("a seq has the place of its step, or of the last one before it", () => {
  const seqs = [0, 2, 3, 7];
  assert.equal(placeOf(seqs, 3), 2);
  assert.equal(placeOf(seqs, 5), 2);
  assert.equal(placeOf(seqs, 99), 3);
  assert.equal(placeOf([4, 5], 1), 0);
});

test("an inserted entry is found although its seq is out of order", () => {
  assert.equal(placeOf([0, 1, 9, 2], 9), 2);
});

test("the next and the previous place", () => {
  assert.equal(beside([2, 5, 8], 5, 1), 8);
  assert.equal(beside([2, 5, 8], 5, -1), 2);
  assert.equal(beside([2, 5, 8], 8, 1), undefined);
  assert.equal(beside([], 0, -1), undefined);
});
