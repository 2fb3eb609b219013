// The plan: one level large, its neighbours small beside it or below it.  viewer/pictures/plan.py draws the same.
// @ts-check

import { face, symbol } from "./flat.js";
import { badges, equals, flag, px, rimOf, safe, text } from "./look.js";

/**
 * @typedef {import("./look.js").Look} Look @typedef {import("./look.js").Lying} Lying
 * @typedef {import("./look.js").Piece} Piece
 */
/**
 * @typedef {import("./space.js").Space} Space @typedef {import("./space.js").Standing} Standing
 * @typedef {import("./space.js").Box} Box
 */
/**
 * Where the upper left square of a level begins, and the side of a square.
 * @typedef {{ level: number, x: number, y: number, side: number }} Sheet
 */

/** Room for the names of the squares, for a sheet's heading, and between sheets. */
const RIM = 22;
const HEAD = 20;
const GAP = 18;
/** @type {Record<string, number>} */
const TURNS = { "1,0": 0, "0,1": 90, "-1,0": 180, "0,-1": 270 };
/**
 * The part of the room that the large sheet takes at most, and how much wider than high a box is to set sheets beside
 * it.
 */
const LARGE = 0.66;
const WIDE = 1.2;
/** The most small sheets. */
const MOST = 4;
/** How much of its squares a tile covers. */
const SLACK = 0.95;

/**
 * The pieces of the plan; `space` only turns the squares.
 * @param {Lying} table @param {Space} space @param {Box} box @param {Look} look @returns {Piece[]}
 */
export function plan(table, space, box, look) {
  const chosen = Math.min(look.level || table.high, table.high) || 1;
  return sheets(table.high, chosen, [space.wide, space.deep], box).flatMap((sheet) =>
    new SheetDrawing(table, space, look, sheet, sheet.level === chosen).pieces(),
  );
}

/** The levels nearest to the chosen one, in order. @param {number} high @param {number} chosen */
function neighbours(high, chosen) {
  const levels = [...Array(high).keys()].map((n) => n + 1).filter((level) => level !== chosen);
  return levels
    .sort((a, b) => Math.abs(a - chosen) - Math.abs(b - chosen))
    .slice(0, MOST)
    .sort((a, b) => a - b);
}

/**
 * Where the sheets are: they fill the box in one direction.
 * @param {number} high @param {number} chosen @param {number[]} size @param {Box} box @returns {Sheet[]}
 */
function sheets(high, chosen, size, box) {
  const [wide, deep] = size;
  const smallLevels = neighbours(high, chosen);
  const [across, down] = [box.right - box.left, box.bottom - box.top];
  if (!smallLevels.length) {
    const side = Math.min((across - 2 * RIM) / wide, (down - HEAD - RIM) / deep);
    return [
      {
        level: chosen,
        x: box.left + (across - side * wide) / 2,
        y: box.top + HEAD + (down - HEAD - RIM - side * deep) / 2,
        side,
      },
    ];
  }
  if (across > WIDE * down) {
    const side = Math.min((across * LARGE - RIM) / wide, (down - HEAD - RIM) / deep);
    const begin = RIM + side * wide + GAP;
    const [small, columns] = bestGrid(smallLevels.length, size, [across - begin, down]);
    const left = box.left + (across - (begin + columns * (small * wide + GAP) - GAP)) / 2;
    const top = box.top + (down - HEAD - RIM - side * deep) / 2;
    const lines = Math.ceil(smallLevels.length / columns);
    const above = box.top + (down - lines * (small * deep + HEAD + GAP) + GAP) / 2;
    return [
      { level: chosen, x: left + RIM, y: top + HEAD, side },
      ...positions(smallLevels, [left + begin, above], [small, columns], size),
    ];
  }
  const side = Math.min((across - 2 * RIM) / wide, (down * LARGE - HEAD - RIM) / deep);
  const under = HEAD + side * deep + RIM + GAP;
  const [small, columns] = bestGrid(smallLevels.length, size, [across, down - under]);
  const lines = Math.ceil(smallLevels.length / columns);
  const top = box.top + (down - (under + lines * (small * deep + HEAD + GAP) - GAP)) / 2;
  const broad = columns * (small * wide + GAP) - GAP;
  return [
    { level: chosen, x: box.left + (across - side * wide) / 2, y: top + HEAD, side },
    ...positions(smallLevels, [box.left + (across - broad) / 2, top + under], [small, columns], size),
  ];
}

