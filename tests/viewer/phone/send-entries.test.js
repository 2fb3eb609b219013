import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

Object.assign(globalThis, { addEventListener: () => {}, document: { addEventListener: () => {} } });
mock.timers.enable({ apis: ["setTimeout"] });
const { Post } = await import("../../../viewer/phone/static/entries/send_entries.js");

/** What the server was sent, and what it answers next. */
let send = async (_expected, _entries) => ({});
let sent = [];
let answers = [];
/** The screen that the recorder fetches after a batch; null where that fails. */
let screen = /** @type {{ version: number } | null} */ (null);
let kept = { settled: [], put: [] };

/** An answer: JSON, or a page. @param {number} status @param {any} said */
const reply = (status, said) => ({
  status,
  ok: status < 300,
  json: async () => (said ? said : JSON.parse("<h1>A page</h1>")),
});

beforeEach(() => {
  [sent, answers] = [[], []];
  screen = { version: 3 };
  kept = { settled: [], put: [] };
  send = async (expected, entries) => {
    sent.push(structuredClone({ expected, entries }));
    const [status, said] = answers.shift() ?? [0, null];
    if (!status) throw new TypeError("no network");
    return reply(status, said);
  };
});

function post(count) {
  const queue = Array.from({ length: count }, (_, n) => ({ id: `${n}`, event: { n }, base: 1 + n, state: "waiting" }));
  const outbox = {
    record: "r",
    settle: async (entries, screen) => kept.settled.push([entries.map(({ id }) => id), screen]),
    put: async (entries) => kept.put.push(structuredClone(entries)),
  };
  const answers = { ask: async () => screen, show: mock.fn() };
  const recorder = { ledger: { take: send }, queue, answers, changed: () => {}, dialogs: { overtaken: mock.fn() } };
  return [new Post(outbox, recorder), recorder];
}

test("what waits goes out once, and is forgotten when the ledger has it", async () => {
  const [one, recorder] = post(2);
  answers = [[201, { version: 3 }]];
  await Promise.all([one.flush(), one.flush()]);
  assert.deepEqual(sent, [
    {
      expected: 1,
      entries: [
        { id: "0", event: { n: 0 } },
        { id: "1", event: { n: 1 } },
      ],
    },
  ]);
  assert.deepEqual(kept.settled, [[["0", "1"], { version: 3 }]]);
  assert.deepEqual(recorder.queue, []);
  assert.equal(recorder.answers.show.mock.callCount(), 1);
});

test("an entry stays until its screen is there", async () => {
  const [one, recorder] = post(1);
  answers = [
    [201, { version: 2 }],
    [201, { version: 2 }],
  ];
  screen = null;
  await one.flush();
  assert.equal(recorder.queue.length, 1);
  screen = { version: 2 };
  await one.soon();
  assert.equal(recorder.queue.length, 0);
  assert.deepEqual(sent[0], sent[1]);
});

test("without a network all stays and is sent again later", async () => {
  const [one, recorder] = post(1);
  await one.flush();
  assert.equal(one.offline, true);
  assert.equal(recorder.queue.length, 1);
  answers = [[201, { version: 2 }]];
  await one.soon();
  assert.equal(one.offline, false);
  assert.equal(recorder.queue.length, 0);
  assert.deepEqual(sent[0], sent[1], "with the same ids, by which the ledger knows them again");
});

for (const [status, words] of /** @type {[number, RegExp][]} */ ([
  [500, /fault \(status 500\)/],
  [502, /does not answer \(status 502\)/],
  [403, /firewall \(status 403\)/],
  [404, /firewall \(status 404\)/],
])) {
  test(`a page with ${status} in place of an answer says what it is, and all stays`, async () => {
    const [one, recorder] = post(1);
    answers = [[status, null]];
    await one.flush();
    assert.deepEqual([one.offline, one.locked, one.gone, recorder.queue.length], [false, false, false, 1]);
    assert.match(one.trouble, words);
    answers = [[201, { version: 2 }]];
    await one.soon();
    assert.deepEqual([one.trouble, one.fault, recorder.queue.length], ["", "", 0]);
  });
}

for (const body of [{ detail: "Send less, in several parts." }, null]) {
  test(`what is too large at once goes in parts, in order (${body ? "the ledger" : "a proxy"} says so)`, async () => {
    const large = (/** @type {any[]} */ entries) => entries.length > 2 || entries.some(({ id }) => id === "3");
    send = async (expected, entries) => {
      if (large(entries)) return reply(413, body);
      sent.push([expected, entries.map(({ id }) => id)]);
      return reply(201, { version: 9 });
    };
    const [one, recorder] = post(5);
    Object.assign(recorder.queue[3].event, { text: "x".repeat(9000) });
    await one.flush();
    assert.deepEqual(sent, [
      [1, ["0", "1"]],
      [3, ["2"]],
      [4, ["4"]],
    ]);
    assert.deepEqual(
      recorder.queue.map(({ id, state, reason }) => [id, state, reason]),
      [["3", "refused", "it is too large for the server (status 413)"]],
    );
  });
}

test("a small entry that a proxy calls too large is sent again", async () => {
  const [one, recorder] = post(1);
  answers = [[413, null]];
  await one.flush();
  assert.deepEqual([recorder.queue[0].state, /status 413/.test(one.trouble)], ["waiting", true]);
  answers = [[201, { version: 3 }]];
  await one.soon();
  assert.deepEqual([one.trouble, recorder.queue.length], ["", 0]);
});

