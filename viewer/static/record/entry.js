// Draws what can be entered next: the question, the kinds of acts, the tray, the stepper for bids.
// @ts-check

import { places, quickBids, slots } from "./geometry.js";
import { by, face, fill, safe } from "./marks.js";
import { CALLED, highestBid, inOrder, isTie, MANY, prompt } from "./prompt.js";

/** @typedef {import("./recorder.js").Recorder} Recorder */

const ENDS = { left: "← Left end", right: "Right end →" };

/** @param {Recorder} recorder @param {any} view */
export function showEntry(recorder, view) {
  const { kind } = recorder.pick;
  showQuestion(recorder, view);
  showKinds(recorder, view);
  showTray(recorder);
  showBids(recorder, view);
  showEnds(recorder, view);
  const { tiles } = recorder.pick;
  by("done").hidden = !MANY.includes(kind) || !tiles.length || tiles.length === recorder.way()?.count;
  by("skip").hidden = kind !== "deal" || Boolean(recorder.edit) || tiles.length > 0;
  // Only the base can grow beyond the squares that are shown.
  by("wider").hidden = kind !== "place" || (recorder.sure && (recorder.box?.level || 0) > 1 && !recorder.all);
}

/** @param {Recorder} recorder @param {any} view */
function nameOf(recorder, view) {
  return view.players.find((/** @type {string[]} */ [id]) => id === recorder.pick.player)?.[1] || "";
}

/** The legal numbers of a bid. @param {Recorder} recorder @returns {number[]} */
const legalBids = (recorder) =>
  (recorder.way("bid")?.legal || [])
    .flatMap((/** @type {any} */ group) => group.at)
    .map((/** @type {any[]} */ at) => at[0]);

/** @param {Recorder} recorder @param {any} view */
function showQuestion(recorder, view) {
  const { kind, player, tile, tiles } = recorder.pick;
  const way = recorder.way();
  const passes = Boolean(recorder.way("pass")?.legal?.length);
  const plays = ["place", "stack", "play", "pass"].includes(kind);
  const mustPass = plays && passes && recorder.sure && !(kind !== "pass" && way?.legal?.length);
  const bids = kind === "bid" ? legalBids(recorder) : [];
  const { ask, hint } = prompt({
    kind,
    who: nameOf(recorder, view),
    tile: kind === "draw" ? "" : tile,
    chosen: MANY.includes(kind) ? tiles.length : 0,
    count: way?.count,
    tray: way?.tiles?.length || 0,
    lowest: bids.length ? Math.min(...bids) : null,
    lift: Boolean(recorder.way("lift")?.legal?.length),
    line: kind === "play" && view.form.names.play.includes("end"),
    tie: kind === "draw" && "layout" in view.form.names && isTie(view.moves, player),
    turn: recorder.placing.turns,
    turned: recorder.placing.tapped,
  });
  by("ask").textContent = ask;
  by("ask").dataset.kind = kind;
  by("hint").textContent = !recorder.sure
    ? "No connection: what fits is not known now"
    : mustPass
      ? "No tile fits: pass"
      : hint;
  by("pass").hidden = !plays || !("pass" in view.form.names);
  by("pass").classList.toggle("dim", !passes);
  by("pass").classList.toggle("go", mustPass);
}

/**
 * The kinds of acts that may come next, and behind a button those that should not.
 * @param {Recorder} recorder @param {any} view
 */
function showKinds(recorder, view) {
  const { kind } = recorder.pick;
  const due = new Set([
    kind,
    ...view.form.ways.filter((/** @type {any} */ way) => way.due).map((/** @type {any} */ way) => way.kind),
  ]);
  const allKinds = Object.keys(view.form.names)
    .filter((choice) => choice !== "pass" && choice !== "lift")
    .sort(inOrder);
  const kinds = allKinds.filter((choice) => due.has(choice) || recorder.all || !recorder.sure);
  const label = (/** @type {string} */ choice) =>
    `${safe(CALLED[choice] || choice)}${choice === "deal" && choice !== kind ? " <small>optional</small>" : ""}`;
  fill(
    by("kinds"),
    kinds.length > 1
      ? kinds
          .map(
            (choice) =>
              `<button type="button" class="chip" data-kind="${choice}" aria-pressed="${choice === kind}">` +
              `${label(choice)}</button>`,
          )
          .join("")
      : "",
  );
  by("other-kinds").hidden = kinds.length === allKinds.length;
}

