// The games on this phone: those that are only here, and those of a ledger that it records and that go on.
// @ts-check

import { addresses } from "../record/addresses.js";
import { icon, plural, safe } from "../record/marks.js";
import { namesWith } from "../record/memory.js";
import { Outbox } from "../record/outbox.js";
import { question } from "../record/question.js";
import { replay, save } from "./share.js";

/** @typedef {import("./games.js").LocalGame} LocalGame */

/** How far a game is. @param {any} screen what the phone saw last, or nothing @param {number} entries */
function progress(screen, entries) {
  if (screen?.closed) return screen.ended ? screen.outcome : "Left unfinished";
  return plural(screen ? screen.moves.length : entries, "move");
}

/** Where a game is that only this phone has. @param {LocalGame} game */
function place({ refused }) {
  if (addresses.site) return "Kept in this browser";
  return refused ? `Kept on this phone · not handed in: ${refused}` : "Kept on this phone · not handed in yet";
}

/** @param {string} id @param {string} names @param {string} detail @param {string} [where] */
function link(id, names, detail, where = "") {
  return (
    `<a href="${safe(addresses.record(id))}" data-begin><b>${safe(names)}</b> <span>${safe(detail)}</span>` +
    `${where ? ` <span class="where">${safe(where)}</span>` : ""}</a>`
  );
}

/** @param {LocalGame} game */
async function localItem(game) {
  const screen = await new Outbox(game.id).screen();
  const names = game.names.join(" – ");
  const verb = (/** @type {string} */ action, /** @type {string} */ sign, /** @type {string} */ label, more = "") =>
    `<button type="button" class="btn tap${more}" data-do="${action}" data-id="${safe(game.id)}">` +
    `${icon(sign)}${label}<span class="sr">: ${safe(names)}</span></button>`;
  return (
    `<li class="local">${link(game.id, names, `${game.title}, ${progress(screen, game.ids.length)}`, place(game))}` +
    `<p class="verbs">${verb("replay", "play", "Replay")}${verb("save", "save", "Save")}` +
    `${verb("delete", "trash", "Delete", " danger")}</p></li>`
  );
}

/** A game of the ledger, as it is there or as this phone saw it last; "" if it is over. @param {string} id */
async function ledgerItem(id) {
  let screen;
  try {
    const answer = await fetch(`/api/v1/records/${encodeURIComponent(id)}/screen`);
    screen = answer.ok ? await answer.json() : null;
  } catch {
    screen = await new Outbox(id).screen();
  }
  if (!screen || screen.closed) return "";
  const names = screen.players.map((/** @type {string[]} */ pair) => pair[1]).join(" – ");
  return `<li>${link(id, names, `${screen.title}, ${progress(screen, 0)}`)}</li>`;
}

/** @template T @param {Promise<T>} promise @param {T} otherwise */
const orElse = (promise, otherwise) => promise.catch(() => otherwise);

/**
 * Fills a section with the games on this phone; it stays hidden if there are none.
 * @param {HTMLElement} section @param {import("./games.js").Games} games
 */
export async function showGames(section, games) {
  const list = /** @type {HTMLElement} */ (section.querySelector("ul"));
  const local = await orElse(games.all(), []);
  const localIds = new Set(local.map(({ id }) => id));
  const ids = addresses.site ? [] : namesWith("key.").filter((id) => !localIds.has(id));
  const items = await Promise.all([
    ...local.map((game) => orElse(localItem(game), "")),
    ...ids.map((id) => orElse(ledgerItem(id), "")),
  ]);
  list.innerHTML = items.join("");
  section.hidden = !items.some(Boolean);
  list.onclick = (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    const game = local.find(({ id }) => id === button?.dataset.id);
    if (game) perform(button?.dataset.do, game, section, games);
  };
}

/**
 * @param {string | undefined} action @param {LocalGame} game @param {HTMLElement} section
 * @param {import("./games.js").Games} games
 */
async function perform(action, game, section, games) {
  // It may have grown since it was listed, or be in the ledger by now.
  const current = await games.get(game.id);
  if (!current) {
    await showGames(section, games);
    return;
  }
  if (action === "replay") await replay(current.events);
  if (action === "save") save(current);
  if (action !== "delete") return;
  const where = addresses.site ? "in this browser" : "on this phone";
  const sure = await question(
    "Delete this game?",
    `<p>${safe(game.names.join(" – "))}: the game is only ${where}. Once deleted, it cannot be brought back. ` +
      "“Save” keeps it as a file.</p>",
    "Yes, delete it",
  );
  if (!sure) return;
  if ((await games.get(game.id)) && (await games.forget(game.id, current.events.length)))
    await new Outbox(game.id).clear();
  await showGames(section, games);
}
