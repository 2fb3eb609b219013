// Plays a game automatically, at the speed that the reader chose.

/** Milliseconds: a whole game, a moment, and the shortest and the longest wait between moments. */
const [WHOLE, LINGER, SHORTEST, LONGEST] = [38000, 2400, 110, 700];

/** The steps at once between moments, and the milliseconds after them. @param {number} steps @param {number} moments */
export function pace(steps, moments) {
  const others = Math.max(1, steps - moments);
  const time = WHOLE - LINGER * moments;
  const stride = Math.ceil((others * SHORTEST) / time);
  return { wait: Math.min(LONGEST, (time * stride) / others), stride };
}

export class Player {
  /** @param {Stepper} stepper @param {import("./story.js").Story} story */
  constructor(stepper, story) {
    this.stepper = stepper;
    this.story = story;
    this.timer = 0;
    this.button = /** @type {HTMLElement} */ (document.getElementById("play"));
  }

  get playing() {
    return this.timer > 0;
  }

  toggle() {
    return this.playing ? this.pause() : this.play();
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
      this.stepper.show(this.next());
      this.timer = setTimeout(tick, this.wait());
    };
    this.timer = setTimeout(tick, this.wait());
  }

  get speed() {
    return /** @type {HTMLSelectElement | null} */ (document.getElementById("speed"))?.value || "story";
  }

  get pace() {
    return pace(this.stepper.last - this.stepper.joined.size, this.story.count());
  }

  /** The step that is shown next; in a long game some are left out, but no moment. */
  next() {
    const { place, last } = this.stepper;
    if (this.speed !== "story") return place + 1;
    const moment = this.story.next(1);
    const far = place + this.pace.stride;
    const target = Math.min(last, this.stepper.joined.has(far) ? far + 1 : far);
    return moment > place ? Math.min(moment, target) : target;
  }

  /** Milliseconds until the next step. */
  wait() {
    const { speed } = this;
    if (speed === "story") return this.story.at(this.stepper.place) ? LINGER : this.pace.wait;
    if (speed !== "real") return Number(speed);
    const [begin, end] = [this.stepper.when(this.stepper.place), this.stepper.when(this.stepper.beside(1))];
    const pause = begin && end ? Date.parse(end) - Date.parse(begin) : 800;
    return Math.max(300, Math.min(10000, pause));
  }
}
