// Talks to the ledger about one record: asks for the screen, for a verdict, for a look ahead; listens for other phones.
// @ts-check

import { follow } from "../follow.js";
import { had } from "./moves.js";
import { after } from "./post.js";

/** A parameter as a query has it. @param {[string, any]} parameter @returns {[string, string]} */
const texts = ([name, value]) => [name, String(value)];

export class Ledger {
  /** @param {string} record @param {() => string} key */
  constructor(record, key) {
    this.record = record;
    this.key = key;
  }

  /**
   * The screen, or the screen before an event, with only the moves that this phone does not have.
   * @param {any} screen what this phone has, or null @param {number} [before] the event's seq
   */
  screen(screen, before) {
    const query = new URLSearchParams(Object.entries({ ...had(screen), ...(before ? { before } : {}) }).map(texts));
    return this.admitted(() => fetch(`/api/records/${this.record}/screen?${query}`, { signal: after(8000) }));
  }

  /**
   * What the ledger says about events that it does not have yet.
   * @param {"check" | "draft"} what @param {any[]} events @param {any} [screen] what this phone has
   */
  ask(what, events, screen = null) {
    return fetch(`/api/records/${this.record}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ events, ...had(screen) }),
      signal: after(6000),
    });
  }

  /** The secret of a new link for watchers; "" if there is none now. */
  async watchersKey() {
    try {
      const answer = await fetch(`/api/records/${this.record}/links`, {
        method: "POST",
        body: JSON.stringify({ role: "watch" }),
        signal: after(8000),
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.key()}` },
      });
      return answer.ok ? (await answer.json()).key : "";
    } catch {
      return "";
    }
  }

  /**
   * If a private ledger refuses, sends in our key and asks again.
   * @param {() => Promise<Response>} asking
   */
  async admitted(asking) {
    const answer = await asking();
    if (answer.status !== 401 || !this.key()) return answer;
    const form = new FormData();
    form.set("key", this.key());
    form.set("record", this.record);
    const opened = await fetch("/door", { method: "POST", body: form, signal: after(8000) });
    return opened.ok ? asking() : answer;
  }

  /**
   * Listens for events from other phones, and for forgotten names, while the page is visible.
   * @param {() => number} version @param {(version: number) => void} changed @param {() => void} renamed
   */
  follow(version, changed, renamed) {
    follow(() => `/g/${this.record}/live?from=${version() || 1}`, changed, renamed);
  }
}
