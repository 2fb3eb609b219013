// Disks of phones in memory, in place of the browser's databases: whole transactions, one after the other.
// @ts-check

import { Database, Unreadable } from "../../viewer/in_browser/static/browser_database.js";

Object.assign(globalThis, {
  IDBKeyRange: { bound: (/** @type {string} */ low, /** @type {string} */ high) => ({ low, high }) },
});
/** The stores that give the keys themselves. */
const NUMBERED = ["entries", "tails"];

export class Disk {
  /** The rows of each store, by their keys. @type {Map<string, Map<any, any>>} */
  stores = new Map();
  /** The last transaction. @type {Promise<any>} */
  last = Promise.resolve();
  /** The last key that was given: none is given twice. */
  key = 0;
  /** What becomes of the next transaction: "", "closed", "full". */
  fate = () => "";

  /** The rows of a store. @param {string} name as in `domino-ledger/held` @returns {Map<any, any>} */
  rows(name) {
    if (!this.stores.has(name)) this.stores.set(name, new Map());
    return /** @type {Map<any, any>} */ (this.stores.get(name));
  }
}

/** A request that has its result soon. @param {any} result */
function request(result) {
  const one = /** @type {any} */ ({ result: structuredClone(result) });
  queueMicrotask(() => one.onsuccess?.());
  return one;
}

/** @param {Map<any, any>} rows @param {() => number} [newKey] where the store gives the keys itself */
const store = (rows, newKey) => {
  const all = (/** @type {any} */ range) =>
    [...rows]
      .filter(([key]) => !range || (range.low ? key >= range.low && key <= range.high : key === range))
      .map(([, value]) => value);
  const put = (/** @type {any} */ value) => {
    const copy = structuredClone(value);
    const key = newKey ? (copy.key ??= newKey()) : copy.id;
    rows.set(key, copy);
    return request(key);
  };
  const of = (/** @type {string} */ record) => [...rows.values()].filter((row) => row.record === record);
  return {
    put,
    add: put,
    get: (/** @type {any} */ key) => request(rows.get(key)),
    delete: (/** @type {any} */ key) => request(void rows.delete(key)),
    clear: () => request(void rows.clear()),
    getAll: (/** @type {any} */ range) => request(all(range)),
    index: () => ({
      getAll: (/** @type {string} */ record) => request(of(record)),
      getAllKeys: (/** @type {string} */ record) => request(of(record).map(({ key }) => key)),
    }),
  };
};

/** Lets the pages' modules use these disks. @param {() => Disk} current the one of the phone that acts */
export function useDisks(current) {
  Database.prototype.within = function (names, mode, /** @type {any} */ work) {
    const disk = current();
    const turn = disk.last.then(async () => {
      const fate = disk.fate();
      if (fate === "closed") throw new Unreadable(new Error("the connection was lost"));
      if (fate === "full" && mode === "readwrite") throw new DOMException("no room", "QuotaExceededError");
      const rows = names.map((name) => disk.rows(`${this.name}/${name}`));
      const before = rows.map((one) => new Map(one));
      try {
        return await work(
          ...rows.map((one, n) => store(one, NUMBERED.includes(names[n]) ? () => (disk.key += 1) : undefined)),
        );
      } catch (error) {
        rows.forEach((one, n) => {
          one.clear();
          for (const [key, value] of before[n]) one.set(key, value);
        });
        throw error;
      }
    });
    disk.last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  };
}
