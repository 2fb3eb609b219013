// The table on a page.
//
//   const table = new Table(stage, film, { changed });
//
// `stage` is the element that viewer/templates/table.html renders; the table fills it and brings its own buttons.
// `film` is the JSON that the server makes of a record (viewer/pictures/frames.py):
//   { names: ["Ana", …], things: [["tile", "0-12", x, y, dx, dy, level, mark], …], steps: [[come, go], …],
//     round, gap }
// `come` and `go` are the numbers of the things that come to the table at a step and that leave it; `round` and `gap`
// are the radius of a tile's corners and the gap at its sides, in squares (viewer/pictures/shapes.py).
//
//   table.show(place)     draws a step; { quiet: true } without motion
//   table.renew(film)     takes a newer film of the same record, for the next `show`
//   table.prepare()       works out the next step, so that `show` only has to change the page
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
import { description, drawing, spaceOf } from "./table/drawing.js";
import { Group, transformBetween } from "./table/group.js";
import { openHand } from "./table/hands.js";
import { SHORT, sortThings } from "./table/look.js";
import { Zoom } from "./table/zoom.js";

/** @typedef {{ names: string[], things: any[][], steps: [number[], number[]][], round: number, gap: number }} Film */
/** @typedef {import("./table/look.js").Look} Look @typedef {import("./table/space.js").Space} Space */
/** @typedef {import("./table/look.js").Lying} Lying @typedef {import("./table/group.js").Plan} Plan */
/**
 * A step worked out for a `look`, and for a building that was drawn in the space `old`: what lies on the table, the
 * space that fits, the space to draw in, what changes in each group, and the words for people who listen.
 * @typedef {{ place: number, lying: Lying, look: Look, old: Space | null, space: Space | null, drawn: Space | null,
 *   plans: Plan[], words: string }} Sight
 */

const SVG = "http://www.w3.org/2000/svg";
/** The room for the buttons on the table. */
const BUTTONS = 60;
const MARGIN = 16;
/** Milliseconds after the last step until a stretched building is drawn again: by then it has stopped growing. */
const REST = 400;
/** Milliseconds between quick steps: as long as a tile slides. */
const QUICK = 150;
/** Milliseconds after a step until the next one is worked out, even if the browser is still busy. */
const SOON = 30;

// Some browsers cannot say when they are idle.
const rest =
  "requestIdleCallback" in globalThis
    ? (/** @type {() => void} */ act) => requestIdleCallback(act, { timeout: SOON })
    : (/** @type {() => void} */ act) => Number(setTimeout(act, SOON));
