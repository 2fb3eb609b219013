// The table on a page.
//
//   const table = new Table(stage, reels, { changed });
//
// `stage` is the element of viewer/replay/templates/table.html; the table fills it and brings its own buttons.
// `reels` are the drawings of the game (reels.js): the table shows their pieces and knows nothing about their shapes.
//
//   table.show(place)     draws a step; { quiet: true } without motion
//   table.renew()         fetches what is new in a game that has grown, for the next `show`
//   table.ready           a promise that something is drawn
//   table.view            "stacked" or "plan"
//   table.level           the level up to which the building is drawn, 0 for all
//   table.turn            quarter turns
//   table.eyes            the seat whose hand is seen, -1: everybody's, -2: nobody's
//   table.numerals        numerals instead of pips;  table.coloured  pips in the colours of real sets
// Each of them can be set at any time.  `changed` is called when a reader has used a button of the table.

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
  ["phone", 374, 370],
  ["small", 360, 280],
  ["low", 500, 320],
  ["tablet", 740, 580],
];
/** How much broader than high a stage for the shape of a tablet is at the most. */
const BROAD = 1.6;
/** Milliseconds between quick steps: as long as a tile slides. */
const QUICK = 150;
/** Milliseconds after a step until the next one is prepared, even if the browser is still busy. */
const SOON = 30;

// Some browsers cannot say when they are idle.
const rest =
  "requestIdleCallback" in globalThis
    ? (/** @type {() => void} */ act) => requestIdleCallback(act, { timeout: SOON })
    : (/** @type {() => void} */ act) => Number(setTimeout(act, SOON));
const unrest = globalThis.cancelIdleCallback || clearTimeout;

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
  /** @param {HTMLElement} stage @param {Reels} reels @param {{ changed?: (table: Table) => void }} [options] */
  constructor(stage, reels, { changed = () => undefined } = {}) {
    this.stage = stage;
    this.reels = reels;
    this.changed = changed;
    this.motionless = matchMedia("(prefers-reduced-motion: reduce)");
    /** What is shown. @type {Reel | null} */
    this.reel = null;
    this.look = { shape: "", view: "stacked", turn: 0 };
    /** The look of the reel that is shown. */
    this.drawn = this.look;
    this.levels = { level: 0, peel: 0 };
    this.hands = { eyes: -1 };
    /** At a place, the keys of tiles that are marked. @type {Record<number, string[]>} */
    this.marked = {};
    this.place = -1;
    /** The version of the reels that is shown. */
    this.seen = -1;
    /** 1 or -1: the way of the last step. */
    this.way = 1;
    /** When the last step was shown. */
    this.shown = 0;
    this.idle = 0;
    this.lagging = 0;
    this.short = false;
    this.loading = Promise.resolve();
    this.picture = document.createElementNS(SVG, "svg");
    this.picture.setAttribute("class", "drawing");
    this.picture.setAttribute("role", "group");
    this.board = new Group("board", this.picture);
    this.beside = new Group("hands", this.picture, true);
    this.controls = new Controls(this, stage, () => changed(this));
    this.zoom = new Zoom(this.picture);
    this.ready = new Promise((ready) => (this.begun = () => ready(undefined)));
    this.picture.addEventListener("click", (event) => this.pressed(event));
    this.picture.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.pressed(event);
    });
    this.picture.addEventListener("pointermove", (event) => this.peel(event));
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
  get view() {
    return this.look.view;
  }
  set view(view) {
    this.turnTo({ view: view === "plan" ? "plan" : "stacked" });
  }
  get turn() {
    return this.look.turn;
  }
  set turn(turn) {
    this.turnTo({ turn: ((turn % 4) + 4) % 4 });
  }
  get level() {
    return this.levels.level;
  }
  set level(level) {
    this.levels.level = Math.max(0, level);
    this.draw();
    this.controls.follow();
  }
  /** @param {number} eyes */
  set eyes(eyes) {
    this.hands.eyes = eyes;
    this.draw();
  }
  get numerals() {
    return this.stage.classList.contains("numerals");
  }
  set numerals(numerals) {
    this.stage.classList.toggle("numerals", numerals);
    this.draw();
  }
  /** @param {boolean} coloured */
  set coloured(coloured) {
    this.stage.classList.toggle("coloured", coloured);
  }

  /** Draws a step. @param {number} place */
  show(place, { quiet = false } = {}) {
    const onward = place === this.place + 1;
    const now = performance.now();
    // Quick steps do not move, like stepping that is held down: the next one would come before they have ended.
    const quick = now - this.shown < QUICK;
    this.shown = now;
    this.way = place < this.place ? -1 : 1;
    this.place = place;
    this.draw(onward && !quiet && !quick);
    this.lag();
    if (!this.reel) this.turnTo({});
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
      this.changed(this);
    }
    if (look === this.look || this.look === this.drawn) this.stage.removeAttribute("aria-busy");
    this.controls.follow();
  }

  /** The pieces of a step: on the board, beside it, and hands to open. @param {number} place */
  piecesAt(place) {
    const { level, peel } = this.levels;
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
    if (this.levels.level >= step[1].length) this.levels.level = 0;
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
    unrest(this.idle);
    this.idle = rest(() => this.prepare());
  }

  /** The buttons follow a step after the frame: a list of levels that grows makes the whole page be laid out. */
  lag() {
    this.lagging ||= requestAnimationFrame(() =>
      setTimeout(() => {
        this.lagging = 0;
        this.controls.follow();
      }),
    );
  }

  /** Whether the reader sees only the backs of these tiles. @param {string} key */
  isClosed(key) {
    const { eyes } = this.hands;
    return eyes !== -1 && /(^|\s)hand /.test(key) && !key.endsWith(`hand ${eyes}`);
  }

  /** Makes the elements of the next step on the way while the browser is idle. */
  prepare() {
    const place = this.place + this.way;
    if (!this.reel?.steps[place]) return;
    for (const pieces of this.piecesAt(place).slice(0, 2)) prepare(pieces, this.numerals);
  }

  /** @param {Event} event */
  pressed(event) {
    const at = /** @type {Element} */ (event.target);
    const [level] = ["data-to", "data-ruler"]
      .map((name) => at.closest(`[${name}]`)?.getAttribute(name))
      .filter(Boolean);
    const key = at.closest("[data-open]")?.getAttribute("data-open");
    if (level) this.level = Number(level);
    else if (key) this.open(key);
    else return;
    event.preventDefault();
  }

  /** Opens a hand that is a line on the table, or all hands. @param {string} key */
  open(key) {
    const [, , opens] = this.piecesAt(this.place);
    const hands = opens.filter((piece) => key === ALL || piece.key === `open ${key}`);
    if (hands.length) this.controls.open(hands.map(({ svg }) => svg).join(""), this.hands.eyes);
  }

  /** A mouse over the ruler lifts off what is above that level while it stays there. @param {PointerEvent} event */
  peel(event) {
    const at = event.pointerType === "mouse" && /** @type {Element} */ (event.target).closest("[data-ruler]");
    const level = at ? Number(at.getAttribute("data-ruler")) : 0;
    this.peelTo(level < this.high ? level : 0);
  }

  /** @param {number} peel */
  peelTo(peel) {
    if (peel === this.levels.peel) return;
    this.levels.peel = peel;
    this.draw();
  }
}
