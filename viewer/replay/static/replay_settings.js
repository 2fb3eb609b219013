// The reader's settings, kept only on this machine.

import { recall, remember } from "../../every_page/static/browser_memory.js";

/** @param {string} name @param {(value: any) => void} use */
function setting(name, use) {
  const field = /** @type {HTMLInputElement | HTMLSelectElement | null} */ (document.getElementById(name));
  if (!field) return;
  const box = field instanceof HTMLInputElement && field.type === "checkbox" ? field : null;
  const value = () => (box ? box.checked : field.value);
  const stored = recall(name);
  if (stored) {
    if (box) box.checked = stored === "true";
    else field.value = stored;
  }
  field.addEventListener("change", () => {
    remember(name, String(value()));
    use(value());
  });
  use(value());
}

/** A button that stays pressed. @param {string} name @param {(on: boolean) => void} use */
function toggle(name, use) {
  const button = document.getElementById(name);
  if (!button) return;
  const set = (/** @type {boolean} */ on) => {
    button.setAttribute("aria-pressed", String(on));
    use(on);
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    remember(name, String(on));
    set(on);
  });
  set(recall(name) === "true");
}

/** @param {Stepper} stepper */
export function settings(stepper) {
  const root = document.documentElement;
  const table = stepper.table;
  setting("numerals", (on) => {
    table.stage.classList.toggle("numerals", on);
    table.draw();
    stepper.remember();
  });
  setting("coloured", (on) => table.stage.classList.toggle("coloured", on));
  setting("theme", (value) => {
    if (value) root.dataset.theme = value;
    else delete root.dataset.theme;
    stepper.remember();
  });
  setting("speed", () => undefined);
  setting("letters", () => undefined);
  toggle("codes", (on) => root.classList.toggle("codes", on));
  toggle("only", (on) => root.classList.toggle("only", on));
  const eyes = /** @type {HTMLSelectElement | null} */ (document.getElementById("eyes"));
  eyes?.addEventListener("change", () => {
    table.eyes = { "": -1, none: -2 }[eyes.value] ?? Number(eyes.value);
    table.draw();
  });
}
