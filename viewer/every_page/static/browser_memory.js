// What this phone remembers between visits: keys, names, settings.
import { ofClub } from "../../every_page/static/club_root.js";

const PREFIX = ofClub("domino-ledger.");

/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(PREFIX + name) || "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    /* remembered for this page only */
  }
}

/** What was remembered as JSON; `other` if it cannot be read. @template T @param {string} name @param {T} other */
export function recalled(name, other) {
  try {
    return /** @type {T} */ (JSON.parse(recall(name)));
  } catch {
    return other;
  }
}
