// Draws the whole page after each change.
// @ts-check

import { places } from "./geometry.js";
import { showEntry } from "./entry.js";
import { phraseMarkup, pointsMarkup } from "./lines.js";
import { by, chip, fill, flag, icon, plural, safe } from "./marks.js";
import { heap, isStack, rows, stacks } from "./piles.js";
import { plan, squareSize } from "./plan.js";
import { calls, highestBid, toDo } from "./prompt.js";
import { showSync } from "./sync.js";
import { phrase } from "./words.js";

/** @typedef {import("./recorder.js").Recorder} Recorder */

/** The whole page. @param {Recorder} recorder @param {any} view */
export function show(recorder, view) {
  const root = document.documentElement;
  const over = (view.closed || (view.ended && !recorder.goesOn)) && !recorder.edit && !recorder.all;
  root.dataset.known = "yes";
  root.classList.toggle("over", Boolean(over));
  by("title").textContent = view.title;
  document.title = `${view.title} · ${view.players.map((/** @type {string[]} */ [, name]) => name).join(" – ")}`;
  showSeats(recorder, view, Boolean(over));
  by("status").textContent = recorder.edit ? "" : view.scene.status;
  by("status").dataset.sure = String(view.sure !== false);
  showTable(recorder, view, Boolean(over));
  showEntry(recorder, view);
  showLast(recorder, recorder.latest);
  by("undo").hidden = Boolean(view.closed);
  by("undo").disabled = !recorder.latest.undo.length && !recorder.edit;
  showSync(recorder);
  recorder.dialogs.show(view);
}

/**
 * Who plays, the scores, and who comes next; a tap picks who acts.
 * @param {Recorder} recorder @param {any} view @param {boolean} over
 */
function showSeats(recorder, view, over) {
  const { kind, player } = recorder.pick;
  const callsById = calls(view.moves);
  const phase = view.scene.status.includes(" · ") ? view.scene.status.split(" · ")[0].toLowerCase() : "";
  // Cheats count for the whole table together.
  const together = view.claims.includes("cheats") && view.players.length > 1;
  const cheats = view.scene.seats[0]?.score ?? 0;
  fill(
    by("seats"),
    view.scene.seats
      .map((/** @type {any} */ seat, /** @type {number} */ n) => {
        const id = view.players[n][0];
        const isPicked = id === player && !over;
        const turn = (seat.turn || isPicked) && !over;
        const doing = isPicked ? toDo(kind) : "to play";
        const small = turn
          ? [doing, phase && view.players.length < 3 ? phase : ""].filter(Boolean).join(" · ")
          : seat.word || callsById.get(id) || (over ? "" : handSize(view.scene.hands, n));
        return (
          `<li><button type="button" class="seat${seat.turn && !over ? " turn" : ""}"` +
          ` data-player="${safe(id)}" aria-pressed="${isPicked}" title="${safe(seat.name)}">` +
          `${chip(n, seat.name)}<bdi class="nm">${safe(seat.name)}</bdi>` +
          `<output>${together ? "" : (seat.score ?? "")}</output><small>${safe(small)}&nbsp;</small></button></li>`
        );
      })
      .join("") + (together ? `<li class="together">${plural(cheats, "cheat")} together</li>` : ""),
  );
  by("seats").dataset.count = String(view.players.length);
}

/** How many tiles a seat holds, if that is known. @param {any[]} hands @param {number} seat */
function handSize(hands, seat) {
  const hand = hands.find(({ owner }) => owner === seat);
  const count = hand && hand.unknown !== null ? hand.tiles.length + hand.unknown : 0;
  return count ? `${count} in hand` : "";
}

/**
 * The table: squares, stacks, or the tiles in the middle; places where the tile in hand fits are lit. A game that is
 * over and left nothing in the middle has no table.
 * @param {Recorder} recorder @param {any} view @param {boolean} over
 */
