// Draws stacks, piles and lines of tiles.
// @ts-check

import { back, chip, face, plural, safe } from "./marks.js";

/** With more stacks than this they are closer together, so that the tray stays near. */
const MANY = 24;

/** Whether a pile is a stack that can be built on: stacks are numbered. @param {any} pile */
export const isStack = (pile) => /^\d+$/.test(pile.label);

/** The rim of a tile whose owner matters. @param {number | null | undefined} owner */
const rimOf = (owner) =>
  owner === null || owner === undefined
    ? ""
    : `<g class="owner p${(owner % 8) + 1}"><use href="#rim${(owner % 8) + 1}"/></g>`;

/** @param {any} pile */
const ownerOf = (pile) => (pile.owners?.length ? pile.owners[pile.owners.length - 1] : null);

/** @param {any} pile @param {any[]} players */
function picture(pile, players) {
  const count = pile.tiles.length + pile.hidden;
  const owner = ownerOf(pile);
  const top = pile.tiles.length
    ? face(pile.tiles[pile.tiles.length - 1], rimOf(owner))
    : count
      ? back()
      : '<span class="none"></span>';
  const label = pile.tiles.length === 1 && pile.label === pile.tiles[0] ? "" : `<bdi>${safe(pile.label)}</bdi>`;
  const ownerChip = owner === null || owner === undefined ? "" : chip(owner, players[owner][1]);
  return `${top}<span class="under">${label}${ownerChip}${count !== 1 ? `<b>×${count}</b>` : ""}</span>`;
}

/** @param {any} pile */
function pileWords(pile) {
  const count = pile.tiles.length + pile.hidden;
  return pile.tiles.length
    ? `${pile.label}: ${pile.tiles[pile.tiles.length - 1]} on top of ${count}`
    : `${pile.label}: ${plural(count, "tile")}`;
}

/**
 * Stacks as buttons; those where the tile in hand fits are lit.
 * @param {any[]} areas @param {any[]} players @param {Set<string>} lit
 */
export function stacks(areas, players, lit) {
  const all = areas
    .flatMap((area) => area.piles)
    .map(
      (pile) =>
        `<button type="button" class="pile${lit.has(pile.label) ? " lit" : ""}" data-stack="${safe(pile.label)}"` +
        ` aria-label="Stack ${safe(pileWords(pile))}">${picture(pile, players)}</button>`,
    );
  return `<div class="piles${all.length > MANY ? " many" : ""}">${all.join("")}</div>`;
}

/** Tiles and piles that cannot be tapped. @param {any[]} areas @param {any[]} players */
export function rows(areas, players) {
  const pileMarkup = (/** @type {any} */ pile) =>
    `<span class="pile" title="${safe(pileWords(pile))}">${picture(pile, players)}</span>`;
  return areas
    .map(
      ({ title, piles }) =>
        `<h2>${safe(title.charAt(0).toUpperCase() + title.slice(1))}</h2>` +
        `<div class="piles">${piles.map(pileMarkup).join("")}</div>`,
    )
    .join("");
}

/** The growing pile in the middle, with its last tiles one over the other. @param {any} pile */
export function heap(pile) {
  const count = pile.tiles.length + pile.hidden;
  if (!count) return '<p class="quiet">No tile played yet</p>';
  const topTiles = pile.tiles.slice(-3);
  const tiles = topTiles.length
    ? topTiles
        .map(
          (/** @type {string} */ tile, /** @type {number} */ n) =>
            `<span class="h${topTiles.length - 1 - n}">${face(tile)}</span>`,
        )
        .join("")
    : `<span class="h0">${back()}</span>`;
  return (
    `<div class="heap" role="img" aria-label="${safe(pileWords(pile))}">${tiles}</div>` +
    `<p class="quiet">${plural(count, "tile")} on the pile</p>`
  );
}
