// Pieces of the drawing on the page: what is the same stays, what differs in values takes those over.
// @ts-check

import { alike, become } from "../alike.js";

/** @typedef {import("./space.js").Space} Space */

const SVG = "http://www.w3.org/2000/svg";

/**
 * A piece of the drawing as an element.  `shape` is its SVG without the values of attributes, `slots` where they are.
 * @typedef {{ svg: string, node: Element, shape?: string, slots?: [Element, string][] }} Part
 */

const shapeOf = (/** @type {string} */ svg) => svg.replace(/"[^"]*"/g, '""');

/** @param {Element} node @returns {[Element, string][]} */
const slotsOf = (node) =>
  [node, ...node.querySelectorAll("*")].flatMap((part) =>
    part.getAttributeNames().map((name) => /** @type {[Element, string]} */ ([part, name])),
  );

/**
 * Gives an element the values of new SVG, without reading it as markup, if nothing else in it is new.
 * @param {Part} part @param {string} svg
 */
function revalue(part, svg) {
  if (svg.includes("&") || (part.shape ??= shapeOf(part.svg)) !== shapeOf(svg)) return false;
  const slots = (part.slots ??= slotsOf(part.node));
  const values = svg.match(/"[^"]*"/g) || [];
  if (values.length !== slots.length) return false;
  slots.forEach(([element, name], n) => {
    const value = values[n].slice(1, -1);
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  });
  part.svg = svg;
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
    this.holder.innerHTML = changed.map(([, svg]) => svg).join("");
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
    if (drawn && space && drawn !== space) this.group.setAttribute("transform", stretched(drawn, space, ""));
    else if (this.group.hasAttribute("transform")) {
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
