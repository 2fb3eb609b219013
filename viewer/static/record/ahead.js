// The view of the game with the entries that wait on this phone.

import { withAllParts } from "./moves.js";
import { unjudged } from "./waiting.js";

/** @typedef {{ screen: View, events: GameEvent[], view: View }} Look  the view after events, the screen before them */

/**
 * Whether a look ahead is still right for this screen and these events.  What the rules saw stays right while the
 * ledger records one event after the other.
 * @param {Look} look @param {View} screen @param {GameEvent[]} events
 */
function shows(look, screen, events) {
  if (look.screen.version + look.events.length !== screen.version + events.length) return false;
  const recorded = look.events.length - events.length;
  if (look.view.sure === false && (recorded || look.screen !== screen)) return false;
  return recorded >= 0 && events.every((event, n) => event === look.events[recorded + n]);
}

export class Ahead {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** @type {Look | null} */
    this.last = null;
  }

  /** The events that wait, in their order. */
  get events() {
    return this.recorder.post.waiting.map((entry) => entry.event);
  }

  /** The view with all waiting entries. */
  get view() {
    const { events } = this;
    const { screen } = this.recorder;
    if (!events.length) return screen;
    if (!this.last || !shows(this.last, screen, events)) this.last = { screen, events, view: unjudged(screen, events) };
    return this.last.view;
  }

  /**
   * The view after these events; null if nobody can tell now.
   * @param {GameEvent[]} events @returns {Promise<Look | null>}
   */
  async look(events) {
    const { screen, ledger } = this.recorder;
    try {
      const answer = await ledger.ask("draft", events, screen);
      return answer.ok ? { screen, events, view: withAllParts(screen, await answer.json()) } : null;
    } catch {
      return null;
    }
  }

  /** Draws the view again after the waiting entries have changed. */
  async show() {
    const { recorder, events } = this;
    if (!recorder.quick || !events.length) recorder.changed();
    if (!events.length) return;
    const look = await this.look(events);
    // If more has been entered since, this look is out of date.
    if (look && recorder.screen && shows(look, recorder.screen, this.events)) this.last = look;
    recorder.changed();
  }
}
