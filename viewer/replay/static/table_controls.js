// The buttons on the table: stacked or plan, the level up to which it is built, a quarter turn; and an opened hand.

/** @import { Table } from "./table.js" */

export class Controls {
  /** @param {Table} table @param {HTMLElement} stage @param {() => void} changed */
  constructor(table, stage, changed) {
    this.table = table;
    const buttons = /** @type {HTMLTemplateElement} */ (document.getElementById("controls"));
    stage.append(buttons.content.cloneNode(true));
    const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (stage.querySelector(selector));
    this.bar = part("div.view");
    this.levels = part(".levels");
    this.list = /** @type {HTMLSelectElement} */ (part("select"));
    this.down = part("[data-act=down]");
    this.up = part("[data-act=up]");
    this.sheet = part(".opened");
    /** What the buttons show now. */
    this.shown = "";
    /** @type {Record<string, () => void>} */
    const acts = {
      down: () => table.build((table.level || table.high) - 1),
      up: () => table.build(table.level + 1),
      turn: () => table.turnTo({ turn: (table.look.turn + 1) % 4 }),
    };
    this.bar.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      const { act = "", view } = button?.dataset || {};
      if (view) table.turnTo({ view });
      else if (acts[act]) acts[act]();
      else return;
      changed();
    });
    this.list.addEventListener("change", () => {
      table.build(Number(this.list.value));
      changed();
    });
  }

  /** Shows what can be chosen now: nothing where there are no squares. */
  follow() {
    const { table } = this;
    this.bar.hidden = !table.squares || table.short;
    this.bar.parentElement?.classList.toggle("buttons", !this.bar.hidden);
    const state = [table.squares, table.look.view, table.level, table.high].join(" ");
    if (!table.squares || state === this.shown) return;
    this.shown = state;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.bar.querySelectorAll("[data-view]")))
      button.setAttribute("aria-pressed", String(button.dataset.view === table.look.view));
    this.levels.hidden = table.high < 2;
    const top = Math.min(table.level || table.high, table.high);
    while (this.list.length > table.high) this.list.remove(this.list.length - 1);
    while (this.list.length < table.high) this.list.add(new Option("", String(this.list.length + 1)));
    for (const option of this.list.options) {
      const isTop = Number(option.value) === top && top < table.high;
      const words = `Level ${option.value}` + (isTop ? ` of ${table.high}` : "");
      if (option.textContent !== words) option.textContent = words;
    }
    this.list.value = String(top);
    this.down.setAttribute("aria-disabled", String(top <= 1));
    this.up.setAttribute("aria-disabled", String(top >= table.high));
  }

  /** Opens hands. @param {string} hands drawn, each with a heading @param {number} eyes whose hand is seen */
  open(hands, eyes) {
    this.sheet.innerHTML = hands;
    for (const hand of /** @type {NodeListOf<HTMLElement>} */ (this.sheet.querySelectorAll("[data-hand]"))) {
      if (eyes === -1 || Number(hand.dataset.hand) === eyes) continue;
      hand.classList.add("closed");
      hand.querySelector("svg")?.setAttribute("aria-label", "face down");
    }
    this.sheet.togglePopover(true);
  }
}
