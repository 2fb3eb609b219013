import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

let listeners = /** @type {Map<string, () => void>} */ (new Map());
const listen = (/** @type {string} */ name, /** @type {() => void} */ act) => listeners.set(name, act);
const page = { hidden: false, addEventListener: listen };
Object.assign(globalThis, {
  addEventListener: nothing,
  document: page,
  localStorage: { getItem: () => null, setItem: nothing },
});
function nothing() {}
const { follow } = await import("../../../viewer/every_page/static/retry_and_follow.js");

mock.timers.enable({ apis: ["setTimeout", "Date"] });

/** What the ledger answers: a version, null for a 502 or a 404, or "hangs". @type {number | null | "hangs"} */
let ledger = 4;
/** When the page asked, in seconds since it opened. @type {number[]} */
let asked = [];
let silences = 0;
let seen = 4;

beforeEach(() => {
  [ledger, asked, silences, seen, page.hidden] = [4, [], 0, 4, false];
  listeners = new Map();
  mock.timers.setTime(0);
});

/** A page that has seen four events. */
const open = () =>
  follow(
    async () => {
      asked.push(Date.now() / 1000);
      if (ledger === "hangs") return new Promise(nothing);
      return ledger === null ? null : { version: ledger, from: seen, after: "", names: "n", events: [] };
    },
    ({ version }) => {
      const isNews = version > seen;
      seen = version;
      return isNews;
    },
    () => (silences += 1),
  );

/** Lets time pass, second by second. @param {number} seconds */
async function pass(seconds) {
  for (let n = 0; n < seconds; n += 1) {
    await settle();
    mock.timers.tick(1000);
  }
  await settle();
}

/** Lets what has begun end. */
async function settle() {
  for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
}

test("it asks every two seconds in the minute after news, and else every five", async () => {
  const end = open();
  await pass(62);
  assert.deepEqual(asked.slice(0, 3), [0, 2, 4]);
  assert.equal(asked.length, 31);
  await pass(18);
  assert.deepEqual(asked.slice(31), [65, 70, 75, 80]);
  ledger = 5;
  await pass(7);
  assert.deepEqual([seen, asked.slice(35)], [5, [85, 87]]);
  end();
  await pass(60);
  assert.equal(asked.length, 37, "it has ended");
});

test("it goes on by itself when nothing answered, after growing pauses", async () => {
  const end = open();
  await pass(1);
  ledger = null;
  await pass(80);
  assert.deepEqual(asked, [0, 2, 3, 5, 9, 17, 32, 47, 62, 77]);
  assert.equal(silences, 1, "nobody knows how the game stands, ten seconds after the last answer");
  ledger = 9;
  await pass(11);
  assert.equal(seen, 9);
  end();
});

test("a page that is not seen does not ask, and asks at once when it is seen again", async () => {
  const end = open();
  await pass(1);
  page.hidden = true;
  await pass(120);
  assert.deepEqual([asked, silences], [[0], 1]);
  page.hidden = false;
  listeners.get("visibilitychange")?.();
  await settle();
  assert.deepEqual(asked, [0, 121]);
  await pass(5);
  assert.deepEqual(asked, [0, 121, 126]);
  end();
});

test("a question that hangs is not asked twice, and the silence is noticed", async () => {
  const end = open();
  await pass(1);
  ledger = "hangs";
  await pass(20);
  assert.deepEqual([asked, silences], [[0, 2], 1]);
  end();
});
