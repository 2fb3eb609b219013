// The second ledger: the games that this phone recorded or watched, after the hand-in too.
// For each game there is a small line (`Held`), the copy that the ledger gave, and the entries that the ledger has
// acknowledged since.  Where the ledger has something else, both are kept.

import { resultOf } from "../database.js";
import { database } from "../record/outbox.js";
import { eraseNames } from "./erase.js";
import { newHeld } from "./holding.js";

/**
 * A record as the ledger gave it (`GET …/copy`): with the ids of its events by seq, its keys, and the ledger's seal.
 * @typedef {{ record: string, version: number, link: string, events: GameEvent[], ids: Record<string, string>,
 *   keys: Record<string, string>, names: string, seal: string }} Copy
 */
/**
 * An acknowledged entry; `after` is the link of the event before it, where this phone knew it.
 * @typedef {Leftover & { key?: number, record: string, after: string }} Tail
 */

const STORES = ["held", "copies", "tails", "keys", "screens", "records"];
/** What a phone keeps at most, beside what the ledger does not have. */
export const MOST = { games: 200, bytes: 20_000_000 };
const ELSE = "~";

/** The owner's key that sealed a copy, as the ledger names it. @param {string} seal */
const sealer = (seal) => seal.split(":")[0];

/** Who plays, by the first event. @param {GameEvent | undefined} opening */
export const playersOf = (opening) => (opening?.players || []).map((one) => one.name || one.id);

export class HeldGames {
  /**
   * @template T
   * @param {(held: IDBObjectStore, copies: IDBObjectStore, tails: IDBObjectStore, keys: IDBObjectStore,
   *   screens: IDBObjectStore, records: IDBObjectStore) => Promise<T>} work
   * @param {IDBTransactionMode} [mode]
   */
  #within(work, mode = "readwrite") {
    return database.within(STORES, mode, work);
  }

  /** All of them, the latest first. @returns {Promise<Held[]>} */
  async all() {
    const all = await this.#within((held) => resultOf(held.getAll()), "readonly");
    return all.sort((a, b) => (a.touched < b.touched ? 1 : -1));
  }

  /** @param {string} id @returns {Promise<Held | undefined>} */
  get(id) {
    return this.#within((held) => resultOf(held.get(id)), "readonly");
  }

  /** The key to a game; "" if this phone has none. @param {string} id @returns {Promise<string>} */
  async key(id) {
    return (await this.#within((_, __, ___, keys) => resultOf(keys.get(id)), "readonly"))?.key || "";
  }

  /**
   * The copy that the ledger gave; with `other`, what it has instead.
   * @param {string} id @param {boolean} [other] @returns {Promise<Copy | undefined>}
   */
  copy(id, other = false) {
    return this.#within((_, copies) => resultOf(copies.get(other ? id + ELSE : id)), "readonly");
  }

  /** What the ledger acknowledged after the copy, in order. @param {string} id @returns {Promise<Tail[]>} */
  async tail(id) {
    const tail = await this.#within((_, __, tails) => resultOf(tails.index("record").getAll(id)), "readonly");
    return tail.sort((a, b) => a.base - b.base);
  }

  /** Begins to keep a game that the ledger has. @param {string} id @param {Partial<Held>} facts */
  hold(id, facts) {
    return this.#within(async (held) => {
      const before = (await resultOf(held.get(id))) || newHeld(id);
      await resultOf(held.put({ ...before, touched: new Date().toISOString(), ...facts }));
    });
  }

  /** Notes how the ledger stands to a game. @param {string} id @param {State} state */
  note(id, state) {
    return this.#within(async (held) => {
      const before = await resultOf(held.get(id));
      if (before && JSON.stringify(before.state) !== JSON.stringify(state))
        await resultOf(held.put({ ...before, state }));
    });
  }

  /**
   * Keeps a copy that contains what this phone saw; the entries in it are not needed any more.  What this phone saw
   * saved meanwhile stays, and a shorter copy takes the place of none: the ledger lost something while it sent that.
   * Names that the copy does not have any more are erased in the rest.
   * @param {Copy} copy
   */
  keep(copy) {
    return this.#within(async (held, copies, tails, _, screens, records) => {
      const { record: id, version, link, names, seal, events } = copy;
      const before = (await resultOf(held.get(id))) || newHeld(id);
      if (before.copied && version < before.copied.version) return;
      if (before.copied?.names !== names) {
        const last = await resultOf(copies.get(id));
        await eraseNames(copy, last, tails, screens, records);
      }
      await resultOf(copies.put({ ...copy, id }));
      await resultOf(copies.delete(id + ELSE));
      for (const entry of await resultOf(tails.index("record").getAll(id)))
        if (entry.base < version) await resultOf(tails.delete(entry.key));
      const copied = { version, link, names, owner: sealer(seal), bytes: JSON.stringify(copy).length };
      const newest = before.version > version ? { version: before.version, link: before.link } : { version, link };
      const about = { title: before.title || events[0]?.game || "", names: playersOf(events[0]) };
      await resultOf(held.put({ ...before, ...about, ...newest, copied }));
    });
  }

  /** Keeps what the ledger has instead, beside what this phone has. @param {Copy} copy */
  keepOther(copy) {
    return this.#within(async (_, copies) => {
      await resultOf(copies.put({ ...copy, id: copy.record + ELSE }));
    });
  }

  /** Gives up what this phone saw for what the ledger has instead. @param {string} id */
  async giveUp(id) {
    const other = await this.copy(id, true);
    await this.#within(async (held, copies, tails, _, screens, records) => {
      for (const key of await resultOf(tails.index("record").getAllKeys(id))) await resultOf(tails.delete(key));
      for (const store of [copies, screens, records]) await resultOf(store.delete(id));
      // What the recorder kept because the ledger lost it, too.
      for (const copy of await resultOf(records.getAll(IDBKeyRange.bound(`${id}~`, `${id}~\uffff`))))
        await resultOf(records.delete(copy.id));
      const before = await resultOf(held.get(id));
      if (before) await resultOf(held.put({ ...newHeld(id), title: before.title, touched: before.touched }));
    });
    if (other) await this.keep(other);
  }

  /** Keeps a game no longer; the key to it stays. @param {string} id */
  drop(id) {
    return this.#within(async (held, copies, tails, _, screens, records) => {
      for (const key of await resultOf(tails.index("record").getAllKeys(id))) await resultOf(tails.delete(key));
      for (const one of [id, id + ELSE]) await resultOf(copies.delete(one));
      for (const one of [held, screens, records]) await resultOf(one.delete(id));
    });
  }

  /**
   * Drops the oldest games above the limit; only those that the ledger has.
   * @param {{ games: number, bytes: number }} most
   */
  async prune(most = MOST) {
    let [games, bytes] = [0, 0];
    for (const { id, copied, state } of await this.all()) {
      games += 1;
      bytes += copied?.bytes || 0;
      if ((games > most.games || bytes > most.bytes) && state.kind === "same") {
        await this.drop(id);
        games -= 1;
        bytes -= copied?.bytes || 0;
      }
    }
  }

  /** What the last contact noted: its token. @returns {Promise<string>} */
  async token() {
    return (await this.#within((_, copies) => resultOf(copies.get(ELSE)), "readonly"))?.token || "";
  }

  /** @param {string} token */
  keepToken(token) {
    return this.#within(async (_, copies) => {
      await resultOf(copies.put({ id: ELSE, token }));
    });
  }
}
