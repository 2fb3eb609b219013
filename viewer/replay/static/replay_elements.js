// The elements of a replay that follow the step.

/** An element that every page has. @param {Document} page @param {string} id */
export const byId = (page, id) => /** @type {HTMLElement} */ (page.getElementById(id));

/** The parts of the page that follow the step. @param {Document} page */
export const partsOf = (page) => ({
  aloud: byId(page, "aloud"),
  say: byId(page, "now"),
  found: byId(page, "found"),
  tiles: page.getElementById("tiles"),
  again: page.getElementById("again"),
  next: byId(page, "next"),
  done: byId(page, "done"),
  knob: byId(page, "knob"),
  list: byId(page, "rows"),
  plots: [...page.querySelectorAll("#charts > .plot")].map((plot) => plotOf(/** @type {HTMLElement} */ (plot))),
});

/** A chart, and the first and the last step that it is about. @param {HTMLElement} section */
function plotOf(section) {
  const chart = /** @type {SVGElement} */ (section.querySelector(".chart"));
  const [cursor, past] = [".cursor", ".past"].map((kind) => /** @type {Element} */ (chart.querySelector(kind)));
  const [first, last] = [section.dataset.first, section.dataset.last].map(Number);
  return { section, chart, cursor, past, first, last };
}

/** The score of a seat, and what stands beside it. @param {HTMLElement} box */
export function seatOf(box) {
  const [score, place, note, state] = [".n > span", ".rank > span", "small > span", ".state > span"].map((part) =>
    box.querySelector(part),
  );
  return { box, score, place, note, state };
}

/** Writes a text if it differs. @param {Element | null} where @param {string | number} text */
export function writeText(where, text) {
  if (where && where.textContent !== String(text)) where.textContent = String(text);
}
