// Asks the ledger about one record what the rules on this phone cannot say: a screen, a verdict, a look ahead, a link.

import { admitted, partsHere, pathOf, request } from "./api.js";

export class Ledger {
  /** @param {string} record @param {() => string} key */
  constructor(record, key) {
    this.record = record;
    this.key = key;
  }

  /**
   * The screen, or the screen before an event, with only the moves that this phone does not have.
   * @param {View | null} screen what this phone has, or null @param {number} [before] the event's seq
   */
  screen(screen, before) {
    const parameters = /** @type {any} */ ({ ...partsHere(screen), ...(before ? { before } : {}) });
    return this.#asked(`screen?${new URLSearchParams(parameters)}`, 8000);
  }

  /**
   * What the ledger says about events that it does not have yet.
   * @param {"check" | "draft"} what @param {GameEvent[]} events @param {View | null} [screen] what this phone has
   * @param {number} [before] the seq of the event before which the view of a draft is
   */
  ask(what, events, screen = null, before = undefined) {
    return this.#asked(what, 6000, { events, before, ...partsHere(screen) });
  }

  /** @param {string} what @param {number} patience @param {object} [body] */
  #asked(what, patience, body) {
    return admitted(this.record, this.key(), () => request(pathOf(this.record, what), patience, { body }));
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
}
