// Draws what can be entered next: the question, the kinds of acts, the tray, the stepper for bids.

import { footprints, fromOtherHalf, places, quickBids, slots, squares } from "../pieces/tile_geometry.js";
import { by, drawn, fill, plural, setText, safe, stamp } from "../pieces/markup.js";
import { besidePad, KEYS, lying, MANY, padKeys, rows, usesPad } from "./number_pad.js";
import { overOf } from "./taps.js";

/** How many moves back an act came lately. */
const LATELY = 8;

/** @param {Recorder} recorder @param {View} view */
export function showEntry(recorder, view) {
  const { kind, tile, tiles } = recorder.pick;
  const { many } = recorder.prompt() || {};
  showQuestion(recorder, view);
  showWhose(recorder, view);
  // Keys of nobody have the room of the last ones, so that nothing moves.
  if (recorder.pick.player) {
    showKinds(recorder, view);
    showKeys(recorder, view);
    showBids(recorder, view);
    showEnds(recorder, view);
  }
  by("done").hidden = !many || !tiles.length || tiles.length === recorder.way()?.count;
  const over = overOf(recorder);
  by("rest").hidden = over < 0;
  by("rest").textContent = over > 0 ? `All but ${over}` : "The rest";
  by("rest").title = plural(recorder.way()?.tiles?.length || 0, "tile") + " left";
  by("skip").hidden = kind !== "deal" || Boolean(recorder.edit) || tiles.length > 0;
  const held = tile && !many ? tile : "";
  fill(by("held"), held && drawn("face", held));
  by("held").hidden = !held;
  by("held").dataset.tile = held;
  by("held").ariaLabel = `Put the ${held} back`;
  by("elsewhere").hidden = kind !== "place" || !tile;
  setText("elsewhere", recorder.placing.free ? "More squares" : "Somewhere else");
}

/** Milliseconds for which the keys stay after an entry: the ledger may say at once whose turn it is. */
const AT_ONCE = 1000;

/** A player's badge, as it is at the seat. @param {string} id */
export const badge = (id) => by("seats").querySelector(`[data-player="${CSS.escape(id)}"] .who`)?.outerHTML || "";

/** The seats as keys, while nobody knows whose turn it is. @param {Recorder} recorder @param {View} view */
function showWhose(recorder, view) {
  const { pick, contact, writer } = recorder;
  const left = contact.trouble ? 0 : writer.entered + AT_ONCE - performance.now();
  const asks = !pick.player && left <= 0;
  if (!pick.player && !asks) setTimeout(() => recorder.latest && showWhose(recorder, recorder.view), left);
  document.documentElement.classList.toggle("asks-who", asks);
  const keys = view.players.map(([id, name]) =>
    stamp("seat-key", { id: safe(id), badge: badge(id), name: safe(name) }),
  );
  fill(by("whose"), asks ? keys.join("") : "");
}

/** @param {Recorder} recorder @param {View} view */
function nameOf(recorder, view) {
  return view.players.find(([id]) => id === recorder.pick.player)?.[1] || "";
}

/** The legal numbers of a bid. @param {Recorder} recorder @returns {number[]} */
const legalBids = (recorder) => (recorder.way("bid")?.legal || []).flatMap((group) => group.at).map((at) => at[0]);

/** How many tiles are named. @param {number | undefined} count */
const tilesWord = (count) => (count ? (count === 1 ? "tile" : `${count} tiles`) : "tiles");

/** What this moment adds to a hint. @param {Recorder} recorder @param {Way | undefined} way @param {number[]} bids */
function hintNow(recorder, way, bids) {
  const { kind, tile, tiles, numbers } = recorder.pick;
  const lift = Boolean(recorder.way("lift")?.legal?.length);
  if (lying(recorder)) return "One place is left: tap the tile as it will lie";
  const over = tiles.length - (way?.count || tiles.length);
  if (over > 0) return `${over} too many: tap what is not in the hand`;
  if (recorder.prompt()?.many) {
    const taken = tiles.length ? `${tiles.length} of ${way?.count || "?"}` : "";
    const how = usesPad(recorder) && !numbers.length ? "tap a number, then its tiles" : "";
    return [taken, how].filter(Boolean).join(" · ");
  }
  if (numbers.length === 1 && !tile) return `${numbers[0]} and …? Tap the other number`;
  if (kind === "bid" && bids.length) return Math.min(...bids) ? `above ${Math.min(...bids) - 1}` : "from 0";
  if (kind === "play" && way?.tiles?.length && way.tiles.length <= 16) return `${way.tiles.length} in hand`;
  if (tile || (kind !== "place" && kind !== "draw")) return "";
  return lift ? "or tap one on the table to lift it" : "";
}

