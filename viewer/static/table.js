// The table on a page.
//
//   const table = new Table(stage, film, { changed });
//
// `stage` is the element that viewer/templates/table.html renders; the table fills it and brings its own buttons.
// `film` is the JSON that the server makes of a record (viewer/pictures/frames.py):
//   { names: ["Ana", …], things: [["tile", "0-12", x, y, dx, dy, level, mark], …], steps: [[come, go], …] }
// `come` and `go` are the numbers of the things that come to the table at a step and that leave it.
//
//   table.show(place)     draws a step; { quiet: true } without motion
//   table.renew(film)     takes a newer film of the same record
//   table.steps           how many steps there are
//   table.view            "stacked" or "plan"
//   table.level           the level up to which the building is drawn, 0 for all
//   table.turn            quarter turns
//   table.eyes            the seat whose hand is seen, -1: everybody's, -2: nobody's
//   table.numerals        numerals instead of pips;  table.coloured  pips in the colours of real sets
//   table.reset()         forgets zoom and pan
// Each of them can be set at any time.  `changed` is called when a reader has used a button of the table.
// @ts-check

import { Controls } from "./table/controls.js";
import { described, drawing, spaceOf } from "./table/drawing.js";
import { Group, stretched } from "./table/group.js";
import { opened } from "./table/hands.js";
import { sorted } from "./table/look.js";
import { Zoom } from "./table/zoom.js";

/** @typedef {{ names: string[], things: any[][], steps: [number[], number[]][] }} Film */
/** @typedef {import("./table/look.js").Look} Look @typedef {import("./table/space.js").Space} Space */

const SVG = "http://www.w3.org/2000/svg";
/** The room for the buttons on the table. */
const BUTTONS = 60;
const MARGIN = 16;
/** Milliseconds after the last step until a stretched building is drawn again: by then it has stopped growing. */
const REST = 400;

