// The step that is shown; bar, scores, list, chart, slider and table all follow it.

import { beside, placeOf } from "./step_numbers.js";
import { Reels, sourceOf } from "./reels.js";
import { Table } from "./table.js";

const [SEQ, SCORES, TURNS, NOTES, WINS, NEXT, WHEN] = [...Array(7).keys()];

/**
 * The data of the page; `version` and the checksums of the `rows` only for a game in play, `rules` by clause.
 * @typedef {{ id: string, version: string, rows: number[], steps: any[][], chapters: number[], joined: number[],
 *   flags: number[], slips: number[], moves: number,
 *   moments: [number, number, string, string][], pace: number[],
 *   rules: Record<string, string> }} Data
 */

/** Milliseconds without a step until the address follows: browsers allow few new addresses a second, and are slow. */
const PAUSE = 250;

/** A sentence of more letters has smaller ones below the table. */
const LONG = 110;

/** An element that every page has. @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The parts of the page that follow the step. */
const partsOf = () => ({
  aloud: byId("aloud"),
  say: byId("now"),
  found: byId("found"),
  tiles: document.getElementById("tiles"),
  again: document.getElementById("again"),
  next: byId("next"),
  done: byId("done"),
  knob: byId("knob"),
  list: byId("rows"),
  plots: [...document.querySelectorAll("#charts > .plot")].map((plot) => plotOf(/** @type {HTMLElement} */ (plot))),
});

/** A chart, and the first and the last step that it is about. @param {HTMLElement} section */
function plotOf(section) {
  const chart = /** @type {SVGElement} */ (section.querySelector(".chart"));
  const [cursor, past] = [".cursor", ".past"].map((kind) => /** @type {Element} */ (chart.querySelector(kind)));
  const [first, last] = [section.dataset.first, section.dataset.last].map(Number);
  return { section, chart, cursor, past, first, last };
}

/** The score of a seat, and what stands beside it. @param {HTMLElement} box */
function seatOf(box) {
  const [score, place, note, state] = [".n > span", ".rank > span", "small > span", ".state > span"].map((part) =>
    box.querySelector(part),
  );
  return { box, score, place, note, state };
}

/** Writes a text if it differs. @param {Element | null} where @param {string | number} text */
function writeText(where, text) {
  if (where && where.textContent !== String(text)) where.textContent = String(text);
}

export class Stepper {
  data = /** @type {Data} */ ({});
  steps = this.data.steps;
  last = 0;
  joined = /** @type {Set<number>} */ (new Set());
  rows = /** @type {HTMLElement[]} */ ([]);
  now = /** @type {Element | null} */ (null);
  seats = /** @type {ReturnType<typeof seatOf>[] | null} */ (null);
  together = /** @type {Element | null} */ (null);
  goes = /** @type {HTMLAnchorElement[]} */ ([]);
  /** The part after the # of the address that was followed or written last. */
  address = "";

  constructor() {
    this.root = document.documentElement;
    this.parts = partsOf();
    this.wide = matchMedia("(min-width: 900px)");
    this.slider = /** @type {HTMLInputElement} */ (byId("slider"));
    this.place = Number(this.slider.value);
    this.following = 0;
    this.remembering = 0;
    this.read(JSON.parse(byId("data").textContent || "{}"));
    const stage = /** @type {HTMLElement} */ (document.querySelector(".stage"));
    this.table = new Table(stage, new Reels(sourceOf(stage)), () => this.remember());
    this.asked = new URLSearchParams(location.search);
  }

  /** The table looks as the address says: `view=plan`, the `level` up to which it is built, quarter turns. */
  look() {
    const { table, asked } = this;
    const view = asked.getAll("view").includes("plan") ? "plan" : "stacked";
    table.turnTo({ view, turn: Number(asked.get("turn")) & 3 });
    table.build(Number(asked.get("level")) || 0);
  }

  /** Reads the parts of the page; again after a live move has renewed them. @param {Data} data */
  read(data) {
    this.parts = partsOf();
    this.data = data;
    this.steps = this.data.steps;
    this.last = this.steps.length - 1;
    this.joined = new Set(data.joined);
    this.rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#rows > li[id]")]);
    this.now = document.querySelector("#rows > li.now");
    const seat = (/** @type {unknown} */ _, /** @type {number} */ n) => seatOf(byId(`seat${n}`));
    this.seats = this.steps[0][TURNS] && this.steps[0][SCORES].map(seat);
    this.together = document.querySelector("#score .together .n > span");
    // The widest score of the game: a box of a known width is laid out alone.
    const widest = Math.max(
      ...this.steps.flatMap((step) => step[SCORES].map((/** @type {number} */ n) => `${n}`.length)),
    );
    byId("score")?.style.setProperty("--digits", `${widest}ch`);
    const link = (/** @type {string} */ go) => document.querySelector(`[data-go="${go}"]`);
    this.goes = ["first", "-1", "1", "last"].map((go) => /** @type {HTMLAnchorElement} */ (link(go)));
    this.slider.max = String(this.last);
    const count = byId("count");
    if (count) count.textContent = this.data.moves ? String(this.data.moves) : "";
    const only = byId("only");
    only?.classList.toggle("none", !this.data.slips.length);
    only?.lastChild?.replaceWith(String(this.data.slips.length));
  }

