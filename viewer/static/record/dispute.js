// The rules on this phone and the ledger differ: what they differ in, for people.
// @ts-check

import { safe } from "./marks.js";

/** What people call the fields of a screen; the others go by their names. @type {Record<string, string>} */
const CALLED = {
  scene: "the table and the scores",
  parts: "the table and the scores",
  form: "what can come next",
  prompts: "what can come next",
  moves_digest: "the moves and their points",
  findings_digest: "the mistakes",
  verdict: "the mistakes",
  summary: "the mistakes",
  outcome: "the result",
  result: "the result",
};

/**
 * What a banner says of it.
 * @param {number} move the seq of the last event @param {string[]} fields
 */
export function dispute(move, fields) {
  const names = [...new Set(fields.map((name) => CALLED[name] || name.replaceAll("_", " ")))];
  const list = new Intl.ListFormat("en").format(names);
  return (
    `<h2>This phone and the ledger disagree about move ${move}</h2>` +
    `<p>They differ in ${safe(list)}. Both should follow the same rules, so this is a fault of the program. ` +
    `What you see is the ledger’s answer; its log names the difference.</p>`
  );
}
