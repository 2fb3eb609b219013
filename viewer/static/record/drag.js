// A tile that is dragged onto the squares lies where it is let go, legal or not.
// @ts-check

import { by, drawn } from "./marks.js";

/** How far a finger moves before it drags, in CSS pixels. */
const FAR = 12;

/**
 * @param {string[]} boxes where tiles can be taken, each with its `data-tile`
 * @param {(tile: string, held: string) => void} take takes a tile in hand
 * @param {(event: PointerEvent) => void} drop lays it on the squares under the finger
 */
export function dragTiles(boxes, take, drop) {
  /** @type {{ tile: string, held: string, x: number, y: number, id: number, shown: HTMLElement | null } | null} */
  let drag = null;
  const end = () => {
    drag?.shown?.remove();
    drag = null;
  };
  for (const box of boxes)
    by(box).addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      const piece = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-tile]"));
      if (!piece?.dataset.tile || by("table").hidden) return;
      const { left, width } = piece.getBoundingClientRect();
      const held = event.clientX > left + width / 2 ? "high" : "low";
      drag = { tile: piece.dataset.tile, held, x: event.clientX, y: event.clientY, id: event.pointerId, shown: null };
    });
  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.shown) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      drag.shown = Object.assign(document.createElement("div"), {
        className: "dragged",
        innerHTML: drawn("face", drag.tile),
      });
      document.body.append(drag.shown);
      take(drag.tile, drag.held);
    }
    drag.shown.style.translate = `${event.clientX}px ${event.clientY}px`;
  });
  addEventListener("pointerup", (event) => {
    const shown = drag?.shown;
    end();
    if (!shown) return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    if (under?.closest("#squares")) drop(event);
  });
  addEventListener("pointercancel", end);
}
