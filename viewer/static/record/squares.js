// The names of squares, as everywhere else (ledger/record/squares.py): letters from the left, numbers from the bottom.
// @ts-check

/** a … z, aa, ab … @param {number} column from 0 @returns {string} */
export function letters(column) {
  const rest = Math.floor(column / 26) - 1;
  return (rest >= 0 ? letters(rest) : "") + String.fromCharCode(97 + (column % 26));
}

/**
 * Names squares from the one that is called a1.  Those left of it and below it have no name, "", until a tile lies
 * there: no legal one can.
 */
export class SquareNames {
  /** @param {number[]} corner the column and the row of a1 */
  constructor([left, bottom]) {
    this.left = left;
    this.bottom = bottom;
  }

  /** @param {number} x */
  column(x) {
    return x < this.left ? "" : letters(x - this.left);
  }

  /** @param {number} y */
  row(y) {
    return y > this.bottom ? "" : String(this.bottom - y + 1);
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
