// Pieces of a reel on the page: those that are the same at two steps stay.
// @ts-check

/** @typedef {import("../reels.js").Piece} Piece */

const SVG = "http://www.w3.org/2000/svg";

const holder = document.createElementNS(SVG, "g");

/** Makes the elements of pieces that have none yet. @param {Piece[]} pieces */
export function prepare(pieces) {
  const fresh = pieces.filter(({ node }) => !node);
  if (!fresh.length) return;
  holder.innerHTML = fresh.map(({ svg }) => svg).join("");
  [...holder.children].forEach((child, n) => {
    const node = (fresh[n].node = /** @type {SVGElement} */ (child));
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
    /** @type {Piece[]} */
    this.pieces = [];
    /** The latest motions. @type {Animation[]} */
    this.motions = [];
  }

  /** Shows these pieces; returns those whose keys are new. @param {Piece[]} pieces */
  show(pieces) {
    prepare(pieces);
    const keys = new Set(this.pieces.map(({ key }) => key));
    const staying = new Set(pieces.map(({ node }) => node));
    const focus = this.pieces.find(({ node }) => node === document.activeElement)?.key;
    for (const { node } of this.pieces) if (!staying.has(node)) node?.remove();
    let next = this.group.firstChild;
    for (const { node } of /** @type {{ node: SVGElement }[]} */ (pieces)) {
      if (node === next) next = next.nextSibling;
      else this.group.insertBefore(node, next);
    }
    this.pieces = pieces;
    if (focus) pieces.find(({ key }) => key === focus)?.node?.focus({ preventScroll: true });
    return pieces.filter(({ key }) => !keys.has(key));
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