/** Where the tile in hand may go. @param {Recorder} recorder */
function fits(recorder) {
  const { kind, tile } = recorder.pick;
  if (kind === "place" && recorder.pick.anywhere) return "tap any two squares";
  const count = kind === "place" ? footprints(recorder.placing.legal).length : places(recorder.way(), tile).length;
  return count ? `fits ${plural(count, kind === "place" ? "place" : "stack")}` : "fits nowhere";
}

/** What nobody knows without the rules, and why. @param {Recorder} recorder */
function unknown({ pick, contact, versions }) {
  const what = pick.player ? "what fits" : "the turn";
  if (versions.pair) return `Choose first what happened: ${what} is not known`;
  return contact.trouble === "offline"
    ? `No connection: ${what} is not known now`
    : `The rules are not here yet: ${what} is not known`;
}

/** @param {Recorder} recorder @param {View} view */
function showQuestion(recorder, view) {
  const { kind, player, tile } = recorder.pick;
  const way = recorder.way();
  const prompt = recorder.prompt() || /** @type {Prompt} */ ({ kind, label: "", doing: "", ask: "" });
  const passes = Boolean(recorder.way("pass")?.legal?.length);
  const plays = prompt.lays && !prompt.dealt ? true : kind === "pass";
  const mustPass = plays && passes && recorder.sure && !(kind !== "pass" && way?.legal?.length);
  const inHand = Boolean(tile && prompt.held);
  /** @type {Record<string, string>} */
  const values = {
    who: nameOf(recorder, view),
    tiles: tilesWord(way?.count),
    tile: tile.replace("-", "\u2011"),
    tap: usesPad(recorder) ? "two numbers" : "a tile",
    fits: inHand ? fits(recorder) : "",
  };
  const filled = (/** @type {string} */ text) => text.replace(/{(\w+)}/g, (_, name) => values[name]);
  setText("ask", player ? filled((inHand && prompt.held) || prompt.again?.[player] || prompt.ask) : "Who plays?");
  by("ask").dataset.kind = kind;
  const hint = inHand ? prompt.held_hint || "" : hintNow(recorder, way, kind === "bid" ? legalBids(recorder) : []);
  const instead = recorder.edit?.only === "tile" ? "" : prompt.hint;
  const here = mustPass ? "No tile fits: pass" : filled(hint || (inHand ? "" : instead || ""));
  setText("hint", recorder.sure ? here : unknown(recorder));
  const mayPass = passes || kind === "pass" || recorder.all || !recorder.sure;
  by("pass").hidden = !plays || !("pass" in view.form.names) || inHand || !mayPass;
  by("pass").classList.toggle("dim", !passes);
  by("pass").classList.toggle("go", mustPass);
}

/** The kinds of acts that are due, and a button for the others. @param {Recorder} recorder @param {View} view */
function showKinds(recorder, view) {
  const { kind } = recorder.pick;
  const due = new Set([kind, ...view.form.ways.filter((way) => way.due).map((way) => way.kind)]);
  const allKinds = view.prompts.filter((choice) => choice.kind !== "pass" && choice.kind !== "lift");
  // While nobody knows what comes next, it is most likely what came lately.
  const events = [...view.moves.slice(-LATELY).map((move) => move.event), ...recorder.views.unjudged];
  if (!recorder.sure) for (const { type } of events) due.add(type);
  const kinds = allKinds.filter((choice) => due.has(choice.kind) || recorder.all);
  const chips = kinds.map((choice) => {
    const pressed = choice.kind === kind;
    const more = choice.kind === "deal" && !pressed ? " <small>optional</small>" : "";
    return stamp("kind", { kind: choice.kind, pressed, label: safe(choice.label), more });
  });
  fill(by("kinds"), chips.length > 1 ? chips.join("") : "");
  const passIsHidden = "pass" in view.form.names && by("pass").hidden;
  by("other-kinds").hidden = kinds.length === allKinds.length && !passIsHidden;
}

