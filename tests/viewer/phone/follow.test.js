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
const { Answers } = await import("../../../viewer/phone/static/entries/answers.js");
const { Post } = await import("../../../viewer/phone/static/entries/send_entries.js");
const { syncState } = await import("../../../viewer/phone/static/entries/sync.js");

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

/** A recorder with the screen of version 4, whose ledger answers a question for news. @param {() => any} answer */
function recorderWith(answer) {
  const one = /** @type {any} */ ({
    screen: { version: 4, link: "d" },
    secret: "key",
    queue: [],
    witness: { state: null, copies: [] },
    ledger: { news: answer },
    changed: mock.fn(),
  });
  one.post = new Post(/** @type {any} */ (null), one);
  one.post.soon = mock.fn();
  one.answers = Object.assign(new Answers(one), { refresh: mock.fn() });
  return one;
}
const ok = (/** @type {object} */ body) => async () => ({ ok: true, status: 200, json: async () => body });
const sick = async () => ({ ok: false, status: 502, json: async () => Promise.reject(new SyntaxError("<h1>")) });

for (const [what, news, refreshes] of /** @type {[string, any, number][]} */ ([
  ["nothing new", { version: 4, from: 4, names: "n" }, 0],
  ["a move", { version: 5, from: 4, names: "n" }, 1],
  ["less", { version: 3, from: 3, names: "n" }, 1],
  ["something else", { version: 4, from: 0, names: "n" }, 1],
  ["no such game", { version: 0, from: 0, names: "" }, 1],
]))
  test(`a recorder whose ledger has ${what} asks for the screen ${refreshes} times`, async () => {
    const one = recorderWith(ok(news));
    one.answers.heard(await one.answers.news(), false);
    assert.equal(one.answers.refresh.mock.callCount(), refreshes);
    one.post.stop();
  });

test("a recorder that hears another digest of the names asks for the screen", async () => {
  const one = recorderWith(ok({ version: 4, from: 4, names: "other" }));
  one.answers.heard(await one.answers.news(), true);
  assert.equal(one.answers.refresh.mock.callCount(), 1);
  one.post.stop();
});

test("the header does not say “Saved” of what it cannot know, until the ledger answers again", async () => {
  const one = recorderWith(sick);
  assert.equal(syncState(one).words, "Saved");
  assert.equal(await one.answers.news(), null);
  assert.match(syncState(one).words, /^Saved until \d/);
  one.answers.heard({ version: 4, from: 4, after: "d", names: "n", events: [] }, false);
  assert.equal(syncState(one).words, "Saved");
  one.answers.silent();
  assert.match(syncState(one).whole, /has not answered for ten seconds/);
  one.post.stop();
});

test("what waits is tried at once when the ledger answers again, and the entry itself says how it stands", async () => {
  const one = recorderWith(sick);
  one.queue.push({ state: "waiting" });
  one.post.note(true, "");
  one.answers.heard({ version: 4, from: 4, after: "d", names: "n", events: [] }, false);
  assert.deepEqual([one.post.soon.mock.callCount(), one.post.offline], [1, true]);
  one.post.stop();
});
