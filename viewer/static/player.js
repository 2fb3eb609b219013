// Plays a game automatically, at the speed that the reader chose.
// @ts-check

export class Player {
  /** @param {import("./stepper.js").Stepper} stepper */
  constructor(stepper) {
    this.stepper = stepper;
    this.timer = 0;
    this.button = /** @type {HTMLElement} */ (document.getElementById("play"));
  }

  get playing() {
    return this.timer > 0;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  pause() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.button.setAttribute("aria-label", "Play");
    document.documentElement.classList.remove("playing");
  }

  play() {
    if (this.stepper.place === this.stepper.last) this.stepper.show(0);
    this.button.setAttribute("aria-label", "Pause");
    document.documentElement.classList.add("playing");
    const tick = () => {
      if (this.stepper.place === this.stepper.last) return this.pause();
      this.stepper.show(this.stepper.place + 1);
      this.timer = setTimeout(tick, this.wait());
    };
    this.timer = setTimeout(tick, this.wait());
  }

  /** Milliseconds until the next step. */
  wait() {
    const speed = /** @type {HTMLSelectElement | null} */ (document.getElementById("speed"))?.value || "800";
    if (speed !== "real") return Number(speed);
    const [begin, end] = [this.stepper.when(this.stepper.place), this.stepper.when(this.stepper.place + 1)];
    const pause = begin && end ? Date.parse(end) - Date.parse(begin) : 800;
    return Math.max(300, Math.min(10000, pause));
  }
}
