// Entries that the ledger has not acknowledged yet, on the phone's disk.
// IndexedDB works over plain http, too, where a page has no service worker; its content survives a closed tab, a
// killed browser and a day without a network.

import { Database, resultOf } from "../../../in_browser/static/browser_database.js";
import { recall } from "../../../every_page/static/browser_memory.js";

/** @typedef {{ id: string, event: GameEvent }} Submission  an event for a ledger, which knows it again by its id */
/**
 * @typedef {Submission & { key?: number, record: string, base: number,
 *   state: "waiting" | "refused" | "dropped", reason?: string, tried?: boolean, blind?: boolean,
 *   fixed?: boolean }} Entry  `tried`: it may be in the ledger, because an attempt to send it ended without an answer;
 *   `blind`: nobody knew whose turn it was; `fixed`: it corrects an event of the ledger
 */

const NAME = "domino-ledger";
const STORES = ["entries", "screens", "keys", "records", "held", "tails", "copies"];
/** Those of entries, in the order of entering; `tails` has what the ledger acknowledged (see local/held.js). */
const QUEUES = ["entries", "tails"];
const VERSION = 2;

/** @param {IDBDatabase} db */
function create(db) {
  for (const name of STORES.filter((one) => !db.objectStoreNames.contains(one))) {
    if (QUEUES.includes(name))
      db.createObjectStore(name, { keyPath: "key", autoIncrement: true }).createIndex("record", "record");
    else db.createObjectStore(name, { keyPath: "id" });
  }
}

export const database = new Database(NAME, create, VERSION);

/**
 * Events as entries that wait, from this seq on.
 * @param {string} record @param {number} first @param {GameEvent[]} events @returns {Entry[]}
 */
export function entriesOf(record, first, events) {
  const when = new Date().toISOString();
  const who = recall("by");
  return events.map((event, n) => ({
    id: newId(),
    record,
    base: first + n,
    state: "waiting",
    event: { ...event, when, ...(who ? { by: who } : {}) },
  }));
}

/** What tells versions of the program apart. */
const program = () => document.body?.dataset.program || "";

/**
 * Whether this version of the program stored a screen: one of another may lack what this one draws.
 * @param {View} screen
 */
export const isOwn = (screen) => screen.program === program();

/** The entries that wait on this phone for one record. */
export class Outbox {
  /** @param {string} record */
  constructor(record) {
    this.record = record;
  }

  /**
   * Runs `work` in one transaction over some of the stores, and resolves when all of it is on the disk.
   * @template T
   * @param {(entries: IDBObjectStore, screens: IDBObjectStore, keys: IDBObjectStore, records: IDBObjectStore,
   *   held: IDBObjectStore, tails: IDBObjectStore) => Promise<T>} work  gets the stores of `names`, in their order
   * @param {string[]} [names]
   */
  within(work, names = STORES) {
    return database.within(names, "readwrite", work);
  }

  /**
   * Keeps entries, each once; it gets its key, which is its place in the order.  New ones follow those that another tab
   * has kept since.
   * @param {Entry[]} entries @param {boolean} [areNew]
   */
  add(entries, areNew = false) {
    return this.within(
      async (store) => {
        /** @type {Entry[]} */
        const known = await resultOf(store.index("record").getAll(this.record));
        const last = Math.max(-1, ...known.filter(({ state }) => state === "waiting").map(({ base }) => base));
        const late = areNew ? Math.max(0, last + 1 - entries[0].base) : 0;
        for (const entry of entries.filter((one) => !known.some(({ id }) => id === one.id))) {
          entry.base += late;
          entry.key = Number(await resultOf(store.add(entry)));
        }
      },
      ["entries"],
    );
  }

  /** Writes changed entries. @param {Entry[]} entries */
  put(entries) {
    return this.within(
      async (store) => {
        for (const entry of entries) await resultOf(store.put(entry));
      },
      ["entries"],
    );
  }

