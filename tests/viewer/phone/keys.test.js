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
const { admit, open } = await import("../../../viewer/phone/static/entries/open_record.js");

/** Ends the writing of a key that goes on. */
let written = () => {};

/** A recorder at a record, whose disk is slow. @param {string} record @returns {any} */
const recorderAt = (record) => ({
  record,
  secret: "",
  post: {},
  outbox: { key: (/** @type {string} */ key) => new Promise((resolve) => (written = () => resolve(key))) },
});

/** Goes to the page of a record, with a key in its link. @param {string} record @param {string} [key] */
const go = (record, key) => Object.assign(address, { pathname: `/r/${record}`, hash: key ? `#${key}` : "" });

beforeEach(() => {
  remembered.clear();
  go("one", "key-of-one");
});

test("the key of a link moves to this phone, and out of the address", async () => {
  const recorder = recorderAt("one");
  const admitted = admit(recorder);
  written();
  await admitted;
  assert.equal(recorder.secret, "key-of-one");
  assert.equal(remembered.get("domino-ledger.key.one"), "key-of-one");
  assert.deepEqual(address, { pathname: "/r/one", hash: "" });
});

test("a record that is opened while the key of another is written keeps its own link's", async () => {
  const recorder = recorderAt("one");
  const admitted = admit(recorder);
  Object.assign(recorder, { record: "two", post: {}, secret: "" });
  go("two", "key-of-two");
  written();
  await admitted;
  assert.equal(recorder.secret, "");
  assert.deepEqual([...remembered], [["domino-ledger.key.one", "key-of-one"]]);
  assert.deepEqual(address, { pathname: "/r/two", hash: "#key-of-two" });
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
