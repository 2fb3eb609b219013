import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const element = { addEventListener: () => undefined, scrollIntoView: () => undefined, value: "" };
Object.assign(globalThis, {
  addEventListener: () => undefined,
  document: {
    body: { dataset: {} },
    documentElement: { classList: { add: () => undefined, remove: () => undefined } },
    getElementById: () => element,
    querySelectorAll: () => [],
  },
});
const { LookBack } = await import("../../../viewer/phone/static/recorder/look_back.js");

const { Writer } = await import("../../../viewer/phone/static/entries/keep_entries.js");
const { tapBare } = await import("../../../viewer/phone/static/recorder/taps.js");
const { Versions } = await import("../../../viewer/phone/static/recorder/two_phones.js");

/** What the page did, in order. @type {string[]} */
let done = [];
beforeEach(() => {
  done = [];
});

test("a choice that is pressed twice is made once", async () => {
  const [theirs, mine] = ["ben", "ana"].map((player) => ({ id: player, event: { type: "pass", player } }));
  const versions = new Versions({
    change: async () => done.push("chosen"),
    changed: () => undefined,
    exchange: { soon: async () => undefined },
  });
  versions.pair = { theirs, mine };
  await Promise.all([versions.choose("both"), versions.choose("both")]);
  assert.deepEqual(done, ["chosen"]);
});

test("a table that could not be had without a network is asked for again", async () => {
  const answers = [null, { version: 1 }];
  const recorder = {
    edit: null,
    pick: { clear: () => undefined },
    judged: { moves: [{ seq: 1 }, { seq: 2 }] },
    views: { before: async (seq) => (done.push(`before ${seq}`), answers.shift()) },
    changed: () => undefined,
  };
  const lookBack = new LookBack(recorder);
  await lookBack.go(1);
  assert.equal(recorder.edit, null);
  await lookBack.go(1);
  assert.deepEqual([recorder.edit?.screen, done], [{ version: 1 }, ["before 2", "before 2"]]);
});

/** A recorder on whose page a bid and a pass are the next acts; what is entered is done. */
function bidding() {
  const recorder = {
    pick: { player: "uma" },
    secret: "key",
    view: { form: { names: { bid: ["bid"], pass: [] } } },
    way: () => ({ legal: [{ at: [[0], [1], []] }] }),
  };
  recorder.writer = new Writer(recorder);
  recorder.writer.keep = async ({ type, player, bid }) => done.push([player, type, bid]);
  return recorder;
}

for (const [wait, acts] of [
  [20, 1],
  [60, 1],
  [299, 1],
  [301, 2],
  [2000, 2],
])
  test(`a second tap on a bid after ${wait} ms is ${acts > 1 ? "another act" : "the same tap"}`, (t) => {
    let now = 5000;
    t.mock.method(performance, "now", () => now);
    const recorder = bidding();
    tapBare(recorder, "bid", [0]);
    now += wait;
    // The button says already what the next player may bid.
    recorder.pick.player = "vic";
    tapBare(recorder, "bid", [1]);
    assert.deepEqual(
      done,
      [
        ["uma", "bid", 0],
        ["vic", "bid", 1],
      ].slice(0, acts),
    );
  });

test("a tap that laid a tile passes for nobody", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const recorder = bidding();
  recorder.writer.enter({ type: "play", player: "uma" }, { legal: true });
  now = 200;
  tapBare(recorder, "pass", []);
  assert.deepEqual(done, [["uma", "play", undefined]]);
});
