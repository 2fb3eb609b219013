// The window above a finger: the place under it, large, with the tile as it would lie.  Sliding changes it, lifting
// lays the tile; after a quick tap on a place that is smaller than a thumb the window waits for a tap in it.

import { squares } from "../pieces/tile_geometry.js";
import { by, fill, setText } from "../pieces/markup.js";
import { aimed, squareAt } from "./squares_from_above.js";

/** A finger that is up again after so many milliseconds has tapped. */
const QUICK = 250;
/** How far a finger moves before it slides, in CSS pixels. */
const FAR = 12;
/** How far the window is from the finger, in CSS pixels. */
const AWAY = 40;
/** The width of a half in the window, and the least and the greatest height of its picture, in CSS pixels. */
const [LARGE, LEAST, HIGH] = [66, 80, 166];

/** Fingers on the table. @param {Recorder} recorder */
export function touchPlaces(recorder) {
  /** `within`: it came down in the window; `before` is what showed until then.
   * @type {{ id: number, x: number, y: number, since: number, slides: boolean, before: any, within: boolean } | null}
   */
  let finger = null;
  let handled = false;
  const [table, near] = [by("table"), by("near")];
  const down = (/** @type {PointerEvent} */ event) => {
    const { placing, pick } = recorder;
    handled = false;
    if (!event.isPrimary || !recorder.box || !pick.tile || (pick.untapped && placing.justLaid)) return;
    const within = event.currentTarget === near;
    const { pointerId: id, clientX: x, clientY: y, timeStamp: since } = event;
    finger = { id, x, y, since, slides: false, before: placing.aim, within };
    if (!within) follow(event);
  };
  const follow = (/** @type {PointerEvent} */ event) => {
    const { left, top, right, bottom } = by("stage").getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) recorder.placing.aim = null;
    else recorder.placing.point(squareAt(event));
    showWindow(recorder, event);
  };
  table.addEventListener("pointerdown", down);
  near.addEventListener("pointerdown", down);
  addEventListener("pointermove", (event) => {
    if (event.pointerId !== finger?.id) return;
    finger.slides ||= Math.hypot(event.clientX - finger.x, event.clientY - finger.y) > FAR;
    if (finger.slides || !finger.within) follow(event);
  });
  addEventListener("pointerup", (event) => {
    if (event.pointerId !== finger?.id) return;
    const { slides, since, before, within } = finger;
    finger = null;
    handled = within || slides || event.timeStamp - since > QUICK;
    if (handled) recorder.placing.layAimed();
    else recorder.placing.aim = before;
    showWindow(recorder);
  });
  addEventListener("pointercancel", () => {
    if (finger) recorder.placing.aim = finger.before;
    finger = null;
    showWindow(recorder);
  });
  table.addEventListener("click", (/** @type {any} */ event) => {
    if (!handled && recorder.box && event.target.closest("svg")) recorder.placing.tap(squareAt(event));
    handled = false;
  });
  near.addEventListener("click", () => {
    if (!handled) recorder.placing.layAimed();
    handled = false;
  });
  table.addEventListener("keydown", (/** @type {any} */ event) => {
    const ghost = event.target.closest("[data-ghost]");
    if (!ghost || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const place = recorder.placing.legal.find((at) => `${at}` === ghost.dataset.at);
    if (place) recorder.placing.lay(place, true);
  });
}

/** Draws the window, above a finger or where it is. @param {Recorder} recorder @param {PointerEvent} [finger] */
export function showWindow(recorder, finger) {
  const { placing, pick } = recorder;
  const place = recorder.box && pick.kind === "place" ? placing.aimed : null;
  const near = by("near");
  const [tile, outline] = place ? aimed(pick.tile, place) : ["", ""];
  fill(by("aim"), outline);
  near.hidden = !place || (!finger && placing.isLarge(place));
  near.dataset.at = place ? `${place}` : "";
  if (!place || near.hidden) return;
  const cells = squares(place).sort(([x, y], [u, v]) => x - u || y - v);
  const [[x, y], [u, v]] = cells;
  near.classList.toggle("waits", !finger);
  near.classList.toggle("later", placing.isLarge(place));
  const picture = by("near-squares");
  const at = finger || middleOfAim();
  // High on the screen the window is lower, so that it is still above the finger.
  picture.style.height = `${Math.max(LEAST, Math.min(innerHeight * 0.36, HIGH, at.clientY - AWAY - 48))}px`;
  const [wide, high] = [near.clientWidth / LARGE, picture.clientHeight / LARGE];
  picture.setAttribute("viewBox", `${(x + u + 1 - wide) / 2} ${(y + v + 1 - high) / 2} ${wide} ${high}`);
  fill(by("near-tile"), tile);
  const where = recorder.names.pair(cells) || "new squares";
  setText("near-name", place[3] > 1 ? `${where}, level ${place[3]}` : where);
  setText("near-how", finger ? "Lift to lay it" : "Tap here to lay it");
  put(near, at);
}

/** Where the outline of a place is, for a window that nobody has moved there. */
function middleOfAim() {
  const { left, top, width, height } = by("aim").getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

/**
 * Puts the window above a finger; where there is no room, beside it or below.
 * @param {HTMLElement} near @param {{ clientX: number, clientY: number }} finger
 */
function put(near, { clientX: x, clientY: y }) {
  const { offsetWidth: width, offsetHeight: height } = near;
  const ways = [
    [x - width / 2, y - AWAY - height],
    [x + AWAY, y - height / 2],
    [x - AWAY - width, y - height / 2],
    [x - width / 2, y + AWAY],
  ];
  const has = [y >= AWAY + height, x + AWAY + width <= innerWidth, x >= AWAY + width, true];
  const [left, top] = ways[has.indexOf(true)];
  const within = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ room) =>
    Math.max(4, Math.min(at, room - size - 4));
  near.style.translate = `${within(left, width, innerWidth)}px ${within(top, height, innerHeight)}px`;
}
