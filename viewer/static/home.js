// The home page: names to pick from while one types, and times in the reader's way.
// @ts-check

import "./times.js";

const names = /** @type {HTMLDataListElement} */ (document.getElementById("names"));
let asked = false;

/** Asks for the names of the players once, when somebody begins to search. */
async function offer() {
  if (asked) return;
  asked = true;
  const answer = await fetch(/** @type {string} */ (names.dataset.from)).catch(() => null);
  if (!answer?.ok) return;
  const { players } = await answer.json();
  names.replaceChildren(...players.map((/** @type {{name: string}} */ { name }) => {
    const option = document.createElement("option");
    option.value = name;
    return option;
  }));
}

if (names) for (const input of document.querySelectorAll("input[list=names]")) input.addEventListener("focus", offer);
