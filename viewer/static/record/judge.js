// What the rules say about an event before it is kept; the table has the last word.
// @ts-check

import { safe } from "./marks.js";
import { sentence } from "./sheet.js";

/** The labels of the corrections. @type {Record<string, string>} */
const VERBS = { amend: "Change", insert: "Insert before", retract: "Delete" };

/**
 * Whether an event may be kept: at once if the rules ask nothing, else when the table says that it happened.
 * @param {import("./recorder.js").Recorder} recorder @param {any} event @returns {Promise<boolean>}
 */
export async function mayKeep(recorder, event) {
  const { ledger, ahead, screen, dialogs } = recorder;
  let verdict;
  try {
    const answer = await ledger.ask("check", [...ahead.events, event], screen);
    verdict = await answer.json();
    if (!answer.ok)
      return dialogs.question("That cannot be recorded", `<p>${safe(sentence(verdict.detail || ""))}</p>`, "");
  } catch {
    return unchecked(recorder, event);
  }
  const { question } = verdict;
  return !question || dialogs.question(question.title, question.body, question.yes);
}

/** Asks while nobody can judge it. @param {import("./recorder.js").Recorder} recorder @param {any} event */
function unchecked({ dialogs, judged }, event) {
  const none = "<p>There is no connection. ";
  const verb = VERBS[event.type];
  if (!verb)
    return dialogs.question(
      "Record it anyway?",
      `${none}Whether it was legal is checked when there is one.</p>`,
      "Yes, record it",
    );
  const entry = judged.moves.find((/** @type {any} */ { seq }) => seq === (event.seq ?? event.before));
  const title = `${verb} ${entry?.called || "an entry"}?`;
  return dialogs.question(title, `${none}What no longer fits is shown when there is one.</p>`, verb.split(" ")[0]);
}
