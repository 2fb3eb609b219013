// Pieces of the drawing on the page: equal pieces stay, and pieces that differ only in values get the new values.
// @ts-check

import { alike, become } from "../alike.js";

/** @typedef {import("./space.js").Space} Space */

const SVG = "http://www.w3.org/2000/svg";

/**
 * A piece of the drawing as an element.  `cuts` is its SVG cut at its values, `slots` are the attributes and texts that
 * hold them.
 * @typedef {{ svg: string, node: Element, cuts?: string[], slots?: (Attr | Text)[] }} Part
 */
/**
 * New values for a part, an element for a piece that is new or has another form, and all that changes at a step.
 * @typedef {{ part: Part, svg: string, cuts: string[], writes: [Attr | Text, string][] }} Values
 * @typedef {{ key: string, svg: string, node: Element }} Made
 * @typedef {{ patches: number, keys: string[], values: Values[], made: Made[] }} Plan
 */

/** The attributes of an opened hand that its markup does not have. */
const ADDED = new Set(["tabindex", "role"]);

/** SVG in pieces: every second one is the value of an attribute, or a text, with the signs around it. */
const cut = (/** @type {string} */ svg) => svg.split(/("[^"]*"|>[^<]+<)/);

/** The attributes and texts of an element in the order of its markup. @param {Element} node */
function slotsOf(node) {
  const slots = /** @type {any[]} */ ([...node.attributes].filter(({ name }) => !ADDED.has(name)));
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: next } = walker;
    if (next instanceof Element) slots.push(...next.attributes);
    else slots.push(next);
  }
  return slots;
}

/**
 * The new values for an element, if new SVG differs from its own only in values.
 * @param {Part} part @param {string} svg @returns {Values | null}
 */
function valuesOf(part, svg) {
  if (svg.includes("&") || part.svg.includes("&")) return null;
  const [cuts, old] = [cut(svg), (part.cuts ??= cut(part.svg))];
  if (cuts.length !== old.length) return null;
  for (let n = 0; n < cuts.length; n += 1) {
    // The cuts between values are the tags; a value stays an attribute or a text.
    if (n % 2 ? cuts[n][0] !== old[n][0] : cuts[n] !== old[n]) return null;
  }
  const slots = (part.slots ??= slotsOf(part.node));
  if (2 * slots.length + 1 !== cuts.length) return null;
  /** @type {[Attr | Text, string][]} */
  const writes = [];
  slots.forEach((slot, n) => {
    const at = 2 * n + 1;
    if (cuts[at] !== old[at]) writes.push([slot, cuts[at].slice(1, -1)]);
  });
  return { part, svg, cuts, writes };
}

/** Pieces of the drawing as elements: those that are the same stay. */
export class Group {
  /** @param {SVGGElement} group */
  constructor(group) {
    this.group = group;
    /** @type {Map<string, Part>} */
    this.pieces = new Map();
    this.holder = document.createElementNS(SVG, "g");
    /** The latest motions. @type {Animation[]} */
    this.motions = [];
    /** Counts the patches: a plan is for the pieces that were there when it was made. */
    this.patches = 0;
  }

  /**
   * What has to change so that the group holds these pieces; it changes nothing yet.
   * @param {import("./look.js").Piece[]} pieces @returns {Plan}
   */
  plan(pieces) {
    /** @type {Values[]} */
    const values = [];
    const newPieces = pieces.filter(([key, svg]) => {
      const old = this.pieces.get(key);
      if (old?.svg === svg) return false;
      const newValues = old && valuesOf(old, svg);
      if (newValues) values.push(newValues);
      return !newValues;
    });
    if (newPieces.length) this.holder.innerHTML = newPieces.map(([, svg]) => svg).join("");
    const nodes = newPieces.length ? [...this.holder.children] : [];
    const made = newPieces.map(([key, svg], n) => /** @type {Made} */ ({ key, svg, node: nodes[n] }));
    for (const { node } of made) {
      if (!node.hasAttribute("data-open")) continue;
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
    }
    return { patches: this.patches, keys: pieces.map(([key]) => key), values, made };
  }

  /** Carries out a plan; returns the elements that are new. @param {Plan} plan */
  patch({ keys, values, made }) {
    this.patches += 1;
    for (const { part, svg, cuts, writes } of values) {
      for (const [slot, value] of writes) slot.nodeValue = value;
      [part.svg, part.cuts] = [svg, cuts];
    }
    /** @type {Map<string, Element>} */
    const newNodes = new Map();
    for (const { key, svg, node } of made) {
      const old = this.pieces.get(key);
      if (old && alike(old.node, node)) {
        become(old.node, node);
        this.pieces.set(key, { svg, node: old.node });
        continue;
      }
      if (old) old.node.replaceWith(node);
      else newNodes.set(key, node);
      this.pieces.set(key, { svg, node });
    }
    const keySet = new Set(keys);
    for (const [key, { node }] of this.pieces) {
      if (keySet.has(key)) continue;
      node.remove();
      this.pieces.delete(key);
    }
    let next = this.group.firstElementChild;
    for (const key of keys) {
      const { node } = /** @type {Part} */ (this.pieces.get(key));
      if (node === next) next = next.nextElementSibling;
      else this.group.insertBefore(node, next);
    }
    return newNodes;
  }

  /** Ends motions that have not ended: they keep the browser busy at every frame. */
  still() {
    for (const motion of this.motions) motion.cancel();
    this.motions = [];
  }

  /** A new tile slides to its place. @param {Map<string, Element>} newNodes */
  slide(newNodes) {
    const tiles = [...newNodes].filter(([key]) => /^(tile|flat) /.test(key)).map(([, node]) => node);
    const walls = this.pieces.get("newest")?.node;
    this.motions = (walls && tiles.length ? [walls, ...tiles] : tiles).map((node) =>
      node.animate(
        [
          { transform: "translateY(-28px)", opacity: 0.2 },
          { transform: "none", opacity: 1 },
        ],
        { duration: 150, easing: "cubic-bezier(.2,.7,.2,1)" },
      ),
    );
  }

  /** Shows what was drawn in one space as it is in another. @param {Space | null} drawn @param {Space | null} space */
  stretch(drawn, space) {
    if (drawn && space && drawn !== space) {
      const transform = transformBetween(drawn, space, "");
      // Writing even the same transform again would make the browser lay out the whole building.
      if (this.group.getAttribute("transform") !== transform) this.group.setAttribute("transform", transform);
    } else if (this.group.hasAttribute("transform")) {
      this.group.removeAttribute("transform");
    }
  }

  /** The building takes its new size and place. @param {string} from @param {string} to */
  grow(from, to) {
    const easing = "cubic-bezier(.2,.7,.2,1)";
    this.motions = [this.group.animate([{ transform: from }, { transform: to }], { duration: 300, easing })];
  }
}

/** What takes a drawing from one space to another. @param {Space} from @param {Space} to */
export function transformBetween(from, to, unit = "px") {
  const scale = to.scale / from.scale;
  const [begin, end] = [from.at(from.wide / 2, from.deep / 2, 0), to.at(to.wide / 2, to.deep / 2, 0)];
  return `translate(${end[0] - scale * begin[0]}${unit}, ${end[1] - scale * begin[1]}${unit}) scale(${scale})`;
}
