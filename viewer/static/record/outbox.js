// Entries that the ledger has not acknowledged yet, on the phone's disk.
// @ts-check
// IndexedDB works over plain http, too, where a page has no service worker; its content survives a closed tab, a
// killed browser and a day without a network.

/**
 * @typedef {{ key?: number, id: string, record: string, event: any, base: number,
 *   state: "waiting" | "refused" | "dropped", reason?: string }} Entry
 */

const NAME = "domino-ledger";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @returns {Promise<IDBDatabase>} */
function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result
      .createObjectStore("entries", { keyPath: "key", autoIncrement: true })
      .createIndex("record", "record");
    request.result.createObjectStore("screens", { keyPath: "id" });
    request.result.createObjectStore("keys", { keyPath: "id" });
  };
  return done(request);
}

/** The entries that wait on this phone for one record. */
export class Outbox {
  /** @param {string} record */
  constructor(record) {
    this.record = record;
    this.db = open();
  }

  /**
   * Runs `work` in one transaction, and resolves when all of it is on the disk.
   * @template T
   * @param {(entries: IDBObjectStore, screens: IDBObjectStore, keys: IDBObjectStore) => Promise<T>} work
   */
  async within(work) {
    const db = await this.db;
    const all = db.transaction(["entries", "screens", "keys"], "readwrite", { durability: "strict" });
    const over = new Promise((resolve, reject) => {
      all.oncomplete = () => resolve(undefined);
      all.onerror = all.onabort = () => reject(all.error);
    });
    const found = await work(all.objectStore("entries"), all.objectStore("screens"), all.objectStore("keys"));
    await over;
    return found;
  }

  /** Keeps entries; each gets its key, which is its place in the order. @param {Entry[]} entries */
  add(entries) {
    return this.within(async (store) => {
      for (const entry of entries) entry.key = Number(await done(store.add(entry)));
    });
  }

  /** Writes changed entries. @param {Entry[]} entries */
  put(entries) {
    return this.within(async (store) => {
      for (const entry of entries) await done(store.put(entry));
    });
  }

  /**
   * Deletes entries that the ledger has, and stores the screen in its answer: both or neither.
   * @param {Entry[]} entries @param {any} screen
   */
  settle(entries, screen) {
    return this.within(async (store, screens) => {
      for (const entry of entries) await done(store.delete(Number(entry.key)));
      if (screen) await done(screens.put(screen));
    });
  }

  /** All entries here for this record, in the order of entering. @returns {Promise<Entry[]>} */
  all() {
    return this.within((store) => done(store.index("record").getAll(this.record)));
  }

  /** Keeps the key to this record (what a browser keeps elsewhere, it may lose when it is killed), or tells it. */
  key(fresh = "") {
    return this.within(async (_, __, keys) => {
      if (fresh) await done(keys.put({ id: this.record, key: fresh }));
      return (await done(keys.get(this.record)))?.key || "";
    });
  }

  /** The last screen, if there was one. */
  screen() {
    return this.within((_, screens) => done(screens.get(this.record)));
  }
}

/** A unique id; `crypto.randomUUID` does not exist over plain http. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
