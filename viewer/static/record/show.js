// Redraws the recorder after each change.
// @ts-check

import { bounds, fill, places, plan, rows, safe, slots, tray } from "./draw.js";

/** @param {string} id */
const by = (id) => /** @type {any} */ (document.getElementById(id));

const KINDS = ["layout", "draw", "over", "rank", "place", "stack", "play", "bid", "lift", "pass", "deal", "aside"];
/** In which order the kinds of acts are offered, where several may come next. */
export const inOrder = (one, other) => KINDS.indexOf(one) - KINDS.indexOf(other);
/** The kinds that name several tiles. */
export const MANY = ["layout", "deal", "aside"];
const CALLED = { layout: "Lay out", draw: "Draw", over: "Tile over", rank: "Ranking", place: "Place", stack: "Stack",
  play: "Play", bid: "Bid", lift: "Lift", pass: "Pass", deal: "Hand", aside: "Set aside" };
const ENDS = { left: "← Left end", right: "Right end →" };
const WAYS = { e: "east", s: "south", w: "west", n: "north" };

/** The whole screen. */
export function show(recorder, view) {
  document.documentElement.dataset.known = "yes";
  const { kind, player, tiles: [tile] } = recorder.pick;
  by("title").textContent = view.title;
  document.title = `${view.title} · ${view.players.map(([, name]) => name).join(" – ")}`;
  fill(by("seats"), view.scene.seats.map((seat, n) => (
    `<li><button type="button" data-player="${safe(view.players[n][0])}" aria-pressed="${view.players[n][0] === player}">`
    + `<b class="n${n % 4}">${safe(seat.name)}</b> <output>${seat.score ?? ""}</output> <small>${safe(seat.word)}</small></button></li>`)).join(""));
  by("status").textContent = recorder.edit ? "" : view.scene.status + (view.sure === false ? " (before what waits)" : "");
  by("status").dataset.sure = String(view.sure !== false);
  table(recorder, view, kind, tile);
  tabs(recorder, view, kind);
  choices(recorder, view, kind);
  last(recorder, recorder.edit ? recorder.screen : view);
  state(recorder);
  recorder.dialogs.show(view);
}

/** The squares and the piles; where the tile in hand may go is lit. */
function table(recorder, view, kind, tile) {
  const grid = view.scene.areas.find((area) => area.type === "grid");
  const way = recorder.way("place");
  const lit = grid && tile && kind === "place" ? places(way, tile) : [];
  // Places for any tile set the size, so that nothing jumps when one is taken up.
  if (grid) recorder.box = bounds(grid, places(way, null), recorder.wide, view.sure === false ? recorder.box : null);
  fill(by("table"), grid ? plan(grid, lit, recorder.box) : "");
  by("wider").hidden = !grid;
  const stacks = new Set(tile ? places(recorder.way("stack"), tile).map(([stack]) => String(stack)) : []);
  // What is only looked at stands below: it comes and goes, and what is tapped must not move under the finger.
  const built = "stack" in view.form.names ? view.scene.areas.filter((area) => area.piles?.some(({ label }) => /^\d+$/.test(label))) : [];
  fill(by("rows"), rows(built, view.players, stacks, true));
  fill(by("beside"), rows(view.scene.areas.filter((area) => !built.includes(area)), view.players, stacks, false));
  by("listed").hidden = !lit.length;
  fill(by("places"), lit.map(([x, y, way_, level], n) => (
    `<button type="button" data-place="${n}">column ${x}, row ${y}, ${WAYS[way_]}, level ${level}</button>`)).join(""));
}

/** The kinds of acts that may come next, and behind a button those that should not; a pass is one tap. */
function tabs(recorder, view, kind) {
  const due = new Set([kind, ...view.form.ways.filter((way) => way.due).map((way) => way.kind)]);
  const known = Object.keys(view.form.names).filter((one) => one !== "pass" && one !== "lift").sort(inOrder);
  const kinds = known.filter((one) => due.has(one) || recorder.all);
  const more = kinds.length < known.length ? '<button type="button" data-more aria-label="Other kinds of acts">⋯</button>' : "";
  const pass = "pass" in view.form.names ? `<button type="button" data-bare="pass" class="${recorder.way("pass")?.legal?.length ? "" : "dim"}">Pass</button>` : "";
  fill(by("kinds"), kinds.map((one) => `<button type="button" data-kind="${one}" aria-pressed="${one === kind}">${safe(CALLED[one] || one)}</button>`).join("") + pass + more);
}

