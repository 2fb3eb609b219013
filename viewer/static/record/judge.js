// What the rules say about an event before it is kept; the table has the last word.
// @ts-check

import { question } from "./correcting.js";

/**
 * Whether an event may be kept: at once if it breaks no rule, else when the table says that it happened.  Before an
 * entry is deleted, it is always asked.
 * @param {import("./recorder.js").Recorder} recorder @param {any} event @returns {Promise<boolean>}
 */
export async function mayKeep(recorder, event) {
  const { ledger, ahead, screen, dialogs } = recorder;
  const isCorrection = ["amend", "insert", "retract"].includes(event.type);
  const ask = (/** @type {any[] | null} */ findings) => {
    const { title, body, yes } = question(recorder, event, findings);
    return dialogs.question(title, body, yes);
  };
  let verdict;
  try {
    const answer = await ledger.ask("check", [...ahead.events, event], screen);
    verdict = await answer.json();
    if (!answer.ok) return dialogs.doubt(null, verdict.detail, false);
  } catch {
    if (isCorrection) return ask(null);
    const reason = "There is no connection. Whether it was legal is checked when there is one.";
    return dialogs.doubt(null, reason, true);
  }
  const withVerdict = (/** @type {string} */ name) =>
    verdict.findings.filter((/** @type {any} */ finding) => finding.verdict === name);
  const impossible = withVerdict("impossible");
  const grave = [...impossible, ...withVerdict("breach")];
  if (isCorrection) return event.type !== "retract" && !grave.length ? true : ask(verdict.findings);
  return grave.length ? dialogs.doubt(grave, "", !impossible.length) : true;
}
