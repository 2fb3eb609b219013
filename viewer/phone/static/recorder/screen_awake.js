// Keeps the screen on while a game is recorded: by the browser's own lock, or over plain http, where there is none, by
// a silent video that is made here.
// A phone does not switch its screen off while a video plays.  The video is a stream of one small canvas, so it needs
// no file, and no sound.

const EDGE = 4;
/** Milliseconds between two pictures: without new ones a stream stands still. */
const BEAT = 1000;

/** A video of one dot that changes its colour, in a corner of the page; null where a browser cannot make one. */
function dot() {
  const canvas = Object.assign(document.createElement("canvas"), { width: EDGE, height: EDGE });
  const paint = canvas.getContext("2d");
  if (!paint || !canvas.captureStream) return null;
  const draw = () => {
    paint.fillStyle = paint.fillStyle === "#000000" ? "#000001" : "#000000";
    paint.fillRect(0, 0, EDGE, EDGE);
  };
  draw();
  const video = document.createElement("video");
  Object.assign(video, { muted: true, playsInline: true, srcObject: canvas.captureStream(1) });
  // It must be on the page and in view.
  video.setAttribute("aria-hidden", "true");
  video.tabIndex = -1;
  video.className = "awake";
  document.body.append(video);
  const timer = setInterval(draw, BEAT);
  const stop = () => {
    clearInterval(timer);
    video.remove();
  };
  return { video, stop };
}

export class Awake {
  /** What keeps the screen on: "lock", "video" or "" for nothing. @type {"" | "lock" | "video"} */
  by = "";
  /** Whether the screen is to stay on. */
  wanted = false;
  lock = /** @type {any} */ (null);
  dot = /** @type {ReturnType<typeof dot>} */ (null);

  /** @param {() => void} changed called when the screen begins or ceases to be kept on */
  constructor(changed) {
    this.changed = changed;
    document.addEventListener("visibilitychange", () => document.hidden || this.start());
  }

  /** Keeps the screen on; a browser may want a tap before. */
  begin() {
    this.wanted = true;
    return this.start();
  }

  /** Lets the phone decide again: the game is over, or no game is open. */
  end() {
    this.wanted = false;
    this.lock?.release().catch(() => undefined);
    this.lock = null;
    this.dot?.stop();
    this.dot = null;
    this.now("");
  }

  async start() {
    if (!this.wanted || document.hidden) return;
    const { wakeLock } = /** @type {any} */ (navigator);
    if (wakeLock) await this.request(wakeLock);
    else await this.play();
    if (!this.wanted) this.end();
  }

  /** @param {any} wakeLock */
  async request(wakeLock) {
    if (this.lock && !this.lock.released) return;
    try {
      this.lock = await wakeLock.request("screen");
      this.lock.addEventListener("release", () => this.now(""));
      this.now("lock");
    } catch {
      /* a phone that saves its battery may refuse */
    }
  }

  async play() {
    this.dot ??= dot();
    if (!this.dot) return;
    try {
      await this.dot.video.play();
      this.now("video");
    } catch {
      /* the next tap starts it */
    }
  }

  /** @param {"" | "lock" | "video"} by */
  now(by) {
    if (by === this.by) return;
    this.by = by;
    document.documentElement.dataset.awake = by;
    this.changed();
  }
}

/** What plain http cannot do, in words; "" if nothing is missing. @param {boolean} secure @param {Awake["by"]} by */
export function plainly(secure, by) {
  if (secure) return "";
  const screen =
    by === "video"
      ? "A silent video in the corner of this page keeps the screen on while the game goes on."
      : "The screen may go dark: set your phone to leave it on longer.";
  return (
    "This page came over plain http, so it does not open again without a network: leave it open. What you enter " +
    `stays on this phone in any case. ${screen}`
  );
}