export class Table {
  /** @param {HTMLElement} stage @param {Film} film @param {{ changed?: (table: Table) => void }} [options] */
  constructor(stage, film, { changed = () => undefined } = {}) {
    this.stage = stage;
    this.film = film;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    /** @type {Look} */
    this.look = {
      width: 0,
      height: 0,
      top: MARGIN,
      view: "stacked",
      level: 0,
      peel: 0,
      turn: 0,
      eyes: -1,
      numerals: false,
      coloured: false,
      quiet: false,
    };
    /** @type {Set<number>} */
    this.there = new Set();
    this.place = -1;
    this.lying = sorted([], film.names);
    this.picture = document.createElementNS(SVG, "svg");
    this.picture.setAttribute("class", "drawing");
    this.picture.setAttribute("role", "group");
    this.groups = ["board", "hands"].map((name) => {
      const group = document.createElementNS(SVG, "g");
      group.setAttribute("class", name);
      this.picture.append(group);
      return new Group(group);
    });
    stage.replaceChildren(this.picture);
    this.controls = new Controls(this, stage, () => changed(this));
    this.zoom = new Zoom(this.picture);
    this.space = /** @type {Space | null} */ (null);
    /** Where the building was drawn, if it has only been stretched since then. */
    this.drawn = /** @type {Space | null} */ (null);
    this.settling = 0;
    this.picture.addEventListener("click", (event) => this.pressed(event));
    this.picture.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.pressed(event);
    });
    this.picture.addEventListener("pointermove", (event) => this.peel(event));
    this.picture.addEventListener("pointerleave", () => this.unpeel());
    new ResizeObserver(() => this.resize()).observe(stage);
    this.resize();
  }

  get steps() {
    return this.film.steps.length;
  }
  get high() {
    return this.lying.high;
  }
  get squares() {
    return this.lying.floor !== null;
  }
  get view() {
    return this.look.view;
  }
  set view(view) {
    this.change({ view: view === "plan" ? "plan" : "stacked" });
  }
  get level() {
    return this.look.level;
  }
  set level(level) {
    this.change({ level: level >= this.high || level < 0 ? 0 : Math.max(level, Math.min(1, this.high)) });
  }
  get turn() {
    return this.look.turn;
  }
  set turn(turn) {
    this.change({ turn: ((turn % 4) + 4) % 4 });
  }
  get eyes() {
    return this.look.eyes;
  }
  set eyes(eyes) {
    this.change({ eyes });
  }
  get numerals() {
    return this.look.numerals;
  }
  set numerals(numerals) {
    this.change({ numerals });
  }
  get coloured() {
    return this.look.coloured;
  }
  set coloured(coloured) {
    this.change({ coloured });
  }

  /** Forgets zoom and pan. */
  reset() {
    this.zoom.reset();
  }

  /** Draws a step. @param {number} place */
  show(place, { quiet = false } = {}) {
    const onward = place === this.place + 1;
    this.go(Math.max(0, Math.min(this.steps - 1, place)));
    this.draw(!quiet, onward, true);
  }

  /** Takes a newer film of the same record, at the step that is shown. @param {Film} film */
  renew(film) {
    const { place } = this;
    this.film = film;
    this.there.clear();
    this.place = -1;
    this.go(Math.min(place, this.steps - 1));
    this.draw(false);
  }

  /** @param {number} place */
  go(place) {
    while (this.place < place) {
      this.place += 1;
      const [come, go] = this.film.steps[this.place];
      for (const number of come) this.there.add(number);
      for (const number of go) this.there.delete(number);
    }
    while (this.place > place) {
      const [come, go] = this.film.steps[this.place];
      for (const number of come) this.there.delete(number);
      for (const number of go) this.there.add(number);
      this.place -= 1;
    }
    this.lying = sorted(
      [...this.there].map((number) => this.film.things[number]),
      this.film.names,
    );
    if (this.look.level >= this.high) this.look = { ...this.look, level: 0 };
  }

  /** @param {Partial<Look>} asked */
  change(asked) {
    this.look = { ...this.look, peel: 0, ...asked };
    this.draw(true);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    this.look = { ...this.look, width, height };
    this.zoom.fit(width, height);
    this.draw(false);
  }

  /**
   * Draws what has changed.
   * @param {boolean} moves @param {boolean} onward whether an act has been added
   * @param {boolean} stretches whether a building with a new size may be stretched to it and drawn anew a moment later
   */
  draw(moves, onward = false, stretches = false) {
    if (this.place < 0 || !this.look.width) return;
    clearTimeout(this.settling);
    this.look = { ...this.look, top: this.squares ? BUTTONS : MARGIN };
    const before = this.space;
    this.space = this.look.view === "stacked" ? spaceOf(this.lying, this.look)?.space || null : null;
    const old = this.drawn;
    this.drawn = stretches && this.space && old?.near(this.space) ? old : this.space;
    const pieces = drawing(this.lying, this.look, this.drawn);
    const first = pieces.findIndex(([key]) => /^(hand|row) /.test(key));
    const [board, hands] = this.groups;
    const fresh = board.patch(first < 0 ? pieces : pieces.slice(0, first));
    hands.patch(first < 0 ? [] : pieces.slice(first));
    this.picture.setAttribute("aria-label", described(this.lying));
    this.controls.follow();
    board.stretch(this.drawn, this.space);
    if (this.drawn !== this.space) this.settling = setTimeout(() => this.draw(false), REST);
    if (!moves || this.still.matches) return;
    if (before && this.space && this.drawn && (before.scale !== this.space.scale || before.top !== this.space.top))
      board.grow(stretched(this.drawn, before), stretched(this.drawn, this.space));
    else if (onward) board.slide(fresh);
  }

  /** @param {Event} event */
  pressed(event) {
    const at = /** @type {Element} */ (event.target);
    const sheet = at.closest("[data-to]")?.getAttribute("data-to");
    const key = at.closest("[data-open]")?.getAttribute("data-open");
    const ruler = at.closest("[data-ruler]");
    if (sheet) this.level = Number(sheet);
    else if (key) this.controls.open(...opened(this.lying, this.look, key));
    else if (ruler && "clientY" in event) this.level = this.levelAt(/** @type {PointerEvent} */ (event));
    else return;
    event.preventDefault();
  }

  /** The level of the ruler beside a point. @param {MouseEvent} event */
  levelAt(event) {
    if (!this.space) return 0;
    const y = this.zoom.corner[1] + this.zoom.point(event)[1] / this.zoom.scale;
    const foot = this.space.at(0, this.space.deep, 0)[1];
    return Math.max(1, Math.min(this.high, Math.ceil((foot - y) / (this.space.course * this.space.scale))));
  }

  /** A mouse over the ruler lifts off what is above that level while it stays there. @param {PointerEvent} event */
  peel(event) {
    const over = event.pointerType === "mouse" && /** @type {Element} */ (event.target).closest("[data-ruler]");
    const peel = over ? this.levelAt(event) : 0;
    if (peel === this.look.peel) return;
    this.look = { ...this.look, peel };
    this.draw(false);
  }

  unpeel() {
    if (!this.look.peel) return;
    this.look = { ...this.look, peel: 0 };
    this.draw(false);
  }
}
