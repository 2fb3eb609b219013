// Draws the whole page after each change: the pieces come with the view, and what is picked is marked in them.

import { entitle, by, drawn, fill, icon, isolated, setText, safe, stamp } from "../pieces/markup.js";
import { fitWindow, places, widened } from "../pieces/tile_geometry.js";
import { showCalled } from "./calls_dialog.js";
import { showEntry } from "./entry_panel.js";
import { listed, plainly } from "../pieces/entries_in_words.js";
import { lying } from "./number_pad.js";
import { showWindow } from "./place_window.js";
import { plan, squareSize } from "./squares_from_above.js";
import { isMistake } from "../pieces/dialog_parts.js";
import { showSync } from "./header.js";

/** The least width and height of a stack, which is a key, in CSS pixels. */
const LEAST_STACK = 49;
/** The least width of a half with pips, in CSS pixels: a smaller one has a numeral. */
const LEAST = 28;

/** The whole page. @param {Recorder} recorder @param {View} view */
export function drawPage(recorder, view) {
  const root = document.documentElement;
  const over = (view.closed || (view.ended && !recorder.goesOn)) && !recorder.edit && !recorder.all;
  root.dataset.known = recorder.log?.from ? "what-if" : "yes";
  root.classList.toggle("over", Boolean(over));
  root.classList.toggle("unsure", view.sure === false);
  setText("title", view.title);
  entitle(`${view.title} · ${view.players.map(([, name]) => isolated(name)).join(" – ")}`);
  showSeats(recorder, view, Boolean(over));
  setText("status", recorder.edit ? "" : view.sure === false ? lastTable(recorder) : view.scene.status);
  by("status").dataset.sure = String(view.sure !== false);
  showEntry(recorder, view);
  showTable(recorder, view);
  showLast(recorder, recorder.latest);
  by("undo").hidden = Boolean(view.closed);
  by("undo").disabled = !recorder.latest.undo.length && !recorder.edit;
  by("redo").hidden = Boolean(view.closed);
  by("redo").disabled = !recorder.redo.next;
  showSync(recorder);
  recorder.dialogs.show(view);
}

/** How old the table is that is shown, while nobody has judged what waits. @param {Recorder} recorder */
function lastTable({ local, judged }) {
  const whose = local ? "The last judged table" : "The ledger’s last table";
  return judged.moves.length ? `${whose}: move ${judged.moves.length}` : `${whose}: before the first move`;
}

/** Who plays, and who is picked to act. @param {Recorder} recorder @param {View} view @param {boolean} over */
function showSeats(recorder, view, over) {
  const { player } = recorder.pick;
  const doing = [recorder.prompt()?.doing, view.parts.phase].filter(Boolean).join(" · ");
  const press = (/** @type {DocumentFragment} */ fresh) => {
    const seat = fresh.querySelector(`[data-player="${CSS.escape(player)}"]`);
    seat?.setAttribute("aria-pressed", "true");
    for (const small of seat?.querySelectorAll("small") || []) small.textContent = `${doing}\u00a0`;
  };
  fill(by("seats"), view.parts.seats, over ? undefined : press, over ? "" : `${player}\n${doing}`);
  by("seats").dataset.count = String(view.players.length);
}