test("a disk that fails while an answer is kept loses nothing, and the page says so", async () => {
  const [one, recorder] = post(1);
  const { settle } = one.outbox;
  one.outbox.settle = async () => {
    throw new Error("this phone’s store cannot be read just now");
  };
  answers = [
    [201, { version: 2 }],
    [201, { version: 2 }],
  ];
  await one.flush();
  assert.equal(recorder.queue.length, 1);
  assert.equal(one.fault, "unreadable");
  one.outbox.settle = settle;
  await one.soon();
  assert.deepEqual([one.trouble, one.fault, recorder.queue.length], ["", "", 0]);
});

test("an entry that is refused steps aside, and the others go on", async () => {
  const [one, recorder] = post(3);
  answers = [
    [422, { done: 1, detail: "no such tile", version: 2 }],
    [201, { version: 3 }],
  ];
  await one.flush();
  assert.deepEqual(sent[1], { expected: 2, entries: [{ id: "2", event: { n: 2 } }] });
  assert.deepEqual(
    recorder.queue.map(({ id, state, reason }) => [id, state, reason]),
    [["1", "refused", "no such tile"]],
  );
});

test("another phone was first: nothing more goes out until somebody has decided", async () => {
  const [one, recorder] = post(1);
  answers = [[409, { version: 5, done: 0 }]];
  await one.flush();
  assert.equal(one.stopped, true);
  assert.deepEqual(recorder.dialogs.overtaken.mock.calls[0].arguments[0].missed, []);
  await one.flush();
  assert.equal(sent.length, 1);
});

test("a link that is not valid any longer locks the phone with the reason", async () => {
  const [one, recorder] = post(1);
  answers = [[403, { detail: "This link only lets you watch." }]];
  await one.flush();
  assert.deepEqual([one.locked, one.reason], [true, "This link only lets you watch."]);
  assert.equal(recorder.queue.length, 1);
});

test("a game that the ledger has lost is waited for", async () => {
  const [one, recorder] = post(1);
  answers = [[404, { detail: "no record" }]];
  await one.flush();
  assert.equal(one.gone, true);
  assert.equal(recorder.queue.length, 1);
});

test("a correction of what waits follows it, and steps aside with it", async () => {
  const [one, recorder] = post(4);
  recorder.queue[2].event = { type: "amend", seq: 2, event: { n: 9 } };
  recorder.queue[3].event = { type: "insert", before: 1, event: { n: 8 } };
  await one.rebase(6, []);
  assert.deepEqual(
    recorder.queue.map(({ base, event }) => [base, event.seq ?? event.before]),
    [
      [6, undefined],
      [7, undefined],
      [8, 7],
      [9, 6],
    ],
  );
  recorder.queue[1].state = "refused";
  await one.rebase(6, [recorder.queue[1]]);
  assert.deepEqual(
    recorder.queue.map(({ state, base, reason }) => [state, base, reason]),
    [
      ["waiting", 6, undefined],
      ["refused", 7, undefined],
      ["refused", 7, "the entry that it corrects is not recorded"],
      ["waiting", 7, undefined],
    ],
  );
});

test("the end of an attempt is waited for where the ledger does not answer, but only for a moment", async () => {
  const [one, recorder] = post(1);
  let lose = (_why) => {};
  recorder.ledger.take = () => new Promise((_, reject) => (lose = reject));
  const trying = one.flush();
  await one.ended(); // nothing says yet that it will not arrive
  assert.equal(one.sending.length, 1);
  one.offline = true;
  let over = false;
  const waits = one.ended().then(() => (over = true));
  await new Promise(setImmediate);
  assert.equal(over, false);
  mock.timers.tick(300);
  await waits;
  assert.equal(one.sending.length, 1);
  const ends = one.ended();
  lose(new TypeError("no network"));
  await ends;
  assert.equal(one.sending.length, 0);
  await trying;
});

test("what went out may be in the ledger until it answers, and without a network nothing goes out", async () => {
  const [one, recorder] = post(2);
  const tried = () => recorder.queue.map((entry) => Boolean(entry.tried));
  Object.defineProperty(globalThis.navigator, "onLine", { value: false, configurable: true });
  await one.flush();
  assert.deepEqual(tried(), [false, false]);
  Reflect.deleteProperty(globalThis.navigator, "onLine");
  await one.flush();
  assert.deepEqual(tried(), [true, true]);
  answers = [[403, { detail: "This link only lets you watch." }]];
  await one.flush();
  assert.deepEqual(tried(), [false, false]);
});

test("what may be in the ledger stays so when something before it refuses another attempt", async () => {
  const [one, recorder] = post(1);
  answers = [
    [0, null],
    [413, null],
    [413, null],
  ];
  await one.flush();
  await one.flush();
  assert.equal(recorder.queue[0].tried, true);
});

test("entries wait for a lost game, even if another answer comes while it is handed in again", async () => {
  const [one, recorder] = post(1);
  recorder.handBack = async () => {
    one.gone = false; // another answer came
    return false;
  };
  answers = [[404, { detail: "no record" }]];
  await one.flush();
  assert.deepEqual(
    recorder.queue.map(({ state }) => state),
    ["waiting"],
  );
});