/**
 * The side of a square and the number of columns that make this many small sheets largest.
 * @param {number} count @param {number[]} size @param {number[]} room
 */
function bestGrid(count, size, room) {
  let [best, most] = [0, 1];
  for (let columns = 1; columns <= count; columns += 1) {
    const lines = Math.ceil(count / columns);
    const side = Math.min(
      ((room[0] + GAP) / columns - GAP) / size[0],
      ((room[1] + GAP) / lines - GAP - HEAD) / size[1],
    );
    if (side >= best) [best, most] = [side, columns];
  }
  return [Math.max(4, best), most];
}

/**
 * @param {number[]} levels @param {number[]} corner @param {number[]} grid @param {number[]} size @returns {Sheet[]}
 */
function positions(levels, corner, [side, columns], size) {
  return levels.map((level, n) => ({
    level,
    side,
    x: corner[0] + (n % columns) * (side * size[0] + GAP),
    y: corner[1] + Math.floor(n / columns) * (side * size[1] + HEAD + GAP) + HEAD,
  }));
}

/** How far a tile is turned clockwise. @param {Standing} tile */
const degrees = (tile) => TURNS[`${tile.dx},${tile.dy}`] || 0;

/** Draws one sheet of the plan. */
class SheetDrawing {
  /** @param {Lying} table @param {Space} space @param {Look} look @param {Sheet} sheet @param {boolean} large */
  constructor(table, space, look, sheet, large) {
    this.table = table;
    this.space = space;
    this.look = look;
    this.sheet = sheet;
    this.large = large;
    this.tiles = table.tiles.filter(({ level }) => level === sheet.level).map((laid) => space.standing(laid));
  }

  at(/** @type {number} */ x, /** @type {number} */ y) {
    return [this.sheet.x + x * this.sheet.side, this.sheet.y + y * this.sheet.side];
  }

  /** @returns {Piece[]} */
  pieces() {
    const { level, side } = this.sheet;
    /** @type {Piece[]} */
    const pieces = [[`sheet ${level}`, `<g data-to="${level}" class="t-sheet">${this.ground()}${this.heading()}</g>`]];
    for (const tile of this.tiles) {
      const [x, y] = this.corner(tile);
      const svg = face(tile.laid.tile, x, y, 2 * side * SLACK, this.look, degrees(tile));
      pieces.push([
        `flat ${level} ${tile.laid.tile} ${tile.laid.x} ${tile.laid.y}`,
        `<g data-to="${level}"><title>${safe(tile.laid.tile)}</title>${svg}</g>`,
      ]);
    }
    pieces.push([`marks ${level}`, `<g>${this.marks()}</g>`]);
    return pieces;
  }

  ground() {
    const { side } = this.sheet;
    const [x, y] = this.at(0, 0);
    const [wide, deep] = [this.space.wide * side, this.space.deep * side];
    let lines = "";
    for (let n = 0; n <= this.space.wide; n += 1) lines += `M${px(x + n * side)} ${px(y)}v${px(deep)}`;
    for (let n = 0; n <= this.space.deep; n += 1) lines += `M${px(x)} ${px(y + n * side)}h${px(wide)}`;
    /** @type {Map<string, number[]>} */
    const below = new Map();
    for (const laid of this.table.tiles) {
      if (laid.level !== this.sheet.level - 1) continue;
      for (const square of [
        [laid.x, laid.y],
        [laid.x + laid.dx, laid.y + laid.dy],
      ])
        below.set(`${square}`, square);
    }
    const under = [...below.values()]
      .sort((a, b) => a[0] - b[0] || a[1] - b[1])
      .map((square) => this.under(...this.space.square(square[0], square[1])))
      .join("");
    return (
      `<rect class="t-floor" x="${px(x - 5)}" y="${px(y - 5)}"` +
      ` width="${px(wide + 10)}" height="${px(deep + 10)}" rx="8"/>` +
      `${under}<path class="t-grid" d="${lines}"/>`
    );
  }

