// The browser's databases, with promises instead of events.
// @ts-check

/** The result of a request. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * Opens a database.
 * @param {string} name @param {(db: IDBDatabase) => void} create makes its stores when it is new
 * @returns {Promise<IDBDatabase>}
 */
export function open(name, create) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => create(request.result);
  return resultOf(request);
}

/**
 * Does something in one transaction: all of it is on the disk when this resolves, and nothing if it fails.
 * @template T @param {IDBDatabase} db @param {string[]} names the stores @param {IDBTransactionMode} mode
 * @param {(...stores: IDBObjectStore[]) => Promise<T>} work @returns {Promise<T>}
 */
export async function within(db, names, mode, work) {
  const transaction = db.transaction(names, mode, { durability: "strict" });
  const completion = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onerror = transaction.onabort = () => reject(transaction.error || new Error("the disk refused it"));
  });
  completion.catch(() => undefined);
  let result;
  try {
    result = await work(...names.map((name) => transaction.objectStore(name)));
  } catch (error) {
    try {
      transaction.abort();
    } catch {
      /* it is over already */
    }
    throw error;
  }
  await completion;
  return result;
}
