import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

mock.timers.enable({ apis: ["setTimeout"] });
/** The time of the page, in milliseconds. */
let now = 0;
let listeners = /** @type {Map<string, () => void>} */ (new Map());
Object.defineProperty(globalThis, "performance", { value: { now: () => now }, configurable: true });
Object.assign(globalThis, {
  self: globalThis,
  addEventListener: (/** @type {string} */ kind, /** @type {() => void} */ act) => listeners.set(kind, act),
});
const { Mistakes } = await import("../../../viewer/phone/static/recorder/slips_found.js");

/** The questions that the worker was asked, in order. @type {string[]} */
let asked = [];
/** Answers the oldest question that is open. @type {(() => void)[]} */
let open = [];

/** @param {string} name @returns {Promise<any>} */
function ask(name) {
  asked.push(name);
  return new Promise((resolve) => open.push(() => resolve({ done: false })));
}

/** Lets everything happen that can happen without the clock. */
async function settled() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** Time passes, and the worker answers what it was asked. @param {number} milliseconds */
async function pass(milliseconds) {
  for (const end = now + milliseconds; now < end;) {
    now += 50;
    mock.timers.tick(50);
    await settled();
    open.shift()?.();
    await settled();
  }
}

/** A page whose game has a broken rule, while it looks for what explains that. @param {any} [more] */
function searching(more = {}) {
  const view = { id: "a", version: 9, link: "", findings_digest: "f", findings: [{ verdict: "breach" }], ...more };
  const recorder = {
    judged: view,
    quick: true,
    views: { beyond: [] },
    record: "a",
    rules: { answer: ask },
    changed: () => 0,
  };
  const mistakes = new Mistakes(/** @type {any} */ (recorder));
  mistakes.look();
  return { mistakes, recorder, view };
}

const tap = () => listeners.get("pointerdown")?.();

beforeEach(() => {
  [asked, open, listeners, now] = [[], [], new Map(), 10_000];
});

test("of the search, one piece at most is before the question of a tap, however long it goes on", async () => {
  searching();
  await pass(20_000);
  const pieces = asked.length;
  assert.ok(pieces > 10);
  for (let times = 0; times < 5; times++) {
    await pass(2_000 + 50 * times);
    tap();
    const behind = open.length;
    assert.ok(behind <= 1, "the search asks for one piece after the other");
    asked = [];
    // A finger lifts, and the page asks what the tap would do.
    await pass(100);
    ask("check");
    assert.deepEqual(asked, ["check"], "no piece was asked for while the finger was down");
    assert.equal(open.length, 1, "the question is answered next");
    await pass(500);
    assert.deepEqual(asked, ["check"], "nor until the thumb has rested");
    await pass(2_000);
    assert.ok(asked.length > 1, "then the search goes on");
  }
});

test("a search for a game that has changed asks no more", async () => {
  const { mistakes, recorder, view } = searching();
  await pass(2_000);
  assert.ok(asked.length);
  recorder.judged = { ...view, version: 10, findings: [] };
  mistakes.look();
  open.shift()?.();
  asked = [];
  await pass(5_000);
  assert.deepEqual(asked, []);
});
