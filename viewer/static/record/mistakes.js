// What explains the broken rules of the game: the rules on this phone look for it while nobody taps.
// @ts-check

import { idle } from "../rules/phone.js";
import { icon, plural, safe } from "./marks.js";
import { sentence } from "./sheet.js";

/** Milliseconds without a tap before the search goes on. */
const QUIET = 700;

const pause = () => new Promise((resolve) => setTimeout(resolve, QUIET));

/**
 * @typedef {{ called: string, proposals: [string, string][], findings: any[] }} Mistake  what it is about, each
 *   correction as a sentence and as JSON, and the findings that follow from it
 */

export class Mistakes {
  /** @param {import("./recorder.js").Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** Which game the search is about; "" for none. */
    this.about = "";
    /** @type {{ about: string, mistakes: Mistake[], summary: string } | null} */
    this.found = null;
    /** The number of the search that goes on: an older one ends. */
    this.search = 0;
    this.tapped = 0;
    for (const kind of ["pointerdown", "keydown"])
      addEventListener(kind, () => (this.tapped = performance.now()), { capture: true, passive: true });
  }

  /** What the newest view of the game is about. @param {any} view */
  key(view) {
    return view?.findings ? `${view.id}/${view.version}/${view.link}/${view.findings_digest}` : "";
  }

  /** What explains this view, if it is known. @param {any} view */
  of(view) {
    return this.found?.about === this.key(view) ? this.found : null;
  }

  /** Begins to look for what explains the newest view, unless that was done already. */
  look() {
    const { recorder } = this;
    const view = recorder.judged;
    const grave = view?.findings?.some(
      (/** @type {any} */ { verdict }) => verdict === "breach" || verdict === "impossible",
    );
    const about = grave && recorder.quick && !recorder.edit ? this.key(view) : "";
    if (about === this.about) return;
    this.about = about;
    this.search += 1;
    if (about && !this.of(view)) this.explain(about, recorder.ahead.events, this.search);
  }

  /** @param {string} about @param {any[]} events those that wait on this phone @param {number} search */
  async explain(about, events, search) {
    const { recorder } = this;
    while (this.search === search) {
      await idle();
      if (performance.now() - this.tapped < QUIET) await pause();
      else {
        const answer = await recorder.rules.ask("explain", { id: recorder.record, events }).catch(() => null);
        if (!answer || answer.problem !== undefined || this.search !== search) return;
        if (answer.done) {
          this.found = { about, ...answer };
          recorder.changed();
          return;
        }
      }
    }
  }

  /** The mistakes with their corrections, above what follows from them; "" while they are unknown. @param {any} view */
  markup(view) {
    const { mistakes = [] } = this.of(view) || {};
    if (!mistakes.some(({ proposals }) => proposals.length)) return "";
    return mistakes.map((mistake, n) => this.one(mistake, n, mistakes.length === 1 ? "One mistake. " : "")).join("");
  }

  /** @param {Mistake} mistake @param {number} n @param {string} count */
  one({ called, proposals, findings }, n, count) {
    const items = findings
      .map(({ seq, message }) => `<li><p><b>${seq}</b> ${safe(sentence(message))}</p></li>`)
      .join("");
    const follows = `${plural(findings.length, "finding follows", "findings follow")} from it`;
    const corrections = proposals
      .map(
        ([message], choice) =>
          `<p>${choice ? "Or: " : `${icon("flag")} ${count}`}${safe(message)} ` +
          `<button type="button" class="btn tap" data-panel="fix" data-mistake="${n}" data-choice="${choice}">` +
          `Correct it</button></p>`,
      )
      .join("");
    return (
      `<section class="banner bad-news slip">` +
      `${corrections || `<p>${icon("flag")} ${safe(sentence(called))}</p>`}` +
      `<details><summary>${follows}</summary><ul>${items}</ul></details></section>`
    );
  }

  /** Records the correction of a button. @param {{ mistake?: string, choice?: string }} button */
  fix({ mistake, choice }) {
    const [, events] = this.found?.mistakes[Number(mistake)]?.proposals[Number(choice)] || [];
    if (events && this.about === this.found?.about) this.recorder.keep(...JSON.parse(events));
  }
}
