// Hands in the games that only this phone has, as soon as there is a connection.

import { Again } from "../../../every_page/static/retry_and_follow.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { remember } from "../../../every_page/static/browser_memory.js";
import { newRecordId, Outbox } from "../entries/outbox.js";
import { HeldGames } from "./held.js";
import { handIn } from "./handin.js";
import { channelOf, HANDED_IN } from "./local_ledger.js";

const PAUSES = { shortest: 2_000, longest: 30_000 };
/** So many games in a row that find no connection: the others will not find one now either. */
const ENOUGH = 2;

/** @import { Result } from "./handin.js" */
/** @typedef {Result["kind"] | "renamed"} News  what became of a game */

export class Courier {
  /**
   * @param {Games} games
   * @param {(id: string, news: News) => void} report hears what became of each game, when that is news
   * @param {typeof takeOver} [take] see `handIn`
   */
  constructor(games, report, take = takeOver) {
    this.games = games;
    this.report = report;
    this.take = take;
    /** What became of each game at the last try. @type {Map<string, Result>} */
    this.results = new Map();
    /** How often each game failed: those that failed least go first. @type {Map<string, number>} */
    this.failures = new Map();
    /** The new ids of games that got one. @type {Map<string, string>} */
    this.newIds = new Map();
    /** @type {Promise<void> | null} */
    this.running = null;
    this.again = new Again(() => this.start(), PAUSES);
  }

  /** Tries at once instead of waiting. */
  soon() {
    return this.again.soon();
  }

  start() {
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** Why a game is not handed in yet, as the end of a sentence; "" if nothing is known. @param {string} id */
  reason(id) {
    const result = this.results.get(id);
    return result?.kind === "sick" ? result.reason : "";
  }

  async run() {
    if (addresses.site) return; // plain files: there is no ledger, and nothing leaves the browser
    /** @type {string[]} */
    let ids;
    try {
      ids = (await this.games.all()).map(({ id }) => id);
    } catch {
      // The store cannot be read now, which does not mean that there are no games.
      this.again.later();
      return;
    }
    const failures = (/** @type {string} */ id) => this.failures.get(id) || 0;
    ids.sort((a, b) => failures(a) - failures(b));
    let later = false;
    let silences = 0;
    for (const id of ids) {
      const { kind } = await this.handInOne(id);
      later ||= kind === "sick" || kind === "offline" || kind === "taken";
      silences = kind === "offline" ? silences + 1 : 0;
      if (silences === ENOUGH) break;
    }
    if (later) this.again.later();
  }

  /** @param {string} id @returns {Promise<Result>} */
  async handInOne(id) {
    /** @type {Result} */
    let result;
    try {
      result = await handIn(id, this.games, this.take);
      if (result.kind === "taken") await this.rename(id);
    } catch (error) {
      result = { kind: "sick", reason: /** @type {Error} */ (error).message };
    }
    const { kind, reason } = result;
    if (kind === "handed") tellTabs(id, HANDED_IN);
    if (kind === "sick" || kind === "offline") this.failures.set(id, (this.failures.get(id) || 0) + 1);
    else this.failures.delete(id);
    const earlier = this.results.get(id);
    this.results.set(id, result);
    const isNews = kind !== earlier?.kind || reason !== earlier.reason;
    if (isNews && kind !== "taken") this.report(id, kind);
    return result;
  }

  /**
   * Gives a game a new id, because the ledger has another game under its own; nothing of it is there yet.
   * @param {string} id
   */
  async rename(id) {
    const newId = newRecordId();
    this.newIds.set(id, newId);
    await new Outbox(id).moveTo(newId);
    await this.games.rename(id, newId);
    tellTabs(id, { newId });
    this.report(id, "renamed");
  }
}

/** @param {string} id @param {string | { newId: string }} message */
function tellTabs(id, message) {
  const channel = channelOf(id);
  channel.postMessage(message);
  channel.close();
}

/**
 * Makes a game that was handed in a record of the ledger: keeps its key, and the entries that were not accepted.
 * @param {LocalGame} game @param {Leftover[]} leftover
 */
async function takeOver(game, leftover) {
  const outbox = new Outbox(game.id);
  await outbox.key(game.key);
  await outbox.keepRecord(game.events.slice(0, game.events.length - leftover.length));
  remember(`key.${game.id}`, game.key);
  await new HeldGames().keep(copyOf(game, leftover.length));
  await outbox.add(leftover.map((entry) => ({ ...entry, record: game.id, state: "waiting" })));
}

/**
 * What the ledger has of a game now, for this phone to keep until the ledger gives a copy with its seal.
 * @param {LocalGame} game @param {number} left how many entries it did not take @returns {import("./held.js").Copy}
 */
function copyOf({ id, events, ids, link }, left) {
  const version = events.length - left;
  return {
    record: id,
    version,
    link: left ? "" : link,
    events: events.slice(0, version),
    ids: Object.fromEntries(ids.slice(0, version - 1).map((entry, n) => [n + 1, entry])),
    keys: {},
    names: "",
    seal: "",
  };
}
