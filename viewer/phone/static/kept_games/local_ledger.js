// The ledger of a game that only this phone has: it answers the recorder as a server does, by the rules on the phone.

import { ofClub } from "../../../every_page/static/club_root.js";
import { partsHere } from "../entries/api.js";
import { Overtaken } from "./games.js";
import { replay, replayAddress, save } from "../pieces/share_local_game.js";

/** An answer as `fetch` gives one. @param {object} body @param {number} [status] */
const answer = (body, status = 200) => new Response(JSON.stringify(body), { status });

/** A refusal of the rules as the API words it. @param {string} reason @param {object} [more] */
const refusal = (reason, more) => answer({ title: "This cannot be recorded", detail: reason, ...more }, 422);

/** What a tab tells the others when the ledger has the game. */
export const HANDED_IN = "handed in";

/** The channel of a game, on which the tabs of this phone hear of each other. @param {string} id */
export const channelOf = (id) => new BroadcastChannel(ofClub(`domino-ledger.${id}`));

export class LocalLedger {
  /**
   * @param {string} record @param {Games} games @param {PhoneRules} rules
   * @param {(newId?: string) => void} moved called when the game is not on this phone alone any more, or has a new id
   */
  constructor(record, games, rules, moved) {
    this.record = record;
    this.games = games;
    this.rules = rules;
    this.moved = moved;
    /** The version of the record that the rules have. */
    this.version = 0;
    this.channel = channelOf(record);
    this.last = Promise.resolve();
  }

  /**
   * Does one thing after the other: the record that the rules have and the one on the disk grow together.
   * @template T @param {() => Promise<T>} work @returns {Promise<T>}
   */
  alone(work) {
    const result = this.last.then(work);
    this.last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Whether a game is only on this phone. */
  get local() {
    return true;
  }

  /** Whether the rules answer at once. */
  quick() {
    return this.rules.ready;
  }

  /** The game, with its record opened by the rules; null if it is here no more. */
  async opened() {
    const game = await this.games.get(this.record);
    if (!game) {
      this.moved();
      return null;
    }
    if (!(await this.rules.start())) throw new Error("the rules cannot start on this phone");
    if (this.version !== game.events.length) {
      const { problem, version } = await this.rules.ask("open", { id: this.record, events: game.events });
      if (problem) throw new Error(problem);
      this.version = version;
    }
    return game;
  }

  /** See `Ledger.screen`. @param {View | null} screen @param {number} [before] */
  screen(screen, before) {
    return this.alone(() => this.question("screen", { ...partsHere(screen), ...(before ? { before } : {}) }));
  }

  /**
   * See `Ledger.ask`.
   * @param {"check" | "draft"} what @param {GameEvent[]} events @param {View | null} [screen] @param {number} [before]
   */
  ask(what, events, screen = null, before = undefined) {
    return this.alone(async () => {
      await this.opened();
      // What is on the disk by now may still wait on the screen.
      const onDisk = Math.max(0, this.version - (screen?.version || this.version));
      const newEvents = events.slice(what === "check" ? Math.min(onDisk, events.length - 1) : onDisk);
      const details = { ...partsHere(screen), ...(before ? { before } : {}) };
      return newEvents.length
        ? this.question(what, { ...details, events: newEvents })
        : this.question("screen", details);
    });
  }

  /** @param {string} name @param {object} details */
  async question(name, details) {
    if (!(await this.opened())) return answer({ title: "", detail: "" }, 503);
    const reply = await this.rules.ask(name, { id: this.record, ...details });
    return reply.problem ? refusal(reply.problem) : answer(reply);
  }

  /**
   * Keeps entries, each once: when it answers, they are on the disk.
   * @param {number} expected the version before the first of them @param {Submission[]} entries
   */
  take(expected, entries) {
    return this.alone(() => this.takeNow(expected, entries));
  }

  /** @param {number} expected @param {Submission[]} entries */
  async takeNow(expected, entries) {
    const game = await this.opened();
    if (!game) return answer({}, 503);
    const newEntries = entries.filter(({ id }) => !game.ids.includes(id));
    const knownCount = entries.length - newEntries.length;
    if (!newEntries.length) return answer({ version: game.events.length, link: game.link });
    if (expected + knownCount !== game.events.length) return this.conflict(game, knownCount, expected + knownCount);
    const result = await this.rules.ask("take", {
      id: this.record,
      version: game.events.length,
      events: newEntries.map(({ event }) => event),
    });
    if (result.problem) return refusal(result.problem);
    // Until the disk has them, the rules are ahead of it: then the record is opened anew.
    this.version = 0;
    if (result.done) {
      try {
        await this.games.extend(this.record, expected + knownCount, newEntries.slice(0, result.done), result.link);
      } catch (error) {
        if (error instanceof Overtaken) return answer({}, 503);
        throw error;
      }
    }
    this.version = result.version;
    this.channel.postMessage(result.version);
    const { version, link } = result;
    if (result.refused) return refusal(result.refused, { version, done: knownCount + result.done });
    return answer({ version, link });
  }

  /** @param {LocalGame} game @param {number} done @param {number} seen */
  async conflict(game, done, seen) {
    const { moves } = await this.rules.ask("screen", { id: this.record });
    const words = new Map(moves.map((/** @type {Move} */ move) => [move.seq, move.words]));
    const missed = game.events.map((event, seq) => ({ seq, event, words: words.get(seq) || event.type })).slice(seen);
    const title = "Another tab has recorded something in the meantime";
    return answer({ title, detail: title, done, version: game.events.length, missed }, 409);
  }

  /** Shows the replay. */
  async replay() {
    const game = await this.games.get(this.record);
    if (game) await replay(game.events);
  }

  /** Saves the game as a file. */
  async save() {
    const game = await this.games.get(this.record);
    if (game) save(game);
  }

  /** A link that holds the whole game. */
  async shared() {
    const game = await this.games.get(this.record);
    return game ? new URL(await replayAddress(game.events), location.href).href : "";
  }

  /** Nobody else can watch a game that is only here. */
  async watchersKey() {
    return "";
  }

  /**
   * Listens for what another tab records.
   * @param {(version: number) => void} changed
   * @returns {() => void} stops listening
   */
  follow(changed) {
    this.channel.onmessage = ({ data }) => (data === HANDED_IN || data.newId ? this.moved(data.newId) : changed(data));
    return () => this.channel.close();
  }
}
