// The stacked view: the building from a corner, with walls, shade, cast shadows, marks and a ruler.
// viewer/pictures/building.py draws the same; a test compares the two.
// @ts-check

import { Ground, path, squares } from "./ground.js";
import { badges, equals, flag, px, safe, text } from "./look.js";

/**
 * @typedef {import("./look.js").Look} Look @typedef {import("./look.js").Lying} Lying
 * @typedef {import("./look.js").Piece} Piece
 */
/**
 * @typedef {import("./space.js").Space} Space @typedef {import("./space.js").Standing} Standing
 * @typedef {import("./space.js").Point} Point
 */

/** The shade of the lowest face. */
const DARKEST = 0.2;

/** The rectangle that a tile covers, without the gap at its sides. @param {Standing} tile @param {Look} look */
function outlineOf(tile, { gap }) {
  const [[x, y], [x2, y2]] = squares(tile);
  return [Math.min(x, x2) + gap, Math.min(y, y2) + gap, Math.max(x, x2) + 1 - gap, Math.max(y, y2) + 1 - gap];
}

/** Which tiles these are, and how each lies. @param {Standing[]} tiles */
const names = (tiles) => tiles.map(({ laid }) => laid.key).join(";");

/** @param {Point[]} points @param {number} by */
const lower = (points, by) => points.map(([x, y]) => /** @type {Point} */ ([x, y + by]));

/** A wall, which hangs down from a line at the edge of a tile. @param {Point[]} points @param {number} drop */
const wall = (points, drop) => path([...points, ...lower(points, drop).reverse()]);

/**
 * The pieces of the building, the farthest first.
 * @param {Lying} table @param {Space} space @param {Look} look
 */
export const building = (table, space, look) => new Building(table, space, look).pieces();

class Building extends Ground {
  /**
   * Whether tiles above and in front hide it; only small pictures leave it out, because corners are round.
   * @param {Standing} tile
   */
  hidden(tile) {
    const covered = squares(tile).map(String);
    const front = squares(tile)
      .flatMap(
        ([x, y]) =>
          /** @type {Point[]} */ ([
            [x + 1, y],
            [x, y + 1],
          ]),
      )
      .filter((square) => !covered.includes(`${square}`));
    return !this.onTop(tile) && front.every(([x, y]) => this.height(x, y) >= tile.level);
  }

  /** @returns {Piece[]} */
  pieces() {
    /** @type {Piece[]} */
    const pieces = [["floor", this.space.once("floor", () => this.ground())]];
    if (!this.look.quiet)
      pieces.push(["names", this.space.once("names", () => this.squareNames())], ["shadow", this.shadow()]);
    /** @type {Map<number, Standing[]>} */
    const levels = new Map();
    for (const tile of this.tiles) {
      const sameLevel = levels.get(tile.level);
      if (sameLevel) sameLevel.push(tile);
      else levels.set(tile.level, [tile]);
    }
    for (const [level, tiles] of levels) this.course(level, tiles, pieces);
    if (!this.look.quiet) pieces.push(["ruler", this.ruler()], ...this.marks());
    return pieces;
  }

  // ── A level ────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Adds the pieces of a level: its walls, its faces, and the shade and the shadows on them.
   *
   * The walls of a level do not overlap, and its faces cover them.  So each kind of wall is one path, which a browser
   * paints much faster than walls tile by tile.  The newest tile has its own walls, since it slides in.
   * @param {number} level @param {Standing[]} all @param {Piece[]} pieces
   */
  course(level, all, pieces) {
    const tiles = this.look.quiet ? all.filter((tile) => !this.hidden(tile)) : all;
    const visible = tiles.filter((tile) => this.onTop(tile));
    const covered = tiles.filter((tile) => !visible.includes(tile));
    const ownWalls = tiles.filter((tile) => !this.newest(tile) || covered.includes(tile));
    pieces.push([
      `walls ${level}`,
      this.space.once(`walls ${level} ${names(ownWalls)} on ${names(covered)}`, () => {
        const title = this.look.quiet ? "" : `<title>Level ${level}</title>`;
        return `<g data-level="${level}">${title}${this.walls(ownWalls)}${this.covers(covered)}</g>`;
      }),
    ]);
    for (const tile of visible) {
      const { tile: name, x, y } = tile.laid;
      if (this.newest(tile)) pieces.push(["newest", `<g>${this.walls([tile])}</g>`]);
      const key = `${names([tile])} ${this.digits} ${this.look.coloured}`;
      pieces.push([`tile ${name} ${x} ${y} ${level}`, this.space.once(key, () => this.block(tile))]);
    }
    const dark = (DARKEST * (this.high - level)) / this.spread;
    if (visible.length && dark > 0.004) {
      const tops = this.space.once(`tops ${names(visible)}`, () => visible.map((tile) => this.top(tile)).join(""));
      pieces.push([`shade ${level}`, `<path class="t-shade" d="${tops}" opacity="${dark.toFixed(3)}"/>`]);
    }
    pieces.push([`cast ${level}`, `<g>${this.poles(visible)}${this.cast(level)}</g>`]);
  }

  /** Whether the tile came to the table at this step. @param {Standing} tile */
  newest({ laid }) {
    const [x, y, level] = this.table.last;
    return !this.look.quiet && laid.x === x && laid.y === y && laid.level === level;
  }

  /** @param {Standing} tile */
  top(tile) {
    return this.outline(outlineOf(tile, this.look), tile.level);
  }

  /** The tops that are covered: only a little of them is seen, at the round corners. @param {Standing[]} tiles */
  covers(tiles) {
    return tiles.length ? `<path class="t-cover" d="${tiles.map((tile) => this.top(tile)).join("")}"/>` : "";
  }

