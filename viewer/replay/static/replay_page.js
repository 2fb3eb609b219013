// Steps through a game.  Every row of the list holds its step, and the bar shows the cells of the current row.

import { at } from "../../every_page/static/club_root.js";
import "../../every_page/static/times.js";
import { causes } from "./causes.js";
import { comments } from "./comments.js";
import { decided } from "./decided.js";
import { live } from "./live.js";
import { menus } from "./replay_menus.js";
import { Player } from "./autoplay.js";
import { settings } from "./replay_settings.js";
import { Stepper } from "./stepper.js";
import { story } from "./story.js";

const root = document.documentElement;
const stepper = new Stepper();
const told = story(stepper);
const player = new Player(stepper, told);
settings(stepper);
menus(stepper);
causes(live(stepper, player));
comments(stepper);
decided(stepper);

// ── Keys ───────────────────────────────────────────────────────────────────────────────────────────────

/** Steps by hand, which stops automatic play. @param {number} place */
function step(place) {
  player.pause();
  stepper.show(place);
}

/** @type {Record<string, () => void>} */
const keys = {
  ArrowLeft: () => step(stepper.beside(-1)),
  k: () => step(stepper.beside(-1)),
  ArrowRight: () => step(stepper.beside(1)),
  j: () => step(stepper.beside(1)),
  Home: () => step(0),
  End: () => step(stepper.last),
  "[": () => step(stepper.chapter(-1)),
  "]": () => step(stepper.chapter(1)),
  " ": () => player.toggle(),
  n: () => step(stepper.mistake(1)),
  p: () => step(stepper.mistake(-1)),
  ".": () => step(told.next(1)),
  ",": () => step(told.next(-1)),
  f: () => {
    const eyes = /** @type {HTMLSelectElement | null} */ (document.getElementById("eyes"));
    if (!eyes) return;
    eyes.selectedIndex = (eyes.selectedIndex + 1) % eyes.options.length;
    eyes.dispatchEvent(new Event("change"));
  },
  v: () => {
    stepper.table.turnTo({ view: stepper.table.look.view === "plan" ? "stacked" : "plan" });
    stepper.remember();
  },
  "?": () => /** @type {HTMLDialogElement | null} */ (document.getElementById("keys"))?.showModal(),
};

// They are collected once: searching the whole page for an open box at every key takes longer than the rest of a step.
const boxes = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("dialog, [popover]"));

addEventListener("keydown", (event) => {
  const at = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if ([...boxes].some((box) => box.matches("[open], :popover-open"))) return;
  if (at.matches?.("input:not([type=range]):not([type=checkbox]),textarea,select,[contenteditable]")) return;
  const slides = at.matches?.("input[type=range]");
  if (event.key === " " && !slides && at.matches?.("button,summary,a,input")) return;
  if (slides && !(event.key in keys && event.key.length === 1)) return;
  const letters = /** @type {HTMLInputElement | null} */ (document.getElementById("letters"));
  if (event.key.length === 1 && letters && !letters.checked) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  root.classList.toggle("held-down", event.repeat);
  act();
});
addEventListener("keyup", () => root.classList.remove("held-down"));

// ── Buttons, slider, list, chart ───────────────────────────────────────────────────────────────────────

/** A button that repeats while it is held, faster and faster. @param {HTMLElement} button @param {() => void} act */
function hold(button, act) {
  let timer = 0;
  let hasRepeated = false;
  const stop = () => {
    clearTimeout(timer);
    root.classList.remove("held-down");
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    hasRepeated = false;
    let wait = 350;
    const again = () => {
      hasRepeated = true;
      root.classList.add("held-down");
      act();
      wait = Math.max(60, wait * 0.85);
      timer = setTimeout(again, wait);
    };
    timer = setTimeout(again, 450);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, stop);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => {
    event.preventDefault();
    if (!hasRepeated) act();
    hasRepeated = false;
  });
}

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-go]"))) {
  const go = button.dataset.go;
  if (go === "first" || go === "last") {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      step(go === "first" ? 0 : stepper.last);
    });
  } else hold(button, () => step(stepper.beside(Number(go))));
}

const slider = stepper.slider;
slider.hidden = false;
// A key moves the slider by one, which may be no step of its own: the next step is beyond it.
slider.addEventListener("input", () => {
  const place = Number(slider.value);
  step(place === stepper.place + 1 ? stepper.beside(1) : place);
});
const play = /** @type {HTMLElement} */ (document.getElementById("play"));
play.hidden = false;
play.addEventListener("click", () => player.toggle());

document.addEventListener("click", (event) => {
  const at = /** @type {Element} */ (event.target);
  const row = /** @type {HTMLElement | null} */ (at.closest("[data-ply]"));
  const link = /** @type {HTMLElement | null} */ (at.closest("[data-seq]"));
  if (!row && !link) return;
  event.preventDefault();
  step(row ? Number(row.dataset.ply) : stepper.placeOf(Number(link?.dataset.seq)));
  // On a phone the list is below the table, but people who pick a step want to see the table.
  if (!stepper.wide.matches) scrollTo({ top: 0, behavior: "smooth" });
  else if (link) scrollTo({ top: 0 });
});

document.addEventListener("click", (event) => {
  const chart = /** @type {SVGSVGElement | null} */ (/** @type {Element} */ (event.target).closest(".chart"));
  if (!chart) return;
  const box = chart.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
  const [from, to] = [Number(chart.dataset.from), Number(chart.dataset.to)];
  const { first, last } = /** @type {HTMLElement} */ (chart.closest(".plot")).dataset;
  const part = Math.max(0, Math.min(1, (x - from) / (to - from)));
  step(Number(first) + Math.round(part * (Number(last) - Number(first))));
});

// What if?  The recorder goes on from the step that is shown.
const whatIf = document.getElementById("what-if");
const { runtime, site } = document.body.dataset;
if (whatIf && runtime) {
  whatIf.hidden = false;
  whatIf.addEventListener("click", () =>
    location.assign(`${site === undefined ? at("r/") : "record.html"}#${stepper.seq}${whatIf.dataset.game}`),
  );
}

// ── The address ────────────────────────────────────────────────────────────────────────────────────────

addEventListener("hashchange", () => {
  player.pause();
  stepper.toAddress();
});
// A key or a tap may overtake the event of the address that the reader went to before.
for (const kind of ["keydown", "pointerdown", "click", "input"])
  addEventListener(kind, () => stepper.toAddress(), true);
stepper.toAddress();
stepper.show(stepper.place, { still: true });
stepper.look();
stepper.table.ready.then(() => {
  // "Watch": the game plays by itself.  On a slow phone the address follows the stepping before the drawing is there.
  if (stepper.asked.has("play") && stepper.place !== stepper.last) player.play();
  root.dataset.ready = "yes";
});
