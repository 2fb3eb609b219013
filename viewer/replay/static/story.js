// The moments of a game: the strip below the bar follows the step, and the caption of a moment stands on the table.

import { beside } from "./step_numbers.js";

/**
 * @typedef {{ next: (way: number) => number, wait: (place: number) => number }} Story
 * `next` is the place of the next or the previous moment, or the place itself; `wait` the milliseconds that a film
 * stays at a moment, 0 elsewhere.
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
  let place = -1;
  const places = () => stepper.data.moments.map(([place]) => place);
  const at = (/** @type {number} */ place) => stepper.data.moments.find((moment) => moment[0] === place);
  const follow = () => {
    if (place === stepper.place) return;
    ({ place } = stepper);
    for (const link of links) {
      const here = Number(link.dataset.ply) - place;
      if (here) link.removeAttribute("aria-current");
      else link.setAttribute("aria-current", "step");
      link.parentElement?.classList.toggle("ahead", here > 0);
      // After the frame: asking for its place costs a layout.
      if (!here) requestAnimationFrame(() => setTimeout(() => centre(link)));
    }
    const moment = at(place);
    if (caption && caption.hidden === Boolean(moment)) caption.hidden = !moment;
    if (!caption || !moment) return;
    const [, wait, headline, why] = moment;
    const words = document.createElement("span");
    words.append(Object.assign(document.createElement("b"), { textContent: headline }), ` ${why}`);
    caption.replaceChildren(words);
    caption.style.setProperty("--wait", `${wait}ms`);
  };
  document.addEventListener("shown", follow);
  return { next: (way) => beside(places(), stepper.place, way) ?? stepper.place, wait: (place) => at(place)?.[1] || 0 };
}
