// The buttons on the table: stacked or plan, the level up to which it is built, a quarter turn; and an opened hand.
// @ts-check

/** @import { Table } from "../table.js" */

const SIGNS = { down: "M6 9l6 6 6-6", up: "M6 15l6-6 6 6", turn: "M12 5V1L7 6l5 5V7a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z" };

/** @param {keyof typeof SIGNS} name @param {string} label @param {() => void} act */
function sign(name, label, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-label", label);
  button.title = label;
  button.innerHTML =
    `<svg viewBox="0 0 24 24" aria-hidden="true">` +
    `<path class="${name === "turn" ? "solid" : "line"}" d="${SIGNS[name]}"/></svg>`;
  button.addEventListener("click", act);
  return button;
}

export class Controls {
  /** @param {Table} table @param {HTMLElement} stage @param {() => void} changed */
  constructor(table, stage, changed) {
    this.table = table;
    this.bar = document.createElement("div");
    this.bar.className = "view";
    this.views = /** @type {HTMLElement} */ (document.createElement("div"));
    this.views.className = "seg";
    this.views.setAttribute("role", "group");
    this.views.setAttribute("aria-label", "How the table is shown");
    this.buttons = ["stacked", "plan"].map((view) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = view === "plan" ? "Plan" : "Stacked";
      button.dataset.view = view;
      button.addEventListener("click", () => {
        table.view = view;
        changed();
      });
      this.views.append(button);
      return button;
    });
    this.levels = document.createElement("div");
    this.levels.className = "seg levels";
    this.levels.setAttribute("role", "group");
    this.levels.setAttribute("aria-label", "Level");
    this.list = document.createElement("select");
    this.list.setAttribute("aria-label", "Show levels up to");
    this.list.addEventListener("change", () => {
      table.level = Number(this.list.value);
      changed();
    });
    this.down = sign("down", "One level down", () => {
      table.level = (table.level || table.high) - 1;
      changed();
    });
    this.up = sign("up", "One level up", () => {
      table.level += 1;
      changed();
    });
    this.levels.append(this.down, this.list, this.up);
    const turn = document.createElement("div");
    turn.className = "seg";
    turn.append(
      sign("turn", "Turn by a quarter", () => {
        table.turn += 1;
        changed();
      }),
    );
    const right = document.createElement("div");
    right.className = "right";
    right.append(this.levels, turn);
    this.bar.append(this.views, right);
    /** What the buttons show now. */
    this.shown = "";
    this.sheet = document.createElement("div");
    this.sheet.className = "opened";
    this.sheet.popover = "auto";
    stage.append(this.bar, this.sheet);
  }

  /** Shows what can be chosen now: nothing where there are no squares. */
  follow() {
    const { table } = this;
    this.bar.hidden = !table.squares || table.short;
    this.bar.parentElement?.classList.toggle("buttons", !this.bar.hidden);
    const state = [table.squares, table.view, table.level, table.high].join(" ");
    if (!table.squares || state === this.shown) return;
    this.shown = state;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.view === table.view));
    this.levels.hidden = table.high < 2;
    const top = Math.min(table.level || table.high, table.high);
    while (this.list.length > table.high) this.list.remove(this.list.length - 1);
    while (this.list.length < table.high) this.list.add(new Option("", String(this.list.length + 1)));
    for (const option of this.list.options) {
      const words =
        Number(option.value) === top && top < table.high
          ? `Level ${option.value} of ${table.high}`
          : `Level ${option.value}`;
      if (option.textContent !== words) option.textContent = words;
    }
    this.list.value = String(top);
    this.down.setAttribute("aria-disabled", String(top <= 1));
    this.up.setAttribute("aria-disabled", String(top >= table.high));
  }

  /**
   * Opens hands.
   * @param {string} hands a heading and tiles for each, drawn @param {number} eyes whose hand is seen, see `Table`
   */
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