/** The keys: the numbers of the pad, or the tiles themselves. @param {Recorder} recorder @param {View} view */
function showKeys(recorder, view) {
  const { kind, player, held, tiles: chosen } = recorder.pick;
  const { parts } = view;
  const way = recorder.way();
  const tiles = way?.tiles || [];
  const pad = usesPad(recorder);
  fill(by("pad"), pad ? padKeys(recorder, parts.largest) : "");
  by("pad").hidden = !pad;
  const legal = way?.legal?.length && recorder.sure ? new Set(way.legal.flatMap((group) => group.tiles)) : null;
  const many = Boolean(recorder.prompt()?.many);
  const key = `${kind}/${player}`;
  const slotTiles = slots(tiles, recorder.slots.get(key) || [], many ? MANY : KEYS * rows(recorder));
  recorder.slots.set(key, slotTiles);
  const both = lying(recorder);
  // Beside the pad, a tap names one of several tiles, or takes it away.
  const shown = pad ? besidePad(recorder) : slotTiles;
  by("tray").hidden = kind === "bid" || (pad && !many && !both);
  let keys = shown.map((tile) => tileButton(tile, legal, chosen, held)).join("");
  if (kind === "rank") keys = rankings(way);
  if (both) keys = both.map((one) => bothWays(one, recorder)).join("");
  fill(by("tray"), keys);
  by("tray").classList.toggle("many", !pad && tiles.length > 28);
  document.documentElement.classList.toggle("writing", many && !pad);
}

/** @param {string} tile @param {Set<string> | null} legal @param {string[]} chosen @param {string} held */
function tileButton(tile, legal, chosen, held) {
  if (!tile) return stamp("no-key");
  const isChosen = chosen.includes(tile);
  const half = isChosen && held ? `<use class="held" href="#half"${held === "high" ? ' x="1"' : ""}/>` : "";
  const dim = legal && !legal.has(tile) ? " dim" : "";
  return stamp("key", { tile, dim, chosen: isChosen, face: drawn("face", tile, { more: half }) });
}

/**
 * A tile as it will lie where alone it may, one way round over the other; the upper half first where it will stand.
 * @param {{ tile: string, ways: any[] }} one @param {Recorder} recorder
 */
function bothWays({ tile, ways }, { names, placing }) {
  if (!ways.length) return stamp("ways", { keys: tileButton(tile, new Set(), [], "") });
  const { cells } = placing.onlyPair || { cells: [] };
  const where = names.pair(cells);
  const look = cells[0][0] === cells[1][0] ? "standing" : "face";
  const keys = ways
    .map((at) => ({ at, lies: `${squares(at)[0]}` === `${cells[0]}` ? tile : fromOtherHalf(tile) }))
    .sort((one, other) => Number(one.lies !== tile) - Number(other.lies !== tile))
    .map(({ at, lies }) => stamp("way", { tile, at, lies, where, face: drawn(look, lies) }));
  return stamp("ways", { keys: keys.join("") });
}

/** @param {Way | undefined} way */
function rankings(way) {
  const legal = (way?.legal || []).flatMap((group) => group.at);
  const all = legal.length ? legal : way?.open || [];
  const keys = all.map((at) => {
    const [way, sign] = at[1] === "regular" ? ["downwards", "↓"] : ["upwards", "↑"];
    return stamp("ranking", { at, high: at[0], way, sign });
  });
  return keys.join("");
}

/** The stepper for a bid: it begins with the lowest legal one. @param {Recorder} recorder @param {View} view */
function showBids(recorder, view) {
  const { kind, number } = recorder.pick;
  by("bids").hidden = kind !== "bid";
  if (kind !== "bid") return;
  const legal = legalBids(recorder);
  const lowest = legal.length ? Math.min(...legal) : view.parts.least;
  const bid = number ?? lowest;
  const field = by("number");
  if (document.activeElement !== field || number === null) field.value = String(bid);
  const round = (/** @type {number} */ n) => `<button type="button" class="btn" data-number="${n}">${n}</button>`;
  fill(by("quick"), quickBids(legal).map(round).join(""));
  by("less").disabled = bid <= 0;
  setText("enter-bid", `${nameOf(recorder, view) || "?"} bids ${bid}`);
  by("enter-bid").classList.toggle("go", !legal.length || legal.includes(bid));
}

/** The ends of a line, which stay while tiles are played. @param {Recorder} recorder @param {View} view */
function showEnds(recorder, view) {
  const { kind, tile, end } = recorder.pick;
  const hasEnds = kind === "play" && view.form.names.play.includes("end");
  const lit = new Set(tile ? places(recorder.way("play"), tile).map(([name]) => name) : []);
  for (const button of by("ends").children) {
    button.classList.toggle("lit", lit.has(button.dataset.end));
    button.ariaPressed = String(button.dataset.end === end);
  }
  by("ends").hidden = !hasEnds;
}
