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
 * What waits for a ledger: it follows what the ledger has, or waits for a choice.
 * @param {import("./notebook.js").Notebook} notebook @param {import("./exchange.js").Exchange} exchange
 */
async function adoptEntries(notebook, exchange) {
  const db = await opened(LEDGERS);
  if (!db) return;
  const all = await within(db, "entries", (store) => resultOf(store.getAll()));
  const keys = new Map((await within(db, "keys", (store) => resultOf(store.getAll()))).map(({ id, key }) => [id, key]));
  for (const record of new Set(all.map((row) => row.record))) {
    const rows = all.filter((row) => row.record === record && row.state !== "dropped").sort((a, b) => a.key - b.key);
    const key = keys.get(record) || recall(`key.${record}`);
    await notebook.change(record, (log) => ({ log: log?.key ? log : { ...(log || newLog(record, key)), key } }));
    // Without a connection it stays where it is.
    if (!(await exchange.whole(record))) continue;
    await notebook.change(record, (log) => ({ log: log && withRows(log, rows) }));
    await within(db, "entries", async (store) => {
      for (const row of rows) await resultOf(store.delete(row.key));
    });
  }
  db.close();
}

/** A log with what a page of an earlier program left. @param {import("./log.js").Log} log @param {any[]} rows */
export function withRows(log, rows) {
  const known = new Set([...log.entries, ...log.aside].map(({ id }) => id));
  const fresh = rows.filter(({ id }) => !known.has(id));
  const waits = fresh.filter(({ state }) => state === "waiting");
  const others = log.entries.slice(rows[0].base).map(({ id }) => id);
  const aside = fresh
    .filter(({ state }) => state === "refused")
    .map(({ id, event, reason }) => ({ id, event, why: reason }));
  const next = waits.reduce((all, { id, event }) => append(all, { id, ...named(all, event) }), log);
  return { ...next, aside: [...log.aside, ...aside], choice: waits.length && others.length ? others : log.choice };
}

/**
 * Takes over what pages of an earlier program left here.
 * @param {import("./notebook.js").Notebook} notebook @param {import("./exchange.js").Exchange} exchange
 */
export async function adopt(notebook, exchange) {
  await adoptGames(notebook);
  await adoptEntries(notebook, exchange);
}
