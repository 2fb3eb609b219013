// Pieces of a reel on the page: those that are the same at two steps stay.

/** @import { Camera, Piece } from "./reels.js" */

const SVG = "http://www.w3.org/2000/svg";

const holder = document.createElementNS(SVG, "g");

/**
 * Makes the elements of pieces that have none yet.  Where a tile has pips and numerals, only what is seen is made: a
 * browser works for the other, too, even if it is hidden.
 * @param {Piece[]} pieces @param {boolean} numerals
 */
export function prepare(pieces, numerals) {
  const fresh = pieces.filter((piece) => !piece.node || piece.numerals !== numerals);
  if (!fresh.length) return;
  holder.innerHTML = fresh.map(({ svg }) => svg).join("");
  for (const unseen of holder.querySelectorAll(numerals ? ".t-pips" : ".t-numerals")) unseen.remove();
  [...holder.children].forEach((child, n) => {
    const node = /** @type {SVGElement} */ (child);
    Object.assign(fresh[n], { node, numerals });
    if (!node.hasAttribute("data-open")) return;
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
  });
}

export class Group {
  /** @param {string} name @param {SVGElement} picture */
  constructor(name, picture) {
    this.group = document.createElementNS(SVG, "g");
    this.group.setAttribute("class", name);
    picture.append(this.group);
    this.pieces = /** @type {Piece[]} */ ([]);
    this.nodes = /** @type {SVGElement[]} */ ([]);
    /** The latest motions. @type {Animation[]} */
    this.motions = [];
  }

  /** Shows these pieces; returns those whose keys are new. @param {Piece[]} pieces @param {boolean} numerals */
  show(pieces, numerals) {
    const keys = new Set(this.pieces.map(({ key }) => key));
    const focus = this.pieces.find(({ node }) => node === document.activeElement)?.key;
    prepare(pieces, numerals);
    const nodes = pieces.map(({ node }) => /** @type {SVGElement} */ (node));
    const staying = new Set(nodes);
    for (const node of this.nodes) if (!staying.has(node)) node.remove();
    let next = this.group.firstChild;
    for (const node of nodes) {
      if (node === next) next = next.nextSibling;
      else this.group.insertBefore(node, next);
    }
    [this.pieces, this.nodes] = [pieces, nodes];
    if (focus) pieces.find(({ key }) => key === focus)?.node?.focus({ preventScroll: true });
    return pieces.filter(({ key }) => !keys.has(key));
  }

  /** Comes closer, or goes back: the style sheet eases it, and letters stay as large. @param {Camera} camera */
  aim([zoom, right, down]) {
    const aimed = `translate(${right}px, ${down}px) scale(${zoom})`;
    if (this.group.style.transform === aimed) return;
    this.group.style.transform = aimed;
    this.group.style.setProperty("--zoom", `${zoom}`);
  }

  /** Ends motions that have not ended: they keep the browser busy at every frame. */
  still() {
    for (const motion of this.motions) motion.cancel();
    this.motions = [];
  }

  /** New tiles slide to their places, with their walls. @param {Piece[]} fresh */
  slide(fresh) {
    const tiles = fresh.filter(({ key }) => /^(tile|flat) /.test(key));
    const walls = tiles.length ? this.pieces.filter(({ key }) => key === "newest") : [];
    this.motions = [...walls, ...tiles].map(({ node }) =>
      /** @type {SVGElement} */ (node).animate(
        [
          { transform: "translateY(-28px)", opacity: 0.2 },
          { transform: "none", opacity: 1 },
        ],
        { duration: 150, easing: "cubic-bezier(.2,.7,.2,1)" },
      ),
    );
  }
}
