// The names of squares: letters from the left, numbers from the bottom, as on the rim of the plan.
// @ts-check

/** a … z, aa, ab …; "" left of the first column. @param {number} column from 0 */
export function letters(column) {
  if (column < 0) return "";
  const rest = Math.floor(column / 26) - 1;
  return (rest >= 0 ? letters(rest) : "") + String.fromCharCode(97 + (column % 26));
}

/** Names squares from the one that is called a1. */
export class SquareNames {
  /** @param {number[] | null} first the column and the row of a1 */
  constructor(first) {
    [this.left, this.bottom] = first || [0, 0];
  }

  /** @param {number} x */
  column(x) { return letters(x - this.left); }

  /** @param {number} y */
  row(y) { return y > this.bottom ? "" : String(this.bottom - y + 1); }

  /** `b2`, or "" for a square outside of the names. @param {number[]} square */
  square([x, y]) { return this.column(x) && this.row(y) && this.column(x) + this.row(y); }

  /** `b2-c2`, with a hyphen that does not break. @param {number[][]} both */
  pair([one, other]) {
    const [first, second] = [this.square(one), this.square(other)];
    return first && second ? `${first}\u2011${second}` : "";
  }
}
