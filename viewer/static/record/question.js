// A question with one button for yes.
// @ts-check

import { safe } from "./marks.js";
import { head } from "./sheet.js";

/** The dialog for questions; a page without one gets it. @returns {HTMLDialogElement} */
function dialog() {
  const existing = /** @type {HTMLDialogElement | null} */ (document.getElementById("doubt"));
  if (existing) return existing;
  const box = Object.assign(document.createElement("dialog"), { id: "doubt", ariaLabel: "Question" });
  document.body.append(box);
  box.addEventListener("click", (event) => {
    if (/** @type {HTMLElement} */ (event.target).closest("[data-close]")) box.close();
  });
  return box;
}

/**
 * Asks a question; returns whether the answer was yes.
 * @param {string} title @param {string} body markup @param {string} yes the label of the button; "" for none
 * @returns {Promise<boolean>}
 */
export function question(title, body, yes) {
  const box = dialog();
  box.innerHTML =
    `${head(safe(title))}${body}<p class="two"><button type="button" class="btn tap" data-close>` +
    `${yes ? "Back" : "Close"}</button>` +
    `${yes ? `<button type="button" class="btn go tap" data-yes>${safe(yes)}</button>` : ""}</p>`;
  return new Promise((resolve) => {
    let agreed = false;
    box.onclick = (/** @type {any} */ event) => {
      if (!event.target.closest("[data-yes]")) return;
      agreed = true;
      box.close();
    };
    box.onclose = () => resolve(agreed);
    box.showModal();
  });
}
