// What the rules say about an event before it is kept; the table has the last word.
// @ts-check

/**
 * Whether an event may be kept: at once if it breaks no rule, else when the table says that it happened.
 * @param {import("./recorder.js").Recorder} recorder @param {any} event @returns {Promise<boolean>}
 */
export async function mayKeep({ ledger, ahead, screen, dialogs }, event) {
  let verdict;
  try {
    const answer = await ledger.ask("check", [...ahead.events, event], screen);
    verdict = await answer.json();
    if (!answer.ok) return dialogs.doubt(null, verdict.detail, false);
  } catch {
    const reason = "There is no connection. Whether it was legal is checked when there is one.";
    return dialogs.doubt(null, reason, true);
  }
  const withVerdict = (/** @type {string} */ name) =>
    verdict.findings.filter((/** @type {any} */ finding) => finding.verdict === name);
  const impossible = withVerdict("impossible");
  const grave = [...impossible, ...withVerdict("breach")];
  if (!grave.length) return true;
  const isCorrection = ["amend", "insert", "retract"].includes(event.type);
  return dialogs.doubt(grave, "", isCorrection || !impossible.length);
}
