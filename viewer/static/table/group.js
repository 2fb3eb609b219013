// Pieces of the drawing on the page: equal pieces stay, and pieces that differ only in values get the new values.
// @ts-check

import { alike, become } from "../alike.js";

/** @typedef {import("./space.js").Space} Space */

const SVG = "http://www.w3.org/2000/svg";

/**
 * A piece of the drawing as an element.  `cuts` is its SVG cut at its values, `slots` are the attributes and texts that
 * hold them.
 * @typedef {{ svg: string, node: Element, cuts?: string[], slots?: Attr[] | Text[] }} Part
 */

/** SVG in pieces: every second one is the value of an attribute, or a text, with the signs around it. */
const cut = (/** @type {string} */ svg) => svg.split(/("[^"]*"|>[^<]+<)/);

/** The attributes and texts of an element in the order of its markup. @param {Element} node */
function slotsOf(node) {
  const slots = /** @type {any[]} */ ([...node.attributes]);
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: next } = walker;
    if (next instanceof Element) slots.push(...next.attributes);
    else slots.push(next);
  }
  return slots;
}

/**
 * Gives an element the values of new SVG, without parsing it as markup, if only values are new.
 * @param {Part} part @param {string} svg
 */
function revalue(part, svg) {
  if (svg.includes("&") || part.svg.includes("&")) return false;
  const [cuts, old] = [cut(svg), (part.cuts ??= cut(part.svg))];
  if (cuts.length !== old.length) return false;
  for (let n = 0; n < cuts.length; n += 1) {
    // The cuts between values are the tags; a value stays an attribute or a text.
    if (n % 2 ? cuts[n][0] !== old[n][0] : cuts[n] !== old[n]) return false;
  }
  const slots = (part.slots ??= slotsOf(part.node));
  if (2 * slots.length + 1 !== cuts.length) return false;
  slots.forEach((slot, n) => {
    const at = 2 * n + 1;
    if (cuts[at] !== old[at]) slot.nodeValue = cuts[at].slice(1, -1);
  });
  [part.svg, part.cuts] = [svg, cuts];
  return true;
}

/** Pieces of the drawing as elements: those that are the same stay. */
export class Group {
  /** @param {SVGGElement} group */
  constructor(group) {
    this.group = group;
    /** @type {Map<string, Part>} */
    this.pieces = new Map();
    this.holder = document.createElementNS(SVG, "g");
  }

  /**
   * Makes the group hold these pieces in this order; returns the elements that are new.
   * @param {import("./look.js").Piece[]} pieces
   */
  patch(pieces) {
    const changed = pieces.filter(([key, svg]) => {
      const old = this.pieces.get(key);
      return old?.svg !== svg && !(old && revalue(old, svg));
    });
    if (changed.length) this.holder.innerHTML = changed.map(([, svg]) => svg).join("");
    const made = [...this.holder.children];
    /** @type {Map<string, Element>} */
    const fresh = new Map();
    changed.forEach(([key, svg], n) => {
      const node = made[n];
      if (node.hasAttribute("data-open")) {
        node.setAttribute("tabindex", "0");
        node.setAttribute("role", "button");
      }
      const old = this.pieces.get(key);
      if (old && alike(old.node, node)) {
        become(old.node, node);
        this.pieces.set(key, { svg, node: old.node });
        return;
      }
      if (old) old.node.replaceWith(node);
      else fresh.set(key, node);
      this.pieces.set(key, { svg, node });
    });
    const kept = new Set(pieces.map(([key]) => key));
    for (const [key, { node }] of this.pieces) {
      if (kept.has(key)) continue;
      node.remove();
      this.pieces.delete(key);
    }
    let next = this.group.firstElementChild;
    for (const [key] of pieces) {
      const { node } = /** @type {Part} */ (this.pieces.get(key));
      if (node === next) next = next.nextElementSibling;
      else this.group.insertBefore(node, next);
    }
    return fresh;
  }

  /** A new tile slides to its place. @param {Map<string, Element>} fresh */
  slide(fresh) {
    const tiles = [...fresh].filter(([key]) => /^(tile|flat) /.test(key)).map(([, node]) => node);
    const walls = this.pieces.get("newest")?.node;
    for (const node of walls && tiles.length ? [walls, ...tiles] : tiles) {
      node.animate(
        [
          { transform: "translateY(-28px)", opacity: 0.2 },
          { transform: "none", opacity: 1 },
        ],
        { duration: 150, easing: "cubic-bezier(.2,.7,.2,1)" },
      );
    }
  }

  /** Shows what was drawn in one space as it is in another. @param {Space | null} drawn @param {Space | null} space */
  stretch(drawn, space) {
    if (drawn && space && drawn !== space) {
      const transform = stretched(drawn, space, "");
      // Writing even the same transform again would make the browser lay out the whole building.
      if (this.group.getAttribute("transform") !== transform) this.group.setAttribute("transform", transform);
    } else if (this.group.hasAttribute("transform")) {
      for (const growth of this.group.getAnimations()) growth.cancel();
      this.group.removeAttribute("transform");
    }
  }

  /** The building takes its new size and place. @param {string} from @param {string} to */
  grow(from, to) {
    this.group.animate([{ transform: from }, { transform: to }], { duration: 300, easing: "cubic-bezier(.2,.7,.2,1)" });
  }
}

/** What takes a drawing from one space to another. @param {Space} from @param {Space} to */
export function stretched(from, to, unit = "px") {
  const scale = to.scale / from.scale;
  const [begin, end] = [from.at(from.wide / 2, from.deep / 2, 0), to.at(to.wide / 2, to.deep / 2, 0)];
  return `translate(${end[0] - scale * begin[0]}${unit}, ${end[1] - scale * begin[1]}${unit}) scale(${scale})`;
}
