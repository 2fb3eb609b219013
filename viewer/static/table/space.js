// Where things are in the drawing of the building: camera, quarter turns, and the scale that fits.
// viewer/pictures/space.py is the same for picture files.
// @ts-check

/** @typedef {import("./look.js").Floor} Floor @typedef {import("./look.js").Laid} Laid */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box @typedef {[number, number]} Point */
/** @typedef {{ laid: Laid, x: number, y: number, dx: number, dy: number, level: number }} Standing */

const A = Math.SQRT1_2;
const B = A * Math.sin((40 * Math.PI) / 180);
const C = Math.cos((40 * Math.PI) / 180);
/** Pixels around the floor for the names of the squares. */
const RIM = 26;
/** The thickness of a course in hundredths of a square: thinner if the building would be higher than its space. */
const THICK = 40;
const THIN = 22;

/** The floor `wide` by `deep` squares after `turn` quarter turns, fitted to a box of the drawing. */
export class Space {
  /** @param {Floor} floor @param {number[][]} sky @param {number} turn @param {Box} box @param {boolean} names */
  constructor(floor, sky, turn, box, names) {
    /** Pieces that were drawn in this space: most are the same at the next step. @type {Map<string, string>} */
    this.drawn = new Map();
    this.floor = floor;
    this.turn = turn % 4;
    this.size = [floor.right - floor.left + 1, floor.bottom - floor.top + 1];
    this.wide = this.size[this.turn % 2];
    this.deep = this.size[1 - (this.turn % 2)];
    const columns = sky.map(([x, y, level]) => [...this.square(x, y), level]);
    const rim = names ? RIM : 0;
    const across = (this.wide + this.deep) * A;
    const room = box.bottom - box.top - rim;
    const widest = (box.right - box.left - 1.8 * rim) / across;
    let above = 0;
    let rise = 0;
    this.course = 0;
    for (let hundredths = THICK; hundredths >= THIN; hundredths -= 1) {
      this.course = (hundredths / 100) * C;
      above = Math.min(0, ...columns.map(([x, y, level]) => (x + y) * B - level * this.course));
      rise = (this.wide + this.deep) * B - above;
      if (rise * widest <= room) break;
    }
    this.scale = Math.min(widest, room / rise);
    this.left = (box.left + box.right) / 2 + ((this.deep - this.wide) / 2) * A * this.scale;
    this.top = box.top + (room - rise * this.scale) / 2 - above * this.scale;
  }

  /** A piece that looks the same whenever its key is the same. @param {string} key @param {() => string} draw */
  once(key, draw) {
    let svg = this.drawn.get(key);
    if (svg === undefined) this.drawn.set(key, (svg = draw()));
    return svg;
  }

  /**
   * Whether a building that was drawn here looks the same there, but for a little difference in size and place.
   * @param {Space} other
   */
  near(other) {
    const size = other.scale / this.scale;
    return (
      this.turn === other.turn &&
      this.course === other.course &&
      size > 0.8 &&
      size < 1.25 &&
      JSON.stringify(this.floor) === JSON.stringify(other.floor)
    );
  }

  /** The point of the drawing for a point over the floor; z in levels. @returns {Point} */
  at(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) {
    return [this.left + (x - y) * A * this.scale, this.top + ((x + y) * B - z * this.course) * this.scale];
  }

  /** A step over the floor, in pixels. @returns {Point} */
  along(/** @type {number} */ x, /** @type {number} */ y) {
    return [(x - y) * A * this.scale, (x + y) * B * this.scale];
  }

  /** The place of a square, counted from the farthest corner of the floor. @returns {Point} */
  square(/** @type {number} */ x, /** @type {number} */ y) {
    let [right, down] = [x - this.floor.left, y - this.floor.top];
    for (let quarter = 0; quarter < this.turn; quarter += 1)
      [right, down] = [this.size[1 - (quarter % 2)] - 1 - down, right];
    return [right, down];
  }

  /** A tile after the quarter turns. @param {Laid} laid @returns {Standing} */
  standing(laid) {
    const [x, y] = this.square(laid.x, laid.y);
    let [dx, dy] = [laid.dx, laid.dy];
    for (let quarter = 0; quarter < this.turn; quarter += 1) [dx, dy] = [-dy, dx];
    return { laid, x, y, dx, dy, level: laid.level };
  }

  /**
   * The names along the front left edge (by x) and along the front right edge (by y).
   * @returns {[string[], string[]]}
   */
  names() {
    const { columns, rows } = this.floor;
    const back = (/** @type {string[]} */ names) => [...names].reverse();
    return /** @type {[string[], string[]][]} */ ([
      [columns, rows],
      [back(rows), columns],
      [back(columns), back(rows)],
      [rows, back(columns)],
    ])[this.turn];
  }
}
