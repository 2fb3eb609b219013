// The recorder's page: a move is a tile and a place; everything else is one tap.

import { at, ofClub } from "../../every_page/static/club_root.js";
import { closeDialog } from "../../every_page/static/close_menus.js";
import { Again } from "../../every_page/static/retry_and_follow.js";
import { UNREADABLE } from "../../in_browser/static/browser_database.js";
import { BeginView } from "./new_game/new_game_offline.js";
import { GameList } from "./games_here/list.js";
import { adopt } from "./notebook/old_stores.js";
import { Exchange } from "./notebook/exchange.js";
import { branch, events } from "./notebook/log.js";
import { newRecordId, Notebook } from "./notebook/notebook.js";
import { awaitHome, keepPages } from "../../in_browser/static/get_ready_offline.js";
import { idle, PhoneRules } from "../../in_browser/static/rules_in_browser.js";
import { sentence } from "./pieces/dialog_parts.js";
import { readLink, unpack } from "./pieces/game_in_link.js";
import { addresses, targetOf } from "./pieces/recorder_addresses.js";
import { Awake, plainly } from "./recorder/screen_awake.js";
import { tapCalled } from "./recorder/calls_dialog.js";
import { by, entitle } from "./pieces/markup.js";
import { recordText } from "./pieces/share_local_game.js";
import { recall, remember } from "../../every_page/static/browser_memory.js";
import { open } from "./entries/open_record.js";
import { listenForNumbers, tapNumber, slideOverKeys } from "./recorder/number_pad.js";
import { showWindow, touchPlaces } from "./recorder/place_window.js";
import { squareAt } from "./recorder/squares_from_above.js";
import { RIM } from "./pieces/tile_geometry.js";
import { Recorder } from "./recorder/recorder.js";
import { drawPage, widen } from "./recorder/draw_page.js";
import { enterMany, tapBare, tapEnd, tapStack, tapTile, takeRest, dragTiles } from "./recorder/taps.js";
import { undo } from "./entries/undo.js";

const rules = new PhoneRules();
// The tabs of this phone tell each other to look at the disk again.
const tabs = new BroadcastChannel(ofClub("domino-notebook"));
const notebook = new Notebook((id, newId = "") => tabs.postMessage({ id, newId }));
const exchange = new Exchange(notebook, heard);
exchange.contact.left = true;
/** @type {Recorder} */
const recorder = new Recorder(rules, notebook, exchange);
tabs.onmessage = (/** @type {MessageEvent<{ id: string, newId: string }>} */ { data: { id, newId } }) => {
  if (id !== recorder.record) list.show();
  else if (newId) {
    notebook.cache.delete(id);
    turnTo(addresses.record(newId));
  } else recorder.look().catch(() => undefined);
};
const redraw = () => recorder.changed({ keep: true });

/** Acts on taps in a box. @param {string} box @param {string} piece @param {(on: any, event: any) => void} act */
function onTap(box, piece, act) {
  by(box).addEventListener("click", (/** @type {any} */ event) => {
    const element = event.target.closest(piece);
    if (element) act(element, event);
  });
}
/** @param {string} id @param {() => void} act */
const onPress = (id, act) => by(id).addEventListener("click", act);
/** Draws the page anew after a press. @param {string} id @param {() => void} act */
const onChoice = (id, act) => onPress(id, () => [act(), redraw()]);

for (const box of ["seats", "whose"])
  onTap(box, "button", (element) => {
    recorder.pick.setPlayer(element.dataset.player);
    redraw();
  });
