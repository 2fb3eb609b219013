import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { document: { body: { dataset: {} } } });
const { targetOf } = await import("../../viewer/static/record/addresses.js");

/** @param {string} url @param {boolean} site */
const of = (url, site) => targetOf(new URL(url, "https://club.example"), site);

test("on a server the path tells the record, and the query the new game", () => {
  assert.deepEqual(of("/r/aaaaaaaaaa#secret", false), { record: "aaaaaaaaaa", game: "", from: "" });
  assert.deepEqual(of("/r/", false), { record: "", game: "", from: "" });
  assert.deepEqual(of("/new?game=zigzag", false), { record: "", game: "zigzag", from: "" });
  assert.deepEqual(of("/new?from=aaaaaaaaaa", false), { record: "", game: "", from: "aaaaaaaaaa" });
});

test("on the static site the fragment tells both", () => {
  assert.deepEqual(of("/dominoes/record.html", true), { record: "", game: "", from: "" });
  assert.deepEqual(of("/record.html#aaaaaaaaaa", true), { record: "aaaaaaaaaa", game: "", from: "" });
  assert.deepEqual(of("/record.html#game=build-up", true), { record: "", game: "build-up", from: "" });
  assert.deepEqual(of("/record.html#from=aaaaaaaaaa", true), { record: "", game: "", from: "aaaaaaaaaa" });
});
