// The games on this phone: those that are only here, and those of a ledger that it records and that go on.

import { at } from "../../../every_page/static/club_root.js";
import { Again } from "../../../every_page/static/retry_and_follow.js";
import { UNREADABLE } from "../../../in_browser/static/browser_database.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { icon, plural, safe } from "../pieces/markup.js";
import { namesWith } from "../../../every_page/static/browser_memory.js";
import { Outbox } from "../entries/outbox.js";
import { after } from "../entries/api.js";
import { question } from "../pieces/dialog_parts.js";
import { replay, save } from "../pieces/share_local_game.js";

/** Milliseconds for the ledger to say how a game stands there. */
const PATIENCE = 2500;

/** How far a game is. @param {View | null} screen what the phone saw last, or nothing @param {number} entries */
function progress(screen, entries) {
  if (screen?.closed) return screen.ended ? screen.outcome : "Left unfinished";
  return plural(screen ? screen.moves.length : entries, "move");
}

/** Where a game is that only this phone has. @param {LocalGame} game @param {string} reason why it waits, if known */
function place({ refused }, reason) {
  if (addresses.site) return "Kept in this browser";
  if (refused) return `Kept on this phone · not handed in: ${refused}`;
  return `Kept on this phone · not handed in yet${reason ? `: ${reason}. It is tried again` : ""}`;
}

/** @param {string} id @param {string} names @param {string} detail @param {string} [where] */
function link(id, names, detail, where = "") {
  return (
    `<a href="${safe(addresses.record(id))}" data-begin><b>${safe(names)}</b> <span>${safe(detail)}</span>` +
    `${where ? ` <span class="where">${safe(where)}</span>` : ""}</a>`
  );
}

/** @param {LocalGame} game @param {string} reason why it waits, if known */
async function localItem(game, reason) {
  const screen = await orElse(new Outbox(game.id).screen(), null);
  const names = game.names.join(" – ");
  const verb = (/** @type {string} */ action, /** @type {string} */ sign, /** @type {string} */ label, more = "") =>
    `<button type="button" class="btn tap${more}" data-do="${action}" data-id="${safe(game.id)}">` +
    `${icon(sign)}${label}<span class="sr">: ${safe(names)}</span></button>`;
  const state = `${game.title}, ${progress(screen, game.ids.length)}`;
  return (
    `<li class="local">${link(game.id, names, state, place(game, reason))}` +
    `<p class="verbs">${verb("replay", "play", "Replay")}${verb("save", "save", "Save")}` +
    `${verb("delete", "trash", "Delete", " danger")}</p></li>`
  );
}

/** A game of the ledger, as it is there or as this phone saw it last; "" if it is over. @param {string} id */
async function ledgerItem(id) {
  let screen;
  try {
    const answer = await fetch(at(`api/v1/records/${encodeURIComponent(id)}/screen`), { signal: after(PATIENCE) });
    if (answer.status >= 500) throw new Error("the server is sick");
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

/** The games on this phone, in a section that stays hidden while there are none. */
export class GameList {
  /** The section, with its list. @type {HTMLElement | null} */
  section = null;
  /** Whether this phone's store could not be read: then it is tried again. */
  unread = false;
  turn = 0;

  /** @param {Games} games @param {(id: string) => string} reasonOf why a game waits, if known */
  constructor(games, reasonOf) {
    this.games = games;
    this.reasonOf = reasonOf;
    this.again = new Again(() => this.unread && this.show(), { shortest: 1000, longest: 15_000 });
  }

  /** Draws the list anew. @param {HTMLElement | null} [section] */
  async show(section = this.section) {
    this.section = section;
    if (!section) return;
    const turn = ++this.turn;
    const local = await orElse(this.games.all(), null);
    if (turn !== this.turn) return;
    this.unread = !local;
    if (local) await this.draw(section, turn, local);
    else this.complain(section);
  }

  /** Says that the store cannot be read; what is shown already stays. @param {HTMLElement} section */
  complain(section) {
    const list = /** @type {HTMLElement} */ (section.querySelector("ul"));
    if (!list.children.length) list.innerHTML = `<li class="wrong" role="alert">${safe(UNREADABLE)}</li>`;
    section.hidden = false;
    this.again.later();
  }

  /** @param {HTMLElement} section @param {number} turn @param {LocalGame[]} local */
  async draw(section, turn, local) {
    this.again.calm();
    const list = /** @type {HTMLElement} */ (section.querySelector("ul"));
    const localIds = new Set(local.map(({ id }) => id));
    const ids = addresses.site ? [] : namesWith("key.").filter((id) => !localIds.has(id));
    const fill = (/** @type {string[]} */ items) => {
      if (turn !== this.turn) return;
      list.innerHTML = items.join("");
      section.hidden = !items.some(Boolean);
    };
    const items = await Promise.all(local.map((game) => localItem(game, this.reasonOf(game.id))));
    // A network that does not answer holds up no game that is here.
    if (!list.querySelector("a")) fill(items);
    fill([...items, ...(await Promise.all(ids.map((id) => orElse(ledgerItem(id), ""))))]);
    list.onclick = (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      const game = local.find(({ id }) => id === button?.dataset.id);
      if (game) perform(button?.dataset.do, game, this);
    };
  }
}

/** @param {string | undefined} action @param {LocalGame} game @param {GameList} list */
async function perform(action, game, list) {
  const { games } = list;
  // It may have grown since it was listed, or be in the ledger by now.
  const current = await games.get(game.id);
  if (!current) {
    await list.show();
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
  await list.show();
}