  /** @param {Standing} tile */
  block(tile) {
    const title = this.look.quiet ? "" : `<title>${safe(tile.laid.tile)} · ${tile.level}</title>`;
    return (
      `<g data-level="${tile.level}">${title}<path class="t-tile" d="${this.top(tile)}"/>` + `${this.face(tile)}</g>`
    );
  }

  /** @param {Standing[]} tiles */
  poles(tiles) {
    if (this.look.quiet) return "";
    return tiles
      .filter((tile) => tile.laid.mark)
      .map((tile) => this.pole(tile))
      .join("");
  }

  /** The walls of tiles of one level, the seam below them and the light on their edge. @param {Standing[]} tiles */
  walls(tiles) {
    if (!tiles.length) return "";
    const r = this.look.round;
    const drop = this.space.course * this.space.scale;
    let [left, right, corner, seam, light] = ["", "", "", "", ""];
    for (const tile of tiles) {
      const [[x0, y0, x1, y1], z] = [outlineOf(tile, this.look), tile.level];
      const leftBend = [135, 112, 90].map((d) => this.arc(x0 + r, y1 - r, r, d, z));
      const cornerBend = [90, 67, 45, 22, 0].map((d) => this.arc(x1 - r, y1 - r, r, d, z));
      const rightBend = [0, -22, -45].map((d) => this.arc(x1 - r, y0 + r, r, d, z));
      left += wall([...leftBend, ...cornerBend.slice(0, 3)], drop);
      right += wall([...cornerBend.slice(2), ...rightBend], drop);
      corner += wall(cornerBend.slice(1, 4), drop);
      const edge = [...leftBend, ...cornerBend, ...rightBend];
      seam += path(lower(edge, drop), "");
      light += path(lower(edge, 0.9), "");
    }
    return (
      `<path class="t-left" d="${left}"/><path class="t-right" d="${right}"/><path class="t-corner" d="${corner}"/>` +
      `<path class="t-seam" d="${seam}" stroke-width="${Math.max(0.9, this.space.scale * 0.018).toFixed(2)}"/>` +
      (this.look.quiet ? "" : `<path class="t-light" d="${light}"/>`)
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
      const [firstClass, secondClass] = numbers.map((number) => (this.look.coloured ? ` class="t-n${number}"` : ""));
      inside += `<use href="#h${numbers[0]}"${firstClass}/><use href="#h${numbers[1]}" x="1"${secondClass}/>`;
    }
    const face = `<g class="t-pip" transform="${this.matrix(across, down, corner, tile.level)}">${inside}</g>`;
    return digits ? `${face}<g class="t-pip">${digits}</g>` : face;
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
    const falls = this.columns()
      .filter(([, , high]) => high === level)
      .map(([x, y]) => [x, y, Math.max(0, this.height(x - 1, y) - level), Number(this.height(x, y - 1) > level)])
      .filter(([, , rise, behind]) => rise || behind);
    return this.space.once(`cast ${level} ${falls.join(";")}`, () => this.shadows(level, falls));
  }

  /**
   * @param {number} level
   * @param {number[][]} falls squares, how much higher the left neighbour is, and whether the one behind is higher
   */
  shadows(level, falls) {
    let [wide, core, back] = ["", "", ""];
    for (const [x, y, rise, behind] of falls) {
      if (rise) {
        const far = Math.min(0.62, 0.2 + 0.1 * rise);
        wide += this.flat(level, [x, y], [x, y + 1], [x + far, y + 1], [x + far, y]);
        core += this.flat(level, [x, y], [x, y + 1], [x + far * 0.45, y + 1], [x + far * 0.45, y]);
      }
      if (behind) back += this.flat(level, [x, y], [x + 1, y], [x + 1, y + 0.1], [x, y + 0.1]);
    }
    const shades = /** @type {[string, number][]} */ ([
      [wide, 0.17],
      [core, 0.13],
      [back, 0.16],
    ]);
    return shades
      .filter(([d]) => d)
      .map(([d, dark]) => `<path class="t-cast" d="${d}" opacity="${dark}"/>`)
      .join("");
  }

  // ── Around it ──────────────────────────────────────────────────────────────────────────────────────────

  /** A scale of the levels at the left corner; if there are many, every fifth has its number. */
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

  /**
   * A rim inside the face: a barber-pole for a breach, two lines if impossible, grey dashes if unproven.
   * @param {Standing} tile
   */
  pole(tile) {
    const { scale } = this.space;
    const line = this.outline(outlineOf(tile, this.look), tile.level, -0.035);
    const whole = Math.max(5, scale * 0.1);
    const stroke = (/** @type {string} */ kind, share = 1, /** @type {number[]} */ ...dashes) => {
      const dashed = dashes.length ? ` stroke-dasharray="${dashes.map((dash) => px(scale * dash)).join(" ")}"` : "";
      return `<path class="${kind}" d="${line}" stroke-width="${px(whole * share)}"${dashed}/>`;
    };
    if (tile.laid.mark === "unproven") return stroke("t-open", 0.5, 0.2, 0.12);
    if (tile.laid.mark === "impossible") return stroke("t-hatch") + stroke("t-pole", 0.4);
    return stroke("t-pole") + stroke("t-hatch", 1, 0.1, 0.075);
  }

  /** @param {Standing} tile */
  ring(tile) {
    const line = this.outline(outlineOf(tile, this.look), tile.level, 0.055);
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

  /** Whether a tile on top covers both squares. @param {string} square @param {string} neighbour */
  joined(square, neighbour) {
    return this.tiles.some((tile) => {
      const both = squares(tile).map(String);
      return both.includes(square) && both.includes(neighbour) && this.onTop(tile);
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
