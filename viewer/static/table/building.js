// The stacked view: the building from a corner, with walls, shade, cast shadows, marks and a ruler.
// viewer/pictures/building.py draws the same; a test holds the two together.
// @ts-check

import { Ground, path, ROUND, squares } from "./ground.js";
import { badges, equals, flag, px, safe, text } from "./look.js";

/**
 * @typedef {import("./look.js").Look} Look @typedef {import("./look.js").Lying} Lying
 * @typedef {import("./look.js").Piece} Piece
 */
/**
 * @typedef {import("./space.js").Space} Space @typedef {import("./space.js").Standing} Standing
 * @typedef {import("./space.js").Point} Point
 */

/** The gap at each side of a tile, in squares. */
const GAP = 0.014;
/** The shade of the lowest face. */
const DARKEST = 0.2;

/** The rectangle that a tile covers, without the gap at its sides. @param {Standing} tile */
function outlineOf(tile) {
  const [[x, y], [x2, y2]] = squares(tile);
  return [Math.min(x, x2) + GAP, Math.min(y, y2) + GAP, Math.max(x, x2) + 1 - GAP, Math.max(y, y2) + 1 - GAP];
}

/**
 * The pieces of the building, those farthest away first.
 * @param {Lying} table @param {Space} space @param {Look} look
 */
export const building = (table, space, look) => new Building(table, space, look).pieces();

class Building extends Ground {
  /**
   * Whether others stand over it and before it: only a small picture leaves it out, since corners are round.
   * @param {Standing} tile
   */
  hidden(tile) {
    const own = squares(tile).map(String);
    const front = squares(tile)
      .flatMap(
        ([x, y]) =>
          /** @type {Point[]} */ ([
            [x + 1, y],
            [x, y + 1],
          ]),
      )
      .filter((square) => !own.includes(`${square}`));
    return !this.onTop(tile) && front.every(([x, y]) => this.height(x, y) >= tile.level);
  }

  /** @returns {Piece[]} */
  pieces() {
    /** @type {Piece[]} */
    const pieces = [["floor", this.space.once("floor", () => this.ground())]];
    if (!this.look.quiet)
      pieces.push(["names", this.space.once("names", () => this.squareNames())], ["shadow", this.shadow()]);
    this.tiles.forEach((tile, number) => {
      const { laid } = tile;
      if (!this.look.quiet || !this.hidden(tile))
        pieces.push([`tile ${laid.tile} ${laid.x} ${laid.y} ${laid.level}`, this.block(tile)]);
      if (this.tiles[number + 1]?.level !== tile.level) pieces.push([`cast ${tile.level}`, this.cast(tile.level)]);
    });
    if (!this.look.quiet) pieces.push(["ruler", this.ruler()], ...this.marks());
    return pieces;
  }

  // ── A tile ─────────────────────────────────────────────────────────────────────────────────────────────

  /** @param {Standing} tile */
  block(tile) {
    const shown = this.onTop(tile);
    const dark = shown ? (DARKEST * (this.high - tile.level)) / this.spread : 0;
    const { tile: name, x, y, dx, dy } = tile.laid;
    const key = [name, x, y, dx, dy, tile.level, shown, dark, tile.laid.mark, this.digits, this.look.coloured].join();
    return this.space.once(key, () => this.solid(tile, shown, dark));
  }

  /** @param {Standing} tile @param {boolean} shown @param {number} dark */
  solid(tile, shown, dark) {
    const box = outlineOf(tile);
    const top = this.outline(box, tile.level);
    let body = `${this.walls(tile, box)}<path class="${shown ? "t-tile" : "t-cover"}" d="${top}"/>`;
    if (shown) {
      body += this.face(tile);
      if (dark > 0.004) body += `<path class="t-shade" d="${top}" opacity="${dark.toFixed(3)}"/>`;
      if (tile.laid.mark && !this.look.quiet) body += this.pole(tile);
    }
    const told = this.look.quiet ? "" : `<title>${safe(tile.laid.tile)} · ${tile.level}</title>`;
    return `<g data-level="${tile.level}">${told}${body}</g>`;
  }

