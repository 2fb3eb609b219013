// Zoom and pan of the table: pinch, the wheel with ctrl, drag while it is zoomed; a double tap resets.

/** How far a reader can zoom in. */
const MOST = 6;
/** Milliseconds between the taps of a double tap, and the pixels that a tap may wander. */
const QUICK = 320;
const STILL = 12;

/** @param {number[]} one @param {number[]} other */
const apart = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

export class Zoom {
  scale = 1;
  corner = [0, 0];
  size = [1, 1];
  /** Where each finger was last. @type {Map<number, [number, number]>} */
  fingers = new Map();
  /** Where the last one came down. @type {[number, number]} */
  begin = [0, 0];
  tapped = 0;
  moved = false;

  /** @param {SVGSVGElement} picture */
  constructor(picture) {
    this.picture = picture;
    picture.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    picture.addEventListener("pointerdown", (event) => this.down(event));
    picture.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"])
      picture.addEventListener(end, (event) => this.up(/** @type {PointerEvent} */ (event)));
    // The end of a drag is not a tap on what is there.
    picture.addEventListener("click", (event) => this.moved && event.stopPropagation(), { capture: true });
  }

  /** The drawing has another size. @param {number} width @param {number} height */
  fit(width, height) {
    this.size = [width, height];
    this.apply();
  }

  /** Zooms around a point of the picture. @param {number} scale @param {[number, number]} about */
  to(scale, about) {
    const next = Math.min(MOST, Math.max(1, scale));
    const [x, y] = about.map((value, n) => this.corner[n] + value / this.scale);
    this.scale = next;
    this.corner = [x - about[0] / next, y - about[1] / next];
    this.apply();
  }

  apply() {
    this.corner = this.corner.map((value, n) => Math.min(Math.max(0, value), this.size[n] - this.size[n] / this.scale));
    const box = [...this.corner, ...this.size.map((value) => value / this.scale)];
    this.picture.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
    this.picture.classList.toggle("zoomed", this.scale > 1);
  }

  /** How many pixels a length of the drawing has: the browser fits the drawing into the picture. */
  get pixels() {
    const { clientWidth, clientHeight } = this.picture;
    return Math.min(clientWidth / this.size[0], clientHeight / this.size[1]) || 1;
  }

  /** @param {MouseEvent} event @returns {[number, number]} */
  point(event) {
    const box = this.picture.getBoundingClientRect();
    const [width, height] = this.size.map((value) => value * this.pixels);
    return [
      (event.clientX - box.left - (box.width - width) / 2) / this.pixels,
      (event.clientY - box.top - (box.height - height) / 2) / this.pixels,
    ];
  }

  /** The wheel zooms with ctrl, and moves a zoomed table; else it scrolls the page. @param {WheelEvent} event */
  wheel(event) {
    if (event.ctrlKey || event.metaKey) this.to(this.scale * Math.exp(-event.deltaY / 300), this.point(event));
    else if (this.scale > 1) this.pan(event.deltaX / this.pixels, event.deltaY / this.pixels);
    else return;
    event.preventDefault();
  }

  /** @param {number} x @param {number} y */
  pan(x, y) {
    this.corner = [this.corner[0] + x / this.scale, this.corner[1] + y / this.scale];
    this.apply();
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button) return;
    this.begin = this.point(event);
    this.fingers.set(event.pointerId, this.begin);
    this.moved = false;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.point(event);
    this.moved ||= apart(now, this.begin) * this.pixels >= STILL;
    if (!this.moved) return;
    this.fingers.set(event.pointerId, now);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const grown = (apart(now, other) || 1) / (apart(before, other) || 1);
      this.to(this.scale * grown, [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    } else if (this.scale > 1) {
      this.picture.setPointerCapture(event.pointerId);
      this.pan(before[0] - now[0], before[1] - now[1]);
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    const alone = this.fingers.size === 1 && this.fingers.delete(event.pointerId);
    this.fingers.delete(event.pointerId);
    if (!alone || this.moved || event.type === "pointercancel") return;
    if (event.timeStamp - this.tapped < QUICK) this.to(1, [0, 0]);
    this.tapped = event.timeStamp;
  }
}