/** The tiles, or the rankings, that can be named now. @param {Recorder} recorder */
function showTray(recorder) {
  const { kind, player, held, tiles: chosen } = recorder.pick;
  const way = recorder.way();
  const tiles = way?.tiles || [];
  const legal =
    way?.legal?.length && recorder.sure ? new Set(way.legal.flatMap((/** @type {any} */ group) => group.tiles)) : null;
  const key = `${kind}/${player}`;
  const slotTiles = slots(tiles, recorder.slots.get(key) || []);
  recorder.slots.set(key, slotTiles);
  fill(
    by("tray"),
    kind === "rank" ? rankings(way) : slotTiles.map((tile) => tileButton(tile, legal, chosen, held)).join(""),
  );
  by("tray").hidden = kind === "bid";
  by("tray").classList.toggle("many", tiles.length > 28);
}

/** @param {string} tile @param {Set<string> | null} legal @param {string[]} chosen @param {string} held */
function tileButton(tile, legal, chosen, held) {
  if (!tile) return '<button type="button" class="gone" tabindex="-1" aria-hidden="true"></button>';
  const isChosen = chosen.includes(tile);
  const half = isChosen && held ? `<use class="held" href="#half"${held === "high" ? ' x="1"' : ""}/>` : "";
  return (
    `<button type="button" class="tile${legal && !legal.has(tile) ? " dim" : ""}"` +
    ` data-tile="${tile}" aria-pressed="${isChosen}" aria-label="${tile}">${face(tile, half)}</button>`
  );
}

/** @param {any} way */
function rankings(way) {
  const legal = (way?.legal || []).flatMap((/** @type {any} */ group) => group.at);
  const all = legal.length ? legal : way?.open || [];
  return all
    .map(
      (/** @type {any[]} */ ranking) =>
        `<button type="button" class="number" data-bare="rank" data-at="${ranking}" aria-label="${ranking[0]},` +
        ` ${ranking[1] === "regular" ? "downwards" : "upwards"}">` +
        `${ranking[0]}&nbsp;${ranking[1] === "regular" ? "↓" : "↑"}</button>`,
    )
    .join("");
}

/** The stepper for a bid: it begins with the lowest legal one. @param {Recorder} recorder @param {any} view */
function showBids(recorder, view) {
  const { kind, number } = recorder.pick;
  by("bids").hidden = kind !== "bid";
  if (kind !== "bid") return;
  const legal = legalBids(recorder);
  const lowest = legal.length ? Math.min(...legal) : (highestBid(view.moves)?.bid ?? -1) + 1;
  const bid = number ?? lowest;
  const field = by("number");
  if (document.activeElement !== field || number === null) field.value = String(bid);
  fill(
    by("quick"),
    quickBids(legal)
      .map((amount) => `<button type="button" class="btn" data-number="${amount}">${amount}</button>`)
      .join(""),
  );
  by("less").disabled = bid <= 0;
  by("enter-bid").textContent = `${nameOf(recorder, view)} bids ${bid}`;
  by("enter-bid").classList.toggle("go", !legal.length || legal.includes(bid));
}

/**
 * The ends of a line; where the tile in hand may go is lit.  They stay while tiles are played, so that nothing jumps.
 * @param {Recorder} recorder @param {any} view
 */
function showEnds(recorder, view) {
  const { kind, tile, end } = recorder.pick;
  const hasEnds = kind === "play" && view.form.names.play.includes("end");
  const lit = new Set(tile ? places(recorder.way("play"), tile).map(([name]) => name) : []);
  fill(
    by("ends"),
    hasEnds
      ? Object.entries(ENDS)
          .map(
            ([name, label]) =>
              `<button type="button" class="btn tap${lit.has(name) ? " lit" : ""}"` +
              ` data-end="${name}" aria-pressed="${name === end}">${label}</button>`,
          )
          .join("")
      : "",
  );
  by("ends").hidden = !hasEnds;
}
