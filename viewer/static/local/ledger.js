// The ledger of a game that only this phone has: it answers the recorder as a server does, by the rules on the phone.
// @ts-check

import { had } from "../record/moves.js";
import { Overtaken } from "./games.js";

/** @typedef {{ ask: (name: string, question: any) => Promise<any> }} Rules */

/** An answer as `fetch` gives one. @param {any} body @param {number} [status] */
const answer = (body, status = 200) => new Response(JSON.stringify(body), { status });

/** A refusal of the rules as the API words it. @param {string} problem */
const refusal = (problem) => answer({ title: "This cannot be recorded", detail: problem }, 422);

export class LocalLedger {
  /**
   * @param {string} record @param {import("./games.js").Games} games @param {Rules} rules
   * @param {() => void} moved called when the game is not on this phone alone any more
   */
  constructor(record, games, rules, moved) {
    this.record = record;
    this.games = games;
    this.rules = rules;
    this.moved = moved;
    /** The version of the record that the rules have. */
    this.version = 0;
    this.channel = new BroadcastChannel(`domino-ledger.${record}`);
  }

  /** Whether a game is only on this phone. */
  get local() {
    return true;
  }

  /** The game, with its record opened by the rules; null if it is here no more. */
  async opened() {
    const game = await this.games.get(this.record);
    if (!game) {
      this.moved();
      return null;
    }
    if (this.version !== game.events.length) {
      const opened = await this.rules.ask("open", { id: this.record, events: game.events });
      if (opened.problem) throw new Error(opened.problem);
      this.version = opened.version;
    }
    return game;
  }

  /** See `Ledger.screen`. @param {any} screen @param {number} [before] */
  screen(screen, before) {
    return this.question("screen", { ...had(screen), ...(before ? { before } : {}) });
  }

  /** See `Ledger.ask`. @param {"check" | "draft"} what @param {any[]} events @param {any} [screen] */
  ask(what, events, screen = null) {
    return this.question(what, { events, ...had(screen) });
  }

  /** @param {string} name @param {any} details */
  async question(name, details) {
    if (!(await this.opened())) return answer({ title: "", detail: "" }, 503);
    const reply = await this.rules.ask(name, { id: this.record, ...details });
    return reply.problem ? refusal(reply.problem) : answer(reply);
  }

  /**
   * Keeps entries, each once: when it answers, they are on the disk.
   * @param {number} expected the version before the first of them @param {{ id: string, event: any }[]} entries
   */
  async take(expected, entries) {
    const game = await this.opened();
    if (!game) return answer({}, 503);
    const fresh = entries.filter(({ id }) => !game.ids.includes(id));
    const old = entries.length - fresh.length;
    if (!fresh.length) return answer({ version: game.events.length, link: game.link });
    if (expected + old !== game.events.length) return this.conflict(game, old, expected + old);
    const taken = await this.rules.ask("take", {
      id: this.record,
      version: game.events.length,
      events: fresh.map(({ event }) => event),
    });
    // Until the disk has them, the rules know more than there is.
    this.version = 0;
    if (taken.problem && taken.done === undefined) return refusal(taken.problem);
    try {
      const some = fresh.slice(0, taken.done);
      if (some.length) await this.games.extend(this.record, expected + old, some, taken.link);
    } catch (error) {
      if (error instanceof Overtaken) return answer({}, 503);
      throw error;
    }
    this.version = taken.version;
    this.channel.postMessage(taken.version);
    const body = { version: taken.version, link: taken.link, done: old + taken.done };
    return taken.problem ? answer({ ...body, title: "", detail: taken.problem }, 422) : answer(body);
  }

  /** @param {import("./games.js").LocalGame} game @param {number} done @param {number} seen */
  async conflict(game, done, seen) {
    const { moves } = await this.rules.ask("screen", { id: this.record });
    const words = new Map(moves.map((/** @type {any} */ move) => [move.seq, move.words]));
    const missed = game.events.map((event, seq) => ({ seq, event, words: words.get(seq) || event.type })).slice(seen);
    const title = "Another tab has recorded something meanwhile";
    return answer({ title, detail: title, done, version: game.events.length, missed }, 409);
  }

  /** Nobody else can watch a game that is only here. */
  async watchersKey() {
    return "";
  }

  /**
   * Listens for what another tab records.
   * @param {() => number} _version @param {(version: number) => void} changed @param {() => void} _renamed
   * @returns {() => void} stops listening
   */
  follow(_version, changed, _renamed) {
    this.channel.onmessage = ({ data }) => changed(data);
    return () => this.channel.close();
  }
}