function showTable(recorder, view, over) {
  const { kind, tile } = recorder.pick;
  const { areas, goal } = view.scene;
  const grid = areas.find((/** @type {any} */ area) => area.type === "grid");
  const stackAreas =
    "stack" in view.form.names ? areas.filter((/** @type {any} */ area) => area.piles?.some(isStack)) : [];
  const hasTiles = areas.some(
    (/** @type {any} */ { type, piles }) =>
      type === "grid" ||
      piles?.some((/** @type {any} */ pile) => pile.tiles.length || (piles.length === 1 && pile.hidden)),
  );
  const alone = !grid && !("stack" in view.form.names) && (hasTiles || !over);
  // The size of the table comes first, then the drawing that fits it.
  by("stage").dataset.kind = grid ? "grid" : stackAreas.length ? "stacks" : alone ? "middle" : "empty";
  const lit = grid && tile && kind === "place" ? places(recorder.way("place"), tile) : [];
  if (grid) {
    const box = recorder.fit(grid);
    const room = by("stage");
    fill(
      by("table"),
      plan(grid, lit, box, recorder.names, squareSize(box, room.clientWidth || 358, room.clientHeight || 358), tile),
    );
  } else fill(by("table"), "");
  const litStacks = new Set(tile ? places(recorder.way("stack"), tile).map(([stack]) => String(stack)) : []);
  fill(by("rows"), stackAreas.length ? stacks(stackAreas, view.players, litStacks) : "");
  const rest = areas.filter(
    (/** @type {any} */ area) =>
      area.piles?.some((/** @type {any} */ pile) => pile.tiles.length) && !stackAreas.includes(area),
  );
  fill(by("middle"), alone ? contract(goal, view) + middle(areas, view) : "");
  const tray = new Set(recorder.way()?.tiles || []);
  // Tiles that are in the tray are not shown again.
  const beside = rest.filter(
    (/** @type {any} */ area) =>
      !(alone && area === areas[0]) &&
      !area.piles.every((/** @type {any} */ pile) => pile.tiles.length === 1 && tray.has(pile.tiles[0])),
  );
  fill(by("beside"), rows(beside, view.players));
}

/** The contract: "Cy bid 29", "5 of 29 taken". @param {any} goal @param {any} view */
function contract(goal, view) {
  if (!goal) return "";
  const name = safe(view.players[goal.seat][1]);
  const share = Math.min(1, goal.bid ? goal.done / goal.bid : 1);
  return (
    `<p class="contract"><b><bdi class="nm">${name}</bdi><span>bid&nbsp;${goal.bid}</span></b>` +
    `<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">` +
    `<rect class="way" width="100" height="8" rx="4"/>` +
    `<rect class="done" width="${(share * 100).toFixed(1)}" height="8" rx="4"/></svg>` +
    `<span>${goal.done} of ${goal.bid}&nbsp;taken</span></p>`
  );
}

/** @param {any[]} areas @param {any} view */
function middle(areas, view) {
  if ("bid" in view.form.names && view.form.ways.some((/** @type {any} */ way) => way.kind === "bid" && way.due)) {
    const highest = highestBid(view.moves);
    const name = view.players.find((/** @type {string[]} */ [id]) => id === highest?.player)?.[1] || "";
    return highest
      ? `<div class="bid"><span>Highest bid</span><strong>${highest.bid}</strong><b><bdi>${safe(name)}</bdi></b></div>`
      : '<div class="bid"><span>No bid yet</span></div>';
  }
  const area = areas[0];
  if (!area?.piles) return "";
  if (area.piles.length === 1 && area.piles[0].label === "pile") return heap(area.piles[0]);
  return area.piles.length
    ? `<div class="line">${rows([area], view.players)}</div>`
    : '<p class="quiet">No tile played yet</p>';
}

/** The last entry and its points. @param {Recorder} recorder @param {any} view */
function showLast(recorder, view) {
  const move = view.moves[view.moves.length - 1];
  // What nobody has judged yet is said in the phone's own words.
  const waiting = recorder.post.waiting[recorder.post.waiting.length - 1];
  const entry = view.sure === false ? waiting : null;
  const waits = `<span class="waits" title="Waiting to be saved">◐</span><span class="sr">Waiting to be saved</span>`;
  const mistake =
    move &&
    view.findings.find(
      (/** @type {any} */ { seq, verdict }) => seq === move.seq && (verdict === "breach" || verdict === "impossible"),
    );
  let line = '<span class="quiet">Nothing recorded yet</span>';
  if (entry) line = waits + phraseMarkup(phrase(entry.event, recorder.screen, recorder.names), view);
  else if (move)
    line =
      `${mistake ? flag(mistake.verdict) : waiting ? waits : icon("check")}` +
      `${phraseMarkup(move, view)}${pointsMarkup(move, view)}`;
  fill(by("last"), line);
  by("last").title = entry ? "" : mistake ? mistake.message : move?.words || "";
  by("turn").hidden = !recorder.placing.turns;
}