/** The table: squares, stacks, or the tiles in the middle. @param {Recorder} recorder @param {View} view */
function showTable(recorder, view) {
  const { kind, tile, held } = recorder.pick;
  const { parts } = view;
  const grid = view.scene.areas.find((area) => area.type === "grid");
  // The size of the table comes first, then the drawing that fits it.
  by("stage").dataset.kind = parts.table;
  const lit = grid && kind === "place" && !recorder.pick.anywhere ? recorder.placing.lit : [];
  const waits = lying(recorder) ? recorder.placing.onlyPair?.cells : null;
  by("table").hidden = !grid;
  if (grid) {
    const box = fit(recorder, grid);
    const room = by("stage");
    const px = squareSize(box, room.clientWidth || 358, room.clientHeight || 358);
    recorder.placing.px = px;
    plan(view, grid, lit, box, recorder.names, px, tile, held, waits);
  }
  showWindow(recorder);
  const events = view.sure === false ? recorder.views.unjudged : [];
  const litStacks = tile ? places(recorder.way("stack"), tile).map(([stack]) => String(stack)) : [];
  const light = (/** @type {DocumentFragment} */ fresh) => {
    for (const stack of fresh.querySelectorAll("[data-stack]"))
      stack.classList.toggle("lit", litStacks.includes(stack.getAttribute("data-stack") || ""));
  };
  fill(by("rows"), parts.stacks + newStacks(parts.stacks, events), light, litStacks.join());
  arrange(by("rows").querySelectorAll("[data-stack]").length);
  fill(by("middle"), parts.middle);
  fill(by("beside"), parts.beside + (events.length ? listed(events, view) : ""));
}

/** Chooses the columns of stacks, and numerals where a half is too small for pips. @param {number} count */
function arrange(count) {
  if (!count) return;
  const { clientWidth, clientHeight } = by("stage");
  const [width, height] = [clientWidth || 344, clientHeight || 280];
  const needed = Math.ceil(count / Math.floor(height / LEAST_STACK));
  const columns = Math.max(3, Math.min(Math.floor(width / LEAST_STACK), needed));
  by("rows").style.setProperty("--columns", String(columns));
  const half = Math.min((width / columns - 8) / 2, height / Math.ceil(count / columns) - 20);
  by("rows").classList.toggle("numerals", half < LEAST);
}

/** Fits the squares that are shown to the current table. @param {Recorder} recorder @param {Area} grid */
function fit(recorder, grid) {
  const legal = (/** @type {View} */ view) =>
    view.form.ways.filter((way) => way.kind === "place").flatMap((way) => places(way, null));
  // Without a connection, the ledger's last answer shows where there is room.
  const lastGrid = recorder.judged.scene.areas.find((area) => area.type === "grid");
  if (!recorder.box && !recorder.sure && lastGrid)
    recorder.box = fitWindow(lastGrid, legal(recorder.judged), null, true);
  recorder.box = fitWindow(grid, legal(recorder.view), recorder.box, recorder.sure);
  return recorder.box;
}

/** The next tap may lay the tile anywhere; shows one square more at each side for it. @param {Recorder} recorder */
export function widen(recorder) {
  recorder.pick.anywhere = true;
  if (recorder.box) recorder.box = widened(recorder.box);
  recorder.changed({ keep: true });
}

/** The stacks of a layout that waits: the next tap may be on one. @param {string} markup @param {GameEvent[]} events */
function newStacks(markup, events) {
  const first = markup.split("data-stack=").length;
  const tiles = events.filter(({ type }) => type === "layout").flatMap(({ tiles = [] }) => tiles);
  const buttons = tiles.map((tile, n) => drawn("stack", tile, { n: first + n }));
  return buttons.length ? `<div class="piles">${buttons.join("")}</div>` : "";
}

/** The last entry and its points. @param {Recorder} recorder @param {View} view */
function showLast(recorder, view) {
  const move = view.moves[view.moves.length - 1];
  // What nobody has judged yet is said in plain words.
  const waiting = recorder.waiting.at(-1);
  const event = view.sure === false ? recorder.views.unjudged.at(-1) : null;
  const waits = stamp("waits");
  const mistake = move && view.findings.find((finding) => finding.seq === move.seq && isMistake(finding));
  let line = '<span class="quiet">Nothing recorded yet</span>';
  if (event) line = `${waits}<span class="does">${safe(plainly(event, view))}</span>`;
  else if (move) line = (mistake ? stamp(`flag-${mistake.verdict}`) : waiting ? waits : icon("check")) + move.line;
  showCalled(recorder);
  const { words } = recorder.redo;
  by("redo-now").hidden = !words || !recorder.redo.next;
  fill(by("last"), words ? `${icon("undo")}<span class="does">${safe(words)}</span>` : line);
  by("last").title = event ? "" : mistake ? mistake.message : move?.words || "";
}
