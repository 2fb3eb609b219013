// The games that were begun on this phone and are in no ledger yet, on its disk.

import { Database, resultOf } from "../../../in_browser/static/browser_database.js";

/**
 * A game that only this phone has: its events, and for each after the opening the id under which it is handed in.
 * `link` is the link of its last event.  `refused` says why a ledger did not take it.
 * @typedef {{ id: string, key: string, title: string, names: string[], touched: string,
 *   events: GameEvent[],
 *   ids: string[], link: string, refused: string }} LocalGame
 */

const NAME = "domino-ledger-games";
const STORE = "games";

/** Another tab recorded first, or the ledger has the game now. */
export class Overtaken extends Error {}

/**
 * A game with more entries, each once: those that it has already are skipped.
 * @param {LocalGame} game @param {number} expected the version that was seen before the first of them
 * @param {Submission[]} entries @param {string} link the link of the last event then
 * @returns {LocalGame} Throws Overtaken if other events came first.
 */
export function withEntries(game, expected, entries, link) {
  const newEntries = entries.filter(({ id }) => !game.ids.includes(id));
  if (!newEntries.length) return game;
  if (expected + entries.length - newEntries.length !== game.events.length) throw new Overtaken();
  return {
    ...game,
    events: [...game.events, ...newEntries.map(({ event }) => event)],
    ids: [...game.ids, ...newEntries.map(({ id }) => id)],
    link,
    touched: newEntries[newEntries.length - 1].event.when || game.touched,
  };
}

export class Games {
  #database = new Database(NAME, (db) => db.createObjectStore(STORE, { keyPath: "id" }));

  /**
   * Does something in one transaction; it is over when all of it is on the disk.
   * @template T @param {(games: IDBObjectStore) => Promise<T>} work @param {IDBTransactionMode} [mode]
   */
  #within(work, mode = "readwrite") {
    return this.#database.within([STORE], mode, work);
  }

  /** Keeps a new game, once. @param {LocalGame} game */
  begin(game) {
    return this.#within(async (games) => {
      if (!(await resultOf(games.get(game.id)))) await resultOf(games.add(game));
    });
  }

  /** @param {string} id @returns {Promise<LocalGame | undefined>} */
  get(id) {
    return this.#within((games) => resultOf(games.get(id)), "readonly");
  }

  /** All of them, the latest first. @returns {Promise<LocalGame[]>} */
  async all() {
    const games = await this.#within((store) => resultOf(store.getAll()), "readonly");
    return games.sort((a, b) => (a.touched < b.touched ? 1 : -1));
  }

  /**
   * Adds entries (see `withEntries`).  Throws Overtaken, also for a game that is not here any more.
   * @param {string} id @param {number} expected @param {Submission[]} entries @param {string} link
   * @returns {Promise<LocalGame>}
   */
  extend(id, expected, entries, link) {
    return this.#within(async (games) => {
      const game = await resultOf(games.get(id));
      if (!game) throw new Overtaken();
      const longer = withEntries(game, expected, entries, link);
      if (longer !== game) await resultOf(games.put(longer));
      return longer;
    });
  }

  /** Notes something about a game, if it is here. @param {string} id @param {Partial<LocalGame>} facts */
  note(id, facts) {
    return this.#within(async (games) => {
      const game = await resultOf(games.get(id));
      if (game) await resultOf(games.put({ ...game, ...facts }));
    });
  }

  /** Gives a game another id. @param {string} id @param {string} newId */
  rename(id, newId) {
    return this.#within(async (games) => {
      const game = await resultOf(games.get(id));
      if (!game) return;
      await resultOf(games.add({ ...game, id: newId, refused: "" }));
      await resultOf(games.delete(id));
    });
  }

  /**
   * Forgets a game that has no more events than `version`; returns whether it did.
   * @param {string} id @param {number} version
   */
  forget(id, version) {
    return this.#within(async (games) => {
      const game = await resultOf(games.get(id));
      if (game && game.events.length !== version) return false;
      await resultOf(games.delete(id));
      return true;
    });
  }
}
