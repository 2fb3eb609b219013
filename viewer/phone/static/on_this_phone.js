// The page “On this phone”: each game that this phone keeps, and whether the ledger has it.

import { at } from "../../every_page/static/club_root.js";
import { UNREADABLE } from "../../in_browser/static/browser_database.js";
import { addresses } from "./pieces/recorder_addresses.js";
import { by, icon, plural, safe } from "./pieces/markup.js";
import { Outbox } from "./entries/outbox.js";
import { plainly } from "./pieces/entries_in_words.js";
import { question } from "./pieces/dialog_parts.js";
import { asText } from "./entries/transport_log.js";
import { inOne, trouble } from "./entries/trouble.js";
import { Contact } from "./kept_games/contact.js";
import { Courier } from "./kept_games/courier.js";
import { Games } from "./kept_games/games.js";
import { HeldGames, MOST, inWords, notYet } from "./kept_games/held.js";
import { replay, save, saveText } from "./pieces/share_local_game.js";

const HERE = at("on-this-phone");
const games = new Games();
const held = new HeldGames();
const courier = new Courier(games, () => show());
const contact = new Contact(
  held,
  () => show(),
  async () => (await games.all()).map(({ id }) => id),
);

/** @param {string} act @param {string} sign @param {string} label @param {string} id @param {string} names */
const verb = (act, sign, label, id, names, sort = "") =>
  `<button type="button" class="btn tap${sort}" data-do="${act}" data-id="${safe(id)}">${icon(sign)}${label}` +
  `<span class="sr">: ${safe(names)}</span></button>`;

/** @param {string} id @param {string} names @param {string} detail @param {string} state @param {string} verbs */
const item = (id, names, detail, state, verbs) =>
  `<li class="local" data-game="${safe(id)}"><a href="${safe(addresses.record(id))}"><b>${safe(names)}</b> ` +
  `<span>${safe(detail)}</span> <span class="where">${safe(state)}</span></a><p class="verbs">${verbs}</p></li>`;

/** A game that is on this phone alone. @param {LocalGame} game */
function localItem({ id, names, title, events, refused }) {
  const title_ = names.join(" – ");
  const state = notYet(events.length, refused || courier.reason(id));
  return item(id, title_, title, state, verb("save-local", "save", "Save as a file", id, title_));
}

/** @param {Held} one */
async function heldItem(one) {
  const waiting = (await new Outbox(one.id).all()).filter(({ state }) => state === "waiting");
  const names = one.names.join(" – ") || one.id;
  const last = contact.last && contact.last.kind !== "ok" ? contact.last.reason : "";
  const state = waiting.length ? notYet(waiting.length, last) : inWords(one, contact.fresh);
  const verbs = one.copied ? [verb("save", "save", "Save a copy", one.id, names)] : [];
  if (one.copied) verbs.push(verb("replay", "play", "Replay", one.id, names));
  if (one.state.kind === "other")
    verbs.push(
      verb("compare", "list", "Compare", one.id, names),
      verb("give-up", "trash", "Put mine away", one.id, names, " danger"),
    );
  return item(one.id, names, `${one.title}, ${plural(one.version, "entry", "entries")}`, state, verbs.join(""));
}

let turn = 0;
/** Draws the list anew. */
async function show() {
  const mine = ++turn;
  try {
    const [local, kept] = [await games.all(), await held.all()];
    const localIds = new Set(local.map(({ id }) => id));
    const others = kept.filter(({ id }) => !localIds.has(id));
    const items = [...local.map(localItem), ...(await Promise.all(others.map(heldItem)))];
    if (mine !== turn) return;
    by("held").innerHTML = items.join("");
    by("none").hidden = items.length > 0;
    const bytes = kept.reduce((sum, { copied }) => sum + (copied?.bytes || 0), 0);
    by("size").textContent =
      `This phone keeps the last ${MOST.games} games, or ${MOST.bytes / 1e6} MB: now ` +
      `${plural(items.length, "game")}, ${(bytes / 1e6).toFixed(1)} MB. What the ledger lacks is never dropped.`;
    const { last } = contact;
    by("contact").textContent =
      !last || last.kind === "ok" ? "" : inOne(trouble(last.kind, last.reason, new Date().toISOString()));
    by("unequal").hidden = !others.some(({ state }) => state.kind !== "same");
    by("log-text").textContent = asText() || "Nothing has happened yet.";
  } catch {
    if (mine === turn) by("contact").textContent = UNREADABLE;
  }
}

