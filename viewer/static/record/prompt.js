// What to do next, in words: a heading, and a hint beside it.
// @ts-check

/** The kinds of acts, in the order in which they are offered if several may come next. */
export const KINDS = [
  "layout",
  "draw",
  "over",
  "rank",
  "place",
  "stack",
  "play",
  "bid",
  "lift",
  "pass",
  "deal",
  "aside",
];
/** The kinds that name several tiles. */
export const MANY = ["layout", "deal", "aside"];
/** The names of the kinds on buttons. */
export const CALLED = /** @type {Record<string, string>} */ ({
  layout: "Lay out",
  draw: "Draw",
  over: "Tile over",
  rank: "Ranking",
  place: "Place",
  stack: "Stack",
  play: "Play",
  bid: "Bid",
  lift: "Lift",
  pass: "Pass",
  deal: "Hand",
  aside: "Set aside",
});
/** What a player is about to do. */
const TO_DO = /** @type {Record<string, string>} */ ({
  layout: "to lay out",
  draw: "to draw",
  over: "takes the tile over",
  rank: "to rank",
  place: "to play",
  stack: "to play",
  play: "to play",
  bid: "to bid",
  lift: "to lift",
  pass: "to pass",
  deal: "hand",
  aside: "to set aside",
});

/** @param {string} kind @param {string} other */
export const inOrder = (kind, other) => KINDS.indexOf(kind) - KINDS.indexOf(other);

/** @param {string} kind */
export const toDo = (kind) => TO_DO[kind] || "";

const hard = (/** @type {string} */ tile) => tile.replace("-", "\u2011");
const tiles = (/** @type {number | undefined} */ count) =>
  count ? (count === 1 ? "tile" : `${count} tiles`) : "tiles";

/**
 * What another tap on the tile does that was laid last.  At once it turns the tile, later it lifts it.
 * @param {boolean} lift whether a tile may be lifted @param {boolean} turned whether a tap has just turned it
 */
function turning(lift, turned) {
  if (!lift) return "tap it again to turn it";
  return turned ? "turned; to lift it, wait a moment, then tap it" : "tap it at once to turn it, later to lift it";
}

/**
 * The heading and the hint for what is entered next.
 * @param {{ kind: string, who: string, tile: string, chosen: number, count?: number, tray: number,
 *   lowest: number | null, lift: boolean, tie: boolean, line: boolean, turn: boolean, turned: boolean }} now
 * @returns {{ask: string, hint: string}}
 */
export function prompt({ kind, who, tile, chosen, count, tray, lowest, lift, tie, line, turn, turned }) {
  const progress = chosen ? `${chosen} of ${count || "?"}` : "";
  const lifting = lift ? "or tap one on the table to lift it" : "";
  const again = turn ? turning(lift, turned) : "";
  switch (kind) {
    case "layout":
      return { ask: `Tap the ${tiles(count)} that ${who} lays out`, hint: progress };
    case "deal":
      return { ask: `Tap the ${tiles(count)} in ${who}’s hand`, hint: progress || "Hands may be skipped" };
    case "aside":
      return { ask: `Tap the ${tiles(count)} that are set aside`, hint: progress };
    case "draw":
      return {
        ask: tie ? `A tie: tap the tile that ${who} draws now` : `Tap the tile that ${who} draws`,
        hint: again || lifting,
      };
    case "over":
      return { ask: `Tap the tile over, which goes to ${who}`, hint: "" };
    case "rank":
      return { ask: `Which number does ${who} rank highest?`, hint: "↓ the others follow downwards, ↑ upwards" };
    case "bid":
      return {
        ask: `What does ${who} bid?`,
        hint: lowest === null ? "" : lowest > 0 ? `above ${lowest - 1}` : "from 0",
      };
    case "place":
      return tile
        ? { ask: "Now tap its place", hint: "again to turn it" }
        : { ask: `${who} plays`, hint: again || lifting || "tap a tile, then its place" };
    case "stack":
      return tile
        ? { ask: "Now tap its stack", hint: `for the ${hard(tile)}` }
        : { ask: `${who} plays`, hint: "tap a tile, then its stack" };
    case "play":
      if (line && tile) return { ask: `Which end does the ${hard(tile)} go to?`, hint: "" };
      return { ask: `${who} plays`, hint: tray && tray <= 16 ? `${tray} in hand` : "tap the tile" };
    case "lift":
      return { ask: `${who} lifts`, hint: "tap the tile here or on the table" };
    default:
      return { ask: `${CALLED[kind] || kind}: ${who}`, hint: progress };
  }
}

/**
 * Whether a player draws once more because the draws were equal: the last acts are draws, one of them by this player.
 * @param {any[]} moves @param {string} player
 */
export function isTie(moves, player) {
  for (const { event } of [...moves].reverse()) {
    if (event.type !== "draw") return false;
    if (event.player === player) return true;
  }
  return false;
}

/** The bids and passes of a round that still runs, the latest first. @param {any[]} moves @returns {any[]} */
function round(moves) {
  const events = moves
    .map(({ event }) => event)
    .filter(({ type }) => type !== "note")
    .reverse();
  const end = events.findIndex(({ type }) => type !== "bid" && type !== "pass");
  return end < 0 ? events : events.slice(0, end);
}

/** What the players said in a round of bids that still runs, by id: "bid 5", "passed". @param {any[]} moves */
export function calls(moves) {
  const words = new Map();
  for (const event of round(moves)) {
    if (!words.has(event.player)) words.set(event.player, event.type === "bid" ? `bid ${event.bid}` : "passed");
  }
  return words;
}

/**
 * The highest bid of a round that still runs, the first of equal ones.
 * @param {any[]} moves @returns {{player: string, bid: number} | null}
 */
export function highestBid(moves) {
  const bids = round(moves)
    .filter(({ type }) => type === "bid")
    .reverse();
  return bids.reduce((highest, event) => (highest && highest.bid >= event.bid ? highest : event), null);
}
