// Comments of readers, each under its move in the list.  A dialog takes a new one for the move that is shown.

import { dismissable } from "../../every_page/static/close_menus.js";
import { recall, remember } from "../../every_page/static/browser_memory.js";

/** @param {Stepper} stepper */
export function comments(stepper) {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("commenting"));
  dress(form);
  document.addEventListener("shown", () => dress(form));
  if (form) prepare(form, stepper);
}

/** Shows the comments under their moves, unless they are already there. @param {HTMLFormElement | null} form */
function dress(form) {
  const rows = document.getElementById("rows");
  const list = document.getElementById("comments");
  if (!rows || !list || rows.dataset.comments) return;
  rows.dataset.comments = "yes";
  for (const comment of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("li"))) {
    if (form) offer(comment, form);
    const row = document.getElementById(`p${comment.dataset.about}`);
    if (!row || comment.classList.contains("folded")) continue;
    const [text, author] = [".text", ".author"].map((part) => comment.querySelector(part)?.textContent);
    const line = { className: "said", dir: "auto", textContent: `“${text}” — ${author}` };
    row.append(Object.assign(document.createElement("p"), line));
  }
}

/** Lets the recorder fold away or unfold a comment. @param {HTMLElement} comment @param {HTMLFormElement} form */
function offer(comment, form) {
  const key = recall(`key.${form.action.split("/").at(-2)}`);
  if (!key) return;
  const folded = comment.classList.contains("folded");
  const look = { type: "button", className: "chip", textContent: folded ? "Show to all" : "Fold away" };
  const button = Object.assign(document.createElement("button"), look);
  button.addEventListener("click", async () => {
    button.disabled = true;
    const answer = await fetch(`${form.action}/${comment.dataset.number}/fold`, {
      method: "POST",
      body: new URLSearchParams({ folded: folded ? "0" : "1" }),
      headers: { Authorization: `Bearer ${key}` },
    }).catch(() => null);
    if (answer?.ok) location.reload();
    else button.textContent = "That did not work";
  });
  comment.append(button);
}

/** Moves the form into a dialog for the current move. @param {HTMLFormElement} form @param {Stepper} stepper */
function prepare(form, stepper) {
  const dialog = Object.assign(document.createElement("dialog"), { ariaLabel: "Comment" });
  const room = form.parentElement;
  form.classList.remove("card", "pad");
  dialog.append(form);
  room?.replaceWith(dialog);
  dismissable(dialog);
  const author = /** @type {HTMLInputElement} */ (form.elements.namedItem("author"));
  author.value = recall("author");
  form.addEventListener("submit", () => remember("author", author.value));
  const cancel = /** @type {HTMLElement} */ (document.getElementById("not-now"));
  cancel.hidden = false;
  cancel.addEventListener("click", () => dialog.close());
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-comment]"))) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const seq = String(stepper.seq);
      /** @type {HTMLInputElement} */ (form.elements.namedItem("seq")).value = seq;
      /** @type {HTMLElement} */ (document.getElementById("about-move")).textContent = stepper.words;
      for (const open of document.querySelectorAll(":popover-open")) /** @type {HTMLElement} */ (open).hidePopover();
      dialog.showModal();
      /** @type {HTMLElement} */ (form.elements.namedItem("text")).focus();
    });
  }
}
