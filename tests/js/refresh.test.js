import assert from "node:assert/strict";
import { mock, test } from "node:test";

const nothing = () => undefined;
Object.assign(globalThis, {
  addEventListener: nothing,
  document: { addEventListener: nothing, getElementById: () => null, documentElement: { dataset: {} } },
  localStorage: { getItem: () => null, setItem: nothing },
});
globalThis.navigator ??= /** @type {any} */ ({});
const { Recorder } = await import("../../viewer/static/record/recorder.js");

/** A recorder that has the screen of version 3, with what a refresh needs of it. @param {any} answer */
function recorder(answer) {
  const one = {
    screen: { version: 3, link: "a" },
    altered: false,
    post: { gone: false, locked: false, waiting: /** @type {any[]} */ ([]) },
    outbox: { settle: mock.fn(async () => undefined) },
    answer: async () => answer,
    seen: mock.fn((/** @type {any} */ screen) => {
      one.screen = screen;
    }),
  };
  return one;
}

const refresh = (/** @type {any} */ one) => Recorder.prototype.refresh.call(one);

test("a newer screen is shown", async () => {
  const one = recorder({ version: 4, then: "a" });
  await refresh(one);
  assert.equal(one.screen.version, 4);
});

test("a screen that is overtaken while it is written to the disk is not shown", async () => {
  const one = recorder({ version: 4, then: "a" });
  one.outbox.settle = mock.fn(async () => {
    one.screen = { version: 5, link: "b" }; // what this phone sent meanwhile was settled
  });
  await refresh(one);
  assert.equal(one.screen.version, 5);
  assert.equal(one.seen.mock.callCount(), 0);
});

test("a screen is not shown over what was entered while it was written to the disk", async () => {
  const one = recorder({ version: 4, then: "a" });
  one.outbox.settle = mock.fn(async () => {
    one.post.waiting.push({});
  });
  await refresh(one);
  assert.equal(one.screen.version, 3);
});
