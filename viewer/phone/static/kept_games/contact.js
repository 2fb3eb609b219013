// Compares what this phone keeps with the ledger whenever there is contact, and hands in again what the ledger lost.
// Where nothing changed, it is one small request.  The ids of the entries and the chain make sure that nothing is
// there twice, and that nothing takes the place of something else.

import { Again } from "../../../every_page/static/retry_and_follow.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { ask, AT_ONCE, pathOf, sendAll } from "../entries/api.js";
import { HeldGames } from "./held.js";

/**
 * Where the ledger is with a game, see its API.
 * @typedef {{ id: string, version: number, then: string, names: string, opens: boolean }} Standing
 */

const PAUSES = { shortest: 2_000, longest: 60_000 };
const SAME = "same";

/** Sixteen bits of an id, as the ledger makes them (`mark` in viewer/phone/kept_games_routes.py). @param {string} id */
export function mark(id) {
  let number = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(id)) number = Math.imul(number ^ byte, 0x01000193) >>> 0;
  return (number >>> 16) ^ (number & 0xffff);
}

/** @param {State["kind"]} kind @param {number} has @param {Reply} [reply] why it is so @returns {State} */
const stateOf = (kind, has, reply) => ({
  kind,
  has,
  reason: reply?.reason || "",
  trouble: reply && reply.kind !== "ok" ? reply.kind : "",
});

export class Contact {
  /**
   * @param {HeldGames} held
   * @param {(ids: string[]) => void} [changed] hears of games that the ledger has again, or that stand otherwise now
   * @param {() => Promise<string[]>} [localIds] the games that are on this phone alone, and not handed in yet
   */
  constructor(held, changed = () => undefined, localIds = async () => []) {
    this.held = held;
    this.changed = changed;
    this.localIds = localIds;
    /** The owner's key that seals copies now, as the ledger names it. */
    this.owner = "";
    /** What became of the last request. @type {Reply | null} */
    this.last = null;
    /** Whether all games were compared, and nothing has failed since. */
    this.fresh = false;
    /** @type {Promise<void> | null} */
    this.running = null;
    this.again = new Again(() => this.start(), PAUSES);
  }

  /** Compares at once. */
  soon() {
    return this.again.soon();
  }

  /** Compares, once at a time. @returns {Promise<void>} */
  start() {
    if (!this.running) this.fresh = false;
    this.running ??= this.run()
      .catch(() => this.again.later()) // the store cannot be read now
      .finally(() => {
        this.running = null;
      });
    return this.running;
  }

  /**
   * Hands a game in again, if the ledger has less of it; returns whether it has all of it now.
   * @param {string} id @param {number} [least] how many events that are at least
   */
  async handBack(id, least = 0) {
    await this.running;
    try {
      const before = await this.held.get(id);
      if (!before || addresses.site) return false;
      if ((await this.compare([before])) === null) return false;
      const now = await this.held.get(id);
      return now?.state.kind === SAME && now.version >= least;
    } catch {
      return false; // the store cannot be read now
    }
  }

  async run() {
    if (addresses.site) return; // plain files: there is no ledger
    const local = await this.localIds();
    const all = (await this.held.all()).filter(({ id }) => !local.includes(id));
    if (!all.length) return;
    const token = await this.held.token();
    const { id } = all[0];
    const short = await ask("copies/contact", await this.held.key(id), { token, record: id }, "token");
    this.last = short;
    if (short.kind !== "ok") return this.again.later();
    this.owner = short.body.token.split(".")[3] || "";
    const marks = short.body.changed && new Set(short.body.changed);
    const open = all.filter((one) => !marks || marks.has(mark(one.id)) || needsMore(one));
    const done = await this.compare(open);
    if (!done) return this.again.later();
    this.again.calm();
    this.fresh = true;
    await this.held.keepToken(short.body.token);
    if (open.length) await this.held.prune();
  }

  /**
   * Compares these games; returns whether all of them could be, null if the ledger did not answer.
   * @param {Held[]} games
   */
  async compare(games) {
    let done = true;
    for (let from = 0; from < games.length; from += AT_ONCE) {
      const part = games.slice(from, from + AT_ONCE);
      const reply = await this.#standings(part);
      this.last = reply;
      if (reply.kind !== "ok") return null;
      for (const [n, one] of part.entries()) {
        const [seen, copied] = reply.body.games.slice(2 * n, 2 * n + 2);
        const state = await this.#settle(one, seen, copied);
        done &&= state.trouble === "" || state.trouble === "refused";
        await this.held.note(one.id, state);
        const isNews = one.state.kind !== "unknown" || state.kind !== SAME;
        if (isNews && JSON.stringify(state) !== JSON.stringify(one.state)) this.changed([one.id]);
      }
    }
    return done;
  }

