import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const remembered = new Map();
const address = { hash: "", pathname: "" };
Object.assign(globalThis, {
  addEventListener: () => undefined,
  document: { addEventListener: () => undefined, getElementById: () => null, documentElement: { dataset: {} } },
  localStorage: {
    getItem: (/** @type {string} */ name) => remembered.get(name),
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => remembered.set(name, value),
  },
  location: address,
  history: {
    replaceState: (/** @type {any} */ _state, /** @type {string} */ _title, /** @type {string} */ path) =>
      Object.assign(address, { hash: "", pathname: path }),
  },
});
globalThis.navigator ??= /** @type {any} */ ({});
const { open } = await import("../../../viewer/phone/static/entries/open_record.js");

/** A recorder whose disk is slow. @returns {any} */
function recorderWithDisk() {
  const logs = new Map();
  const recorder = {
    writer: { writing: Promise.resolve() },
    clear: (/** @type {string} */ record) => Object.assign(recorder, { record, views: {}, log: null }),
    notebook: {
      get: async (/** @type {string} */ id) => logs.get(id),
      screen: async () => undefined,
      change: async (/** @type {string} */ id, /** @type {any} */ work) => {
        await new Promise(setImmediate);
        logs.set(id, work(logs.get(id)).log);
        return { log: logs.get(id) };
      },
    },
    changed: () => {
      throw new Error("that is all");
    },
  };
  return Object.assign(recorder, { logs, log: null, views: {} });
}

/** Goes to the page of a record, with a key in its link. @param {string} record @param {string} [key] */
const go = (record, key) => Object.assign(address, { pathname: `/r/${record}`, hash: key ? `#${key}` : "" });

beforeEach(() => {
  remembered.clear();
  go("one", "key-of-one");
});

test("the key of a link moves to this phone, and out of the address", async () => {
  const recorder = recorderWithDisk();
  recorder.clear = (/** @type {string} */ record) =>
    Object.assign(recorder, { record, redo: {}, views: { open() {} } });
  await assert.rejects(open(recorder, "one"), /that is all/);
  assert.equal(recorder.log.key, "key-of-one");
  assert.equal(remembered.get("domino-ledger.key.one"), "key-of-one");
  assert.deepEqual(address, { pathname: "/r/one", hash: "" });
});

test("a record that is opened while the key of another is written is shown alone", async () => {
  const recorder = recorderWithDisk();
  const opening = open(recorder, "one");
  await new Promise(setImmediate);
  Object.assign(recorder, { record: "two", views: {} });
  await opening;
  assert.equal(recorder.log, null);
  assert.equal(recorder.logs.get("one").key, "key-of-one");
});

test("another record is opened when what was entered in the one before is on the disk", async () => {
  const done = /** @type {string[]} */ ([]);
  let write = () => {};
  const recorder = {
    writer: {
      writing: new Promise((resolve) => {
        write = () => {
          done.push("written");
          resolve(undefined);
        };
      }),
    },
    clear: (/** @type {string} */ record) => {
      done.push(`cleared for ${record}`);
      throw new Error("that is all");
    },
  };
  const opening = open(/** @type {any} */ (recorder), "two");
  await new Promise((resolve) => setImmediate(resolve));
  write();
  await assert.rejects(opening, /that is all/);
  assert.deepEqual(done, ["written", "cleared for two"]);
});
