// Draws the recorder's table: the squares from above, the piles, the tray.
// @ts-check

import { name } from "./guess.js";

const HALF = 32;
/** More tiles than a hand has: each of the set has its own place then. */
const HAND = 16;
const TURN = { "1,0": 0, "0,1": 90, "-1,0": 180, "0,-1": 270 };
export const STEP = { e: [1, 0], w: [-1, 0], s: [0, 1], n: [0, -1] };

/** Text that may hold anything, inside markup. */
export const safe = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Makes a box hold this markup and keeps every piece that is the same: what a finger is on does not go away under it. */
export function fill(box, markup) {
  const made = document.createElement("template");
  made.innerHTML = markup;
  morph(box, made.content);
}

function morph(old, fresh) {
  const many = fresh.childNodes.length;
  [...fresh.childNodes].forEach((node, n) => {
    const here = old.childNodes[n];
    if (!here) old.append(node);
    else if (here.isEqualNode(node)) return;
    else if (here.nodeType !== 1 || here.nodeName !== node.nodeName) here.replaceWith(node);
    else {
      for (const { name: attribute } of [...here.attributes]) if (!node.hasAttribute(attribute)) here.removeAttribute(attribute);
      for (const { name: attribute, value } of node.attributes) if (here.getAttribute(attribute) !== value) here.setAttribute(attribute, value);
      morph(here, node);
    }
  });
  while (old.childNodes.length > many) old.lastChild.remove();
}

/** A face lying flat. */
export function face(tile, extra = "") {
  const [one, other] = tile.split("-");
  return `<svg viewBox="-3 -3 70 38" aria-hidden="true"><use href="#face"/><use href="#h${one}"/><use href="#h${other}" x="${HALF}"/>${extra}</svg>`;
}

/** The places of a way for a tile, or for all of its tiles: [x, y, direction, level] of the lower half. */
export function places(way, tile) {
  return (way?.legal || []).filter((group) => !tile || group.tiles.includes(tile)).flatMap((group) => group.at);
}

/** The two squares of a place: that of the lower half, and the other. */
export function squares([x, y, way]) {
  const [right, down] = STEP[way];
  return [[x, y], [x + right, y + down]];
}

/**
 * What of the squares is shown: all that lies there and all that can be played on, with so many more around.  Where that
 * is not known, as much as before, and one more around what lies there.
 */
export function bounds(grid, lit, wide, before) {
  const all = [...lit.flatMap(squares), ...grid.laid.flatMap(({ at, to }) => [at, to])];
  const [left, top, right, bottom] = grid.bounds;
  if (before) all.push([before[0], before[1]], [before[2], before[3]], ...all.flatMap(([x, y]) => [[x - 1, y - 1], [x + 1, y + 1]]));
  const xs = [left, right, ...all.map(([x]) => x)];
  const ys = [top, bottom, ...all.map(([, y]) => y)];
  return [Math.min(...xs) - wide, Math.min(...ys) - wide, Math.max(...xs) + wide, Math.max(...ys) + wide];
}

/** The squares from above: what lies highest is what is seen; each level is marked with its number. */
export function plan(grid, lit, box) {
  const [left, top, right, bottom] = box;
  const at = (x, y) => [(x - left) * HALF, (y - top) * HALF];
  const wide = (right - left + 1) * HALF;
  const high = (bottom - top + 1) * HALF;
  const cells = new Set(lit.flatMap((place) => squares(place).map((square) => `${square}`)));
  let lines = "";
  for (let x = 0; x <= wide; x += HALF) lines += `M${x} 0v${high}`;
  for (let y = 0; y <= high; y += HALF) lines += `M0 ${y}h${wide}`;
  const laid = [...grid.laid].sort((one, other) => one.level - other.level);
  const most = Math.max(1, ...laid.map(({ level }) => level));
  const tiles = laid.map((one) => lying(one, at, most)).join("");
  const free = [...cells].map((key) => {
    const [x, y] = at(...key.split(",").map(Number));
    return `<rect class="lit" x="${x + 2}" y="${y + 2}" width="${HALF - 4}" height="${HALF - 4}" rx="6"/>`;
  }).join("");
  return `<svg class="squares" id="squares" data-left="${left}" data-top="${top}" viewBox="-1 -1 ${wide + 2} ${high + 2}" role="img" aria-label="The squares from above; legal places can also be chosen from the list below">`
    + `<path class="cell" d="${lines}"/>${tiles}${free}</svg>`;
}

function lying({ tile, at: one, to, level, marks }, at, most) {
  const [x, y] = at(...one);
  const turn = TURN[`${to[0] - one[0]},${to[1] - one[1]}`];
  const [first, second] = tile.split("-");
  const low = level < most ? `<rect width="64" height="32" rx="5" opacity="${Math.min(0.3, 0.08 * (most - level))}"/>` : "";
  const high = level > 1 ? `<text class="level" x="32" y="20" text-anchor="middle" transform="rotate(${-turn} 32 16)">${level}</text>` : "";
  const ring = marks?.includes("last") ? '<use href="#ring"/>' : "";
  return `<g data-laid="${name(tile)}" transform="translate(${x} ${y})rotate(${turn} 16 16)"><use href="#face"/>`
    + `<use href="#h${first}"/><use href="#h${second}" x="${HALF}"/>${low}${high}${ring}</g>`;
}

