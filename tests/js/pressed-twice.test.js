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
const { Banners } = await import("../../viewer/static/record/banners.js");
const { LookBack } = await import("../../viewer/static/record/lookback.js");

/** What the page did, in order. @type {string[]} */
let done = [];
beforeEach(() => {
  done = [];
});

test("“Continue” that is pressed twice records once what was entered meanwhile", async () => {
  const banners = new Banners({
    outbox: { put: async () => undefined },
    post: { waiting: [], rebase: async (version) => done.push(`from ${version}`), soon: () => undefined },
    answers: { refresh: async () => undefined },
    changed: () => undefined,
    screen: { version: 2 },
  });
  banners.conflict = { version: 4, title: "", missed: [] };
  await Promise.all([banners.resolve(), banners.resolve()]);
  assert.deepEqual(done, ["from 4"]);
});

test("a table that could not be had without a network is asked for again", async () => {
  const answers = [null, { version: 1 }];
  const recorder = {
    edit: null,
    pick: { clear: () => undefined },
    judged: { moves: [{ seq: 1 }, { seq: 2 }] },
    answers: { before: async (seq) => (done.push(`before ${seq}`), answers.shift()) },
    changed: () => undefined,
  };
  const lookBack = new LookBack(recorder);
  await lookBack.go(1);
  assert.equal(recorder.edit, null);
  await lookBack.go(1);
  assert.deepEqual([recorder.edit?.screen, done], [{ version: 1 }, ["before 2", "before 2"]]);
  await lookBack.go(1);
  assert.equal(done.length, 2, "what is known is not asked for again");
});