onTap("kinds", "[data-kind]", (element) => {
  const { kind } = element.dataset;
  if (recorder.prompt(kind)?.bare) tapBare(recorder, kind, []);
  else recorder.pick.setKind(kind);
  redraw();
});
onTap("tray", "[data-tile]", (element, event) => {
  const box = element.getBoundingClientRect();
  if (!recorder.prompt()?.many) recorder.pick.numbers = [];
  const half = event.clientX > box.left + box.width / 2 ? "high" : "low";
  tapTile(recorder, element.dataset.tile, half, element.dataset.at);
});
onTap("pad", "[data-number]", (element) => tapNumber(recorder, element.dataset.number));
slideOverKeys(recorder);
listenForNumbers(recorder);
onTap("tray", "[data-bare]", (element) =>
  tapBare(
    recorder,
    element.dataset.bare,
    element.dataset.at.split(",").map((/** @type {string} */ part) => (/^\d+$/.test(part) ? Number(part) : part)),
  ),
);
onTap("ends", "[data-end]", (element) => tapEnd(recorder, element.dataset.end));
onTap("rows", "[data-stack]", (element) => tapStack(recorder, Number(element.dataset.stack)));
touchPlaces(recorder);
dragTiles(
  ["tray", "held"],
  (tile, held) => {
    const { pick } = recorder;
    if (pick.kind !== "place") return;
    if (pick.tile !== tile) [pick.tiles, pick.numbers, pick.held] = [[tile], [], held];
    redraw();
  },
  (event, isDown) => {
    if (!recorder.pick.tile || !recorder.box) return;
    if (isDown) recorder.placing.point(squareAt(event), RIM);
    else recorder.placing.drop(squareAt(event));
    showWindow(recorder, isDown ? event : undefined);
  },
);
onTap("called", "[data-called]", (element) => tapCalled(recorder, element.dataset.called));
onPress("undo", () => undo(recorder));
for (const button of ["redo", "redo-now"]) onPress(button, () => recorder.redo.redo());
onPress("done", () => enterMany(recorder));
onPress("rest", () => takeRest(recorder));
onChoice("skip", () => recorder.pick.skipHands());
onChoice("held", () => recorder.pick.clear());
onPress("elsewhere", () => widen(recorder));
onPress("pass", () => tapBare(recorder, "pass", []));
onChoice("other-kinds", () => (recorder.all = true));

// Bids: a stepper, round numbers, or a number that is typed.
/** @param {number} number */
function setNumber(number) {
  recorder.pick.number = Math.max(0, number);
  redraw();
}
onPress("less", () => setNumber(Number(by("number").value) - 1));
onPress("more-bid", () => setNumber(Number(by("number").value) + 1));
onTap("quick", "[data-number]", (element) => setNumber(Number(element.dataset.number)));
by("number").addEventListener("input", () => {
  if (/^\d{1,6}$/.test(by("number").value)) setNumber(Number(by("number").value));
});
by("number").addEventListener("focus", () => by("number").select());
by("bids").addEventListener("submit", (/** @type {any} */ event) => {
  event.preventDefault();
  if (/^\d{1,6}$/.test(by("number").value)) tapBare(recorder, "bid", [Number(by("number").value)]);
});
onPress("pass-bid", () => tapBare(recorder, "pass", []));

by("who").value = recall("by");
by("who").addEventListener("change", () => remember("by", by("who").value.trim().slice(0, 200)));

const awake = new Awake(showPlain);
/** Says what plain http cannot do. */
function showPlain() {
  by("plain").textContent = addresses.site ? "" : plainly(window.isSecureContext, awake.by);
}
showPlain();
// The screen stays on from the first tap in a game until the game is over.
const goesOn = () => {
  const { classList, dataset } = document.documentElement;
  return dataset.view === "record" && Boolean(dataset.known) && !classList.contains("over");
};
document.addEventListener("click", () => goesOn() && awake.begin());
new MutationObserver(() => goesOn() || awake.end()).observe(document.documentElement, {
  attributeFilter: ["class", "data-view", "data-known"],
});
new ResizeObserver(() => recorder.latest && drawPage(recorder, recorder.view)).observe(by("stage"));

// ── Which record, or a new game ──────────────────────────────────────────────────────────────────────────
// A phone without a connection over plain http cannot load a page: so this one turns from game to game by itself.

const list = new GameList(notebook, exchange);
const begin = new BeginView({ rules, notebook, list, eventsOf, begun: (id) => turnTo(addresses.record(id)) });
/** Milliseconds from one round through the other games to the next. */
const ROUND = 60_000;
let shownTarget = "";
/** The record whose page waits for this phone's store; "" if it can be read. */
let unread = "";
const reopening = new Again(() => unread && openRecord(unread), { shortest: 1000, longest: 15_000 });

/**
 * The events of a record up to a seq at least, from wherever they can be had now.
 * @param {string} id @param {number} [seq] @returns {Promise<GameEvent[]>}
 */
async function eventsOf(id, seq = 0) {
  const log = await notebook.get(id).catch(() => undefined);
  if (log && log.entries.length > seq) return events(log);
  if (addresses.site) throw new Error("there is no such game in this browser");
  const answer = await fetch(at(`api/v1/records/${encodeURIComponent(id)}`), { signal: AbortSignal.timeout(5000) });
  if (!answer.ok) throw new Error("the game is not here");
  return (await answer.json()).events;
}

