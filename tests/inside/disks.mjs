// Disks of phones in memory, in place of the browser's databases: whole transactions, one after the other.
// @ts-check

import { Database, Unreadable } from "../../viewer/in_browser/static/browser_database.js";

Object.assign(globalThis, { IDBKeyRange: { bound: (/** @type {string[]} */ [log]) => ({ log }) } });

export class Disk {
  /** The rows of each store, by their keys. @type {Map<string, Map<any, any>>} */
  stores = new Map();
  /** The last transaction. @type {Promise<any>} */
  last = Promise.resolve();
  /** What becomes of the next transaction: "", "closed", "full". */
  fate = () => "";

  /** The rows of a store. @param {string} name as in `domino-notebook/logs` @returns {Map<any, any>} */
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

/** The key of a row: an entry's is its log and its place. @param {any} row */
const keyOf = ({ id, log, at }) => (id === undefined ? `${log}/${at}` : id);

/** @param {Map<any, any>} rows */
const store = (rows) => ({
  put: (/** @type {any} */ value) => {
    rows.set(keyOf(value), structuredClone(value));
    return request(keyOf(value));
  },
  get: (/** @type {any} */ key) => request(rows.get(key)),
  delete: (/** @type {any} */ key) => {
    const keys = key.log
      ? [...rows].filter(([, row]) => row.log === key.log).map(([one]) => one)
      : [[key].flat().join("/")];
    for (const one of keys) rows.delete(one);
    return request(undefined);
  },
  getAll: (/** @type {any} */ range) =>
    request(
      [...rows.values()]
        .filter((row) => !range || row.log === range.log)
        .sort((one, other) => (range ? one.at - other.at : 0)),
    ),
});

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
        return await work(...rows.map((one) => store(one)));
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
