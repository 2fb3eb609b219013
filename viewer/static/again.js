// Does something again until it succeeds: after a growing pause, and at once when the phone or its network is back.

/** Nothing, after a moment: longer than the rules ever need, and too short for a thumb to notice. */
export const soon = () => new Promise((resolve) => setTimeout(resolve, 300, null));

export class Again {
  /**
   * @param {() => unknown} work what is done again
   * @param {{ shortest: number, longest: number }} pauses in milliseconds
   */
  constructor(work, { shortest, longest }) {
    this.work = work;
    this.shortest = shortest;
    this.longest = longest;
    this.pause = 0;
    this.timer = 0;
    const end = new AbortController();
    const { signal } = end;
    this.end = end;
    addEventListener("online", () => this.soon(), { signal });
    addEventListener("pageshow", () => this.soon(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.soon(), { signal });
  }

  /** Does it at once; the pauses begin anew. */
  soon() {
    this.pause = 0;
    clearTimeout(this.timer);
    return this.work();
  }

  /** Does it after a pause, which is twice as long each time. */
  later() {
    this.pause = Math.min(this.longest, Math.max(this.shortest, this.pause * 2));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.work(), this.pause);
  }

  /** Does it after so many milliseconds; the pauses begin anew. @param {number} pause */
  after(pause) {
    this.pause = 0;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.work(), pause);
  }

  /** The next pause is a short one. */
  calm() {
    this.pause = 0;
  }

  stop() {
    this.end.abort();
    clearTimeout(this.timer);
  }
}
