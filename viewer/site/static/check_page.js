// The page where a game is typed, pasted or dropped.

import { pack, readLink, unpack } from "../../phone/static/pieces/game_in_link.js";
import { linesOf, PhoneRules } from "../../in_browser/static/rules_in_browser.js";

/** @param {string} id */
const by = (id) => /** @type {any} */ (document.getElementById(id));
const KEPT = "domino-ledger.try";
const rules = new PhoneRules();

/** @param {string} text */
const state = (text) => (by("state").textContent = text);

/** @param {string[]} lines */
function problems(lines) {
  const items = lines.map((line) => Object.assign(document.createElement("li"), { textContent: line }));
  by("problems").replaceChildren(...items);
  by("problems").hidden = !lines.length;
}

/** What was typed stays in this tab, also after a look at the game. */
function keep() {
  try {
    sessionStorage.setItem(KEPT, by("text").value);
  } catch {
    /* for this page only */
  }
}

/** The text of a file; of a replay, the record in it. @param {File} file */
async function open(file) {
  const text = await file.text();
  const page = /^\s*<!doctype html/i.test(text) ? new DOMParser().parseFromString(text, "text/html") : null;
  by("text").value = page ? page.getElementById("record")?.textContent || "" : text;
  problems(by("text").value ? [] : [`There is no game in ${file.name}.`]);
  keep();
}

async function show() {
  const text = by("text").value;
  if (!text.trim()) {
    problems(["Type or paste a game first."]);
    by("text").focus();
    return;
  }
  by("show").disabled = true;
  state("Replaying…");
  const answer = await rules.ask("replay", { text });
  by("show").disabled = false;
  state("");
  problems(answer.problem ? linesOf(answer) : []);
  if (answer.problem) return;
  location.href = `game.html#.${await pack(answer.record)}`;
}

/** The game in the address, as a sheet to be edited. */
async function fill() {
  const { game } = readLink(location.hash);
  try {
    if (!game) by("text").value ||= sessionStorage.getItem(KEPT) || "";
    else {
      const text = await unpack(game);
      // A sheet in a link stays as somebody wrote it.
      if (!text.startsWith("{")) {
        by("text").value = text;
        return;
      }
      state("Writing the sheet…");
      if (!(await rules.start())) return;
      const answer = await rules.ask("sheet", { text });
      if (answer.problem) problems(linesOf(answer));
      else by("text").value = answer.sheet;
      state("");
    }
  } catch (error) {
    problems([/** @type {Error} */ (error).message]);
  }
}

by("try").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  keep();
  show().catch((error) => problems([String(error.message || error)]));
});
by("text").addEventListener("input", keep);
by("file").addEventListener("change", () => by("file").files[0] && open(by("file").files[0]));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) open(file);
});

// In a frame of a page about sheets there is no site around it.
/** @type {HTMLElement} */ (document.querySelector("header")).hidden = self !== top;
state("The rules are starting…");
rules.start().then((started) => {
  by("show").disabled = !started;
  state("");
  if (!started) problems([`The rules cannot start here: ${rules.reason}.`]);
});
fill();
