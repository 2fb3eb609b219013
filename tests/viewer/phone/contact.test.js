import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const nothing = () => undefined;
Object.assign(globalThis, {
  addEventListener: nothing,
  document: { addEventListener: nothing, getElementById: () => null, body: { dataset: {} } },
  localStorage: { getItem: () => null, setItem: nothing },
});
const { Contact, mark } = await import("../../../viewer/phone/static/kept_games/contact.js");
const { newHeld } = await import("../../../viewer/phone/static/entries/outbox.js");
const { inWords } = await import("../../../viewer/phone/static/kept_games/held.js");
const { kindOf, trouble } = await import("../../../viewer/phone/static/entries/trouble.js");
const { Unreadable } = await import("../../../viewer/in_browser/static/browser_database.js");
const log = await import("../../../viewer/phone/static/entries/transport_log.js");

/** What this phone keeps, what the ledger answers by path, and what it was asked. */
let games = /** @type {Map<string, any>} */ (new Map());
let answers = /** @type {Record<string, any>} */ ({});
let asked = /** @type {string[]} */ ([]);
const held = /** @type {any} */ ({
  all: async () => [...games.values()],
  get: async (/** @type {string} */ id) => games.get(id),
  key: async () => "",
  copy: async (/** @type {string} */ id) => games.get(id)?.copy,
  tail: async () => [],
  note: async (/** @type {string} */ id, /** @type {any} */ state) => Object.assign(games.get(id), { state }),
  keep: async () => undefined,
  keepOther: async (/** @type {any} */ copy) => Object.assign(games.get(copy.record), { other: copy }),
  token: async () => "9.a.0.",
  keepToken: async () => undefined,
  prune: async () => undefined,
});

const SEAL = { names: "n", owner: "", bytes: 10 };
/** Keeps a game of five entries. @param {string} id @param {any} [more] */
function keep(id, more = {}) {
  const copied = { version: 5, link: "five", ...SEAL };
  games.set(id, {
    ...newHeld(id),
    version: 5,
    link: "five",
    copied,
    copy: { link: "five", version: 5, seal: "s" },
    ...more,
  });
}

beforeEach(() => {
  [games, answers, asked] = [new Map(), {}, []];
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ path, /** @type {any} */ { body = "" }) => {
      const sent = body && JSON.parse(body);
      const name = path.replace("/api/v1/", "") + (sent.games ? " all" : "");
      asked.push(name);
      const answer = answers[name];
      if (answer === undefined) throw new TypeError("no network");
      const [status, said] = Array.isArray(answer) ? answer : [200, answer];
      return { status, ok: status < 300, json: async () => said };
    }
  );
});

/** @param {any} standing of the ledger, for each question about a game */
function compared(standing) {
  answers["copies/contact"] = { token: "9.a.0.", changed: null };
  const one = { id: "g", opens: true, names: "n", ...standing };
  answers["copies/contact all"] = { token: "9.a.0.", changed: null, games: [one, one] };
}

test("a contact that has nothing to say is one request", async () => {
  keep("g", { state: { kind: "same", has: 5, reason: "", trouble: "" } });
  answers["copies/contact"] = { token: "9.a.0.", changed: [mark("another")] };
  const contact = new Contact(held);
  await contact.start();
  assert.deepEqual([asked, contact.fresh], [["copies/contact"], true]);
});

test("the ledger and the page make the same mark of an id", () => {
  assert.deepEqual([mark("aaaaaaaaa1"), mark("bbbbbbbbb2")], [58645, 14438]);
});

for (const [name, standing, kind, words] of /** @type {any[]} */ ([
  ["the same", { version: 5, then: "five" }, "same", /In the ledger, and the same/],
  ["less", { version: 3, then: "three" }, "less", /The ledger has less: 3 of 5.entries that this phone saw/],
  ["nothing", { version: 0, then: "" }, "lost", /The ledger has lost it/],
  ["something else", { version: 6, then: "other" }, "other", /The ledger has something else. Both are kept/],
]))
  test(`the page says of a ledger that has ${name} what it has`, async () => {
    keep("g");
    compared(standing);
    answers["records/g/copy"] = [422, { title: "This copy cannot be proved", detail: "it has no seal" }];
    if (kind === "other") answers["records/g/copy"] = { record: "g", events: [], link: "other" };
    const contact = new Contact(held);
    await contact.start();
    const one = games.get("g");
    assert.equal(one.state.kind, kind);
    assert.match(inWords(one, contact.fresh), words);
    if (kind === "less" || kind === "lost")
      assert.match(inWords(one, true), /refuses it: It has no seal\. Save it as a file/);
    if (kind === "other") assert.deepEqual([one.other.link, one.copy.link], ["other", "five"]);
  });

test("a game is handed back only if the ledger has at least what comes before the next entry", async () => {
  keep("g");
  compared({ version: 5, then: "five" });
  const contact = new Contact(held);
  assert.equal(await contact.handBack("g", 5), true);
  assert.equal(await contact.handBack("g", 6), false, "this phone does not keep what is missing");
  answers = {};
  assert.equal(await contact.handBack("g", 5), false, "what was the same before is not known now");
});

test("without contact a page does not say how the ledger stands now", async () => {
  keep("g", { state: { kind: "same", has: 5, reason: "", trouble: "" } });
  const contact = new Contact(held);
  await contact.start();
  assert.equal(contact.last?.kind, "offline");
  assert.match(
    inWords(games.get("g"), contact.fresh),
    /Was in the ledger, and the same, when this phone last had contact/,
  );
});

test("five failures have five sentences, each with a next step", () => {
  const kinds = /** @type {const} */ (["refused", "offline", "sick", "full", "unreadable"]);
  const all = kinds.map((kind) => trouble(kind, "status 502", "2026-11-20T19:04:00Z"));
  assert.equal(new Set(all.map(({ what }) => what)).size, 5);
  for (const { what, next } of all) assert.ok(what.endsWith(".") && next.length > 20, what);
  assert.match(all[2].what, /since .*[Ss]tatus 502/);
  assert.equal(kindOf(new DOMException("", "QuotaExceededError")), "full");
  assert.equal(kindOf(new Unreadable(new DOMException("", "QuotaExceededError"))), "full");
  assert.equal(kindOf(new Error("lost")), "unreadable");
});

test("the log keeps the last hundred events, equal ones in one line", () => {
  const memory = new Map();
  globalThis.localStorage = /** @type {any} */ ({
    getItem: (/** @type {string} */ name) => memory.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => memory.set(name, value),
  });
  for (let n = 0; n < 150; n += 1) {
    log.note("entries", { kind: "sick", status: 400 + n, reason: "r" });
    log.note("entries", { kind: "sick", status: 400 + n, reason: "r" });
  }
  assert.equal(log.lines().length, 100);
  assert.deepEqual([log.lines()[99].times, log.lines()[99].status], [2, 549]);
  assert.match(log.asText(), /2 times · entries · sick · 549 · r/);
});
