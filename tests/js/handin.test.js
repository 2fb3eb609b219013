import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

Object.assign(globalThis, { addEventListener: () => {}, document: { addEventListener: () => {} } });
const { withEntries, Overtaken } = await import("../../viewer/static/local/games.js");
const { handIn } = await import("../../viewer/static/local/handin.js");

const OPENING = { type: "open", game: "zigzag" };

/** A game of so many entries, on the phone. @param {number} count */
function game(count) {
  return {
    id: "g",
    key: "k",
    title: "Zigzag",
    names: ["Ana"],
    touched: "",
    events: [OPENING, ...Array.from({ length: count }, (_, n) => ({ n }))],
    ids: Array.from({ length: count }, (_, n) => `e${n}`),
    link: `after ${count + 1}`,
    refused: "",
  };
}

/** A shelf of one game, and the ledger: it records each id once, in order, and nobody else's game. */
let shelf = /** @type {any} */ (null);
let ledger = /** @type {any} */ (null);
let taken = /** @type {any[]} */ ([]);
/** What becomes of each request: "ok", "lost" before the ledger has it, "cut" after that, or a status. */
let fates = /** @type {(string | number)[]} */ ([]);

function onPhone(/** @type {any} */ kept) {
  shelf = {
    kept,
    get: async () => shelf.kept,
    note: async (/** @type {string} */ _id, /** @type {any} */ facts) => Object.assign(shelf.kept, facts),
    forget: async (/** @type {string} */ _id, /** @type {number} */ version) => {
      if (shelf.kept?.events.length !== version) return false;
      shelf.kept = undefined;
      return true;
    },
  };
}

const take = async (/** @type {any} */ kept, /** @type {any[]} */ leftover) => {
  taken.push([kept.key, leftover.map(({ id, base }) => [id, base])]);
};

/** @param {string} address @param {any} body */
function record(address, body) {
  if (address === "/api/v1/records") {
    ledger.events ||= [body.opening];
    return [201, { version: ledger.events.length }];
  }
  let done = 0;
  for (const { id, event } of body.entries) {
    if (!ledger.ids.includes(id)) {
      if (ledger.refuses === id) return [422, { detail: "it does not fit", done, version: ledger.events.length }];
      if (body.expected + done !== ledger.events.length) return [409, { done, version: ledger.events.length }];
      ledger.ids.push(id);
      ledger.events.push(event);
    }
    done += 1;
  }
  return [200, { version: ledger.events.length, link: `after ${ledger.events.length}` }];
}

beforeEach(() => {
  [taken, fates] = [[], []];
  ledger = { events: null, ids: [] };
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ address, /** @type {any} */ { body }) => {
      const fate = fates.shift() ?? "ok";
      if (fate === "lost") throw new TypeError("no network");
      const [status, said] = typeof fate === "number" ? [fate, { detail: "no" }] : record(address, JSON.parse(body));
      if (fate === "cut") throw new TypeError("no network");
      return { status, ok: Number(status) < 300, json: async () => said };
    }
  );
});

test("a game is handed in, and forgotten when the ledger has all of it", async () => {
  onPhone(game(450));
  assert.equal(await handIn("g", shelf, take), "handed");
  assert.deepEqual(ledger.events, game(450).events);
  assert.deepEqual(taken, [["k", []]]);
  assert.equal(shelf.kept, undefined);
});

test("a game of an opening alone is handed in", async () => {
  onPhone(game(0));
  assert.equal(await handIn("g", shelf, take), "handed");
  assert.deepEqual(ledger.events, [OPENING]);
});

for (const cut of ["lost", "cut", 500, 503, 429]) {
  test(`nothing is lost or doubled when any request ends with ${cut}`, async () => {
    for (let at = 0; at < 4; at += 1) {
      ledger = { events: null, ids: [] };
      onPhone(game(450));
      fates = [...Array(at).fill("ok"), cut];
      assert.equal(await handIn("g", shelf, take), "later", `request ${at}`);
      assert.deepEqual(shelf.kept, game(450), `request ${at}`);
      assert.equal(await handIn("g", shelf, take), "handed", `request ${at}`);
      assert.deepEqual(ledger.events, game(450).events, `request ${at}`);
    }
  });
}

test("a phone that was killed before it forgot the game hands it in again, and nothing changes", async () => {
  onPhone(game(5));
  await handIn("g", shelf, take);
  onPhone(game(5));
  assert.equal(await handIn("g", shelf, take), "handed");
  assert.deepEqual(ledger.events, game(5).events);
});

test("what is entered meanwhile goes, too", async () => {
  onPhone(game(3));
  const before = shelf.forget;
  shelf.forget = async (/** @type {string} */ id, /** @type {number} */ version) => {
    if (version === 4) shelf.kept = game(5);
    return before(id, version);
  };
  assert.equal(await handIn("g", shelf, take), "handed");
  assert.deepEqual(ledger.events, game(5).events);
});

test("a game that the ledger will not begin stays, with the reason", async () => {
  onPhone(game(3));
  fates = [409];
  assert.equal(await handIn("g", shelf, take), "refused");
  assert.equal(shelf.kept.refused, "no");
  assert.equal(shelf.kept.events.length, 4);
  assert.deepEqual(taken, []);
});

test("an entry that the ledger refuses waits with all that follow it", async () => {
  onPhone(game(4));
  ledger.refuses = "e2";
  assert.equal(await handIn("g", shelf, take), "handed");
  assert.deepEqual(ledger.ids, ["e0", "e1"]);
  const leftover = [
    ["e2", 3],
    ["e3", 4],
  ];
  assert.deepEqual(taken, [["k", leftover]]);
});

test("where another record came out, the phone keeps its own", async () => {
  onPhone({ ...game(3), link: "another" });
  assert.equal(await handIn("g", shelf, take), "refused");
  assert.match(shelf.kept.refused, /another game/);
});

test("entries are added once, and only after those that were seen", () => {
  const three = game(3);
  const entry = (/** @type {string} */ id) => ({ id, event: { type: "pass", when: "later" } });
  const longer = withEntries(three, 4, [entry("x"), entry("y")], "new");
  assert.deepEqual([longer.events.length, longer.link, longer.touched], [6, "new", "later"]);
  assert.equal(withEntries(longer, 4, [entry("x"), entry("y")], "again"), longer);
  assert.deepEqual(withEntries(longer, 5, [entry("y"), entry("z")], "z").ids.slice(-3), ["x", "y", "z"]);
  assert.throws(() => withEntries(longer, 4, [entry("z")], "z"), Overtaken);
});
