// What was typed into the form for a new game, while the page changes: it stays in this tab.
// @ts-check

const NAME = "domino-ledger.typed";

/** @param {Record<string, string>} fields */
export function keepTyped(fields) {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(fields));
  } catch {
    /* it has to be typed again */
  }
}

/** What was kept for a game, once. @param {string} game @returns {Record<string, string>} */
export function takeTyped(game) {
  try {
    const fields = JSON.parse(sessionStorage.getItem(NAME) || "{}");
    if (fields.game !== game) return {};
    sessionStorage.removeItem(NAME);
    return fields;
  } catch {
    return {};
  }
}
