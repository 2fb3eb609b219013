// A game in play: readers at its last step follow along; readers at an earlier step get a button to go back.

import { PATIENCE, follow, linkOf, frame } from "../../every_page/static/retry_and_follow.js";
import { localize } from "../../every_page/static/times.js";

/**
 * What a new move changes on the page.
 * @typedef {{ data: import("./stepper.js").Data, rows: string[], causes: string, track: string, charts: string,
 *   story: string, about: string }} Parts
 */

/** Milliseconds after its last move in which a game counts as in play: `LIVE` in viewer/club/listed_game.py. */
const LIVE = 12 * 3600 * 1000;

/** Says whether the game is in play; nobody knows while the ledger does not answer. @param {boolean} isInPlay */
function onAir(isInPlay) {
  const mark = document.getElementById("on-air");
  if (mark) mark.hidden = !isInPlay;
}

/** The element of some markup. @param {string} markup */
function element(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return /** @type {Element} */ (template.content.firstElementChild);
}

/** Replaces an element, if the page has it. @param {string} id @param {string} markup */
function replace(id, markup) {
  const old = document.getElementById(id);
  if (!old) return;
  const fresh = element(markup);
  localize(fresh);
  old.replaceWith(fresh);
}

/**
 * Makes a list of moves what a newer one is: rows with the same checksum stay, and their markup is not
 * even read.  A finished game has no checksums.
 * @param {HTMLElement} list @param {string[]} rows @param {number[]} oldSums @param {number[]} sums
 */
function merge(list, rows, oldSums, sums) {
  rows.forEach((row, n) => {
    const item = list.children[n];
    if (!item) list.append(element(row));
    else if (!sums.length || sums[n] !== oldSums[n]) item.replaceWith(element(row));
  });
  while (list.childElementCount > rows.length) list.lastElementChild?.remove();
}

/**
 * Takes over what has changed; the reader stays at the same step, or goes on to the last one.
 * @param {Stepper} stepper @param {Parts} parts @param {{ follows?: boolean, shown?: () => void }} [how]
 */
async function renewPage(stepper, parts, { follows = false, shown = () => undefined } = {}) {
  merge(stepper.parts.list, parts.rows, stepper.data.rows, parts.data.rows);
  replace("causes", parts.causes);
  replace("track", parts.track);
  stepper.read(parts.data);
  if (follows) stepper.show(stepper.last);
  else stepper.show(stepper.place, { still: true });
  shown();
  // What is below the table can wait for it.
  await frame();
  replace("charts", parts.charts);
  replace("story", parts.story);
  replace("about", parts.about);
  // The comments come under their moves again when a step is shown.
  delete stepper.parts.list.dataset.comments;
  for (const comment of stepper.parts.list.querySelectorAll(".said")) comment.remove();
  stepper.read(parts.data);
  stepper.chart();
  document.dispatchEvent(new Event("shown"));
}

/** Follows a game in play; returns what renews the page. @param {Stepper} stepper @param {Player} player */
export function live(stepper, player) {
  // The page of a game that is in no ledger asks the rules (site/game.js).
  const { askParts } = /** @type {any} */ (globalThis);
  if (askParts) return async () => renewPage(stepper, await askParts());
  const pill = /** @type {HTMLElement | null} */ (document.getElementById("live"));
  if (!pill || !location.protocol.startsWith("http")) return async () => undefined;
  const isOpen = Boolean(stepper.data.version);
  let latest = Number(pill.dataset.version);
  let lastSeen = stepper.last;

  /** Fetches what has changed and takes it over. */
  const renew = async () => {
    const answer = await fetch(pill.dataset.parts || "");
    if (!answer.ok) return;
    const parts = /** @type {Parts} */ (await answer.json());
    // A task for each part of the work: a reader who taps meanwhile need not wait for all of it.
    await new Promise((begin) => setTimeout(begin));
    await stepper.table.renew();
    const { witness } = pill.dataset;
    // This phone keeps a game that it watched to the end.
    if (isOpen && !parts.data.version && witness)
      import(witness).then(({ watched }) => watched(stepper.data.id)).catch(() => undefined);
    const follows = stepper.place === stepper.last && !player.playing;
    await renewPage(stepper, parts, { follows, shown: count });
  };
  const count = () => {
    if (stepper.place === stepper.last) lastSeen = stepper.last;
    pill.textContent = `Back to live: ${stepper.last - lastSeen} new`;
    pill.hidden = stepper.last === lastSeen;
  };
  let { link = "", names = "" } = pill.dataset;
  let renewing = Promise.resolve();
  const ask = async () => {
    const query = new URLSearchParams({ from: `${latest}`, link });
    const answer = await fetch(`${pill.dataset.news}?${query}`, { signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? answer.json() : null;
  };
  /** @param {import("../../every_page/static/retry_and_follow.js").News} news */
  const heard = (news) => {
    // Somebody may have asked to be forgotten, or the ledger has lost or replaced what this page shows.
    const isOther = news.from < latest || (names && news.names !== names);
    const hasGrown = news.version > latest;
    [latest, link, names] = [news.version, linkOf(news), news.names];
    // The page of a finished game is loaded again when it was corrected or set aside: that may change all of it.
    if (news.version && (isOther || (hasGrown && !isOpen))) location.reload();
    else if (hasGrown) renewing = renewing.then(renew).catch(() => undefined);
    onAir(isOpen && stepper.inPlay(LIVE) && news.version > 0);
    return hasGrown;
  };
  onAir(isOpen && stepper.inPlay(LIVE));
  follow(ask, heard, () => onAir(false));
  if (!isOpen) return renew;
  document.addEventListener("shown", count);
  pill.addEventListener("click", () => {
    player.pause();
    stepper.show(stepper.last);
    count();
  });
  return renew;
}
