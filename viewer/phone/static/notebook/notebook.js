// The logs on this phone's disk: a small row a game, and a row an entry.  Every change is one transaction, which reads
// the row first: so tabs share a log, and never fork it.

import { Database, resultOf } from "../../../in_browser/static/browser_database.js";
import { playersOf } from "../pieces/entries_in_words.js";
import { renamed } from "./log.js";

/** @typedef {import("./log.js").Log} Log */
/**
 * A log without its entries, as a list shows it: `total` is how many there are, `names` who plays.
 * @typedef {Omit<Log, "entries" | "names"> & { total: number, players: string[], change: number }} Row
 */
/** The last judged view of a game, of its first `version` entries; `tail` is the id of the last of them.
 * @typedef {{ id: string, version: number, tail: string, names: string, program: string, view: View }} Stored */

const STORES = ["logs", "entries", "screens"];
/** What a phone keeps at most, beside what the ledger does not have. */
export const MOST = 200;

const disk = new Database("domino-notebook", (db) => {
  db.createObjectStore("logs", { keyPath: "id" });
  db.createObjectStore("entries", { keyPath: ["log", "at"] });
  db.createObjectStore("screens", { keyPath: "id" });
});

/** All rows of a log's entries. @param {string} id */
const all = (id) => IDBKeyRange.bound([id], [id, []]);

/** A new id for a record: ten digits and small letters. */
export const newRecordId = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(10)), (number) => (number % 36).toString(36)).join("");

/** A unique id; `crypto.randomUUID` does not exist over plain http. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Notebook {
  /** Logs as the disk had them last, by their ids. @type {Map<string, { log: Log, change: number }>} */
  cache = new Map();

  /** @param {(id: string, newId?: string) => void} [changed] hears that a log has changed, and tells other tabs */
  constructor(changed = () => undefined) {
    this.changed = changed;
  }

  /**
   * Changes a log.  Another tab may have changed it since: then it is read anew.  Raises Unreadable.
   * @template T @param {string} id @param {(log: Log | undefined) => { log: Log | undefined } & T} work a pure function
   * @returns {Promise<{ log: Log | undefined } & T>}
   */
  async change(id, work) {
    const { result, kept, isNew } = await disk.within(STORES.slice(0, 2), "readwrite", async (logs, entries) => {
      const before = await this.#read(id, logs, entries);
      const result = work(before?.log);
      const { log } = result;
      if (!log || log === before?.log) return { result, kept: before, isNew: false };
      const change = (before ? before.change : Date.now()) + 1;
      const known = before && !before.isGone ? before.log.entries : [];
      write(log, change, known, logs, entries);
      for (let at = log.entries.length; at < known.length; at += 1) entries.delete([id, at]);
      return { result, kept: { log, change }, isNew: true };
    });
    if (kept) this.cache.set(id, kept);
    if (isNew) this.changed(id);
    return result;
  }

  /** A log as it is now. @param {string} id @returns {Promise<Log | undefined>} */
  async get(id) {
    const found = await disk.within(STORES.slice(0, 2), "readonly", (logs, entries) => this.#read(id, logs, entries));
    if (found) this.cache.set(id, found);
    else this.cache.delete(id);
    return found?.log;
  }

  /**
   * A log as the disk has it.  If the browser has dropped the store, this page still has it, and writes it anew.
   * @param {string} id @param {IDBObjectStore} logs @param {IDBObjectStore} entries
   * @returns {Promise<{ log: Log, change: number, isGone?: boolean } | null>}
   */
  async #read(id, logs, entries) {
    const row = await resultOf(logs.get(id));
    const cached = this.cache.get(id) || null;
    if (!row) return cached ? { ...cached, isGone: true } : null;
    if (cached?.change === row.change) return cached;
    const rows = await resultOf(entries.getAll(all(id)));
    const { change, total: _, players: __, ...log } = row;
    return { log: { ...log, entries: rows.map(({ entry }) => entry) }, change };
  }

  /** All logs that have entries, the latest first. @returns {Promise<Row[]>} */
  async rows() {
    /** @type {Row[]} */
    const rows = await disk.within(["logs"], "readonly", (logs) => resultOf(logs.getAll()));
    return rows.filter(({ total }) => total).sort((a, b) => ((a.touched || "") < (b.touched || "") ? 1 : -1));
  }

  /** Deletes a log. @param {string} id */
  async delete(id) {
    await disk.within(STORES, "readwrite", async (logs, entries, screens) => {
      for (const store of [logs, screens]) await resultOf(store.delete(id));
      await resultOf(entries.delete(all(id)));
    });
    this.cache.delete(id);
    this.changed(id);
  }

  /**
   * Gives a game another id, because the ledger has another game of its own; once, whatever other tabs do.
   * @param {string} id @param {string} newId
   */
  async rename(id, newId) {
    await disk.within(STORES, "readwrite", async (logs, entries, screens) => {
      const before = await this.#read(id, logs, entries);
      if (!before) return;
      write(renamed(before.log, newId), Date.now(), [], logs, entries);
      for (const store of [logs, screens]) await resultOf(store.delete(id));
      await resultOf(entries.delete(all(id)));
    });
    this.cache.delete(id);
    this.changed(id, newId);
  }

  /**
   * Notes when the ledger answered last; the disk need not know that each time.
   * @param {string} id @param {number} now
   */
  heard(id, now) {
    const kept = this.cache.get(id);
    if (kept) kept.log = { ...kept.log, heard: now };
  }

  /** The last judged view. @param {string} id @returns {Promise<Stored | undefined>} */
  screen(id) {
    return disk.within(["screens"], "readonly", (screens) => resultOf(screens.get(id)));
  }

  /** @param {Stored} stored */
  keepScreen(stored) {
    return disk.within(["screens"], "readwrite", async (screens) => {
      await resultOf(screens.put(stored));
    });
  }

  /** @param {string} id */
  dropScreen(id) {
    return disk.within(["screens"], "readwrite", (screens) => resultOf(screens.delete(id)));
  }

  /** Drops the oldest games above the limit: only those that the ledger has. @param {string} open that of the page */
  async prune(open) {
    const rows = await this.rows();
    for (const { id, total, acked, choice, aside } of rows.slice(MOST))
      if (total === acked && !choice && !aside.length && id !== open) await this.delete(id);
  }
}

/**
 * Writes a log: its row, and the entries that are not on the disk yet.
 * @param {Log} log @param {number} change @param {import("./log.js").Entry[]} known what is on the disk
 * @param {IDBObjectStore} logs @param {IDBObjectStore} entries
 */
function write(log, change, known, logs, entries) {
  logs.put(rowOf(log, change));
  log.entries.forEach((entry, at) => entry === known[at] || entries.put({ log: log.id, at, entry }));
}

/** @param {Log} log @param {number} change */
function rowOf({ entries, ...row }, change) {
  const { event } = entries[0] || {};
  const last = entries[entries.length - 1]?.event.when;
  return { ...row, total: entries.length, players: playersOf(event), touched: last || row.touched || "", change };
}
