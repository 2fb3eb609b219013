// What a page of an earlier program left on this phone: what waits there is handed in first.
// Its databases are read, never made; a row is deleted only when the notebook's disk has it.

import { resultOf } from "../../../in_browser/static/browser_database.js";
import { ofClub } from "../../../every_page/static/club_root.js";
import { recall } from "../../../every_page/static/browser_memory.js";
import { append, named, newLog } from "./log.js";

const LEDGERS = "domino-ledger";
const GAMES = "domino-ledger-games";

/** @param {string} name @returns {Promise<IDBDatabase | null>} null if this phone has no such database */
function opened(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(ofClub(name));
    let isNew = false;
    // A database that is made by asking for it is unmade again.
    request.onupgradeneeded = () => {
      isNew = true;
      request.transaction?.abort();
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => (isNew ? resolve(null) : reject(request.error));
    request.onblocked = () => reject(new Error("another page holds it"));
  });
}

/**
 * Does something in one transaction over a store, and resolves when that is on the disk.
 * @template T @param {IDBDatabase} db @param {string} name @param {(store: IDBObjectStore) => Promise<T>} work
 */
async function within(db, name, work) {
  const transaction = db.transaction([name], "readwrite");
  const over = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
  const result = await work(transaction.objectStore(name));
  await over;
  return result;
}

/** The games that were begun on this phone: each becomes a log. @param {import("./notebook.js").Notebook} notebook */
async function adoptGames(notebook) {
  const db = await opened(GAMES);
  if (!db) return;
  for (const game of await within(db, "games", (store) => resultOf(store.getAll()))) {
    const { id, key, title, events, ids } = game;
    const [opening, ...rest] = events;
    await notebook.change(id, (log) => ({
      log: rest.reduce(
        (/** @type {any} */ all, /** @type {any} */ event, /** @type {number} */ n) =>
          append(all, { id: ids[n], ...named(all, event) }),
        log || { ...newLog(id, key, opening), title },
      ),
    }));
    await within(db, "games", (store) => resultOf(store.delete(id)));
  }
  db.close();
}

/**
 * What waits for a ledger: each record becomes a log that asks for all first.
 * @param {import("./notebook.js").Notebook} notebook
 */
async function adoptEntries(notebook) {
  const db = await opened(LEDGERS);
  if (!db) return;
  const rows = await within(db, "entries", (store) => resultOf(store.getAll()));
  const keys = new Map((await within(db, "keys", (store) => resultOf(store.getAll()))).map(({ id, key }) => [id, key]));
  const screens = await within(db, "screens", (store) => resultOf(store.getAll()));
  for (const record of new Set(rows.map((row) => row.record))) {
    const mine = rows.filter((row) => row.record === record).sort((a, b) => a.key - b.key);
    const waits = mine.filter(({ state }) => state === "waiting");
    const aside = mine.filter(({ state }) => state === "refused");
    const seen = waits[0]?.base || 0;
    const key = keys.get(record) || recall(`key.${record}`);
    await notebook.change(record, (log) => {
      const begun = log || { ...newLog(record, key), ...(waits.length ? { seen } : {}) };
      const known = new Set([...begun.entries, ...begun.aside].map(({ id }) => id));
      const fresh = waits
        .filter(({ id }) => !known.has(id))
        .map(({ id, event, blind }) => ({
          id,
          ...(begun.seen === undefined ? named(begun, event) : { event }),
          blind,
          sent: true,
        }));
      const put = aside.filter(({ id }) => !known.has(id)).map(({ id, event, reason }) => ({ id, event, why: reason }));
      return { log: { ...begun, entries: [...begun.entries, ...fresh], aside: [...begun.aside, ...put] } };
    });
    const screen = screens.find(({ id }) => id === record);
    if (screen && screen.version === seen)
      await notebook.keepScreen({
        id: record,
        version: seen,
        tail: "",
        names: "",
        program: screen.program,
        view: screen,
      });
    await within(db, "entries", async (store) => {
      for (const row of mine) await resultOf(store.delete(row.key));
    });
  }
  db.close();
}

let adopting = /** @type {Promise<void> | null} */ (null);

/**
 * Takes over what pages of an earlier program left here; once a page.
 * @param {import("./notebook.js").Notebook} notebook
 */
export function adopt(notebook) {
  adopting ??= adoptGames(notebook)
    .then(() => adoptEntries(notebook))
    .catch((error) => {
      adopting = null;
      throw error;
    });
  return adopting;
}
