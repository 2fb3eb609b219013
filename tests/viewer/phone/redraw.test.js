import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const status = { textContent: "" };
Object.assign(globalThis, { document: { getElementById: () => status, body: { dataset: { program: "2" } } } });
const { isOwn } = await import("../../../viewer/phone/static/entries/outbox.js");
const { redraw } = await import("../../../viewer/phone/static/entries/open_record.js");
const { whyNot } = await import("../../../viewer/phone/static/entries/sync.js");

const STORED = { version: 3, link: "c", program: "1" };
const DRAWN = { version: 3, link: "c", title: "Ziggurat" };
/** An answer that never comes. */
const never = new Promise(() => undefined);

/** A page without a screen whose rules may draw the game. */
function page({ starts = true, drawn = DRAWN, local = false } = {}) {
  const told = [];
  const recorder = {
    screen: null,
    local,
    post: { offline: true },
    rules: { start: async () => starts },
    ledger: { mirror: { drawn: async (screen) => (told.push(["drawn", screen]), drawn) } },
    outbox: { settle: async (entries, screen) => told.push(["settle", entries, screen]) },
    answers: { show: (screen) => told.push(["show", screen]) },
  };
  return { recorder, told };
}

beforeEach(() => {
  status.textContent = "";
});

test("a screen is that of this version of the program, or it is not", () => {
  assert.deepEqual([isOwn({ program: "2" }), isOwn({ program: "1" }), isOwn({})], [true, false, false]);
});

test("the rules draw what an earlier version stored, while the network is silent", async () => {
  const { recorder, told } = page();
  await redraw(recorder, STORED, never);
  assert.deepEqual(told, [
    ["drawn", STORED],
    ["settle", [], DRAWN],
    ["show", DRAWN],
  ]);
});

test("the ledger's answer comes first, and a game on this phone alone is drawn by the rules anyway", async () => {
  const { recorder, told } = page();
  await redraw(
    recorder,
    STORED,
    Promise.resolve().then(() => (recorder.screen = DRAWN)),
  );
  const own = page({ local: true });
  await redraw(own.recorder, STORED, Promise.resolve());
  assert.deepEqual([told, own.told], [[], []]);
});

test("an answer, or another game, that comes while the rules draw is not undone", async () => {
  for (const meanwhile of [(one) => (one.screen = DRAWN), (one) => (one.post = {})]) {
    const { recorder, told } = page();
    recorder.rules.start = async () => {
      meanwhile(recorder);
      return true;
    };
    await redraw(recorder, STORED, never);
    assert.deepEqual(told, [["drawn", STORED]]);
  }
});

test("where nobody can draw it, the page says why", async () => {
  for (const without of [{ starts: false }, { drawn: null }]) {
    status.textContent = "";
    const { recorder } = page(without);
    await redraw(recorder, STORED, Promise.resolve());
    assert.match(status.textContent, /newer than what the phone has stored/);
    // Every later attempt that finds no network says the same.
    assert.equal(whyNot(recorder, "offline", 0, ""), status.textContent);
  }
  status.textContent = "";
  const { recorder } = page({ starts: false });
  recorder.post.offline = false;
  await redraw(recorder, STORED, Promise.resolve());
  assert.equal(status.textContent, "");
});
