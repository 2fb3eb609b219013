// What the rules say about an event before it is kept; the table has the last word.

import { safe } from "./marks.js";
import { sentence } from "./sheet.js";

/** The labels of the corrections. @type {Record<string, string>} */
const VERBS = { amend: "Change", insert: "Insert before", retract: "Delete" };

/**
 * Whether events may be kept: at once if the rules ask nothing, else when the table says that it happened.  Two events
 * move an entry.
 * @param {Recorder} recorder @param {GameEvent[]} events @returns {Promise<boolean>}
 */
export async function mayKeep(recorder, ...events) {
  const { ledger, ahead, screen, dialogs } = recorder;
  let verdict;
  try {
    const answer = await ledger.ask("check", [...ahead.events, ...events], screen);
    verdict = await answer.json();
    if (!answer.ok)
      return dialogs.question("That cannot be recorded", `<p>${safe(sentence(verdict.detail || ""))}</p>`, "");
  } catch {
    return unchecked(recorder, events);
  }
  const { question } = verdict;
  return !question || dialogs.question(question.title, question.body, question.yes);
}

/** Asks while nobody can judge it. @param {Recorder} recorder @param {GameEvent[]} events */
function unchecked({ dialogs, judged }, events) {
  const [event] = events;
  const none = "<p>There is no connection. ";
  const verb = events.length > 1 ? "Move up" : VERBS[event.type];
  if (!verb)
    return dialogs.question(
      "Record it anyway?",
      `${none}Whether it was legal is checked when there is one.</p>`,
      "Yes, record it",
    );
  const entry = judged.moves.find(({ seq }) => seq === (event.seq ?? event.before));
  const title = `${verb} ${entry?.called || "an entry"}?`;
  return dialogs.question(title, `${none}What no longer fits is shown when there is one.</p>`, verb.split(" ")[0]);
}
