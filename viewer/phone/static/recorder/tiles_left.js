// The tiles that nobody has seen yet, and where each of them fits.

import { lowFirst, squares, SquareNames } from "../pieces/tile_geometry.js";
import { head } from "../pieces/dialog_parts.js";
import { by, drawn, plural, safe, stamp } from "../pieces/markup.js";

const ACTS = ["place", "stack", "play"];
/** The most places that are named; if there are more, only their number is shown. */
const NAMED = 4;

/**
 * Who could still play what: the tiles, and for each the places where it fits, by player; players with the same tiles
 * and places share an entry.
 * @param {View} view
 * @returns {{players: string[], due: boolean, kind: string, tiles: string[], fits: Map<string, any[][]>}[]}
 */
export function remaining(view) {
  const groups = new Map();
  for (const way of view.form.ways) {
    if (!ACTS.includes(way.kind) || !way.tiles?.length) continue;
    const fits = new Map();
    for (const group of way.legal || [])
      for (const tile of group.tiles) fits.set(tile, [...(fits.get(tile) || []), ...group.at]);
    const key = JSON.stringify([way.tiles, way.due, [...fits]]);
    const tiles = way.tiles.map(lowFirst);
    const entry = groups.get(key) || { players: [], due: way.due, kind: way.kind, tiles, fits };
    entry.players.push(way.player);
    groups.set(key, entry);
  }
  return [...groups.values()].sort((a, b) => Number(b.due) - Number(a.due));
}

/** Tiles that fit the same places, together. @param {Map<string, any[][]>} fits @returns {[string[], any[][]][]} */
export function alike(fits) {
  const groups = new Map();
  for (const [tile, at] of fits) {
    const [tiles] = groups.get(JSON.stringify(at)) || [[]];
    groups.set(JSON.stringify(at), [[...tiles, tile], at]);
  }
  return [...groups.values()];
}

/** Players as the seats show them; `undefined` is all of them. @param {(string | undefined)[]} players */
function ownersOf(players) {
  const seats = /** @type {HTMLElement[]} */ ([...by("seats").querySelectorAll("[data-player]")]);
  return seats
    .filter(({ dataset }) => players.includes(dataset.player) || players.includes(undefined))
    .map((seat) => [".who", "bdi"].map((part) => seat.querySelector(part)?.outerHTML).join(""))
    .join(" ");
}

/** Opens the dialog with them. @param {Recorder} recorder */
export function openLeft({ view, sure, names }) {
  const groups = remaining(view);
  by("left").innerHTML =
    `${head("Tiles left")}${sure ? "" : '<p class="soft">No connection: what fits is not known now.</p>'}` +
    (groups.map((group) => section(group, sure, groups.length > 1, names)).join("") ||
      "<p>No tiles are left to play.</p>");
  by("left").showModal();
}

/** @typedef {ReturnType<typeof remaining>[0]} Group */

/** @param {Group} group @param {boolean} sure @param {boolean} named @param {SquareNames} names */
function section({ players, due, kind, tiles, fits }, sure, named, names) {
  const strip = (/** @type {string[]} */ some) =>
    stamp("strip", { tiles: some.map((tile) => drawn("in-text", tile)).join(" ") });
  const count = plural(tiles.length, "tile");
  const not = kind === "play" ? "not played" : "not placed";
  const title = { owners: named ? `${ownersOf(players)} ` : "", count, not };
  if (!sure || !due) return stamp("left", { ...title, rest: strip(tiles) });
  const lines = alike(fits).map(([group, at]) => {
    const fit = group.length === 1 ? "fits" : "fit";
    return stamp("fit", { strip: strip(group), fit, where: safe(where(kind, at, names)) });
  });
  const rest = tiles.filter((tile) => !fits.has(tile));
  const none = lines.length ? "Do not fit now" : "None of them fits now";
  return stamp("left", {
    ...title,
    fits: lines.length ? stamp("fits", { fits: lines.join("") }) : "",
    rest: rest.length ? stamp("rest", { title: none, strip: strip(rest) }) : "",
  });
}

/** @param {string} kind @param {any[]} at @param {SquareNames} names */
function where(kind, at, names) {
  if (kind === "stack") return `on stack ${at.map(([stack]) => stack).join(", ")}`;
  if (kind === "play")
    return at.some((spot) => spot.length) ? `at the ${at.map(([end]) => end).join(" or ")} end` : "anywhere";
  const pairs = [...new Set(at.map((place) => names.pair(squares(place).sort(([x, y], [u, v]) => x - u || y - v))))];
  const more = pairs.length - NAMED;
  return `on ${pairs.slice(0, NAMED).join(", ")}` + (more > 0 ? ` and ${more} more` : "");
}
