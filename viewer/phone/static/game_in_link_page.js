// The page of a game that is in its own address, or an example: of the static site, and of a server.

import { at } from "../../every_page/static/club_root.js";
import { puzzleOf } from "../../referee/static/puzzle_of_day.js";
import { idle, linesOf, PhoneRules } from "../../in_browser/static/rules_in_browser.js";
import { by, entitle } from "./pieces/markup.js";
import { pack, readLink, unpack } from "./pieces/game_in_link.js";

/** The text of the game that is asked for. @param {ReturnType<typeof readLink>} asked @param {PhoneRules} rules */
async function textOf({ game, example }, rules) {
  if (game) return unpack(game);
  const day = /^referee\/(.*)$/.exec(example)?.[1];
  if (day) return (await puzzleOf(rules, day, {})).record;
  if (!example) throw new Error("There is no game in this address: open the whole link.");
  const answer = await fetch(`examples/${example}.json`);
  if (!answer.ok) throw new Error("There is no example of this name.");
  return answer.text();
}

/** @param {string} id @param {string} text */
function data(id, text) {
  const script = Object.assign(document.createElement("script"), { type: "application/json", id });
  script.textContent = text;
  document.body.append(script);
}

const isSite = document.body.dataset.site !== undefined;

/** Where the next things to do after a film are. @param {string} example */
function doors(example) {
  const films = document.body.dataset.films?.split(" ") || [];
  const next = films[(films.indexOf(example) + 1) % films.length];
  return isSite
    ? { next_film: `game.html?play#0=${next}`, puzzles: "referee.html#{}-1", begin: "record.html" }
    : { puzzles: at("referee/{}-1"), begin: at("new") };
}

/** The rules of a game are this club's, and on the static site they are beside the page. */
function relink() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[href^="/rules/"]'))) {
    const href = link.getAttribute("href") || "";
    link.href = isSite ? href.replace(/^\/rules\/([a-z-]+)(\?[^#]*)?/, "rules/$1.html") : at(href.slice(1));
  }
}

/** What the mistakes' causes change on this page. @param {PhoneRules} rules @param {string} record */
async function partsOf(rules, record) {
  for (;;) {
    await idle();
    const answer = await rules.answer("causes", { record });
    if (answer.done) return JSON.parse(answer.parts);
  }
}

async function show() {
  const target = readLink(location.hash);
  const rules = new PhoneRules();
  let text;
  try {
    text = await textOf(target, rules);
  } catch (error) {
    by("state").textContent = /** @type {Error} */ (error).message;
    return;
  }
  if (!(await rules.start())) throw new Error(rules.reason);
  const game = await rules.ask("replay", { text, ...doors(target.example) });
  if (game.problem) {
    rules.worker?.terminate();
    by("state").textContent = linesOf(game).join(" ");
    return;
  }
  const letters = await pack(game.record);
  by("title").textContent = game.title;
  entitle(game.title);
  by("link").hidden = false;
  if (by("edit")) {
    by("edit").href = `check.html#.${letters}`;
    by("edit").hidden = false;
  }
  showNotice(JSON.parse(game.record), game.notice);
  // The rules wrote this HTML, and every name in it is escaped (viewer/site/typed_game.py).
  /** @type {HTMLElement} */ (document.querySelector("main")).innerHTML = game.main;
  relink();
  document.addEventListener("shown", relink);
  /** @type {any} */ (globalThis).askReel = (/** @type {object} */ look) =>
    rules.ask("reel", { record: game.record, ...look });
  /** @type {any} */ (globalThis).askParts = () => partsOf(rules, game.record);
  /** @type {any} */ (globalThis).askDecided = async () =>
    (await rules.ask("decided", { record: game.record })).html || "";
  data("data", game.data);
  history.replaceState(null, "", `#${target.step}.${letters}`);
  by("link").addEventListener("click", copy);
  // It is imported only now, because it reads the page when it starts.
  await import(new URL(document.body.dataset.replay || "", location.href).href);
}

/** Says what might have been, and what else people must know. @param {any} record @param {string} notice */
function showNotice({ from }, notice) {
  by("state").textContent = from ? `What if: the end of this game never happened. ${notice}` : notice;
  by("state").hidden = !(from || notice);
  if (!from) return;
  document.documentElement.dataset.known = "what-if";
  if (!from.record || document.body.dataset.site !== undefined) return;
  const href = at(`g/${encodeURIComponent(from.record)}?ply=${from.seq}`);
  by("state").append(Object.assign(document.createElement("a"), { href, textContent: "Back to the real game" }));
}

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href);
    by("link").textContent = "Copied";
  } catch {
    by("link").textContent = "Copy the address bar";
  }
  setTimeout(() => (by("link").textContent = "Copy link"), 2000);
}

// Another game in the address is another page.
addEventListener("hashchange", (event) => {
  const [before, after] = [event.oldURL, event.newURL].map((url) => readLink(new URL(url).hash));
  if (before.game !== after.game || after.example) location.reload();
});
show().catch((error) => {
  by("state").textContent = `The rules cannot start here: ${error.message || error}.`;
});
