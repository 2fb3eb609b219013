// The table on a page: things come and go.
// @ts-check

export class Table {
  /** @param {HTMLElement} stage @param {any} film @param {{ changed?: (table: Table) => void }} [options] */
  constructor(stage, film, options = {}) {
    this.stage = stage;
    this.film = film;
    this.options = options;
    this.things = /** @type {Element[]} */ ([]);
    for (const thing of stage.querySelectorAll(".panel g[id^=i]")) this.things[Number(thing.id.slice(1))] = thing;
    this.drawn = -1;
    for (const thing of this.things) thing?.classList.add("o");
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (stage.querySelectorAll("[data-view]"))) {
      button.addEventListener("click", () => { this.view = button.dataset.view || "stacked"; options.changed?.(this); });
    }
    this.view = "stacked";
  }

  get view() { return document.documentElement.dataset.view || "stacked"; }
  set view(how) { document.documentElement.dataset.view = how; }
  /** @param {number} seat */
  set eyes(seat) { document.documentElement.dataset.eyes = seat === -1 ? "" : seat === -2 ? "none" : String(seat); }
  /** @param {boolean} on */
  set numerals(on) { document.documentElement.classList.toggle("numerals", on); }
  /** @param {boolean} on */
  set coloured(on) { document.documentElement.classList.toggle("coloured", on); }
  get steps() { return this.film.steps.length; }

  /** @param {any[]} things @param {any[]} steps */
  add(things, steps) { this.film.steps.push(...steps); }

  /** @param {number} place */
  show(place, _how = {}) {
    const film = this.film.steps;
    while (this.drawn < place) {
      this.drawn += 1;
      for (const n of film[this.drawn][0]) this.things[n]?.classList.remove("o");
      for (const n of film[this.drawn][1]) this.things[n]?.classList.add("o");
    }
    while (this.drawn > place) {
      for (const n of film[this.drawn][0]) this.things[n]?.classList.add("o");
      for (const n of film[this.drawn][1]) this.things[n]?.classList.remove("o");
      this.drawn -= 1;
    }
  }
}
