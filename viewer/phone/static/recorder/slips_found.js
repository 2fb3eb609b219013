// What explains the broken rules of the game: the rules on this phone look for it while nobody taps.

import { idle } from "../../../in_browser/static/rules_in_browser.js";
import { isMistake } from "../pieces/dialog_parts.js";

/** Milliseconds without a tap before the search goes on. */
const QUIET = 700;

export class Mistakes {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** Which game the search is about; "" for none. */
    this.about = "";
    /** @type {{ about: string, mistakes: string, summary: string } | null} */
    this.found = null;
    /** The number of the search that goes on: an older one ends. */
    this.search = 0;
    this.tapped = 0;
    for (const kind of ["pointerdown", "keydown"])
      addEventListener(kind, () => (this.tapped = performance.now()), { capture: true, passive: true });
  }

  /** What the newest view of the game is about. @param {View} view */
  key(view) {
    return view?.findings ? `${view.id}/${view.version}/${view.link}/${view.findings_digest}` : "";
  }

  /** What explains this view, if it is known. @param {View} view */
  of(view) {
    return this.found?.about === this.key(view) ? this.found : null;
  }

  /** Begins to look for what explains the newest view, unless that was done already. */
  look() {
    const { recorder } = this;
    const view = recorder.judged;
    const grave = view?.findings?.some(isMistake);
    const about = grave && recorder.quick && !recorder.edit ? this.key(view) : "";
    if (about === this.about) return;
    this.about = about;
    this.search += 1;
    if (about && !this.of(view)) this.explain(about, this.search);
  }

  /** @param {string} about @param {number} search */
  async explain(about, search) {
    const { recorder } = this;
    while (this.search === search) {
      await idle();
      if (this.search !== search) return;
      if (performance.now() - this.tapped < QUIET) await new Promise((resolve) => setTimeout(resolve, QUIET));
      else {
        const question = { id: recorder.record, version: recorder.upto };
        const answer = await recorder.rules.answer("explain", question).catch(() => null);
        if (!answer || this.search !== search) return;
        if (answer.done) {
          this.found = { about, ...answer };
          recorder.changed();
          return;
        }
      }
    }
  }

  /** Records the correction of a button. @param {{ fix?: string }} button */
  fix({ fix }) {
    if (fix && this.about === this.found?.about) this.recorder.writer.keep(...JSON.parse(fix));
  }
}
