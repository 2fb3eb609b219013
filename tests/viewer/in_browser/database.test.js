import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const { Database, Unreadable, resultOf } = await import("../../../viewer/in_browser/static/browser_database.js");

/** What becomes of each try to open: "ok", "fails", "hangs"; when there are none left, it opens. */
let fates = /** @type {string[]} */ ([]);
let connections = /** @type {any[]} */ ([]);
/** What is on the disk, whatever becomes of connections. */
let disk = /** @type {any[]} */ ([]);

/** A request that ends soon. @param {any} result */
function request(result) {
  const one = /** @type {any} */ ({ result });
  setImmediate(() => one.onsuccess?.());
  return one;
}

/** A connection to the disk, which a browser may close. */
function connect() {
  const db = /** @type {any} */ ({ closed: false, close: () => (db.closed = true) });
  db.transaction = () => {
    if (db.closed) throw new DOMException("The database connection is closing.", "InvalidStateError");
    const one = /** @type {any} */ ({ abort: () => {}, objectStore: () => ({ getAll: () => request(disk) }) });
    setImmediate(() => setImmediate(() => setImmediate(() => one.oncomplete())));
    return one;
  };
  connections.push(db);
  return db;
}

beforeEach(() => {
  [fates, connections, disk] = [[], [], ["a game"]];
  globalThis.indexedDB = /** @type {any} */ ({
    open: () => {
      const fate = fates.shift() ?? "ok";
      const opening = /** @type {any} */ ({ error: new DOMException("Connection lost", "UnknownError") });
      if (fate === "ok") Object.assign(opening, { result: connect() });
      if (fate !== "hangs") setImmediate(() => (fate === "ok" ? opening.onsuccess() : opening.onerror()));
      return opening;
    },
  });
});

const database = () => new Database("a", () => undefined);
const all = (/** @type {any} */ db) => db.within(["games"], "readonly", (/** @type {any} */ s) => resultOf(s.getAll()));

test("a database that does not open once is opened again at once", async () => {
  fates = ["fails"];
  assert.deepEqual(await all(database()), ["a game"]);
});

test("a database that does not open is unreadable, never empty, and the next question opens it", async () => {
  const db = database();
  fates = ["fails", "fails"];
  await assert.rejects(all(db), Unreadable);
  assert.deepEqual(await all(db), ["a game"]);
});

test("a database that never answers is unreadable after a while", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  fates = ["hangs", "hangs"];
  const answer = all(database());
  answer.catch(() => undefined);
  for (let n = 0; n < 2; n += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    context.mock.timers.tick(60_000);
  }
  await assert.rejects(answer, Unreadable);
});

for (const [how, lose] of /** @type {[string, (db: any) => void][]} */ ([
  ["without a word", (db) => db.close()],
  ["with a word", (db) => (db.close(), db.onclose())],
  ["because another tab needs it", (db) => db.onversionchange()],
])) {
  test(`a connection that a browser closes ${how} is opened again`, async () => {
    const db = database();
    await all(db);
    lose(connections[0]);
    assert.deepEqual(await all(db), ["a game"]);
    assert.equal(connections.length, 2);
  });
}

test("one connection serves all questions", async () => {
  const db = database();
  await Promise.all([all(db), all(db)]);
  await all(db);
  assert.equal(connections.length, 1);
});

test("an error in the work is not a fault of the database", async () => {
  const work = mock.fn(async () => {
    throw new TypeError("a bug");
  });
  await assert.rejects(database().within(["games"], "readwrite", work), TypeError);
  assert.equal(work.mock.callCount(), 1);
});