/** Where on the squares a finger came down, in squares. */
export function square(event, box) {
  const picture = /** @type {SVGSVGElement} */ (event.currentTarget);
  const matrix = /** @type {DOMMatrix} */ (picture.getScreenCTM()).inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  return [x / HALF + box[0], y / HALF + box[1]];
}

/**
 * Places by how well they fit a tap, the best first: the half that is held goes where the finger is, the other where it
 * leans to.
 */
export function near(all, [x, y], held) {
  return all.map((place) => {
    const [low, high] = squares(place);
    const [here, there] = held === "high" ? [high, low] : [low, high];
    const [right, down] = [here[0] + 0.5 + (there[0] - here[0]) * 0.3, here[1] + 0.5 + (there[1] - here[1]) * 0.3];
    return { place, far: Math.hypot(x - right, y - down) };
  }).filter(({ far }) => far < 1).sort((one, other) => one.far - other.far);
}

/** Every way to lie with the held half under the finger, legal or not. */
export function anyhow([x, y], held, levelAt) {
  const [cx, cy] = [Math.floor(x), Math.floor(y)];
  const all = Object.keys(STEP).map((way) => {
    const [right, down] = STEP[way];
    const [fx, fy] = held === "high" ? [cx - right, cy - down] : [cx, cy];
    const level = 1 + Math.max(levelAt(fx, fy), levelAt(fx + right, fy + down));
    return [fx, fy, way, level];
  });
  return near(all, [x, y], held);
}

/** The piles side by side; those that can be built on are buttons. */
export function rows(areas, players, lit, choose) {
  return areas.filter((area) => area.piles).map((area) => {
    const piles = area.piles.map((pile) => {
      const count = pile.tiles.length + pile.hidden;
      const owner = pile.owners?.length ? pile.owners[pile.owners.length - 1] : null;
      const whose = owner === null || owner === undefined ? "" : `<b class="n${owner % 4}">${safe(players[owner][1].slice(0, 1))}</b>`;
      const top = pile.tiles.length ? face(pile.tiles[pile.tiles.length - 1], owner === null || owner === undefined ? "" : `<use href="#rim" class="rim o${owner % 4}"/>`) : `<svg viewBox="-3 -3 70 38" aria-hidden="true">${count ? '<use href="#back"/>' : ""}</svg>`;
      const label = pile.tiles.length === 1 && pile.label === pile.tiles[0] ? "" : safe(pile.label);
      const inside = `${top}<span>${label} ${whose}${count !== 1 ? ` ×${count}` : ""}</span>`;
      const said = `${pile.label}: ${pile.tiles.length ? `${pile.tiles[pile.tiles.length - 1]} on top of ${count}` : `${count} tiles`}`;
      return choose && /^\d+$/.test(pile.label)
        ? `<button type="button" class="pile${lit.has(pile.label) ? " lit" : ""}" data-stack="${pile.label}" aria-label="Stack ${safe(said)}">${inside}</button>`
        : `<span class="pile" title="${safe(said)}">${inside}</span>`;
    });
    return `<h2>${safe(area.title)}</h2><div class="piles">${piles.join("")}</div>`;
  }).join("");
}

/**
 * Where each tile stands in the tray: it stays there while others go and come, so that a finger that is on its way does
 * not come down on another one.
 */
export function slots(tiles, before, largest) {
  const there = new Set(tiles);
  if (tiles.length > HAND) {
    return [...Array(largest + 1).keys()].flatMap((high) => [...Array(high + 1).keys()].map((low) => `${low}-${high}`)).map((tile) => (there.has(tile) ? tile : ""));
  }
  const kept = before.length > 28 ? [] : before.map((tile) => (there.has(tile) ? tile : ""));
  if (!kept.some(Boolean)) return [...tiles];
  for (const tile of tiles) {
    if (kept.includes(tile)) continue;
    const gap = kept.indexOf("");
    if (gap < 0) kept.push(tile);
    else kept[gap] = tile;
  }
  return kept;
}

/** The tiles that can be named; dim are those that the rules forbid now. */
export function tray(slots, legal, chosen, held) {
  return slots.map((tile) => {
    if (!tile) return '<button type="button" class="gone" tabindex="-1" aria-hidden="true"></button>';
    const on = chosen.includes(tile);
    const half = on && held ? `<rect class="held" x="${held === "high" ? 32 : 0}" y="0" width="32" height="32" rx="5"/>` : "";
    return `<button type="button" class="tile${legal && !legal.has(tile) ? " dim" : ""}" data-tile="${tile}" aria-pressed="${on}" aria-label="${tile}">${face(tile, half)}</button>`;
  }).join("");
}
