import assert from "node:assert/strict";
import { mock, test } from "node:test";

const nothing = () => undefined;
Object.assign(globalThis, {
  addEventListener: nothing,
  document: { addEventListener: nothing, getElementById: () => null, documentElement: { dataset: {} } },
  localStorage: { getItem: () => null, setItem: nothing },
  location: { hash: "" },
});
globalThis.navigator ??= /** @type {any} */ ({});
const { Post } = await import("../../../viewer/phone/static/entries/send_entries.js");
const { Answers } = await import("../../../viewer/phone/static/entries/answers.js");
const { turnToLedger } = await import("../../../viewer/phone/static/entries/open_record.js");

/** A recorder that has the screen of version 3, with what a refresh needs of it. @param {any} answer */
function recorder(answer) {
  const one = {
    screen: { version: 3, link: "a" },
    altered: false,
    post: { gone: false, locked: false, waiting: /** @type {any[]} */ ([]) },
    outbox: { settle: mock.fn(async () => undefined) },
    answers: /** @type {any} */ (null),
  };
  const show = mock.fn((/** @type {any} */ screen) => {
    one.screen = screen;
  });
  one.answers = answersTo(one, { ask: async () => answer, show });
  return one;
}

/** The answers to a recorder, some of them made up. @param {any} one @param {any} madeUp */
const answersTo = (one, madeUp = {}) => Object.assign(new Answers(one), madeUp);

test("a newer screen is shown", async () => {
  const one = recorder({ version: 4, then: "a" });
  await one.answers.refresh();
  assert.equal(one.screen.version, 4);
});

test("nothing is asked before this phone's store was read", async () => {
  const one = Object.assign(recorder({ version: 4, then: "a" }), { screen: null, unread: true });
  await one.answers.refresh();
  assert.equal(one.screen, null);
});

test("a screen that is overtaken while it is written to the disk is not shown", async () => {
  const one = recorder({ version: 4, then: "a" });
  one.outbox.settle = mock.fn(async () => {
    one.screen = { version: 5, link: "b" }; // what this phone sent meanwhile was settled
  });
  await one.answers.refresh();
  assert.equal(one.screen.version, 5);
  assert.equal(one.answers.show.mock.callCount(), 0);
});

test("a screen is not shown over what was entered while it was written to the disk", async () => {
  const one = recorder({ version: 4, then: "a" });
  one.outbox.settle = mock.fn(async () => {
    one.post.waiting.push({});
  });
  await one.answers.refresh();
  assert.equal(one.screen.version, 3);
});

test("an answer that has less replaces nothing, and the page says so at once", async () => {
  const before = { version: 12, link: "c12" };
  const witness = {
    short: /** @type {any} */ (null),
    compare: async (/** @type {any} */ seen, /** @type {any} */ answer) => {
      witness.short = answer.version < seen.version ? { seen: 12, has: 6 } : null;
      return !witness.short;
    },
  };
  const body = { version: 6, link: "c6", moves: [], findings: [] };
  const one = /** @type {any} */ ({
    screen: before,
    witness,
    post: new Post(/** @type {any} */ (null), /** @type {any} */ ({ queue: [] })),
    ledger: { screen: async () => ({ ok: true, status: 200, json: async () => body }) },
    changed: mock.fn(),
    outbox: { settle: mock.fn() },
    handBack: mock.fn(async () => false),
  });
  Object.assign(one.post, { gone: true, offline: true, trouble: "it was sick" });
  one.answers = answersTo(one, { show: mock.fn() });
  await one.answers.refresh();
  one.post.stop();
  assert.equal(one.screen, before);
  assert.equal(one.handBack.mock.callCount(), 1, "this phone hands in again what is missing");
  assert.deepEqual([one.outbox.settle.mock.callCount(), one.answers.show.mock.callCount()], [0, 0]);
  assert.equal(one.changed.mock.callCount(), 1);
  assert.deepEqual([one.post.gone, one.post.offline, one.post.trouble], [false, false, ""]);
});

test("an answer about a record that was left meanwhile is neither kept nor shown in the one that is open", async () => {
  for (const left of ["while the ledger is asked", "while it is written to the disk"]) {
    const one = recorder({ version: 9, then: "a" });
    const open = () => Object.assign(one, { screen: null, post: { ...one.post } });
    if (left === "while the ledger is asked")
      one.answers.ask = async () => {
        open();
        return { version: 9, then: "a" };
      };
    else one.outbox.settle = mock.fn(async () => void open());
    await one.answers.refresh();
    assert.equal(one.screen, null, left);
    assert.equal(one.outbox.settle.mock.callCount(), left === "while the ledger is asked" ? 0 : 1);
  }
});

test("what the ledger says about a record that was left meanwhile changes nothing", async () => {
  const post = { gone: false, offline: true, trouble: "it was sick", waiting: [] };
  const witness = { short: null, compare: mock.fn(async () => false) };
  const one = /** @type {any} */ ({
    screen: { version: 12, link: "c12" },
    witness,
    post,
    ledger: {
      screen: async () => {
        Object.assign(one, { post: { ...post }, screen: null });
        return { ok: true, status: 200, json: async () => ({ version: 6, link: "c6", moves: [], findings: [] }) };
      },
    },
    changed: mock.fn(),
    handBack: mock.fn(async () => false),
  });
  assert.equal(await answersTo(one).ask(), null);
  assert.deepEqual(
    [witness.compare.mock.callCount(), one.handBack.mock.callCount(), one.changed.mock.callCount()],
    [0, 0, 0],
  );
  assert.equal(one.post.offline, true);
});

test("a game that the ledger has now brings no entries to another that was opened meanwhile", async () => {
  const waiting = { id: "x", base: 4, state: "waiting" };
  const one = /** @type {any} */ ({
    local: true,
    queue: [],
    post: { soon: mock.fn() },
    writer: { writing: Promise.resolve([]) },
    ofServer: () => ({ local: false }),
    outbox: {
      key: async () => "",
      all: async () => {
        Object.assign(one, { post: { soon: mock.fn() }, queue: [] });
        return [waiting];
      },
    },
    answers: { refresh: mock.fn(async () => undefined), follow: mock.fn() },
  });
  await turnToLedger(one);
  assert.deepEqual([one.queue, one.answers.refresh.mock.callCount(), one.post.soon.mock.callCount()], [[], 0, 0]);
});