  /** A square that can carry a tile, because the level below has one there. @param {number} x @param {number} y */
  under(x, y) {
    const [left, top] = this.at(x, y);
    const side = px(this.sheet.side - 4);
    return `<rect class="t-under" x="${px(left + 2)}" y="${px(top + 2)}" width="${side}" height="${side}" rx="4"/>`;
  }

  heading() {
    const [x, y] = this.at(0, 0);
    const title = text(`Level ${this.sheet.level}`, x, y - 9, this.large ? "t-title" : "t-name");
    if (!this.large) return title;
    const [columns, rows] = this.space.names();
    return (
      title +
      columns
        .map((name, n) => {
          const [right, down] = this.at(n + 0.5, this.space.deep);
          return text(name, right, down + 19, "t-name", "middle");
        })
        .join("") +
      rows
        .map((name, n) => {
          const [right, down] = this.at(0, n + 0.5);
          return text(name, right - 10, down + 4, "t-name", "end");
        })
        .join("")
    );
  }

  marks() {
    const [x, y, level] = this.table.last;
    const { side } = this.sheet;
    const wrong = this.tiles.filter(({ laid }) => laid.mark);
    const last =
      this.table.last.length === 3
        ? this.tiles.filter(({ laid }) => laid.x === x && laid.y === y && laid.level === level).slice(-1)
        : [];
    const signs = /** @type {[string, Standing][]} */ ([
      ...wrong.map((tile) => [rimOf(tile.laid.mark), tile]),
      ...last.map((tile) => ["ring", tile]),
    ])
      .map(([name, tile]) => {
        const [left, top] = this.corner(tile);
        return symbol(name, left, top, 2 * side * SLACK, degrees(tile));
      })
      .join("");
    if (!this.large) return signs;
    const flags = wrong
      .map((tile) => {
        const [left, top] = this.middle(tile);
        return flag(tile.laid.mark, left, top + 8, Math.max(0.8, side / 70));
      })
      .join("");
    return (
      signs +
      this.ties() +
      flags +
      last
        .map((tile) => {
          const [left, top] = this.middle(tile);
          return badges(this.table.gains, left + side * 0.6, top - side * 0.6, [6, this.look.width - 6]);
        })
        .join("")
    );
  }

  /**
   * The corner of a tile, which is a little smaller than its squares and centred on them.
   * @param {Standing} tile
   */
  corner(tile) {
    const [x, y] = this.at(tile.x, tile.y);
    const slack = (this.sheet.side * (1 - SLACK)) / 2;
    return [x + slack * (1 + tile.dx), y + slack * (1 + tile.dy)];
  }

  /** @param {Standing} tile */
  middle(tile) {
    return this.at(tile.x + 0.5 + tile.dx / 2, tile.y + 0.5 + tile.dy / 2);
  }

  /** Between neighbours a short bar over the joint; an equals sign at a half that covers an equal one. */
  ties() {
    const { side } = this.sheet;
    const wide = Math.max(2.4, side * 0.045);
    return this.table.ties
      .filter(([, , level]) => level === this.sheet.level)
      .map(([x0, y0, level, x1, y1, level2]) => {
        const [x, y] = this.space.square(x0, y0);
        // A covered half cannot be seen, so the sign is at the lower edge of the half that covers it.
        if (level !== level2) {
          const [right, down] = this.at(x + 0.5, y + 0.94);
          return equals(right, down, side);
        }
        const [x2, y2] = this.space.square(x1, y1);
        const line = `M${[0.28, 0.72]
          .map((part) =>
            this.at(x + 0.5 + (x2 - x) * part, y + 0.5 + (y2 - y) * part)
              .map(px)
              .join(" "),
          )
          .join("L")}`;
        const [below, above] = [px(wide * 2.2), px(wide)];
        return (
          `<path class="t-tie0" d="${line}" stroke-width="${below}"/>` +
          `<path class="t-tie" d="${line}" stroke-width="${above}"/>`
        );
      })
      .join("");
  }
}
