import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { document: { body: { dataset: {} } } });
const { LocalLedger } = await import("../../../viewer/phone/static/kept_games/local_ledger.js");
const { withEntries } = await import("../../../viewer/phone/static/kept_games/games.js");

const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

/** A game with its opening alone, on a slow disk; and rules that answer with the events that they have. */
function table() {
  let game = /** @type {any} */ ({ id: "g", events: ["open"], ids: [], link: "l1", touched: "" });
  const games = {
    get: async () => (await pause(), game),
    extend: async (
      /** @type {string} */ _id,
      /** @type {number} */ expected,
      /** @type {any} */ entries,
      link = "",
    ) => {
      await pause();
      game = withEntries(game, expected, entries, link);
      await pause();
      return game;
    },
  };
  let record = /** @type {any[]} */ ([]);
  const rules = {
    ready: true,
    start: async () => true,
    ask: async (/** @type {string} */ name, /** @type {any} */ { events = [], version = 0 }) => {
      await pause();
      if (name === "open") record = [...events];
      else if (name === "take") {
        if (version !== record.length) return { problem: `the record has ${record.length} events here` };
        record.push(...events);
        return { version: record.length, link: `l${record.length}`, done: events.length, refused: "" };
      } else return { moves: [], seen: [...record, ...events] };
      return { version: record.length, link: `l${record.length}` };
    },
  };
  const moved = { count: 0 };
  const ledger = new LocalLedger("g", /** @type {any} */ (games), /** @type {any} */ (rules), () => (moved.count += 1));
  return { ledger, moved, kept: () => game, lose: () => (game = undefined) };
}

const entry = (/** @type {string} */ id) => ({ id, event: id });

test("what is asked while an entry is kept neither loses nor doubles it", async (context) => {
  const { ledger, kept } = table();
  context.after(() => ledger.channel.close());
  const screen = { version: 1, link: "l1" };
  for (let n = 1; n <= 5; n += 1) {
    const waiting = [entry(`e${n}`)];
    const base = { ...screen, version: n };
    const [, look] = await Promise.all([
      ledger.take(n, waiting),
      ledger.ask("draft", [`e${n}`, "next"], base),
      ledger.ask("check", [`e${n}`, "next"], base),
    ]);
    const before = ["open", ...Array.from({ length: n }, (_, at) => `e${at + 1}`)];
    assert.deepEqual((await look.json()).seen, [...before, "next"]);
  }
  assert.deepEqual(kept().events, ["open", "e1", "e2", "e3", "e4", "e5"]);
});

test("an entry that comes again is kept once", async (context) => {
  const { ledger, kept } = table();
  context.after(() => ledger.channel.close());
  await ledger.take(1, [entry("a"), entry("b")]);
  const again = await (await ledger.take(1, [entry("a"), entry("b")])).json();
  assert.equal(again.version, 3);
  await ledger.take(2, [entry("b"), entry("c")]);
  assert.deepEqual(kept().events, ["open", "a", "b", "c"]);
});

test("of two tabs that record at once, the second hears of the first", async (context) => {
  const { ledger, kept } = table();
  context.after(() => ledger.channel.close());
  await ledger.take(1, [entry("a")]);
  const answer = await ledger.take(1, [entry("b")]);
  assert.equal(answer.status, 409);
  const { missed, version } = await answer.json();
  assert.deepEqual([missed.map((/** @type {any} */ one) => one.event), version], [["a"], 2]);
  assert.deepEqual(kept().events, ["open", "a"]);
});

test("a game that the ledger has by now is not kept here", async (context) => {
  const { ledger, moved, lose } = table();
  context.after(() => ledger.channel.close());
  lose();
  assert.equal((await ledger.take(1, [entry("a")])).status, 503);
  assert.equal(moved.count, 1);
});
