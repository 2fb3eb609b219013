// A finger that slides from one number of the pad to another names a tile in one touch.
// @ts-check

import { by } from "./marks.js";
import { tapKey } from "./pad.js";

/** The number under a finger; "" for none. @param {{ clientX: number, clientY: number }} event */
function numberAt({ clientX, clientY }) {
  const key = document.elementFromPoint(clientX, clientY)?.closest("#pad [data-number]");
  return /** @type {HTMLElement | null | undefined} */ (key)?.dataset.number ?? "";
}

/** @param {Recorder} recorder */
export function slideOverKeys(recorder) {
  /** @type {{ finger: number, first: string, goes: boolean } | null} */
  let slide = null;
  by("pad").addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    const first = numberAt(event);
    slide = event.isPrimary && first ? { finger: event.pointerId, first, goes: false } : null;
  });
  addEventListener("pointermove", (event) => {
    if (!slide || slide.goes || event.pointerId !== slide.finger) return;
    if (["", slide.first].includes(numberAt(event))) return;
    slide.goes = true;
    // A number that was tapped before is not the other half of this tile.
    recorder.pick.numbers = [];
    tapKey(recorder, slide.first);
  });
  addEventListener("pointerup", (event) => {
    const { finger = 0, first = "", goes = false } = slide || {};
    if (event.pointerId !== finger) return;
    slide = null;
    const second = goes ? numberAt(event) : "";
    // If the first number was enough, the tile is entered already.
    if (["", first].includes(second) || `${recorder.pick.numbers}` !== first) return;
    tapKey(recorder, second);
  });
  addEventListener("pointercancel", () => {
    slide = null;
  });
}