  /** Asks about each game twice: at the version that this phone saw, and at that of its copy. @param {Held[]} games */
  async #standings(games) {
    const questions = [];
    for (const { id, version, link, copied } of games) {
      const key = await this.held.key(id);
      questions.push({ id, version, link, key }, { id, version: copied?.version || 0, link: copied?.link || "", key });
    }
    return ask("copies/contact", questions[0].key, { games: questions }, "games");
  }

  /**
   * Does what a comparison asks for; returns how the ledger stands then.
   * @param {Held} one @param {Standing} seen @param {Standing} copied @returns {Promise<State>}
   */
  async #settle(one, seen, copied) {
    const { version, link } = one;
    const differs = (link && seen.version >= version && seen.then !== link) || isElse(one, copied);
    if (differs) return this.#other(one, seen.version);
    const most = Math.max(version, one.copied?.version || 0);
    if (seen.version && !seen.opens && one.copied) await this.#giveKeys(one.id);
    if (seen.version < most) return this.#giveBack(one, seen.version, most);
    const { copied: mine } = one;
    const isOld = !mine || seen.version > mine.version || seen.names !== mine.names;
    if (isOld || (this.owner && this.owner !== mine.owner)) {
      const reply = await this.#fetchCopy(one.id);
      if (reply.kind !== "ok") return stateOf(SAME, seen.version, reply);
      await this.held.keep(reply.body);
    }
    return stateOf(SAME, seen.version);
  }

  /** @param {string} id */
  async #fetchCopy(id) {
    return ask(pathOf(id, "copy"), await this.held.key(id), undefined, "events");
  }

  /** Hands in the keys of a game to a ledger that got it back without them. @param {string} id */
  async #giveKeys(id) {
    const [copy, key] = [await this.held.copy(id), await this.held.key(id)];
    if (!copy || !key || !Object.keys(copy.keys).length) return;
    const { link, events, ids, keys, seal } = copy;
    await ask(pathOf(id, "copy"), key, { link, events, ids, keys, seal });
  }

  /** The ledger has something else: both are kept. @param {Held} one @param {number} has */
  async #other(one, has) {
    const reply = await this.#fetchCopy(one.id);
    if (reply.kind === "ok") await this.held.keepOther(reply.body);
    return stateOf("other", has, reply);
  }

  /**
   * Hands in again what the ledger lost: the copy as the ledger sealed it, and then what it acknowledged since.
   * @param {Held} one @param {number} has @param {number} most the version that this phone saw
   * @returns {Promise<State>}
   */
  async #giveBack(one, has, most) {
    const [copy, tail, key] = [await this.held.copy(one.id), await this.held.tail(one.id), await this.held.key(one.id)];
    let version = has;
    if (copy && version < copy.version) {
      const { link, events, ids, keys, seal } = copy;
      let reply = await ask(pathOf(one.id, "copy"), key, { link, events, ids, keys, seal });
      if (reply.kind === "refused" && reply.status === 422 && key && !seal) {
        // Nothing can prove it.  Where anybody may begin a game, its recorder may do so again.
        const entries = events.slice(1).map((event, n) => ({ id: ids[n + 1] || `again-${one.id}-${n + 1}`, event }));
        reply = await this.#record(one.id, key, events[0], entries, version);
      }
      if (reply.status === 409) return this.#other(one, version);
      if (reply.kind !== "ok") return stateOf(has ? "less" : "lost", version, reply);
      version = reply.body.version;
    }
    for (const run of runsOf(tail)) {
      const end = run[run.length - 1].base + 1;
      if (end <= version || run[0].base > version || !version || !key) continue;
      if (!(await this.#follows(one.id, key, run[0]))) return this.#other(one, version);
      const { reply } = await sendAll(one.id, key, run);
      if (reply.status === 409) return this.#other(one, version);
      if (reply.kind !== "ok") return stateOf("less", version, reply);
      version = reply.body.version;
    }
    if (version < most) return stateOf(version ? "less" : "lost", version);
    return this.#after(one);
  }

  /** Whether the ledger still is where an entry was added. @param {string} id @param {string} key
   * @param {Tail} entry */
  async #follows(id, key, { base, after: link }) {
    const reply = await ask("copies/contact", key, { games: [{ id, version: base, link, key }] }, "games");
    return reply.kind === "ok" && (!link || reply.body.games[0].then === link);
  }

  /** Looks once more, and keeps the copy that the ledger seals now. @param {Held} one @returns {Promise<State>} */
  async #after(one) {
    const current = (await this.held.get(one.id)) || one;
    const reply = await this.#standings([current]);
    if (reply.kind !== "ok") return stateOf("less", 0, reply);
    const [seen, copied] = reply.body.games;
    this.changed([one.id]);
    return seen.version >= current.version ? this.#settle(current, seen, copied) : stateOf("less", seen.version);
  }

  /**
   * Begins a game again, and records it.
   * @param {string} id @param {string} key @param {GameEvent} opening @param {Submission[]} entries
   * @param {number} has
   */
  async #record(id, key, opening, entries, has) {
    const begun = has ? null : await ask("records", "", { id, key, opening, sure: true });
    if (begun && begun.kind !== "ok") return begun;
    const all = entries.map((entry, n) => ({ ...entry, base: n + 1 })).slice(Math.max(0, has - 1));
    const { reply } = await sendAll(id, key, all);
    return all.length ? reply : { ...reply, body: { version: Math.max(1, has) } };
  }
}

/** Entries of this phone that follow each other without one of another phone between. @param {Tail[]} tail in order */
function runsOf(tail) {
  /** @type {Tail[][]} */
  const runs = [];
  for (const entry of tail) {
    const run = runs[runs.length - 1];
    if (run && run[run.length - 1].base + 1 === entry.base) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

/** Whether a game is compared although the ledger's did not grow. @param {Held} one */
const needsMore = ({ state, version, copied }) => state.kind !== SAME || !copied || copied.version < version;

/** Whether the ledger has something else in place of the copy. @param {Held} one @param {Standing} standing */
const isElse = ({ copied }, standing) =>
  Boolean(copied?.link) && standing.version >= (copied?.version || 0) && standing.then !== copied?.link;

/** @param {string} id @param {number} version the last one that this phone saw */
export async function watched(id, version) {
  const held = new HeldGames();
  const before = await held.get(id);
  if (!before) await held.hold(id, { version });
  const one = await held.get(id);
  if (one) await new Contact(held).compare([one]);
}
