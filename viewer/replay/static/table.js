// The table on a page: it fills the element of viewer/replay/templates/table.html, and brings its own buttons.
// It shows the pieces of a reel (reels.js), and knows nothing about their shapes.

import { Controls } from "./table_controls.js";
import { Group, prepare } from "./table_pieces.js";
import { Zoom } from "./table_zoom.js";

/** @typedef {import("./reels.js").Reels} Reels @typedef {import("./reels.js").Reel} Reel */

const SVG = "http://www.w3.org/2000/svg";
/** The key of all hands. */
const ALL = "hand all";
/** A lower stage has no buttons on it. */
const SHORT = 220;
/** The shapes of a drawing: `SHAPES` in viewer/pictures/reel.py. @type {[string, number, number][]} */
const SHAPES = [
  ["wide", 856, 440],
  ["phone", 374, 415],
  ["small", 360, 280],
  ["low", 500, 320],
  ["tablet", 740, 580],
];
/** How much broader than high a stage for the shape of a tablet is at the most. */
const BROAD = 1.6;
/** Milliseconds between quick steps: as long as a tile slides. */
const QUICK = 150;

/** The shape whose letters fill a stage of this size best. @param {number} width @param {number} height */
function shapeOf(width, height) {
  const scores = SHAPES.map(([name, wide, high]) => {
    // In a broad stage it would leave the sides empty.
    if (name === "tablet" && width > BROAD * height) return 0;
    const scale = Math.min(width / wide, height / high);
    return Math.min(scale, 1 / scale) * Math.sqrt((wide * high * scale * scale) / (width * height));
  });
  return SHAPES[scores.indexOf(Math.max(...scores))][0];
}

export class Table {
  /** What is shown. @type {Reel | null} */
  reel = null;
  look = { shape: "", view: "stacked", turn: 0 };
  /** The look of the reel that is shown. */
  drawn = this.look;
  /** The level up to which the building is drawn, 0 for all; and the one that a mouse looks at. */
  level = 0;
  peel = 0;
  /** The seat whose hand is seen, -1: everybody's, -2: nobody's. */
  eyes = -1;
  /** At a place, the keys of tiles that are marked. @type {Record<number, string[]>} */
  marked = {};
  place = -1;
  /** The version of the reels that is shown. */
  seen = -1;
  /** When the last step was shown. */
  shown = 0;
  short = false;
  loading = Promise.resolve();
  motionless = matchMedia("(prefers-reduced-motion: reduce)");
  picture = document.createElementNS(SVG, "svg");
  board = new Group("board", this.picture);
  beside = new Group("hands", this.picture);
  zoom = new Zoom(this.picture);