  /**
   * Deletes entries that were acknowledged, and stores the screen in the answer: both or neither.  The record that is
   * kept here grows by the entries.
   * @param {Entry[]} entries @param {View | null} screen
   * @param {boolean} [saved] whether the ledger has them: then this phone keeps them as a witness
   */
  settle(entries, screen, saved = false) {
    return this.within(async (store, screens, _, records, held, tails) => {
      for (const entry of entries) await resultOf(store.delete(Number(entry.key)));
      if (screen) await resultOf(screens.put({ ...screen, program: program() }));
      if (saved) await witnessed(this.record, entries, screen, held, tails);
      const record = entries.length && (await resultOf(records.get(this.record)));
      if (!record || record.events.length !== entries[0].base) return;
      if (screen?.version === entries[0].base + entries.length)
        await resultOf(records.put({ ...record, events: [...record.events, ...entries.map(({ event }) => event)] }));
    });
  }

  /** Makes everything here about this record part of another one: the record has a new id. @param {string} newId */
  moveTo(newId) {
    return this.within(async (store, ...otherStores) => {
      for (const entry of await resultOf(store.index("record").getAll(this.record)))
        await resultOf(store.put({ ...entry, record: newId }));
      for (const other of otherStores) {
        const value = await resultOf(other.get(this.record));
        if (!value) continue;
        await resultOf(other.put({ ...value, id: newId }));
        await resultOf(other.delete(this.record));
      }
    });
  }

  /** Deletes everything here about this record. */
  clear() {
    return this.within(async (store, ...otherStores) => {
      for (const key of await resultOf(store.index("record").getAllKeys(this.record)))
        await resultOf(store.delete(key));
      for (const other of otherStores) await resultOf(other.delete(this.record));
    });
  }

  /** Keeps the events of the record, as the ledger has them. @param {GameEvent[]} events */
  keepRecord(events) {
    return this.within(async (_, __, ___, records) => {
      await resultOf(records.put({ id: this.record, events }));
    });
  }

  /** The events of the record that are kept here; none if there are none. @returns {Promise<GameEvent[]>} */
  async events() {
    return (await this.within((_, __, ___, records) => resultOf(records.get(this.record))))?.events || [];
  }

  /** Keeps what the ledger does not have any more. @param {import("./witness.js").Copy} copy */
  keepCopy(copy) {
    return this.within(async (_, __, ___, records) => {
      await resultOf(records.put(copy));
    });
  }

  /** What is kept because the ledger does not have it any more. @returns {Promise<import("./witness.js").Copy[]>} */
  copies() {
    const range = IDBKeyRange.bound(`${this.record}~`, `${this.record}~\uffff`);
    return this.within((_, __, ___, records) => resultOf(records.getAll(range)));
  }

  /** @param {string} id */
  dropCopy(id) {
    return this.within(async (_, __, ___, records) => {
      await resultOf(records.delete(id));
    });
  }

  /** Forgets what this phone saw saved, because somebody goes on with less; the last copy stays. */
  letGo() {
    return this.within(async (_, __, ___, ____, held, tails) => {
      for (const key of await resultOf(tails.index("record").getAllKeys(this.record)))
        await resultOf(tails.delete(key));
      await resultOf(held.delete(this.record));
    });
  }

  /** All entries here for this record, in the order of entering; an earlier page may have tried to send them. */
  async all() {
    /** @type {Entry[]} */
    const entries = await this.within((store) => resultOf(store.index("record").getAll(this.record)));
    return entries.map((entry) => ({ ...entry, tried: true }));
  }

  /** Keeps a new key to this record; returns the key.  Elsewhere a browser may lose it when it is killed. */
  key(newKey = "") {
    return this.within(async (_, __, keys) => {
      if (newKey) await resultOf(keys.put({ id: this.record, key: newKey }));
      return (await resultOf(keys.get(this.record)))?.key || "";
    });
  }

