// The names of squares, as the rules say them.
// @ts-check

/** Names squares.  One that no legal tile can cover has no name, "", until a tile lies there. */
export class SquareNames {
  /** @param {View["squares"]} [names] */
  constructor({ left, top, columns, rows } = { left: 0, top: 0, columns: [], rows: [] }) {
    this.column = (/** @type {number} */ x) => columns[x - left] ?? "";
    this.row = (/** @type {number} */ y) => rows[y - top] ?? "";
  }

  /** `b2` @param {number[]} square */
  square([x, y]) {
    return this.column(x) && this.row(y) && this.column(x) + this.row(y);
  }

  /** `b2-c2`, with a hyphen that does not break. @param {number[][]} both */
  pair([first, second]) {
    const [one, other] = [this.square(first), this.square(second)];
    return one && other && `${one}\u2011${other}`;
  }
}
