// The second ledger: the games that this phone recorded or watched, after the hand-in too.
// For each game there is a small line (`Held`), the copy that the ledger gave, and the entries that the ledger has
// acknowledged since.  Where the ledger has something else, both are kept.

import { resultOf } from "../../../in_browser/static/browser_database.js";
import { database, newHeld } from "../entries/outbox.js";
import { plural } from "../pieces/markup.js";
import { inOne, trouble } from "../entries/trouble.js";

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

/** The names of people in events. @param {GameEvent[]} events @returns {Set<string>} */
const namesIn = (events) =>
  new Set(
    events
      .flatMap((event) => [event.by, event.recorder, ...(event.players || []).map((one) => one.name)])
      .filter(Boolean),
  );

/** Events without these names. @param {GameEvent[]} events @param {Set<string>} names */
const without = (events, names) =>
  events.map((event) => {
    const kept = { ...event };
    for (const field of ["by", "recorder"]) if (names.has(kept[field])) delete kept[field];
    if (kept.players)
      kept.players = kept.players.map(({ name, ...rest }) =>
        name === undefined || names.has(name) ? rest : { ...rest, name },
      );
    return kept;
  });

/** The players of a screen without these names. @param {View | undefined} screen @param {Set<string>} names */
const playersWithout = (screen, names) =>
  (screen?.players || []).map(([id, name]) => [id, names.has(name) ? id : name]);

/**
 * Erases the names that are in what this phone has of a record, and not in the newest copy.  The last screen is dropped
 * if it shows one, because its sentences do, too.
 * @param {Copy} copy the newest @param {Copy | undefined} before the copy before it, if there is one
 * @param {IDBObjectStore} tails @param {IDBObjectStore} screens
 * @param {IDBObjectStore} records the events that are kept, and what the ledger lost
 */
async function eraseNames({ record, events }, before, tails, screens, records) {
  const known = namesIn(events);
  const screen = await resultOf(screens.get(record));
  const rows = [
    await resultOf(records.get(record)),
    ...(await resultOf(records.getAll(IDBKeyRange.bound(`${record}~`, `${record}~\uffff`)))),
  ].filter(Boolean);
  const shown = [screen, ...rows.map((row) => row.screen)].flatMap((one) => one?.players || []);
  const gone = namesIn([...(before?.events || []), ...rows.flatMap((row) => row.events)]);
  for (const [id, name] of shown) if (name !== id) gone.add(name);
  for (const name of known) gone.delete(name);
  if (!gone.size) return;
  if (screen?.players.some((/** @type {string[]} */ [, name]) => gone.has(name)))
    await resultOf(screens.delete(record));
  for (const row of rows) {
    const { version, link } = row.screen || {};
    const seen = row.screen && { screen: { version, link, players: playersWithout(row.screen, gone) } };
    await resultOf(records.put({ ...row, ...seen, events: without(row.events, gone) }));
  }
  for (const entry of await resultOf(tails.index("record").getAll(record)))
    await resultOf(tails.put({ ...entry, event: without([entry.event], gone)[0] }));
}

const entries = (/** @type {number} */ number) => plural(number, "entry", "entries");

/** Why something is not in the ledger, as sentences. @param {Held["state"]} state */
const because = ({ reason, trouble: kind }) =>
  kind && kind !== "ok" ? ` ${inOne(trouble(kind, reason))}` : " This phone hands it in again.";

/**
 * How the ledger stands to a game that this phone keeps.
 * @param {Held} held @param {boolean} fresh whether that was compared just now
 */
export function inWords({ version, copied, state }, fresh) {
  const most = Math.max(version, copied?.version || 0);
  if (state.kind === "same")
    return fresh
      ? "In the ledger, and the same."
      : "Was in the ledger, and the same, when this phone last had contact.";
  if (state.kind === "less")
    return `The ledger has less: ${state.has} of ${entries(most)} that this phone saw.${because(state)}`;
  if (state.kind === "lost") return `The ledger has lost it, or does not show it to this phone.${because(state)}`;
  if (state.kind === "other")
    return "The ledger has something else. Both are kept: compare them, and let the owner of the ledger decide.";
  return "Not compared with the ledger yet.";
}

/** Entries that are on this phone alone. @param {number} waiting @param {string} reason as the end of a sentence */
export const notYet = (waiting, reason) =>
  `Not yet in the ledger: ${entries(waiting)}, because ${reason || "there was no contact yet"}.`;
