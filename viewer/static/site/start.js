// Starts the rules of a page: on the static site from its own files, on a server those that the phone keeps.
// @ts-check

import { PhoneRules } from "../rules/phone.js";
import { Rules } from "../rules/rules.js";

/** The rules of the static site, in a worker from its own files.  It has the face of `PhoneRules`. */
export class SiteRules {
  /** Whether they can answer now. */
  ready = false;
  /** Why they cannot start; "" if they can. */
  reason = "";
  /** @type {Rules | null} */
  rules = null;
  /** @type {Promise<boolean> | null} */
  starting = null;

  /** Starts the rules, once; whether they can be had. @returns {Promise<boolean>} */
  start() {
    this.starting ??= this.boot().then(
      () => true,
      (error) => {
        this.reason = error.message;
        return false;
      },
    );
    return this.starting;
  }

  async boot() {
    const folder = new URL(document.body.dataset.runtime || "", location.href);
    const worker = new Worker(new URL("worker.js", folder), { type: "module" });
    this.rules = new Rules(worker, { address: new URL("rules.pack", folder).href });
    await this.rules.ready;
    this.ready = true;
    document.documentElement.dataset.rules = "ready";
  }

  /**
   * The answer to a question (viewer/portable.py lists them); a refusal is an answer with a `problem`.
   * @param {string} name @param {any} question @returns {Promise<any>}
   */
  async ask(name, question) {
    if (!(await this.start())) throw new Error(`the rules cannot start here: ${this.reason}`);
    return /** @type {Rules} */ (this.rules).ask(name, question);
  }
}

/** The rules that this page can have. @returns {SiteRules | PhoneRules} */
export const rulesHere = () => (document.body.dataset.site === undefined ? new PhoneRules() : new SiteRules());

/** A problem as lines. @param {{ problem: string, others: string[] }} answer */
export const linesOf = ({ problem, others }) => [problem, ...(others || [])];
