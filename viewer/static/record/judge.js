// What the rules say to an event before it is kept; the table has the last word.
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
  const of = (/** @type {string} */ name) => verdict.findings.filter((/** @type {any} */ one) => one.verdict === name);
  const impossible = of("impossible");
  const grave = [...impossible, ...of("breach")];
  if (!grave.length) return true;
  const later = ["amend", "insert", "retract"].includes(event.type);
  return dialogs.doubt(grave, "", later || !impossible.length);
}
