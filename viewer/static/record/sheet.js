// Pieces that all dialogs share.
// @ts-check

import { icon, safe, stamp } from "./marks.js";

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
