// Does something again: until it succeeds, after a growing pause, and at once when the phone or its network is back; or
// to ask the ledger for news of a game while the page is seen.

/** Nothing, after a moment: longer than the rules ever need, and too short for a thumb to notice. */
export const soon = () => new Promise((resolve) => setTimeout(resolve, 300, null));

export class Again {
  /** @param {() => unknown} work @param {{ shortest: number, longest: number }} pauses in milliseconds */
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
    const pause = Math.min(this.longest, Math.max(this.shortest, this.pause * 2));
    this.after(pause);
    this.pause = pause;
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

export const MINUTE = 60_000;
/** Milliseconds until the next question: fewer in the minute after news. @param {number} newsAt */
export const pauseAfter = (newsAt) => (Date.now() - newsAt < MINUTE ? 2000 : 5000);
/** The pauses while nothing answers. */
export const PAUSES = { shortest: 1000, longest: 15_000 };
/** Milliseconds without an answer after which nobody can say how the game stands. */
const SILENCE = 10_000;
/** Milliseconds in which a question is answered. */
export const PATIENCE = 5000;

/**
 * What the ledger has of a game, as far as a page reads it (viewer/replay/news.py).
 * @typedef {{ version: number, from: number, after: string, names: string, events: { link: string }[] }} News
 */

/**
 * Follows a game.
 * @param {() => Promise<News | null>} ask answers null if the ledger does not
 * @param {(news: News) => boolean} heard gets each answer, and says whether it was news
 * @param {() => void} silent called when the ledger has not answered for ten seconds
 * @returns {() => void} ends it
 */
export function follow(ask, heard, silent) {
  let isAsking = false;
  let hasEnded = false;
  let newsAt = Date.now();
  let silence = setTimeout(silent, SILENCE);
  const look = async () => {
    if (isAsking || document.hidden) return;
    isAsking = true;
    const news = await ask().catch(() => null);
    isAsking = false;
    if (hasEnded) return;
    if (!news) return void again.later();
    clearTimeout(silence);
    silence = setTimeout(silent, SILENCE);
    if (heard(news)) newsAt = Date.now();
    again.after(pauseAfter(newsAt));
  };
  const again = new Again(look, PAUSES);
  again.soon();
  return () => {
    hasEnded = true;
    clearTimeout(silence);
    again.stop();
  };
}

/** The link at the end of what the ledger has. @param {News} news */
export const linkOf = ({ after, events }) => (events.length ? events[events.length - 1].link : after);

/** Milliseconds until a page goes on that is not drawn, because nobody sees it. */
const UNSEEN = 300;

/** Waits until the page is drawn as it is now. */
export const frame = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, UNSEEN);
  });
