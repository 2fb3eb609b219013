// The moments of a game: the strip below the bar follows the step, and the reason of a moment stands on the table.

import { beside } from "./step_numbers.js";

/**
 * @typedef {{ next: (way: number) => number, at: (place: number) => boolean, count: () => number }} Story
 * `next` is the place of the next or the previous moment, or the place itself.
 */

/** Scrolls the strip to a moment. @param {HTMLElement} moment */
function centre(moment) {
  const list = moment.closest("ol");
  list?.scrollTo({ left: moment.offsetLeft - (list.clientWidth - moment.offsetWidth) / 2 });
}

/** Follows the moments. @param {Stepper} stepper @returns {Story} */
export function story(stepper) {
  const caption = document.getElementById("caption");
  // A live collection: searching the whole page at every step takes long.
  const links = /** @type {HTMLCollectionOf<HTMLElement>} */ (document.getElementsByClassName("moment"));
  // The server marks the moment of its own step; the address may ask for another.
  /** @type {HTMLElement | null} */
  let current = document.querySelector("[data-moment][aria-current]");
  const places = () => [...links].map((moment) => Number(moment.dataset.ply));
  const follow = () => {
    if (current && Number(current.dataset.ply) !== stepper.place) {
      current.removeAttribute("aria-current");
      current = null;
      if (caption) caption.hidden = true;
    }
    const place = String(stepper.place);
    const moment = [...links].find((link) => link.getAttribute("data-ply") === place);
    if (!moment || moment === current) return;
    current = moment;
    moment.setAttribute("aria-current", "step");
    if (caption) {
      caption.textContent = moment.dataset.why || "";
      caption.hidden = !caption.textContent;
      caption.classList.toggle("long", caption.textContent.length > 110);
    }
    // After the frame: asking for its place costs a layout.
    requestAnimationFrame(() => setTimeout(() => centre(moment)));
  };
  document.addEventListener("shown", follow);
  return {
    next: (way) => beside(places(), stepper.place, way) ?? stepper.place,
    at: (place) => places().includes(place),
    count: () => places().length,
  };
}
