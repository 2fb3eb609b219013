// Starts the rules of the site, in a worker from its own files.
// @ts-check

import { Rules } from "../rules/rules.js";

export function start() {
  const folder = new URL(document.body.dataset.runtime || "", location.href);
  const worker = new Worker(new URL("worker.js", folder), { type: "module" });
  return new Rules(worker, { address: new URL("rules.pack", folder).href });
}

/** A problem as lines. @param {{ problem: string, others: string[] }} answer */
export const linesOf = ({ problem, others }) => [problem, ...(others || [])];