  /** @param {number} place @param {{ still?: boolean }} [how] `still` leaves the address as it is */
  show(place, { still = false } = {}) {
    this.place = this.shown(Math.max(0, Math.min(this.last, place)));
    const step = this.steps[this.place];
    this.table.show(this.place, { quiet: still || this.root.classList.contains("held-down") });
    this.bar();
    this.score(step);
    this.slide();
    const { again } = this.parts;
    if (again && again.hidden !== (this.place !== this.last)) again.hidden = !again.hidden;
    const rest = () => {
      this.list();
      this.chart();
      this.aloud();
    };
    // Table and bar come first: the list, the chart and the words for listeners follow after the frame.
    if (still) rest();
    else {
      requestAnimationFrame(() => setTimeout(rest));
      this.remember();
    }
    document.dispatchEvent(new Event("shown"));
  }

  /** Whether the game goes on, and its last move is not older. @param {number} age in milliseconds */
  inPlay(age) {
    const last = this.steps[this.last];
    const over = !this.data.version || String(last[NEXT]).startsWith("Game over");
    return !over && Math.abs(Date.now() - Date.parse(last[WHEN] || "")) < age;
  }

  /** The step that is shown, in words: `7: Ana plays 5-1 on level 2, b2-c2. Ana +3`. */
  get words() {
    return this.rows[this.place].firstElementChild?.getAttribute("aria-label") || "";
  }

  /** Every tile in words, when the stepping pauses: people who listen can go through them. */
  tiles() {
    const { tiles } = this.parts;
    if (!tiles || !this.table.position.length) return;
    tiles.replaceChildren(
      ...this.table.position.map((words) => Object.assign(document.createElement("li"), { textContent: words })),
    );
  }

  /** The step in words for people who listen, and the value of the slider, which is drawn by `slide`. */
  aloud() {
    const { words } = this;
    writeText(this.parts.aloud, words);
    this.slider.setAttribute("aria-valuetext", words);
    this.slider.value = String(this.place);
  }

  /** The bar shows the cells of the row, who is next, and what is wrong. */
  bar() {
    const { say, next, found } = this.parts;
    const link = /** @type {HTMLElement} */ (this.rows[this.place].firstElementChild);
    writeText(next, this.steps[this.place][NEXT]);
    const over = next.textContent?.startsWith("Game over") ?? false;
    next.classList.toggle("over", over);
    say.classList.toggle("ended", over);
    const [cells, old] = [[...link.children], [...say.children].slice(0, -1)];
    old.splice(cells.length).forEach((cell) => cell.remove());
    cells.forEach((cell, n) => {
      if (!old[n]) next.before(cell.cloneNode(true));
      else if (!old[n].isEqualNode(cell)) old[n].replaceWith(cell.cloneNode(true));
    });
    const row = this.rows[this.place];
    const whys = row.childElementCount > 1 ? [...row.querySelectorAll(".why:not(.note)")] : [];
    if (whys.length || found.firstChild) found.replaceChildren(...(whys.length ? [this.finding(whys)] : []));
  }

  /** The gravest finding for the bar. @param {Element[]} whys */
  finding(whys) {
    const rule = /** @type {HTMLAnchorElement} */ (whys[0].querySelector(".rule"));
    const message = whys[0].firstElementChild?.textContent || "";
    const finding = Object.assign(document.createElement("a"), { id: "finding", href: rule.href });
    finding.className = `finding ${whys[0].classList[1]}${message.length > LONG ? " long" : ""}`;
    const text = Object.assign(document.createElement("span"), { textContent: message });
    if (whys.length > 1) {
      const more = { className: "nb soft", textContent: ` and ${whys.length - 1} more` };
      text.append(Object.assign(document.createElement("span"), more));
    }
    const see = Object.assign(document.createElement("u"), { textContent: "See the rule" });
    const flag = this.rows[this.place].querySelector(".flag .ic")?.cloneNode(true);
    finding.append(...(flag ? [flag] : []), text, see);
    return finding;
  }

  /** @param {any[]} step */
  score(step) {
    this.seats?.forEach(({ box, score, place, note, state }, n) => {
      const [turn, wins] = [step[TURNS].includes(n), step[WINS].includes(n)];
      const better = step[SCORES].filter((/** @type {number} */ other) => other > step[SCORES][n]);
      box.classList.toggle("turn", turn);
      box.classList.toggle("win", wins);
      writeText(score, step[SCORES][n]);
      writeText(place, 1 + better.length);
      writeText(note, step[NOTES][n]);
      writeText(state, turn ? "to play" : wins ? "winner" : "");
    });
    writeText(this.together, step[SCORES][0]);
  }