  /**
   * @param {HTMLElement} stage @param {Reels} reels
   * @param {() => void} changed called when a reader has used a button of the table
   */
  constructor(stage, reels, changed) {
    this.stage = stage;
    this.reels = reels;
    this.changed = changed;
    this.picture.setAttribute("class", "drawing");
    this.picture.setAttribute("role", "group");
    this.controls = new Controls(this, stage, changed);
    /** Resolves when something is drawn. */
    this.ready = new Promise((ready) => (this.begun = () => ready(undefined)));
    this.picture.addEventListener("click", (event) => this.pressed(event));
    this.picture.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.pressed(event);
    });
    this.picture.addEventListener("pointermove", (event) => this.lift(event));
    this.picture.addEventListener("pointerleave", () => this.peelTo(0));
    new ResizeObserver(() => this.resize()).observe(stage);
    this.resize();
  }

  /** How many levels there are at this step. */
  get high() {
    return this.squares ? (this.reel?.steps[this.place]?.[1].length ?? 0) : 0;
  }

  get squares() {
    return this.reel?.squares ?? false;
  }

  get numerals() {
    return this.stage.classList.contains("numerals");
  }

  /** Draws the building up to a level, 0 for all. @param {number} level */
  build(level) {
    this.level = Math.max(0, level);
    this.draw();
    this.controls.follow();
  }

  /** Draws a step; if `quiet`, without motion. @param {number} place */
  show(place, { quiet = false } = {}) {
    const onward = place === this.place + 1;
    const next = place + (place < this.place ? -1 : 1);
    const now = performance.now();
    // Quick steps do not move, like stepping that is held down: the next one would come before they have ended.
    const quick = now - this.shown < QUICK;
    this.shown = now;
    this.place = place;
    this.draw(onward && !quiet && !quick);
    requestAnimationFrame(() => setTimeout(() => this.rest(next)));
    if (!this.reel) this.turnTo({});
  }

  /**
   * What can wait until the frame is drawn: the buttons follow (when the list of levels grows, the browser lays out the
   * whole page), and the elements of the step that probably comes next are made.
   * @param {number} next
   */
  rest(next) {
    this.controls.follow();
    if (!this.reel?.steps[next]) return;
    for (const pieces of this.piecesAt(next).slice(0, 2)) prepare(pieces, this.numerals);
  }

  /** Fetches what a game that has grown has in addition; `show` draws it. */
  async renew() {
    this.reels.version += 1;
    await this.load();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    this.short = height < SHORT;
    this.turnTo({ shape: shapeOf(width, height) });
    this.controls.follow();
  }

  /** Shows another look, when it is there. @param {Partial<import("./reels.js").Look>} changes */
  turnTo(changes) {
    this.look = { ...this.look, ...changes };
    // What comes in the same task belongs to the same look.
    this.loading = this.loading.then(() => this.load()).catch(() => undefined);
  }

  async load() {
    const { look } = this;
    if (!look.shape || (look === this.drawn && this.reels.version === this.seen)) return;
    const version = this.reels.version;
    this.stage.setAttribute("aria-busy", "true");
    try {
      const reel = await this.reels.get(look);
      if (look !== this.look) return;
      [this.reel, this.drawn, this.seen] = [reel, look, version];
      this.zoom.fit(reel.width, reel.height);
      this.draw();
    } catch {
      // Without a network, the table stays as it was.
      if (this.reel && look === this.look) this.look = this.drawn;
      this.changed();
    }
    if (look === this.look || this.look === this.drawn) this.stage.removeAttribute("aria-busy");
    this.controls.follow();
  }

  /** The pieces of a step: on the board, beside it, and hands to open. @param {number} place */
  piecesAt(place) {
    const { level, peel } = this;
    const { pieces, lists, steps } = /** @type {Reel} */ (this.reel);
    const [, levels, beside] = steps[place];
    const board = lists[levels[(peel || level || levels.length) - 1] ?? levels[levels.length - 1]];
    const all = beside.map((number) => pieces[number]);
    const opens = all.filter(({ key }) => key.startsWith("open "));
    return [board.map((number) => pieces[number]), all.slice(0, all.length - opens.length), opens];
  }

  /** Every tile on the table, in words. */
  get position() {
    const { sentences, steps } = this.reel || { sentences: [], steps: [] };
    return steps[this.place]?.[3].map((number) => sentences[number]) || [];
  }

  /** Puts the pieces of the step in their places. */
  draw(moves = false) {
    const step = this.reel?.steps[this.place];
    if (!this.reel || !step) return;
    if (this.level >= step[1].length) this.level = 0;
    const [board, beside] = this.piecesAt(this.place);
    this.board.still();
    this.board.aim(this.reel.cameras[step[4]]);
    const fresh = this.board.show(board, this.numerals);
    this.beside.show(beside, this.numerals);
    const marked = this.marked[this.place] || [];
    for (const { key, node } of this.beside.pieces) {
      node?.classList.toggle("closed", this.isClosed(key));
      node?.classList.toggle("better", marked.includes(key));
    }
    this.picture.setAttribute("aria-label", step[0]);
    if (!this.picture.parentElement) {
      // The picture takes the place of the one that the server drew.
      for (const drawn of this.stage.querySelectorAll(":scope > svg")) drawn.remove();
      this.stage.prepend(this.picture);
      this.begun?.();
    }
    if (moves && !this.motionless.matches) this.board.slide(fresh);
  }

  /** Whether the reader sees only the backs of these tiles. @param {string} key */
  isClosed(key) {
    return this.eyes !== -1 && /(^|\s)hand /.test(key) && !key.endsWith(`hand ${this.eyes}`);
  }

  /** @param {Event} event */
  pressed(event) {
    const at = /** @type {Element} */ (event.target);
    const [level] = ["data-to", "data-ruler"]
      .map((name) => at.closest(`[${name}]`)?.getAttribute(name))
      .filter(Boolean);
    const key = at.closest("[data-open]")?.getAttribute("data-open");
    if (level) this.build(Number(level));
    else if (key) this.open(key);
    else return;
    event.preventDefault();
  }

  /** Opens a hand that is a line on the table, or all hands. @param {string} key */
  open(key) {
    const [, , opens] = this.piecesAt(this.place);
    const hands = opens.filter((piece) => key === ALL || piece.key === `open ${key}`);
    if (hands.length) this.controls.open(hands.map(({ svg }) => svg).join(""), this.eyes);
  }

  /** A mouse over the ruler lifts off what is above that level while it stays there. @param {PointerEvent} event */
  lift(event) {
    const at = event.pointerType === "mouse" && /** @type {Element} */ (event.target).closest("[data-ruler]");
    const level = at ? Number(at.getAttribute("data-ruler")) : 0;
    this.peelTo(level < this.high ? level : 0);
  }

  /** @param {number} peel */
  peelTo(peel) {
    if (peel === this.peel) return;
    this.peel = peel;
    this.draw();
  }
}
