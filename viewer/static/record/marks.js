// Small pieces of markup: safe text, tiles, chips of players, icons.
// @ts-check

/** Text that may hold anything, inside markup. @param {any} text */
export const safe = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A name in a text: one from right to left is kept apart (ledger/record/visible.py). @param {string} name */
export const isolated = (name) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;

/** A sign of the page. @param {string} id */
export const icon = (id) => `<svg class="ic" aria-hidden="true"><use href="#ic-${id}"/></svg>`;

/** The flag of a finding: a struck one if it is impossible, as everywhere. @param {string} verdict */
export const flag = (verdict) =>
  `<span class="flag ${verdict}">${icon(verdict === "impossible" ? "struck-flag" : "flag")}</span>`;

/** The chip of a player: a letter on the player's colour. @param {number} seat @param {string} name */
export const chip = (seat, name) =>
  `<span class="who p${(seat % 8) + 1}" aria-hidden="true">${safe([...name.trim()][0]?.toUpperCase() || "?")}</span>`;

/** A tile in a line of text. @param {string} tile */
export function tileText(tile) {
  const [first, second] = tile.split("-");
  return `<span class="tn" role="img" aria-label="${safe(tile)}"><i>${safe(first)}</i><i>${safe(second)}</i></span>`;
}

/**
 * A tile of 2 × 1, lying in the drawing's own units, with the symbols of every drawing (viewer/pictures/tile_look.py).
 * @param {string} tile @param {"flat" | "face"} symbol among other tiles, or alone
 */
export function faceMarks(tile, symbol = "flat") {
  const [first, second] = tile.split("-");
  return (
    `<g class="t-pip"><use href="#${symbol}"/>` +
    `<use href="#h${safe(first)}"/><use href="#h${safe(second)}" x="1"/></g>`
  );
}

/**
 * A tile lying alone, with an edge below.
 * @param {string} tile @param {string} [extra] more marks, in units of a half
 */
export function face(tile, extra = "") {
  const marks = faceMarks(tile, "face") + extra;
  return `<svg class="domino" viewBox="-.06 -.06 2.12 1.2" aria-hidden="true">${marks}</svg>`;
}

/** A tile that stands: its first half above the other. @param {string} tile */
export const standing = (tile) =>
  `<svg class="domino stands" viewBox="-.06 -.06 1.12 2.12" aria-hidden="true">` +
  `<g transform="translate(1)rotate(90)">${faceMarks(tile)}</g></svg>`;

/** "1 tile", "2 tiles". @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${count}\u00a0${count === 1 ? one : many}`;

/** Markup as pieces of a page, or of a drawing. @param {string} markup @param {boolean} [drawing] @returns {any} */
export function pieces(markup, drawing = false) {
  const template = document.createElement("template");
  template.innerHTML = drawing ? `<svg>${markup}</svg>` : markup;
  return drawing ? template.content.firstChild : template.content;
}

/** The markup in each box, which need not be read again while it is the same. @type {WeakMap<Element, string>} */
const filled = new WeakMap();

/**
 * Puts this markup into a box or a group of a drawing.  Every piece that is the same stays, so that nothing disappears
 * under a finger, and what a reader has opened stays open.
 * @param {Element} box @param {string} markup @param {(fresh: DocumentFragment) => void} [mark] changes it before
 */
export function fill(box, markup, mark) {
  if (!mark && filled.get(box) === markup) return;
  filled.set(box, markup);
  const fresh = pieces(markup, box instanceof SVGElement);
  mark?.(fresh);
  morph(box, fresh);
}

/** @param {any} old @param {any} fresh */
function morph(old, fresh) {
  const count = fresh.childNodes.length;
  [...fresh.childNodes].forEach((node, n) => {
    const existing = old.childNodes[n];
    if (!existing) old.append(node);
    else if (existing.isEqualNode(node)) return;
    else if (existing.nodeType !== 1 || existing.nodeName !== node.nodeName) existing.replaceWith(node);
    else {
      for (const { name } of [...existing.attributes]) if (!node.hasAttribute(name)) existing.removeAttribute(name);
      for (const { name, value } of node.attributes)
        if (existing.getAttribute(name) !== value) existing.setAttribute(name, value);
      morph(existing, node);
    }
  });
  while (old.childNodes.length > count) old.lastChild.remove();
}

/**
 * A piece of the page (viewer/templates/record_pieces.html) as markup.
 * @param {string} id @param {Record<string, string>} slots the markup in each of its slots; one without is left out
 * @param {Record<string, Record<string, string>>} attributes those to set, by selector
 * @param {(string | false)[]} without selectors of what it leaves out
 */
export function piece(id, slots, attributes, without = []) {
  const section = /** @type {Element} */ (by(`piece-${id}`).content.cloneNode(true).firstElementChild);
  for (const selector of without) if (selector) for (const part of section.querySelectorAll(selector)) part.remove();
  for (const [name, markup] of Object.entries(slots))
    for (const slot of section.querySelectorAll(`[data-slot="${name}"]`))
      if (markup) slot.innerHTML = markup;
      else slot.remove();
  for (const [selector, values] of Object.entries(attributes))
    for (const part of section.querySelectorAll(selector))
      for (const [name, value] of Object.entries(values)) part.setAttribute(name, value);
  return section.outerHTML;
}

/** An element of the page. @param {string} id @returns {any} */
export const by = (id) => document.getElementById(id);
