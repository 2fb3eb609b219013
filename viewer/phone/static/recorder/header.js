// The header: where the entries are, in a word; and why a game cannot be shown.

import { by, setText } from "../pieces/markup.js";
import { sentence } from "../pieces/dialog_parts.js";
import { FRESH } from "../notebook/words.js";

let timer = 0;

/** Shows what is saved; a word that no answer confirms grows old by itself. @param {Recorder} recorder */
export function showSync(recorder) {
  const { mark, word, banner } = recorder.words;
  const line = by("sync");
  setText("sync", recorder.log ? word : "");
  line.title = banner;
  line.dataset.total = String(recorder.upto);
  line.className = mark;
  clearTimeout(timer);
  timer = setTimeout(() => renewSync(recorder), FRESH);
}

/** Draws the page anew if the header says something else by now. @param {Recorder} recorder */
export function renewSync(recorder) {
  const { mark, word } = recorder.words;
  if (by("sync").textContent !== word || by("sync").className !== mark) recorder.changed({ keep: true });
  else showSync(recorder);
}

/** Why a game cannot be shown. @param {Recorder} recorder */
export function whyNot({ record, contact, log, views, rules }) {
  const { trouble, reason } = contact;
  if (log?.entries.length && !log.acked)
    return `This game cannot be opened here: ${rules.reason || views.problem || "the rules are not here"}.`;
  if (!trouble) return `There is no game “${record}” in this ledger. Check the link.`;
  if (trouble === "offline" && views.undrawn)
    return (
      "There is no connection, and this page is newer than what the phone has stored of the game. Nothing is lost: it" +
      " opens when there is one."
    );
  if (trouble === "offline")
    return "There is no connection, and this phone has not opened this game before. Try again when there is one.";
  return `${sentence(reason)} Try again later.`;
}