  list() {
    const row = this.rows[this.place];
    if (this.now !== row) {
      this.now?.classList.remove("now");
      this.now?.firstElementChild?.removeAttribute("aria-current");
      row.classList.add("now");
      row.firstElementChild?.setAttribute("aria-current", "step");
      this.now = row;
    }
    this.follow(row);
  }

  /**
   * The list keeps the row in sight: after the frame, because asking for its place costs a layout; on a phone, where
   * the list is below the table, when the stepping pauses.
   * @param {HTMLElement} row
   */
  follow(row) {
    clearTimeout(this.following);
    const { list } = this.parts;
    const scroll = () => {
      const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
      list.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
    };
    this.following = setTimeout(() => requestAnimationFrame(scroll), this.wide.matches ? 0 : 250);
  }

  /** The picture of the slider. */
  slide() {
    const { done, knob } = this.parts;
    const percent = `${((100 * this.place) / (this.last || 1)).toFixed(2)}%`;
    done.setAttribute("width", percent);
    knob.setAttribute("cx", percent);
  }

  /** The chart of the step with its line, and the buttons at both ends. */
  chart() {
    const { plots } = this.parts;
    // The chart of the scores is about all steps and comes first; that of a hand is about some of them.
    const current = plots.filter(({ first, last }) => first <= this.place && this.place <= last).pop() || plots[0];
    for (const plot of plots) plot.section.hidden = plot !== current;
    if (current) {
      const { chart, cursor, past, first, last } = current;
      const [from, to] = [Number(chart.dataset.from), Number(chart.dataset.to)];
      const part = Math.min(1, (this.place - first) / Math.max(1, last - first));
      const x = (from + part * (to - from)).toFixed(1);
      cursor.setAttribute("transform", `translate(${x} 0)`);
      past.setAttribute("width", x);
    }
    this.around().forEach((place, n) => {
      const off = String(place === this.place);
      if (this.goes[n].getAttribute("aria-disabled") !== off) this.goes[n].setAttribute("aria-disabled", off);
    });
  }

  /** Where the four buttons lead. */
  around() {
    return [0, this.beside(-1), this.beside(1), this.last];
  }

  /** The step that shows a place: a claim that belongs to an act is no step. @param {number} place */
  shown(place) {
    return place - Number(this.joined.has(place));
  }

  /** The next or the previous step, or the last or first one. @param {number} way */
  beside(way) {
    const place = Math.max(0, Math.min(this.last, this.place + way));
    return way > 0 && this.joined.has(place) ? Math.min(this.last, place + 1) : this.shown(place);
  }

  /** The address and what is shared from here follow the stepping, a moment later. */
  remember() {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => {
      // A menu has its own entry in the history: the address waits until it is closed.
      if (history.state?.box) return this.remember();
      this.toAddress();
      this.around().forEach((place, n) => {
        this.goes[n].href = `?ply=${this.steps[place][SEQ]}`;
      });
      try {
        history.replaceState(history.state, "", this.link().href);
      } catch {
        /* a file on a disk */
      }
      this.address = location.hash;
      this.tiles();
      document.dispatchEvent(new Event("remembered"));
    }, PAUSE);
  }

  /** Shows the step of the address, if that is a new one. */
  toAddress() {
    if (location.hash === this.address) return;
    this.address = location.hash;
    const seq = /^#(\d+)(?:\.|$)/.exec(this.address)?.[1];
    if (seq) this.show(this.placeOf(Number(seq)), { still: true });
  }

  get seq() {
    return this.steps[this.place][SEQ];
  }

  /** When the step was recorded; null if unknown. @param {number} place */
  when(place) {
    return this.steps[Math.min(this.last, place)][WHEN];
  }

  /** The address of this step and of the view of the table. */
  link() {
    const link = new URL(location.href);
    const { level, look } = this.table;
    const { view, turn } = look;
    const parts = new URLSearchParams();
    if (link.searchParams.getAll("view").includes("recorded")) parts.append("view", "recorded");
    if (view === "plan") parts.append("view", view);
    if (level) parts.set("level", String(level));
    if (turn) parts.set("turn", String(turn));
    link.search = String(parts);
    // On the static site the game itself comes after the step.
    link.hash = `#${this.seq}${/^#\d*(\..+)$/.exec(link.hash)?.[1] || ""}`;
    return link;
  }

  /** The address to share: a server never sees what comes after a #, so it could not show this step. */
  shared() {
    const link = this.link();
    if (link.hash.includes(".")) return link; // the static site: no server, and the game is in the address
    link.searchParams.set("ply", String(this.seq));
    link.hash = "";
    return link;
  }

  /** @param {number} seq */
  placeOf(seq) {
    const seqs = this.steps.map((step) => step[SEQ]);
    return placeOf(seqs, seq);
  }

  /** Where the next or the previous level or hand begins. @param {number} way */
  chapter(way) {
    return beside([0, ...this.data.chapters, this.last], this.place, way) ?? (way > 0 ? this.last : 0);
  }

  /** The next or the previous mistake; this step if there is none. @param {number} way */
  mistake(way) {
    return beside(this.data.flags, this.place, way) ?? this.place;
  }
}
