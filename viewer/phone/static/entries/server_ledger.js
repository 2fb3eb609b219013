// Talks to the ledger about one record: asks for the screen, for a verdict, for a look ahead; asks for news.

import { at } from "../../../every_page/static/club_root.js";
import { PATIENCE } from "../../../every_page/static/retry_and_follow.js";
import { Mirror } from "./mirror.js";
import { partsHere, pathOf, request, after } from "./api.js";

export class Ledger {
  /**
   * @param {string} record @param {() => string} key @param {import("./mirror.js").Rules} rules @param {Outbox} disk
   */
  constructor(record, key, rules, disk) {
    this.record = record;
    this.key = key;
    this.mirror = new Mirror(record, rules, {
      disk,
      events: (since) => this.events(since),
      disagree: (version, fields) => this.disagree(version, fields),
    });
  }

  /** Whether the rules on this phone answer what is asked about this screen. @param {View | null} screen */
  quick(screen) {
    return this.mirror.reaches(screen);
  }

  /** Whether the record is only on this phone. */
  get local() {
    return false;
  }

  /**
   * The screen, or the screen before an event, with only the moves that this phone does not have.
   * @param {View | null} screen what this phone has, or null @param {number} [before] the event's seq
   */
  async screen(screen, before) {
    const localAnswer = before && (await this.mirror.answer("screen", screen, { before }));
    if (localAnswer) return localAnswer;
    const parameters = /** @type {any} */ ({ ...partsHere(screen), ...(before ? { before } : {}) });
    const query = new URLSearchParams(parameters);
    return this.admitted(() => request(pathOf(this.record, `screen?${query}`), 8000));
  }

  /**
   * What the rules say about events that the ledger does not have yet.  Those on this phone answer if they can.
   * @param {"check" | "draft"} what @param {GameEvent[]} events @param {View | null} [screen] what this phone has
   * @param {number} [before] the seq of the event before which the view of a draft is
   */
  async ask(what, events, screen = null, before = undefined) {
    const localAnswer = await this.mirror.answer(what, screen, { events, before });
    return localAnswer || this.post(what, { events, before, ...partsHere(screen) });
  }

  /** @param {string} what @param {object} body */
  post(what, body) {
    return request(pathOf(this.record, what), 6000, { body });
  }

  /** The events of the record after the first `since`. @param {number} since @returns {Promise<GameEvent[]>} */
  async events(since) {
    const answer = await this.admitted(() => request(pathOf(this.record, `news?from=${since}`), 8000));
    const { version, events } = answer.ok ? await answer.json() : { version: 0, events: [] };
    if (!version) throw new Error(`the ledger does not send the events: ${answer.status}`);
    return events.map((/** @type {{ event: GameEvent }} */ { event }) => event);
  }

  /**
   * Tells the ledger that the rules on this phone differ from its own: that is a line in its log.
   * @param {number} version @param {string[]} fields
   */
  async disagree(version, fields) {
    await this.post("disagreement", { version, fields }).catch(() => undefined);
  }

  /**
   * Sends entries to the ledger, which stores each once, however often it comes.
   * @param {number} expected the version that was seen before the first @param {Submission[]} entries
   */
  take(expected, entries) {
    return request(pathOf(this.record, "events"), 10_000, { key: this.key(), body: { expected, entries } });
  }

  /** The secret of a new link for watchers; "" if there is none now. */
  async watchersKey() {
    try {
      const how = { key: this.key(), body: { role: "watch" } };
      const answer = await request(pathOf(this.record, "links"), 8000, how);
      return answer.ok ? (await answer.json()).key : "";
    } catch {
      return "";
    }
  }

  /**
   * If a private ledger refuses, sends in our key and asks again.
   * @param {() => Promise<Response>} request
   */
  async admitted(request) {
    const answer = await request();
    if (answer.status !== 401 || !this.key()) return answer;
    const form = new FormData();
    form.set("key", this.key());
    form.set("record", this.record);
    const admission = await fetch(at("door"), { method: "POST", body: form, signal: after(8000) });
    return admission.ok ? request() : answer;
  }

  /** What the ledger has of the record that this phone has not. @param {View | null} screen what this phone has */
  news(screen) {
    const query = new URLSearchParams({ from: `${screen?.version || 0}`, link: screen?.link || "" });
    const how = { key: this.key() };
    return this.admitted(() => request(pathOf(this.record, `news?${query}`), PATIENCE, how));
  }
}