  /** @param {Standing} tile @param {number[]} box */
  walls(tile, [x0, y0, x1, y1]) {
    const z = tile.level;
    const r = ROUND;
    const drop = this.space.course * this.space.scale;
    const left = [135, 112, 90].map((d) => this.arc(x0 + r, y1 - r, r, d, z));
    const corner = [90, 67, 45, 22, 0].map((d) => this.arc(x1 - r, y1 - r, r, d, z));
    const right = [0, -22, -45].map((d) => this.arc(x1 - r, y0 + r, r, d, z));
    const lower = (/** @type {Point[]} */ points, /** @type {number} */ by) =>
      points.map(([x, y]) => /** @type {Point} */ ([x, y + by]));
    const wall = (/** @type {string} */ kind, /** @type {Point[]} */ points) =>
      `<path class="${kind}" d="${path([...points, ...lower(points, drop).reverse()])}"/>`;
    const edge = [...left, ...corner, ...right];
    return (
      wall("t-left", [...left, ...corner.slice(0, 3)]) +
      wall("t-right", [...corner.slice(2), ...right]) +
      wall("t-corner", corner.slice(1, 4)) +
      `<path class="t-seam" d="${path(lower(edge, drop), "")}"` +
      ` stroke-width="${Math.max(0.9, this.space.scale * 0.018).toFixed(2)}"/>` +
      (this.look.quiet ? "" : `<path class="t-light" d="${path(lower(edge, 0.9), "")}"/>`)
    );
  }

  /** @param {Standing} tile */
  face(tile) {
    /** @type {[Point, Point]} */
    const [across, down] = [
      [tile.dx, tile.dy],
      [-tile.dy, tile.dx],
    ];
    /** @type {Point} */
    const corner = [tile.x + 0.5 - 0.5 * across[0] - 0.5 * down[0], tile.y + 0.5 - 0.5 * across[1] - 0.5 * down[1]];
    const numbers = tile.laid.tile.split("-");
    let inside = '<use href="#top"/>';
    let digits = "";
    if (this.digits) {
      digits = squares(tile)
        .map(
          (place, n) =>
            `<g transform="${this.matrix([1, 0], [0, 1], place, tile.level)}"><use href="#n${numbers[n]}"/></g>`,
        )
        .join("");
    } else {
      const [one, other] = numbers.map((number) => (this.look.coloured ? ` class="t-n${number}"` : ""));
      inside += `<use href="#h${numbers[0]}"${one}/><use href="#h${numbers[1]}" x="1"${other}/>`;
    }
    return (
      `<g class="t-pip">` + `<g transform="${this.matrix(across, down, corner, tile.level)}">${inside}</g>${digits}</g>`
    );
  }

  /**
   * From the plane of a tile to the drawing.
   * @param {Point} across @param {Point} down @param {Point} corner @param {number} z
   */
  matrix(across, down, corner, z) {
    const [u, v, o] = [this.space.along(...across), this.space.along(...down), this.space.at(...corner, z)];
    return (
      `matrix(${u[0].toFixed(2)} ${u[1].toFixed(2)}` + ` ${v[0].toFixed(2)} ${v[1].toFixed(2)} ${px(o[0])} ${px(o[1])})`
    );
  }

  /** The shadows on the faces of a level: wide ones from the left, a thin line from the back. @param {number} level */
  cast(level) {
    let [wide, core, back] = ["", "", ""];
    for (const [x, y, high] of this.columns()) {
      if (high !== level) continue;
      const rise = this.height(x - 1, y) - level;
      if (rise > 0) {
        const far = Math.min(0.62, 0.2 + 0.1 * rise);
        wide += this.flat(level, [x, y], [x, y + 1], [x + far, y + 1], [x + far, y]);
        core += this.flat(level, [x, y], [x, y + 1], [x + far * 0.45, y + 1], [x + far * 0.45, y]);
      }
      if (this.height(x, y - 1) > level) back += this.flat(level, [x, y], [x + 1, y], [x + 1, y + 0.1], [x, y + 0.1]);
    }
    const shades = /** @type {[string, number][]} */ ([
      [wide, 0.17],
      [core, 0.13],
      [back, 0.16],
    ]);
    return `<g>${shades
      .filter(([d]) => d)
      .map(([d, dark]) => `<path class="t-cast" d="${d}" opacity="${dark}"/>`)
      .join("")}</g>`;
  }

  // ── Around it ──────────────────────────────────────────────────────────────────────────────────────────

  /** The levels counted at the left corner, every fifth of many with its number. */
  ruler() {
    if ((this.look.level || this.table.high) < 3) return "<g/>";
    const [x, y] = this.space.at(0, this.space.deep, 0);
    const every = this.high > 6 ? 5 : 1;
    let parts = "";
    for (let level = 1; level <= this.high; level += 1) {
      const middle = y - (level - 0.5) * this.space.course * this.space.scale;
      const size = level % every ? 3 : 5;
      parts += `<path class="t-tick" d="M${px(x - 9 - size)} ${px(middle)}h${size}"/>`;
      if (level % every === 0) parts += text(String(level), x - 18, middle + 4, "t-name", "end");
    }
    const high = this.look.level || this.table.high;
    const room = high * this.space.course * this.space.scale;
    const left = Math.max(2, x - 44);
    const hit =
      `<rect class="t-hit" data-ruler="${high}" x="${px(left)}"` +
      ` y="${px(y - room)}" width="${px(x - left)}" height="${px(room)}"/>`;
    return `<g>${parts}${hit}</g>`;
  }