  /** What this phone saw saved of the record. @returns {Promise<Held | undefined>} */
  held() {
    return database.within(["held"], "readonly", (held) => resultOf(held.get(this.record)));
  }

  /** The last screen, if there was one. */
  screen() {
    return this.within((_, screens) => resultOf(screens.get(this.record)));
  }
}

/**
 * Notes what the ledger said to have: the entries, and where the record is then.
 * @param {string} record @param {Entry[]} entries @param {View | null} screen
 * @param {IDBObjectStore} held @param {IDBObjectStore} tails
 */
async function witnessed(record, entries, screen, held, tails) {
  const before = (await resultOf(held.get(record))) || newHeld(record);
  // If the ledger has less, or something else, the next contact finds it: nothing of that gets among what was seen.
  if (before.state.kind === "other" || isElse(before, screen)) return;
  const again = entries.length && entries[0].base < before.version;
  const known = again ? (await resultOf(tails.index("record").getAll(record))).map(({ id }) => id) : [];
  for (const [n, { id, base, event }] of entries.entries()) {
    if (base < (before.copied?.version || 0) || known.includes(id)) continue; // it is kept already
    // The link before the first tells later whether the ledger still is where this entry was added.
    const after = n === 0 && before.version === base ? before.link : "";
    await resultOf(tails.add({ id, record, base, event, after }));
  }
  const last = entries[entries.length - 1];
  const most = Math.max(before.version, last ? last.base + 1 : 0);
  // What follows what this phone saw is noted.
  const follows =
    !before.version ||
    screen?.then === before.link ||
    screen?.link === before.link ||
    entries[0]?.base === before.version;
  const takes = screen && follows && screen.version >= before.version;
  const version = takes ? screen.version : most;
  const link = takes ? screen.link : version === before.version ? before.link : "";
  const about = screen ? { title: screen.title, names: screen.players.map(([, name]) => name) } : {};
  await resultOf(held.put({ ...before, ...about, version, link, touched: new Date().toISOString() }));
}

/**
 * Whether an answer of the ledger surely has less than what was seen, or something else.
 * @param {Held} before @param {View | null} screen
 */
const isElse = ({ version, link }, screen) =>
  screen !== null &&
  version > 0 &&
  (screen.version < version ||
    (Boolean(link) && screen.version === version && screen.link !== link) ||
    (Boolean(link) && screen.seen === version && screen.then !== link));

/** A new id for a record: ten digits and small letters. */
export const newRecordId = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(10)), (number) => (number % 36).toString(36)).join("");

/** A unique id; `crypto.randomUUID` does not exist over plain http. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * How the ledger stands to what this phone saw of a game.  `same`: it has all of it; `less`, `lost`: it has some, or
 * none; `other`: it has something else; `unknown`: not compared yet.  `has` is its version; `reason` says why the rest
 * is not handed in again, as the end of a sentence, and `trouble` what kind of failure that was.
 * @typedef {{ kind: "unknown" | "same" | "less" | "lost" | "other", has: number, reason: string,
 *   trouble: Reply["kind"] | "" }} State
 */
/**
 * A game that this phone keeps: the newest version that it saw saved, and the link there (“” if it is not known).
 * `copied` tells about the copy that the ledger gave: its version and link, a digest of the names in it, and who
 * sealed it.
 * @typedef {{ id: string, title: string, names: string[], touched: string, version: number, link: string,
 *   copied: { version: number, link: string, names: string, owner: string, bytes: number } | null,
 *   state: State }} Held
 */

/** @type {State} */
const UNKNOWN = { kind: "unknown", has: 0, reason: "", trouble: "" };

/** @param {string} id @returns {Held} */
export const newHeld = (id) => ({
  id,
  title: "",
  names: [],
  touched: "",
  version: 0,
  link: "",
  copied: null,
  state: UNKNOWN,
});
