import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

Object.assign(globalThis, { addEventListener: () => {}, document: { addEventListener: () => {} } });
mock.timers.enable({ apis: ["setTimeout"] }); // those that end a request would keep node waiting
const { withEntries, Overtaken } = await import("../../../viewer/phone/static/kept_games/games.js");
const { handIn } = await import("../../../viewer/phone/static/kept_games/handin.js");

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
/** What becomes of each request: "ok", "lost" before the ledger has it, "cut" after that, a status, or a page. */
let fates = /** @type {(string | number)[]} */ ([]);
let sent = 0;

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
  if (JSON.stringify(body.entries).length > ledger.most) return [413, null];
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
  [taken, fates, sent] = [[], [], 0];
  ledger = { events: null, ids: [], most: Infinity };
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ address, /** @type {any} */ { body }) => {
      const fate = fates.shift() ?? "ok";
      if (fate === "lost") throw new TypeError("no network");
      sent += 1;
      const [status, said] =
        typeof fate === "number"
          ? [fate, { detail: "no" }]
          : fate.startsWith("page ")
            ? [Number(fate.slice(5)), null]
            : record(address, JSON.parse(body));
      if (fate === "cut") throw new TypeError("no network");
      return { status, ok: Number(status) < 300, json: async () => (said ? said : JSON.parse("<h1>A page</h1>")) };
    }
  );
});

test("a game is handed in, and forgotten when the ledger has all of it", async () => {
  onPhone(game(450));
  assert.equal((await handIn("g", shelf, take)).kind, "handed");
  assert.deepEqual(ledger.events, game(450).events);
  assert.deepEqual(taken, [["k", []]]);
  assert.equal(shelf.kept, undefined);
});

test("a game of an opening alone is handed in", async () => {
  onPhone(game(0));
  assert.equal((await handIn("g", shelf, take)).kind, "handed");
  assert.deepEqual(ledger.events, [OPENING]);
});

for (const cut of ["lost", "cut", 500, 503, 429]) {
  test(`nothing is lost or doubled when any request ends with ${cut}`, async () => {
    for (let at = 0; at < 4; at += 1) {
      ledger = { events: null, ids: [], most: Infinity };
      onPhone(game(450));
      fates = [...Array(at).fill("ok"), cut];
      const { kind } = await handIn("g", shelf, take);
      assert.equal(kind, typeof cut === "number" ? "sick" : "offline", `request ${at}`);
      assert.deepEqual(shelf.kept, game(450), `request ${at}`);
      assert.equal((await handIn("g", shelf, take)).kind, "handed", `request ${at}`);
      assert.deepEqual(ledger.events, game(450).events, `request ${at}`);
    }
  });
}

for (const [fate, words] of /** @type {[string, RegExp][]} */ ([
  ["page 500", /fault \(status 500\)/],
  ["page 502", /does not answer \(status 502\)/],
  ["page 403", /firewall \(status 403\)/],
  ["page 413", /too large for the server \(status 413\)/],
  ["page 200", /log in first/],
])) {
  test(`an answer that is no answer of the ledger (${fate}) is told from silence, and said`, async () => {
    for (const at of [0, 1]) {
      if (at && fate === "page 413") continue; // a batch of entries is halved
      onPhone(game(5));
      fates = [...Array(at).fill("ok"), fate];
      const { kind, reason } = await handIn("g", shelf, take);
      assert.equal(kind, "sick");
      assert.match(reason, words);
      assert.deepEqual(shelf.kept, game(5));
    }
  });
}

test("a batch that is too large is halved until it goes, in order", async () => {
  onPhone(game(450));
  ledger.most = 1000;
  assert.equal((await handIn("g", shelf, take)).kind, "handed");
  assert.deepEqual(ledger.events, game(450).events);
  assert.deepEqual(taken, [["k", []]]);
  assert.ok(sent < 60, `${sent} requests`);
});

test("an entry that is too large alone waits with all that follow it", async () => {
  const large = game(6);
  large.events[4] = { text: "long".repeat(1000) };
  onPhone(large);
  ledger.most = 1000;
  assert.equal((await handIn("g", shelf, take)).kind, "handed");
  assert.deepEqual(ledger.ids, ["e0", "e1", "e2"]);
  assert.deepEqual(
    taken[0][1].map((/** @type {any[]} */ [id]) => id),
    ["e3", "e4", "e5"],
  );
});

test("a ledger that loses the game in the middle gets it from its beginning", async () => {
  onPhone(game(5));
  fates = ["ok", 404];
  assert.equal((await handIn("g", shelf, take)).kind, "sick");
  assert.deepEqual(shelf.kept, game(5));
  assert.deepEqual(taken, []);
});

test("a phone that was killed before it forgot the game hands it in again, and nothing changes", async () => {
  onPhone(game(5));
  await handIn("g", shelf, take);
  onPhone(game(5));
  assert.equal((await handIn("g", shelf, take)).kind, "handed");
  assert.deepEqual(ledger.events, game(5).events);
});

test("what is entered meanwhile goes, too", async () => {
  onPhone(game(3));
  const before = shelf.forget;
  shelf.forget = async (/** @type {string} */ id, /** @type {number} */ version) => {
    if (version === 4) shelf.kept = game(5);
    return before(id, version);
  };
  assert.equal((await handIn("g", shelf, take)).kind, "handed");
  assert.deepEqual(ledger.events, game(5).events);
});

test("a game that the ledger will not begin stays, with the reason", async () => {
  onPhone(game(3));
  fates = [409];
  assert.equal((await handIn("g", shelf, take)).kind, "refused");
  assert.equal(shelf.kept.refused, "no");
  assert.equal(shelf.kept.events.length, 4);
  assert.deepEqual(taken, []);
});

test("an entry that the ledger refuses waits with all that follow it", async () => {
  onPhone(game(4));
  ledger.refuses = "e2";
  assert.equal((await handIn("g", shelf, take)).kind, "handed");
  assert.deepEqual(ledger.ids, ["e0", "e1"]);
  const leftover = [
    ["e2", 3],
    ["e3", 4],
  ];
  assert.deepEqual(taken, [["k", leftover]]);
});

test("where another record came out, the phone keeps its own", async () => {
  onPhone({ ...game(3), link: "another" });
  assert.equal((await handIn("g", shelf, take)).kind, "refused");
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
