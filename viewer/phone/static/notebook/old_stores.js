// What a page of an earlier version left on this phone: what waits there is handed in first.
// Its databases are read, never made; a row is deleted only when the notebook's disk has it.

import { Database, resultOf } from "../../../in_browser/static/browser_database.js";
import { recall } from "../../../every_page/static/browser_memory.js";
import { append, named, newLog } from "./log.js";

/** @import { Log } from "./log.js" @import { Notebook } from "./notebook.js" */
/** @import { Exchange } from "./exchange.js" */

/** A database that this phone has already; null if it has none. @param {string} name */
async function known(name) {
  const database = new Database(name, () => undefined);
  return (await indexedDB.databases()).some((one) => one.name === database.name) ? database : null;
}

/** All rows of a store. @param {Database} database @param {string} store @returns {Promise<any[]>} */
const rowsOf = (database, store) => database.within([store], "readonly", (rows) => resultOf(rows.getAll()));

/** Deletes rows of a store. @param {Database} database @param {string} store @param {any[]} keys */
const deleteRows = (database, store, keys) =>
  database.within([store], "readwrite", (rows) => Promise.all(keys.map((key) => resultOf(rows.delete(key)))));

/** A log with more events, which have ids of their own. @param {Log} log @param {any[]} rows @returns {Log} */
const grown = (log, rows) => rows.reduce((all, { id, event }) => append(all, { id, ...named(all, event) }), log);

/** The games that were begun on this phone: each becomes a log. @param {Notebook} notebook */
async function adoptGames(notebook) {
  const games = await known("domino-ledger-games");
  if (!games) return;
  for (const { id, key, title, events, ids } of await rowsOf(games, "games")) {
    const [opening, ...rest] = events;
    const rows = rest.map((/** @type {any} */ event, /** @type {number} */ n) => ({ id: ids[n], event }));
    await notebook.change(id, (log) => ({ log: grown(log || { ...newLog(id, key, opening), title }, rows) }));
    await deleteRows(games, "games", [id]);
  }
}

/**
 * Takes over what waits for a ledger: it follows what the ledger has, or waits for a choice.
 * @param {Notebook} notebook @param {Exchange} exchange @returns {Promise<boolean>} whether it took over all of it
 */
async function adoptEntries(notebook, exchange) {
  const ledgers = await known("domino-ledger");
  if (!ledgers) return true;
  let isAll = true;
  const all = await rowsOf(ledgers, "entries");
  const keys = new Map((await rowsOf(ledgers, "keys")).map(({ id, key }) => [id, key]));
  for (const record of new Set(all.map((row) => row.record))) {
    const rows = all.filter((row) => row.record === record && row.state !== "dropped").sort((a, b) => a.key - b.key);
    const key = keys.get(record) || recall(`key.${record}`);
    await notebook.change(record, (log) => ({ log: log?.key ? log : { ...(log || newLog(record, key)), key } }));
    // Without a connection it stays where it is.
    if (!(await exchange.whole(record))) {
      isAll = false;
      continue;
    }
    await notebook.change(record, (log) => ({ log: log && withRows(log, rows) }));
    const numbers = rows.map((row) => row.key);
    await deleteRows(ledgers, "entries", numbers);
  }
  return isAll;
}

/** A log with what a page of an earlier version left. @param {Log} log @param {any[]} rows */
export function withRows(log, rows) {
  const known = new Set([...log.entries, ...log.aside].map(({ id }) => id));
  const fresh = rows.filter(({ id }) => !known.has(id));
  const waits = fresh.filter(({ state }) => state === "waiting");
  const others = log.entries.slice(rows[0].base).map(({ id }) => id);
  const aside = fresh
    .filter(({ state }) => state === "refused")
    .map(({ id, event, reason }) => ({ id, event, why: reason }));
  return {
    ...grown(log, waits),
    aside: [...log.aside, ...aside],
    choice: waits.length && others.length ? others : log.choice,
  };
}

/**
 * Takes over what pages of an earlier version left here.
 * @param {Notebook} notebook @param {Exchange} exchange @returns {Promise<boolean>} whether it took over all of it
 */
export async function adopt(notebook, exchange) {
  await adoptGames(notebook);
  return adoptEntries(notebook, exchange);
}