/** The lines of a file for `domino-ledger recover`: the sealed copy, and what came after it. @param {string} id */
async function linesOf(id) {
  const [copy, tail] = [await held.copy(id), await held.tail(id)];
  if (!copy) return [];
  const { record, events, ids, keys, seal } = copy;
  const lines = [{ record, events, ids, keys, seal }];
  if (tail.length && tail.every(({ base }, n) => base === events.length + n))
    lines.push({
      record,
      events: [...events, ...tail.map(({ event }) => event)],
      ids: { ...ids, ...Object.fromEntries(tail.map((entry) => [entry.base, entry.id])) },
      keys,
      seal: "",
    });
  return lines.map((line) => `${JSON.stringify({ format: "domino-ledger-copy/1", ...line })}\n`);
}

/** An event without the names of people, which the chain does not hold. @param {GameEvent} event */
const nameless = (event) =>
  JSON.stringify(event, (name, value) => (["name", "by", "recorder"].includes(name) ? undefined : value));

/** Both sides of a game, from the first event that differs. @param {string} id */
async function compare(id) {
  const [mine, theirs] = [await held.copy(id), await held.copy(id, true)];
  if (!mine || !theirs) return;
  const tail = await held.tail(id);
  const sides = [[...mine.events, ...tail.map(({ event }) => event)], theirs.events];
  let same = 0;
  while (same < sides[0].length && same < sides[1].length && nameless(sides[0][same]) === nameless(sides[1][same]))
    same += 1;
  const players = (mine.events[0].players || []).map((one) => [one.id, one.name || one.id]);
  const words = (/** @type {GameEvent} */ event) =>
    `<li>${safe(plainly(event, /** @type {any} */ ({ moves: [], players, prompts: [] })))}</li>`;
  const column = (/** @type {string} */ title, /** @type {GameEvent[]} */ events) =>
    `<section><h3>${title}</h3><p>${plural(events.length, "entry", "entries")}</p>` +
    `<ol start="${same}">${events.slice(same).map(words).join("") || "<li>Nothing more</li>"}</ol></section>`;
  await question(
    "Two versions of one game",
    `<p>The first ${plural(same, "entry is", "entries are")} the same. Nothing was overwritten: the owner of ` +
      "the ledger decides, and a copy saved here can be given to them.</p>" +
      `<div class="sides">${column("On this phone", sides[0])}${column("In the ledger", sides[1])}</div>`,
    "",
  );
}

/** Does what a button says. @param {string} what @param {string} id */
async function act(what, id) {
  if (what === "save-local") {
    const game = await games.get(id);
    if (game) save(game);
  }
  if (what === "save") saveText((await linesOf(id)).join(""), `${id}.copies`);
  if (what === "replay") {
    const copy = await held.copy(id);
    if (copy) await replay(copy.events);
  }
  if (what === "compare") await compare(id);
  if (what === "give-up") {
    const text = "<p>This phone then keeps what the ledger has. Save a copy first if you are not sure.</p>";
    if (!(await question("Put away what this phone saw?", text, "Yes, put it away"))) return;
    await contact.running; // it still compares what this phone saw, and would note that again
    await held.giveUp(id);
    await compareNow();
  }
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-do]"));
  if (button) act(button.dataset.do || "", button.dataset.id || "");
});
by("unequal").addEventListener("click", async () => {
  const lines = [];
  for (const one of await held.all()) if (one.state.kind !== "same") lines.push(...(await linesOf(one.id)));
  saveText(lines.join(""), "this-phone.copies");
});
by("save-log").addEventListener("click", () => saveText(`${asText()}\n`, "transport.txt"));
by("send-log").hidden = typeof navigator.share !== "function";
by("send-log").addEventListener("click", () =>
  navigator.share({ title: "What happened between this phone and the ledger", text: asText() }).catch(() => undefined),
);
by("check").addEventListener("click", compareNow);

/** Compares, and shows what came of it. */
async function compareNow() {
  const comparing = Promise.all([contact.soon(), courier.soon()]);
  await show();
  by("contact").textContent = "Comparing with the ledger …";
  await comparing;
  await show();
}

// The service worker shows this page in place of one that only the ledger has.
by("instead").hidden = location.pathname === HERE;
compareNow().then(() => (document.documentElement.dataset.ready = "yes"));
