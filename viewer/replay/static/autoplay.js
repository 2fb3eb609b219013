// Plays a game automatically, at the speed that the reader chose.  A film, from a door, hides what is still to come.

export class Player {
  /** @param {Stepper} stepper @param {import("./story.js").Story} story */
  constructor(stepper, story) {
    this.stepper = stepper;
    this.story = story;
    this.timer = 0;
    this.button = /** @type {HTMLElement} */ (document.getElementById("play"));
    this.after = document.getElementById("after");
    document.addEventListener("shown", () => {
      if (this.after && !this.after.hidden && stepper.place !== stepper.last) this.after.hidden = true;
    });
    document.getElementById("show-all")?.addEventListener("click", () => this.reveal());
    // A tap on the table goes on: the reader has read the caption.
    document.getElementById("table")?.addEventListener("click", (event) => this.tapped(event), true);
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
    this.timer = setTimeout(() => this.tick(), this.wait());
  }

  tick() {
    if (this.stepper.place === this.stepper.last) return this.end();
    this.stepper.show(this.next());
    this.timer = setTimeout(() => this.tick(), this.wait());
  }

  /** What was hidden shows, and the next things to do stand on the table, if there are any. */
  end() {
    this.pause();
    this.reveal();
    if (this.after?.querySelector("a")) this.after.hidden = false;
  }

  reveal() {
    document.documentElement.classList.remove("film");
  }

  /** @param {Event} event */
  tapped(event) {
    if (!this.playing || this.speed !== "story") return;
    event.stopPropagation();
    event.preventDefault();
    clearTimeout(this.timer);
    this.tick();
  }

  get speed() {
    return /** @type {HTMLSelectElement | null} */ (document.getElementById("speed"))?.value || "story";
  }

  /** The step that is shown next; in a long game some are left out, but no moment. */
  next() {
    const { place, last, joined, data } = this.stepper;
    if (this.speed !== "story") return place + 1;
    const moment = this.story.next(1);
    const far = place + data.pace[1];
    const target = Math.min(last, joined.has(far) ? far + 1 : far);
    return moment > place ? Math.min(moment, target) : target;
  }

  /** Milliseconds until the next step. */
  wait() {
    const { speed, stepper } = this;
    if (speed === "story") return this.story.wait(stepper.place) || stepper.data.pace[0];
    if (speed !== "real") return Number(speed);
    const [begin, end] = [stepper.when(stepper.place), stepper.when(stepper.beside(1))];
    const pause = begin && end ? Date.parse(end) - Date.parse(begin) : 800;
    return Math.max(300, Math.min(10000, pause));
  }
}