const unrest = globalThis.cancelIdleCallback || clearTimeout;

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
      round: film.round,
      gap: film.gap,
      numerals: false,
      coloured: false,
      quiet: false,
    };
    /** The numbers of the things on the table. @type {Set<number>} */
    this.there = new Set();
    this.place = -1;
    /** 1 or -1: the way of the last step. */
    this.way = 1;
    this.lying = sortThings([], film.names);
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
    /** The step that probably comes next, worked out while the browser was idle. @type {Sight | null} */
    this.ahead = null;
    this.idle = 0;
    /** When the last step was shown. */
    this.shown = 0;
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
  /** Whether the table is too low for buttons on it. */
  get short() {
    return this.look.height < SHORT;
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
    const now = performance.now();
    // Quick steps do not move, like stepping that is held down: the next one would come before they have ended.
    const quick = now - this.shown < QUICK;
    this.shown = now;
    this.way = place < this.place ? -1 : 1;
    this.go(Math.max(0, Math.min(this.steps - 1, place)));
    this.draw(!quiet && !quick, onward, true);
  }

  /** Takes a newer film of the same record; `show` draws it. @param {Film} film */
  renew(film) {
    const { place } = this;
    this.film = film;
    this.there.clear();
    this.place = -1;
    this.ahead = null;
    this.way = 1;
    this.go(Math.min(place, this.steps - 1));
  }

  /** @param {number} place */
  go(place) {
    this.there = this.thereAt(place);
    this.place = place;
    this.lying = this.ahead?.place === place ? this.ahead.lying : this.lyingOf(this.there);
    if (this.look.level >= this.high) this.look = { ...this.look, level: 0 };
  }

  /** The numbers of the things on the table at a step. @param {number} place */
  thereAt(place) {
    const numbers = new Set(this.there);
    let at = this.place;
    while (at < place) {
      at += 1;
      const [come, go] = this.film.steps[at];
      for (const number of come) numbers.add(number);
      for (const number of go) numbers.delete(number);
    }
    while (at > place) {
      const [come, go] = this.film.steps[at];
      for (const number of come) numbers.delete(number);
      for (const number of go) numbers.add(number);
      at -= 1;
    }
    return numbers;
  }

  /** @param {Set<number>} numbers */
  lyingOf(numbers) {
    return sortThings(
      [...numbers].map((number) => this.film.things[number]),
      this.film.names,
    );
  }

  /** @param {Partial<Look>} changes */
  change(changes) {
    this.look = { ...this.look, peel: 0, ...changes };
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
    const top = this.squares && !this.short ? BUTTONS : MARGIN;
    if (this.look.top !== top) this.look = { ...this.look, top };
    const before = this.space;
    const sight = stretches && this.foreseen() ? this.ahead : null;
    const { space, drawn, plans, words } = sight || this.sightOf(this.place, this.lying, stretches);
    [this.space, this.drawn] = [space, drawn];
    const [board, hands] = this.groups;
    const newNodes = board.patch(plans[0]);
    hands.patch(plans[1]);
    this.picture.setAttribute("aria-label", words);
    this.controls.follow();
    board.stretch(drawn, space);
    if (drawn !== space) this.settling = setTimeout(() => this.draw(false), REST);
    this.foresee();
    board.still();
    if (!moves || this.still.matches) return;
    if (before && space && drawn && (before.scale !== space.scale || before.top !== space.top))
      board.grow(transformBetween(drawn, before), transformBetween(drawn, space));
    else if (onward) board.slide(newNodes);
  }

  /**
   * What has to change on the page to show a step; it changes nothing yet.
   * @param {number} place @param {Lying} lying @param {boolean} stretches @returns {Sight}
   */
  sightOf(place, lying, stretches) {
    const { look, drawn: old } = this;
    const space = look.view === "stacked" ? spaceOf(lying, look)?.space || null : null;
    const drawn = stretches && space && old?.near(space) ? old : space;
    const pieces = drawing(lying, look, drawn);
    const first = pieces.findIndex(([key]) => /^(hand|row) /.test(key));
    const parts = first < 0 ? [pieces, []] : [pieces.slice(0, first), pieces.slice(first)];
    const plans = this.groups.map((group, n) => group.plan(parts[n]));
    return { place, lying, look, old, space, drawn, plans, words: description(lying) };
  }

  /** Whether the step to draw has been worked out, and nothing has changed since. */
  foreseen() {
    const { ahead } = this;
    return (
      ahead?.place === this.place &&
      ahead.lying === this.lying &&
      ahead.look === this.look &&
      ahead.old === this.drawn &&
      this.groups.every((group, n) => ahead.plans[n].patches === group.patches)
    );
  }

  /** Works out the next step on the way while the browser is idle: then a step only has to change the page. */
  foresee() {
    unrest(this.idle);
    this.ahead = null;
    this.idle = rest(() => this.prepare());
  }

  /** Works out the next step on the way now. */
  prepare() {
    const place = this.place + this.way;
    if (place < 0 || place >= this.steps || !this.look.width) return;
    const lying = this.lyingOf(this.thereAt(place));
    // Such a step changes the look, too.
    if ((lying.floor !== null) !== this.squares || (this.look.level && this.look.level >= lying.high)) return;
    this.ahead = this.sightOf(place, lying, true);
  }

  /** @param {Event} event */
  pressed(event) {
    const at = /** @type {Element} */ (event.target);
    const sheet = at.closest("[data-to]")?.getAttribute("data-to");
    const key = at.closest("[data-open]")?.getAttribute("data-open");
    const ruler = at.closest("[data-ruler]");
    if (sheet) this.level = Number(sheet);
    else if (key) this.controls.open(...openHand(this.lying, this.look, key));
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
