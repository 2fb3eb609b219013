// The page with the form for a new game.  If the connection breaks while somebody types, the game begins on the phone.

import { at } from "../../every_page/static/club_root.js";
import { prepareForm, keepTyped } from "./new_game/new_game_form.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.opening"));

prepareForm(form, async (typed) => {
  const answer = await fetch(at("healthz"), { signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (answer && answer.status < 500) return form.submit();
  // The service worker has a page that needs no network.
  if (navigator.serviceWorker?.controller) {
    keepTyped(typed);
    return location.assign(at(`new?game=${encodeURIComponent(typed.game)}`));
  }
  /** @type {HTMLElement} */ (document.getElementById("not-begun")).hidden = false;
});
