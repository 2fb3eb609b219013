import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const listeners = /** @type {Map<string, () => void>} */ (new Map());
const listen = (/** @type {string} */ name, /** @type {() => void} */ act) => listeners.set(name, act);
Object.assign(globalThis, {
  addEventListener: listen,
  document: { addEventListener: listen, body: { dataset: {} } },
  BroadcastChannel: class {
    postMessage() {}
    close() {}
  },
});
mock.timers.enable({ apis: ["setTimeout"] }); // those that end a request would keep node waiting
const { addresses } = await import("../../../viewer/phone/static/pieces/recorder_addresses.js");
const { Courier } = await import("../../../viewer/phone/static/kept_games/courier.js");
const { Outbox } = await import("../../../viewer/phone/static/entries/outbox.js");

/** The games on the phone by id, the latest first. */
let shelf = /** @type {Map<string, any>} */ (new Map());
let readable = true;
/** What a request about a game is answered: a status, "lost", or "ok" where nothing is here. */
let fates = /** @type {Map<string, any>} */ (new Map());
let asked = /** @type {string[]} */ ([]);
let reports = /** @type {string[]} */ ([]);

const TAKEN = "urn:domino-ledger:problem:another-game-has-this-id";
/** @type {Map<string, any>} */
const ANSWERS = new Map(
  Object.entries({
    ok: [201, { version: 1 }],
    taken: [409, { type: TAKEN, title: "Another game has this id", detail: "choose another id" }],
    replaced: [409, { type: "urn:x", title: "This game has another link", detail: "ask the owner for the new link" }],
  }),
);
/** The outboxes that were moved to a new id. */
let moved = /** @type {string[]} */ ([]);
Outbox.prototype.moveTo = async function (/** @type {string} */ newId) {
  moved.push(`${this.record} ${newId}`);
};

const games = /** @type {any} */ ({
  rename: async (/** @type {string} */ id, /** @type {string} */ newId) => {
    shelf.set(newId, { ...shelf.get(id), id: newId });
    shelf.delete(id);
  },
  all: async () => {
    if (!readable) throw new Error("this phone’s store cannot be read just now");
    return [...shelf.values()];
  },
  get: async (/** @type {string} */ id) => shelf.get(id),
  note: async (/** @type {string} */ id, /** @type {any} */ facts) => Object.assign(shelf.get(id), facts),
  forget: async (/** @type {string} */ id) => shelf.delete(id),
});

/** @param {string} id */
const put = (id) => shelf.set(id, { id, key: "k", events: [{ type: "open" }], ids: [], link: "l", refused: "" });

function courier() {
  const one = new Courier(
    games,
    (id, news) => reports.push(`${id} ${news}`),
    async () => undefined,
  );
  one.again.later = () => undefined;
  return one;
}

beforeEach(() => {
  [shelf, fates, asked, reports, readable] = [new Map(), new Map(), [], [], true];
  moved = [];
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ _address, /** @type {any} */ { body }) => {
      const { id } = JSON.parse(body);
      asked.push(id);
      const fate = fates.get(id) ?? "ok";
      if (fate === "lost") throw new TypeError("no network");
      const [status, said] = ANSWERS.get(fate) ?? [fate, null];
      return { status, ok: status < 300, json: async () => said ?? JSON.parse("<h1>") };
    }
  );
});

for (const status of [500, 502, 413, 403]) {
  test(`a game that cannot be handed in (${status}) holds up no other, and says why`, async () => {
    ["newest", "older", "oldest"].forEach(put);
    fates.set("newest", status);
    const one = courier();
    await one.soon();
    assert.deepEqual([...shelf.keys()], ["newest"]);
    assert.match(one.reason("newest"), new RegExp(`status ${status}`));
    assert.deepEqual(reports, ["newest sick", "older handed", "oldest handed"]);
    fates.clear();
    await one.soon();
    assert.deepEqual([...shelf.keys()], []);
  });
}

test("what does not change is reported once", async () => {
  put("a");
  fates.set("a", 500);
  const one = courier();
  await one.soon();
  await one.soon();
  assert.deepEqual(reports, ["a sick"]);
  fates.set("a", 502);
  await one.soon();
  assert.deepEqual(reports, ["a sick", "a sick"]);
});

test("without a connection not every game waits for its own silence, and each gets its turn", async () => {
  ["a", "b", "c", "d"].forEach(put);
  for (const id of shelf.keys()) fates.set(id, "lost");
  const one = courier();
  await one.soon();
  await one.soon();
  assert.deepEqual(asked, ["a", "b", "c", "d"]);
  // Two games whose requests alone are lost hold up no other.
  ["c", "d"].forEach((id) => fates.delete(id));
  await one.soon();
  await one.soon();
  assert.deepEqual([...shelf.keys()], ["a", "b"]);
  assert.equal(one.reason("a"), "");
});

test("a game whose id another game has gets a new one, and is handed in under that", async () => {
  put("a");
  fates.set("a", "taken");
  const one = courier();
  await one.soon();
  const newId = one.newIds.get("a") || "";
  assert.match(newId, /^[0-9a-z]{10}$/);
  assert.deepEqual([[...shelf.keys()], moved, reports], [[newId], [`a ${newId}`], ["a renamed"]]);
  await one.soon();
  assert.deepEqual([[...shelf.keys()], reports], [[], ["a renamed", `${newId} handed`]]);
});

test("a game whose link was replaced keeps its id: it is in the ledger already", async () => {
  put("a");
  fates.set("a", "replaced");
  const one = courier();
  await one.soon();
  assert.deepEqual([[...shelf.keys()], moved, reports], [["a"], [], ["a refused"]]);
  assert.match(shelf.get("a").refused, /ask the owner/);
});

test("a store that cannot be read is tried again when the network or the page is back", async () => {
  put("a");
  readable = false;
  const one = courier();
  let tries = 0;
  one.again.later = () => (tries += 1);
  await one.soon();
  assert.equal(tries, 1);
  readable = true;
  for (const name of ["online", "visibilitychange"]) {
    put("a");
    listeners.get(name)?.();
    await one.running;
    assert.deepEqual([...shelf.keys()], [], name);
  }
});

test("on a site of plain files nothing leaves the browser, not even when the page is shown again", async () => {
  put("a");
  addresses.site = true;
  const one = courier();
  await one.soon();
  await listeners.get("pageshow")?.();
  await one.running;
  addresses.site = false;
  assert.deepEqual([asked, reports, [...shelf.keys()]], [[], [], ["a"]]);
});
