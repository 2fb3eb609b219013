// Starts the rules of a page: on the static site from its own files, on a server those that the phone keeps.

import { PhoneRules } from "../rules/phone.js";
import { Rules } from "../rules/rules.js";

/** The rules of the static site, in a worker from its own files: the browser keeps those, as it keeps the page. */
export class SiteRules extends PhoneRules {
  /** @override */
  async boot() {
    const folder = new URL(this.folder, location.href);
    const worker = new Worker(new URL("rules_worker.js", folder), { type: "module" });
    this.rules = new Rules(worker, { address: new URL("rules.pack", folder).href });
    await this.rules.ready;
    this.ready = true;
    document.documentElement.dataset.rules = "ready";
  }
}

/** The rules that this page can have. @returns {PhoneRules} */
export const rulesHere = () => (document.body.dataset.site === undefined ? new PhoneRules() : new SiteRules());

/** A problem as lines. @param {{ problem: string, others: string[] }} answer */
export const linesOf = ({ problem, others }) => [problem, ...(others || [])];
