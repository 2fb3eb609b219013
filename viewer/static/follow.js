// Asks the ledger for news of a game, again and again while the page is seen.

import { Again } from "./again.js";

/** Milliseconds until the next question: in the minute after news, and later. */
const SOON = 2000;
const LATER = 5000;
const MINUTE = 60_000;
/** The pauses while nothing answers. */
const PAUSES = { shortest: 1000, longest: 15_000 };
/** Milliseconds without an answer after which nobody can say how the game stands. */
const SILENCE = 10_000;
/** Milliseconds in which a question is answered. */
export const PATIENCE = 5000;

/**
 * What the ledger has of a game, as far as a page reads it (viewer/recorder/news.py).
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
    again.after(Date.now() - newsAt < MINUTE ? SOON : LATER);
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
