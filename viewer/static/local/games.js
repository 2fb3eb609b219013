// The games that were begun on this phone and are in no ledger yet, on its disk.
// @ts-check

import { done, open, within } from "../database.js";

/**
 * A game that only this phone has: its events, and for each after the opening the id under which it is handed in.
 * `link` is the link of its last event.  `refused` says why a ledger did not take it.
 * @typedef {{ id: string, key: string, title: string, names: string[], touched: string, events: any[],
 *   ids: string[], link: string, refused: string }} LocalGame
 */

const NAME = "domino-ledger-games";
const STORE = "games";

/** Another tab recorded first, or the ledger has the game now. */
export class Overtaken extends Error {}

/**
 * A game with more entries, each once: those that it has already are skipped.
 * @param {LocalGame} game @param {number} expected the version that was seen before the first of them
 * @param {{ id: string, event: any }[]} entries @param {string} link the link of the last event then
 * @returns {LocalGame} Throws Overtaken if other events came first.
 */
export function extended(game, expected, entries, link) {
  const fresh = entries.filter(({ id }) => !game.ids.includes(id));
  if (!fresh.length) return game;
  if (expected + entries.length - fresh.length !== game.events.length) throw new Overtaken();
  return {
    ...game,
    events: [...game.events, ...fresh.map(({ event }) => event)],
    ids: [...game.ids, ...fresh.map(({ id }) => id)],
    link,
    touched: fresh[fresh.length - 1].event.when || game.touched,
  };
}

export class Games {
  /** @type {Promise<IDBDatabase> | null} */
  #database = null;

  /**
   * Does something in one transaction; it is over when all of it is on the disk.
   * @template T @param {(games: IDBObjectStore) => Promise<T>} work @param {IDBTransactionMode} [mode]
   */
  async #within(work, mode = "readwrite") {
    this.#database ??= open(NAME, (db) => db.createObjectStore(STORE, { keyPath: "id" }));
    return within(await this.#database, [STORE], mode, work);
  }

  /** Keeps a new game, once. @param {LocalGame} game */
  begin(game) {
    return this.#within(async (games) => {
      if (!(await done(games.get(game.id)))) await done(games.add(game));
    });
  }

  /** @param {string} id @returns {Promise<LocalGame | undefined>} */
  get(id) {
    return this.#within((games) => done(games.get(id)), "readonly");
  }

  /** All of them, the latest first. @returns {Promise<LocalGame[]>} */
  async all() {
    const games = await this.#within((store) => done(store.getAll()), "readonly");
    return games.sort((/** @type {LocalGame} */ one, /** @type {LocalGame} */ other) =>
      one.touched < other.touched ? 1 : -1,
    );
  }

  /**
   * Adds entries (see `extended`).  Throws Overtaken, also for a game that is not here any more.
   * @param {string} id @param {number} expected @param {{ id: string, event: any }[]} entries @param {string} link
   * @returns {Promise<LocalGame>}
   */
  extend(id, expected, entries, link) {
    return this.#within(async (games) => {
      const game = await done(games.get(id));
      if (!game) throw new Overtaken();
      const longer = extended(game, expected, entries, link);
      if (longer !== game) await done(games.put(longer));
      return longer;
    });
  }

  /** Notes something about a game, if it is here. @param {string} id @param {Partial<LocalGame>} facts */
  note(id, facts) {
    return this.#within(async (games) => {
      const game = await done(games.get(id));
      if (game) await done(games.put({ ...game, ...facts }));
    });
  }

  /**
   * Forgets a game that has no more events than `version`; whether it did.
   * @param {string} id @param {number} version
   */
  forget(id, version) {
    return this.#within(async (games) => {
      const game = await done(games.get(id));
      if (game && game.events.length !== version) return false;
      await done(games.delete(id));
      return true;
    });
  }
}
