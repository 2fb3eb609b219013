// A game in play: readers at its last step follow along; readers at an earlier step get a button to go back.
// @ts-check

import { follow } from "./follow.js";
import { localize } from "./times.js";

/** The parts of the page that a new move changes. */
const RENEWED = ["data", "film", "rows", "chart", "track", "about"];

/**
 * Makes a list of moves what a newer one is: rows that are the same stay, and nothing about them is worked out anew.
 * @param {HTMLElement} old @param {HTMLElement} fresh
 */
function merge(old, fresh) {
  // The comments come under their moves again when the next step is shown.
  delete old.dataset.comments;
  for (const comment of old.querySelectorAll(".said")) comment.remove();
  const rows = [...fresh.children];
  rows.forEach((row, n) => {
    const here = old.children[n];
    if (!here) old.append(row);
    else if (!here.isEqualNode(row)) here.replaceWith(row);
  });
  while (old.childElementCount > rows.length) old.lastElementChild?.remove();
}

/** @param {import("./stepper.js").Stepper} stepper @param {import("./player.js").Player} player */
export function live(stepper, player) {
  const pill = /** @type {HTMLElement | null} */ (document.getElementById("live"));
  if (!pill || !stepper.data.version || !location.protocol.startsWith("http")) return;
  let known = Number(stepper.data.version);
  let seen = stepper.last;

  /** Fetches the page again and takes over its parts; the reader stays at the same step. */
  const renew = async () => {
    const answer = await fetch(`${location.pathname}${location.search.replace(/[?&]ply=\d*/, "")}`);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // A browser that has to read and draw in one go shows nothing meanwhile.
    await new Promise((done) => setTimeout(done));
    const follows = stepper.place === stepper.last && !player.playing;
    for (const id of RENEWED) {
      const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
      if (!old || !fresh) continue;
      if (id === "rows") merge(old, fresh);
      else old.replaceWith(document.adoptNode(fresh));
    }
    localize(document);
    stepper.renew();
    if (follows) {
      seen = stepper.last;
      stepper.show(stepper.last);
    } else stepper.show(stepper.place, { still: true });
    count();
  };
  const count = () => {
    if (stepper.place === stepper.last) seen = stepper.last;
    pill.textContent = `Back to live: ${stepper.last - seen} new`;
    pill.hidden = stepper.last === seen;
  };
  let renewing = Promise.resolve();
  follow(
    () => `${pill.dataset.from}?from=${known}`,
    (version) => {
      if (!(version > known)) return;
      known = version;
      renewing = renewing.then(renew).catch(() => undefined);
    },
    // Somebody may have asked to be forgotten, so this page must stop showing the name.
    () => location.reload(),
  );
  document.addEventListener("shown", count);
  pill.addEventListener("click", () => {
    player.pause();
    stepper.show(stepper.last);
    count();
  });
}
