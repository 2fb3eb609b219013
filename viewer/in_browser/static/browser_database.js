// The browser's databases, with promises instead of events, opened again whenever a browser has closed them.
// Browsers close a database on their own: Safari does so for a page in the background.  A failure is never kept, so the
// next question opens the database anew.
import { ofClub } from "../../every_page/static/club_root.js";

/** Milliseconds after which a database that does not open counts as one that cannot be read now. */
const PATIENCE = 4000;
/** What a page says meanwhile. */
export const UNREADABLE =
  "This phone’s store cannot be read just now. Nothing is lost: this page tries again by itself.";

/** The database cannot be read now: that says nothing about what is in it. */
export class Unreadable extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("this phone’s store cannot be read just now", { cause });
  }
}

/** The result of a request. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {string} name @param {(db: IDBDatabase) => void} create @returns {Promise<IDBDatabase>} */
function open(name, create) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("it does not open")), PATIENCE);
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => create(request.result);
    resultOf(request)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** A database that is opened when it is needed, and again after it was lost. */
export class Database {
  /** @type {Promise<IDBDatabase> | null} */
  #opening = null;

  /** @param {string} name @param {(db: IDBDatabase) => void} create makes the stores of a new one */
  constructor(name, create) {
    this.name = ofClub(name);
    this.create = create;
  }

  /** @returns {Promise<IDBDatabase>} */
  #open() {
    if (this.#opening) return this.#opening;
    /** @type {Promise<IDBDatabase>} */
    const opening = open(this.name, this.create).then((db) => {
      db.onclose = forget;
      db.onversionchange = () => {
        db.close();
        forget();
      };
      return db;
    });
    const forget = () => {
      if (this.#opening === opening) this.#opening = null;
    };
    opening.catch(forget);
    this.#opening = opening;
    return opening;
  }

  /**
   * Does something in one transaction: all of it is on the disk when this resolves, and nothing if it fails.  Raises
   * Unreadable if the database cannot be opened.
   * @template T @param {string[]} names the stores @param {IDBTransactionMode} mode
   * @param {(...stores: IDBObjectStore[]) => Promise<T>} work @returns {Promise<T>}
   */
  async within(names, mode, work) {
    let transaction;
    for (let triesLeft = 1; !transaction; triesLeft -= 1) {
      try {
        transaction = (await this.#open()).transaction(names, mode, { durability: "strict" });
      } catch (error) {
        // The connection was lost before anything was done in it.
        this.#opening = null;
        if (!triesLeft) throw new Unreadable(error);
      }
    }
    const current = transaction;
    const completion = new Promise((resolve, reject) => {
      current.oncomplete = () => resolve(undefined);
      current.onerror = current.onabort = () => reject(current.error || new Error("the disk refused it"));
    });
    completion.catch(() => undefined);
    let result;
    try {
      result = await work(...names.map((name) => current.objectStore(name)));
    } catch (error) {
      try {
        current.abort();
      } catch {
        /* it is over already */
      }
      throw error;
    }
    await completion;
    return result;
  }
}