/** The tiles, or the numbers, that can be named now. */
function choices(recorder, view, kind) {
  const way = recorder.way();
  const numbers = kind === "bid" || kind === "rank";
  const legal = way?.legal?.length && view.sure !== false ? new Set(way.legal.flatMap((group) => group.tiles)) : null;
  const tiles = way?.tiles || [];
  recorder.largest = Math.max(recorder.largest, ...tiles.map((tile) => Number(tile.split("-")[1])));
  const key = `${kind}/${recorder.pick.player}`;
  const stand = slots(tiles, recorder.slots.get(key) || [], recorder.largest);
  recorder.slots.set(key, stand);
  const at = (way?.legal || []).flatMap((group) => group.at);
  // Without an answer the legal bids are unknown, so the earlier ones are offered.
  if (at.length > (recorder.numbers.get(kind)?.length || 0)) recorder.numbers.set(kind, at);
  fill(by("tray"), numbers
    ? (at.length ? at : recorder.numbers.get(kind) || way?.open || []).map((one) => `<button type="button" class="number" data-bare="${kind}" data-at="${one}">${one[0]}${one[1] ? ` ${one[1] === "regular" ? "↓" : "↑"}` : ""}</button>`).join("")
    : tray(stand, legal, recorder.pick.tiles, recorder.pick.held));
  by("tray").classList.toggle("many", recorder.largest > 7 && tiles.length > 16);
  ends(recorder, view, kind);
  by("other").hidden = kind !== "bid";
  by("done").hidden = !MANY.includes(kind) || !recorder.pick.tiles.length || recorder.pick.tiles.length === way?.count;
  const wanted = MANY.includes(kind) && way?.count ? `${recorder.pick.tiles.length} of ${way.count} tiles` : "";
  const which = kind === "play" && recorder.pick.tiles.length ? `At which end does the ${recorder.pick.tiles[0]} go?` : "";
  by("wanted").textContent = wanted || which || (kind === "rank" ? "↓ the order runs down from it, ↑ it is reversed" : "");
}

/** The ends of a line; where the tile in hand may go is lit.  They stay while tiles are played, so that nothing jumps. */
function ends(recorder, view, kind) {
  const asked = kind === "play" && view.form.names.play.includes("end");
  const { tiles: [tile], end } = recorder.pick;
  const lit = new Set(tile ? places(recorder.way("play"), tile).map(([one]) => one) : []);
  fill(by("ends"), asked ? Object.entries(ENDS).map(([one, called]) => (
    `<button type="button" data-end="${one}" class="${lit.has(one) ? "lit" : ""}" aria-pressed="${one === end}">${called}</button>`)).join("") : "");
  by("ends").hidden = !asked;
}

/** What was recorded last, and what it scored. */
function last(recorder, view) {
  const move = view.moves[view.moves.length - 1];
  // What waits is said in the phone's own words, until the ledger has said how it looks.
  const entry = view.sure === false ? recorder.post.waiting[recorder.post.waiting.length - 1] : null;
  const wrong = move && view.findings.find(({ seq, verdict }) => seq === move.seq && (verdict === "breach" || verdict === "impossible"));
  const stands = move ? `${safe(move.words)}${move.gained ? ` <b>+${move.gained}</b>` : ""}${wrong ? ` <b class="m breach">⚑ ${safe(wrong.clause)}</b>` : ""}` : "Nothing is recorded yet.";
  fill(by("last"), entry ? safe(recorder.dialogs.words(entry.event)) : stands);
  by("turn").hidden = !(recorder.cycle && recorder.cycle.id && recorder.cycle.all.length > 1);
  by("undo").disabled = !move && !entry;
}

/** Where what was entered is: on this phone, on its way, recorded. */
export function state(recorder) {
  const waiting = recorder.post.waiting.length;
  const refused = recorder.queue.filter((entry) => entry.state === "refused").length;
  const line = by("sync");
  let said = "recorded";
  if (!recorder.secret) said = "watching only: this phone has no key to this record";
  else if (recorder.post.gone) said = waiting ? `the ledger has lost this game: ${waiting} kept on this phone` : "the ledger has lost this game";
  else if (recorder.post.locked) said = `${waiting} kept on this phone: ${recorder.post.reason}`;
  else if (waiting && recorder.post.offline) said = `on this phone, ${waiting} waiting for a connection`;
  else if (waiting && recorder.post.sending.length) said = `waiting: ${waiting}`;
  else if (waiting) said = `on this phone: ${waiting}`;
  else if (recorder.post.offline) said = "recorded; no connection now";
  if (refused) said += `, ${refused} refused`;
  if (line.textContent !== said) line.textContent = said;
  line.dataset.total = String(recorder.upto);
  line.className = waiting || recorder.post.gone ? (recorder.post.offline || recorder.post.gone ? "offline" : "waiting") : "recorded";
}
