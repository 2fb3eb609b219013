// Hands in the games that only this phone has, as soon as there is a connection.
// @ts-check

import { remember } from "../record/memory.js";
import { Outbox } from "../record/outbox.js";
import { handIn } from "./handin.js";
import { channelOf, HANDED_IN } from "./ledger.js";

const SOONEST = 2_000;
const LONGEST = 30_000;

export class Courier {
  /**
   * @param {import("./games.js").Games} games
   * @param {(id: string, result: "handed" | "later" | "refused") => void} report hears what became of each game
   */
  constructor(games, report) {
    this.games = games;
    this.report = report;
    this.wait = 0;
    this.timer = 0;
    /** @type {Promise<void> | null} */
    this.running = null;
    addEventListener("online", () => this.soon());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.soon();
    });
  }

  /** Tries at once instead of waiting. */
  soon() {
    this.wait = 0;
    clearTimeout(this.timer);
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async run() {
    let again = false;
    // A private window may have no games.
    for (const { id } of await this.games.all().catch(() => [])) {
      const result = await handIn(id, this.games, takeOver).catch(() => /** @type {const} */ ("later"));
      if (result === "handed") tellTabs(id);
      this.report(id, result);
      again ||= result === "later";
      // Where one game finds no connection, the others find none, too.
      if (result === "later") break;
    }
    if (!again) return;
    this.wait = Math.min(LONGEST, Math.max(SOONEST, this.wait * 2));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running ??= this.run().finally(() => {
        this.running = null;
      });
    }, this.wait);
  }
}

/** @param {string} id */
function tellTabs(id) {
  const channel = channelOf(id);
  channel.postMessage(HANDED_IN);
  channel.close();
}

/**
 * Makes a game that was handed in a record of the ledger: keeps its key, and the entries that were not accepted.
 * @param {import("./games.js").LocalGame} game @param {import("./handin.js").Leftover[]} leftover
 */
async function takeOver(game, leftover) {
  const outbox = new Outbox(game.id);
  await outbox.key(game.key);
  await outbox.keepRecord(game.events.slice(0, game.events.length - leftover.length));
  remember(`key.${game.id}`, game.key);
  const knownIds = new Set((await outbox.all()).map(({ id }) => id));
  const entries = leftover.filter(({ id }) => !knownIds.has(id));
  await outbox.add(entries.map((entry) => ({ ...entry, record: game.id, state: "waiting" })));
}
