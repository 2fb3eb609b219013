// Small pieces of markup: safe text, tiles, chips of players, icons.

/** Text that may hold anything, inside markup. @param {any} text */
export const safe = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A name in a text: one from right to left is kept apart (ledger/record/visible.py). @param {string} name */
export const isolated = (name) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;

/** A sign of the page. @param {string} id */
export const icon = (id) => `<svg class="ic" aria-hidden="true"><use href="#ic-${id}"/></svg>`;

/** The pieces so far: markup, and in every second place the name of a hole. @type {Map<string, string[]>} */
const stamps = new Map();

/**
 * A piece of the page (viewer/phone/templates/recorder_slots.html) as markup, with these values in its holes.
 * @param {string} id @param {Record<string, any>} [values] markup, or safe text
 */
export function stamp(id, values = {}) {
  const parts = stamps.get(id) ?? by(`piece-${id}`).innerHTML.split(/{(\w+)}/);
  stamps.set(id, parts);
  let [markup] = parts;
  for (let n = 1; n < parts.length; n += 2) markup += (values[parts[n]] ?? "") + parts[n + 1];
  return markup;
}

/** A tile, drawn by one of these pieces. @param {string} id @param {string} tile @param {Record<string, any>} [more] */
export function drawn(id, tile, more = {}) {
  const [first, second] = tile.split("-").map(safe);
  return stamp(id, { first, second, ...more });
}

/** "1 tile", "2 tiles". @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${count}\u00a0${count === 1 ? one : many}`;

/** Markup as pieces of a page, or of a drawing. @param {string} markup @param {boolean} [drawing] @returns {any} */
export function pieces(markup, drawing = false) {
  const template = document.createElement("template");
  template.innerHTML = drawing ? `<svg>${markup}</svg>` : markup;
  return drawing ? template.content.firstChild : template.content;
}

/** The markup in each box with its marks: the same need not be read again. @type {WeakMap<Element, string>} */
const filled = new WeakMap();

/**
 * Puts this markup into a box or a group of a drawing.  Every piece that is the same stays, so that nothing disappears
 * under a finger, and what a reader has opened stays open.
 * @param {Element} box @param {string} markup @param {(fresh: DocumentFragment) => void} [mark] changes it before
 * @param {string} [marks] what `mark` does
 */
export function fill(box, markup, mark, marks = "") {
  const whole = `${marks}\n${markup}`;
  if (filled.get(box) === whole) return;
  filled.set(box, whole);
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
 * A piece of the page (viewer/phone/templates/recorder_slots.html) as markup.
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

/** Sets the text of an element; the same text would be laid out again. @param {string} id @param {string} text */
export function setText(id, text) {
  const element = by(id);
  if (element.textContent !== text) element.textContent = text;
}

/** Sets the title; like every page's it ends with the program's name. @param {string} title */
export function entitle(title) {
  const whole = `${title} · Domino Ledger`;
  if (document.title !== whole) document.title = whole;
}
