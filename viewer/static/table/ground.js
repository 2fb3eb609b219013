// The ground of the building: the floor, the names of the squares, how high each square is built, and flat shapes.
// viewer/pictures/building.py draws the same; a test compares the two.
// @ts-check

import { px, SMALL, text } from "./look.js";

/** @typedef {import("./look.js").Look} Look @typedef {import("./look.js").Lying} Lying */
/**
 * @typedef {import("./space.js").Space} Space @typedef {import("./space.js").Standing} Standing
 * @typedef {import("./space.js").Point} Point
 */

/** The fewest levels over which the shade spreads. */
const DEPTH = 5;

export const path = (/** @type {Point[]} */ points, end = "Z") =>
  `M${points.map(([x, y]) => `${px(x)} ${px(y)}`).join("L")}${end}`;

/** The two squares of a tile. @param {Standing} tile @returns {[Point, Point]} */
export const squares = (tile) => [
  [tile.x, tile.y],
  [tile.x + tile.dx, tile.y + tile.dy],
];

export class Ground {
  /** @param {Lying} table @param {Space} space @param {Look} look */
  constructor(table, space, look) {
    this.table = table;
    this.space = space;
    this.look = look;
    const limit = look.peel || look.level || table.high;
    const order = (/** @type {Standing} */ tile) => 2 * tile.x + tile.dx + 2 * tile.y + tile.dy;
    this.tiles = table.tiles
      .filter(({ level }) => level <= limit)
      .map((laid) => space.standing(laid))
      .sort((a, b) => a.level - b.level || order(a) - order(b));
    /** @type {Map<number, number>} */
    this.heights = new Map();
    /** @type {number[][] | null} */
    this.sorted = null;
    for (const tile of this.tiles) {
      for (const [x, y] of squares(tile)) this.heights.set(x * 100 + y, Math.max(this.height(x, y), tile.level));
    }
    const visibleLevels = this.tiles.filter((tile) => this.onTop(tile)).map(({ level }) => level);
    this.high = Math.max(0, ...visibleLevels);
    this.spread = Math.max(DEPTH, this.high - (visibleLevels.length ? Math.min(...visibleLevels) : 0));
    this.digits = !look.quiet && (look.numerals || space.scale < SMALL);
  }

  height(/** @type {number} */ x, /** @type {number} */ y) {
    return this.heights.get(x * 100 + y) || 0;
  }

  /** Whether a half of the tile can be seen. @param {Standing} tile */
  onTop(tile) {
    return squares(tile).some(([x, y]) => this.height(x, y) === tile.level);
  }

  // ── Shapes ─────────────────────────────────────────────────────────────────────────────────────────────

  /** A polygon that lies at a height. @param {number} z @param {Point[]} corners */
  flat(z, ...corners) {
    return path(corners.map(([x, y]) => this.space.at(x, y, z)));
  }

  /** A rectangle with round corners that lies at a height. @param {number[]} box @param {number} z */
  outline(box, z, grow = 0) {
    const [x0, y0, x1, y1] = [box[0] - grow, box[1] - grow, box[2] + grow, box[3] + grow];
    const r = this.look.round + grow;
    /** @type {Point[][]} */
    const bends = [
      [
        [x1, y1 - r],
        [x1, y1],
        [x1 - r, y1],
      ],
      [
        [x0 + r, y1],
        [x0, y1],
        [x0, y1 - r],
      ],
      [
        [x0, y0 + r],
        [x0, y0],
        [x0 + r, y0],
      ],
      [
        [x1 - r, y0],
        [x1, y0],
        [x1, y0 + r],
      ],
    ];
    return `M${bends.map((points) => this.bend(points, z)).join("L")}Z`;
  }

  /** Round a corner of a shape that lies at a height. @param {Point[]} points @param {number} z */
  bend(points, z) {
    const [begin, corner, end] = points.map(([x, y]) => this.space.at(x, y, z).map(px).join(" "));
    return `${begin}Q${corner} ${end}`;
  }

  /** @param {number} x @param {number} y @param {number} r @param {number} degrees @param {number} z */
  arc(x, y, r, degrees, z) {
    const angle = (degrees * Math.PI) / 180;
    return this.space.at(x + r * Math.cos(angle), y + r * Math.sin(angle), z);
  }

  // ── The floor ──────────────────────────────────────────────────────────────────────────────────────────

  ground() {
    const { wide, deep } = this.space;
    let lines = "";
    for (let x = 0; x <= wide; x += 1) lines += path([this.space.at(x, 0, 0), this.space.at(x, deep, 0)], "");
    for (let y = 0; y <= deep; y += 1) lines += path([this.space.at(0, y, 0), this.space.at(wide, y, 0)], "");
    return (
      `<g><path class="t-floor" d="${this.outline([0, 0, wide, deep], 0, 0.12)}"/>` +
      `<path class="t-grid" d="${lines}"/></g>`
    );
  }

  squareNames() {
    const [left, right] = this.space.names();
    const parts = left
      .map((name, n) => {
        const [x, y] = this.space.at(n + 0.5, this.space.deep + 0.36, 0);
        return text(name, x - 3, y + 7, "t-name", "middle");
      })
      .concat(
        right.map((name, n) => {
          const [x, y] = this.space.at(this.space.wide + 0.36, n + 0.5, 0);
          return text(name, x + 3, y + 7, "t-name", "middle");
        }),
      );
    return `<g>${parts.join("")}</g>`;
  }

  /** The columns in order: x, y and height. */
  columns() {
    this.sorted ||= [...this.heights]
      .sort(([a], [b]) => a - b)
      .map(([key, level]) => [Math.floor(key / 100), key % 100, level]);
    return this.sorted;
  }

  /** The shadow of the building on the table, to the right. */
  shadow() {
    const shapes = this.columns()
      .map(([x, y, level]) => {
        const far = Math.min(level, 6) * this.space.course * 0.55;
        return this.flat(0, [x, y], [x + 1, y], [x + 1 + far, y + 1 - far * 0.2], [x + 0.3, y + 1]);
      })
      .join("");
    return shapes ? `<path class="t-ground" d="${shapes}" filter="url(#soft)"/>` : "<g/>";
  }
}
