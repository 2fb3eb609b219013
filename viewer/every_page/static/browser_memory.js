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

/** A remembered list of texts. @param {string} name @returns {string[]} */
export function recallList(name) {
  try {
    const list = JSON.parse(recall(name) || "[]");
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
  } catch {
    return [];
  }
}
