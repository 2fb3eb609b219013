import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { document: { body: { dataset: {} } } });
const { isHere, isNearby, targetOf } = await import("../../../viewer/phone/static/pieces/recorder_addresses.js");

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

test("an address that cannot be decoded is taken as it is", () => {
  assert.equal(targetOf({ pathname: "/r/%E0%", search: "", hash: "#%" }, false).record, "%E0%");
  assert.equal(targetOf({ pathname: "/record.html", search: "", hash: "#%" }, true).record, "%");
});

test("an address of a home network is told from one that all can reach", () => {
  const nearby = ["localhost", "127.0.0.1", "192.168.1.5", "10.0.0.7", "172.20.1.1", "[fe80::1]", "[fd00::2]", "[::1]"];
  for (const host of [...nearby, "table", "club.local", "box.lan"]) assert.equal(isNearby(host), true, host);
  for (const host of ["club.example", "172.32.0.1", "11.0.0.1", "[2001:db8::1]", "192.169.1.1", "lan.example"])
    assert.equal(isNearby(host), false, host);
});

test("an address of this machine reaches no phone", () => {
  for (const host of ["localhost", "club.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])
    assert.equal(isHere(host), true, host);
  for (const host of ["192.168.1.5", "localhost.example", "table", "[fd00::2]"])
    assert.equal(isHere(host), false, host);
});
