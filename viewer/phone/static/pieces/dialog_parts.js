// Pieces that all dialogs share.

import { by, icon, safe, stamp } from "./markup.js";

/** The head of a dialog, with its close button. @param {string} title */
export const head = (title) =>
  `<header class="head"><h2>${title}</h2>` +
  `<button type="button" class="btn bare tap" data-close aria-label="Close">${icon("close")}</button></header>`;

/** A message as a sentence. @param {string} text */
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;

/** Whether a finding is a mistake, and not a note or an open question. @param {Finding} finding */
export const isMistake = ({ verdict }) => verdict === "breach" || verdict === "impossible";

/** A finding with its flag. @param {Finding} finding @param {string} [more] markup behind it */
export const flagged = ({ verdict, message }, more = "") =>
  `<p class="finding">${stamp(`flag-${verdict}`)}<span>${safe(sentence(message))}${more}</span></p>`;

/**
 * Asks a question in the page's dialog for questions; returns whether the answer was yes.
 * @param {string} title @param {string} body markup @param {string} yes the label of the button; "" for none
 * @returns {Promise<boolean>}
 */
export function question(title, body, yes) {
  const box = by("doubt");
  box.innerHTML =
    `${head(safe(title))}${body}<p class="two"><button type="button" class="btn tap" data-close>` +
    `${yes ? "Back" : "Close"}</button>` +
    `${yes ? `<button type="button" class="btn go tap" data-yes>${safe(yes)}</button>` : ""}</p>`;
  return new Promise((resolve) => {
    let agreed = false;
    box.onclick = (/** @type {any} */ event) => {
      const button = event.target.closest("[data-yes], [data-close]");
      agreed = Boolean(button?.matches("[data-yes]"));
      if (button) box.close();
    };
    box.onclose = () => resolve(agreed);
    box.showModal();
  });
}