/**
 * Shows what became of a question to the ledger.
 * @param {string} id @param {import("./notebook/exchange.js").Heard | null} heard @returns {Promise<unknown>}
 */
async function heard(id, heard) {
  if (id !== recorder.record) return void list.show();
  if (heard?.newId) return turnTo(addresses.record(heard.newId));
  return recorder.heard(heard);
}

/** Opens a record, as soon as this phone's store can be read. @param {string} record */
async function openRecord(record) {
  unread = "";
  try {
    await open(recorder, record);
    reopening.calm();
    exchange.others.soon();
  } catch (error) {
    if (targetOf(location).record !== record) return;
    console.warn(error);
    recorder.clear(record);
    // Nothing is known about the game now, least of all that there is none.
    by("status").textContent = UNREADABLE;
    by("sync").textContent = "";
    unread = record;
    reopening.later();
  }
}

/**
 * Begins what might have been after a move of a game, and turns to it.
 * @param {ReturnType<typeof readLink>} link the move, and the game or its id
 */
async function whatIf({ step, game, example }) {
  const log = example ? await notebook.get(example) : undefined;
  const text = game ? await unpack(game) : recordText(await eventsOf(example, Number(step)));
  if (!(await rules.start())) throw new Error(rules.reason);
  const id = log && !log.acked ? "" : example;
  const record = await rules.answer("branch", { record: text, seq: Number(step), id });
  const there = log?.key || addresses.site ? addresses.record(example) : at(`g/${example}?ply=${step}`);
  const fresh = newRecordId();
  await notebook.change(fresh, () => ({ log: branch(fresh, record, game ? addresses.replay(game, step) : there) }));
  history.replaceState(null, "", addresses.record(fresh));
  go();
}

/** Shows what the address asks for. */
function go() {
  const link = readLink(location.hash);
  const isWhatIf = Boolean(link.step && (link.game || link.example));
  const { record, game, from } = isWhatIf ? { record: "", game: "", from: "" } : targetOf(location);
  const target = JSON.stringify([record, game, from]);
  // On a server a fragment is a key to the record.
  if (target === shownTarget && (addresses.site || !location.hash)) return;
  shownTarget = target;
  const root = document.documentElement;
  root.dataset.view = record || isWhatIf ? "record" : "begin";
  by("begin").hidden = Boolean(record || isWhatIf);
  unread = "";
  delete root.dataset.known;
  delete root.dataset.ready;
  if (record) {
    by("begin").replaceChildren();
    openRecord(record);
    return;
  }
  // What was entered last belongs to the record before.
  const cleared = recorder.writer.writing.catch(() => []).then(() => recorder.clear(""));
  if (isWhatIf) {
    by("status").textContent = "Opening the game …";
    cleared.then(() => whatIf(link)).catch((error) => (by("status").textContent = sentence(error.message)));
    return;
  }
  by("title").textContent = "New game";
  entitle("New game");
  begin.show({ game, from });
}

/** Goes to another address without loading a page. @param {string} address */
async function turnTo(address) {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"));
  if (dialog) await closeDialog(dialog);
  history.pushState(null, "", address);
  go();
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[data-begin]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // With a connection, and before the rules are here, the page of the server is quicker.
  if (!rules.ready && !recorder.local && recorder.record && !exchange.contact.trouble) return;
  event.preventDefault();
  turnTo(link.getAttribute("href") || "");
});
addEventListener("popstate", go);

// Over plain http a page that is left without a connection does not open again.
document.addEventListener("click", async (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
  if (!link || event.defaultPrevented || window.isSecureContext || addresses.site) return;
  event.preventDefault();
  const answer = await fetch(at("healthz"), { signal: AbortSignal.timeout(4000) }).catch(() => null);
  if (answer) location.assign(link.href);
  else recorder.dialogs.say("There is no connection", "This page stays open: it would not open again now.");
});

addEventListener("pagehide", () => recorder.views.store());
go();
awaitHome(by("not-yet"));
/** Takes over what an earlier version left on this phone.  Until that is done, the page never says “Saved”. */
async function takeOver() {
  if (!exchange.contact.left) return;
  exchange.contact.left = !(await adopt(notebook, exchange));
  if (recorder.record) await recorder.look();
}
takeOver()
  .then(idle)
  .then(() => exchange.others.soon())
  .catch(() => exchange.others.later());
setInterval(
  () =>
    document.hidden ||
    takeOver()
      .catch(() => undefined)
      .then(() => exchange.round()),
  ROUND,
);
if (!addresses.site) keepPages();
