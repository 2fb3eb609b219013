// What waits on this phone, in plain words, before the rules have judged it.

import { isolated, safe } from "./markup.js";

/** What a player does, by the kind of act; the button has another form. @type {Record<string, string>} */
const DOES = {
  place: "plays",
  stack: "plays",
  play: "plays",
  bid: "bids",
  pass: "passes",
  lift: "lifts",
  draw: "draws",
  over: "takes",
  deal: "has",
  aside: "sets aside",
  layout: "lays out",
  rank: "ranks",
};

/** The number of a move as people count: its place in the list. @param {View} view @param {number} seq */
export const numberOf = (view, seq) => view.moves.findIndex((move) => move.seq === seq) + 1;

/** An entry in plain words: “Ana plays 3-6”. @param {GameEvent} event @param {View} view @returns {string} */
export function plainly(event, view) {
  const earlier = view.moves.find(({ seq }) => seq === (event.seq ?? event.before))?.words || "an entry";
  if (event.type === "retract") return `Deleted: ${earlier}`;
  if (event.type === "amend") return `Changed: ${earlier} to ${plainly(event.event, view)}`;
  if (event.type === "insert") return `Inserted: ${plainly(event.event, view)}`;
  const name = view.players.find(([id]) => id === event.player)?.[1];
  const label = view.prompts.find(({ kind }) => kind === event.type)?.label || event.type;
  const tiles = [event.tile, ...(event.tiles?.length ? event.tiles : [])].filter(Boolean);
  const number = event.bid ?? event.high ?? "";
  const words = [tiles.join(", ").replaceAll("-", "\u2011"), number].filter((part) => part !== "");
  const does = name && DOES[event.type];
  if (does) return [isolated(name), does, ...words].join(" ").trimEnd();
  return [name ? `${isolated(name)}: ${label}` : label, ...words].join(" ").trimEnd();
}

/** All that waits, as a list. @param {GameEvent[]} events @param {View} view */
export const listed = (events, view) =>
  `<ul class="waiting" aria-label="Waiting">${events
    .map((event) => `<li><span class="waits">◐</span> ${safe(plainly(event, view))}</li>`)
    .join("")}</ul>`;

/** Who plays, by the first event. @param {GameEvent | undefined} opening @returns {string[]} */
export const playersOf = (opening) => (opening?.players || []).map((one) => one.name || one.id);