  /** @returns {Piece[]} */
  marks() {
    const [x, y, level] = this.table.last;
    const tops = this.tiles.filter((tile) => this.onTop(tile));
    const wrong = tops.filter((tile) => tile.laid.mark);
    const last = tops
      .filter(({ laid }) => this.table.last.length === 3 && laid.x === x && laid.y === y && laid.level === level)
      .pop();
    /** @type {Piece[]} */
    const pieces = [];
    if (last) pieces.push(["ring", this.ring(last)]);
    pieces.push(
      ["ties", `<g>${this.ties()}</g>`],
      ["flags", `<g>${wrong.map((tile) => this.mast(tile)).join("")}</g>`],
    );
    if (last) pieces.push(["gain", `<g>${this.gains(last)}</g>`]);
    return pieces;
  }

  /** A barber-pole rim inside the face. @param {Standing} tile */
  pole(tile) {
    const { scale } = this.space;
    const line = this.outline(outlineOf(tile), tile.level, -0.035);
    const wide = px(Math.max(5, scale * 0.1));
    return (
      `<path class="t-pole" d="${line}" stroke-width="${wide}"/><path class="t-hatch" d="${line}" ` +
      `stroke-width="${wide}" stroke-dasharray="${px(scale * 0.1)} ${px(scale * 0.075)}"/>`
    );
  }

  /** @param {Standing} tile */
  ring(tile) {
    const line = this.outline(outlineOf(tile), tile.level, 0.055);
    const wide = Math.max(2.2, this.space.scale * 0.036);
    return (
      `<g><path class="t-halo" d="${line}" stroke-width="${px(wide * 2.1)}"/>` +
      `<path class="t-ring" d="${line}" stroke-width="${px(wide)}"/></g>`
    );
  }

  /** Between neighbours a short bar over the joint; below a half that covers an equal one an equals sign. */
  ties() {
    const wide = Math.max(2.4, this.space.scale * 0.045);
    return this.table.ties
      .filter(([, , level, , , level2]) => Math.max(level, level2) <= this.high)
      .map(([x0, y0, level, x1, y1, level2]) => {
        const [x, y] = this.space.square(x0, y0);
        if (level !== level2) {
          // On the seam of the front left wall, unless the other half of the tile lies there.
          const across = this.height(x, y + 1) === level && this.joined(`${[x, y]}`, `${[x, y + 1]}`);
          const [right, down] = across ? [x + 1, y + 0.5] : [x + 0.5, y + 1];
          return equals(...this.space.at(right, down, level - 1), this.space.scale);
        }
        const [x2, y2] = this.space.square(x1, y1);
        const line = path(
          [0.28, 0.72].map((part) => this.space.at(x + 0.5 + (x2 - x) * part, y + 0.5 + (y2 - y) * part, level)),
          "",
        );
        const [below, above] = [px(wide * 2.2), px(wide)];
        return (
          `<path class="t-tie0" d="${line}" stroke-width="${below}"/>` +
          `<path class="t-tie" d="${line}" stroke-width="${above}"/>`
        );
      })
      .join("");
  }

  /** Whether one tile on top covers both squares. @param {string} one @param {string} other */
  joined(one, other) {
    return this.tiles.some((tile) => {
      const both = squares(tile).map(String);
      return both.includes(one) && both.includes(other) && this.onTop(tile);
    });
  }

  /** A flag at the far end of the bar, where no pip is. @param {Standing} tile */
  mast(tile) {
    const [x, y] = this.space.at(
      tile.x + 0.5 + tile.dx / 2 - Math.abs(tile.dy) * 0.5,
      tile.y + 0.5 + tile.dy / 2 - Math.abs(tile.dx) * 0.5,
      tile.level,
    );
    return flag(tile.laid.mark, x, y, Math.max(0.8, this.space.scale / 60));
  }

  /** The points, beside the tile and above it, clear of a flag. @param {Standing} tile */
  gains(tile) {
    const { scale } = this.space;
    const [x, y] = this.space.at(tile.x + 0.5 + tile.dx / 2, tile.y + 0.5 + tile.dy / 2, tile.level);
    return badges(
      this.table.gains,
      x + (tile.laid.mark ? 1 : 0.75) * scale,
      Math.max(y - 0.62 * scale - 20, this.look.top + 15),
      [6, this.look.width - 6],
    );
  }
}
