// The home page: suggests names while the reader types, and writes times in the reader's way.

import "../../every_page/static/times.js";

const names = /** @type {HTMLDataListElement} */ (document.getElementById("names"));
let requested = false;

/** Fetches the names of the players once, when the reader begins to search. */
async function offer() {
  if (requested) return;
  requested = true;
  const answer = await fetch(/** @type {string} */ (names.dataset.from)).catch(() => null);
  if (!answer?.ok) return;
  const { players } = await answer.json();
  names.replaceChildren(...players.map((/** @type {{name: string}} */ { name }) => new Option("", name)));
}

if (names) for (const input of document.querySelectorAll("input[list=names]")) input.addEventListener("focus", offer);
