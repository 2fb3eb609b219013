// The games that this phone records and that are not closed yet.
// @ts-check

import { namesWith } from "./memory.js";

const mine = /** @type {HTMLElement} */ (document.getElementById("mine"));
const list = /** @type {HTMLElement} */ (mine.querySelector("ul"));

/** @param {string} id */
async function offer(id) {
  const answer = await fetch(`/api/records/${encodeURIComponent(id)}/screen`);
  const screen = answer.ok ? await answer.json() : null;
  if (!screen || screen.closed) return;
  const line = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: `/r/${id}` });
  const names = screen.players.map((/** @type {string[]} */ pair) => pair[1]).join(" – ");
  const count = screen.moves.length;
  link.append(Object.assign(document.createElement("b"), { textContent: names }),
    Object.assign(document.createElement("span"), { textContent: `${screen.title}, ${count} move${count === 1 ? "" : "s"}` }));
  line.append(link);
  list.append(line);
  mine.hidden = false;
}

for (const id of namesWith("key.")) offer(id).catch(() => undefined);
