// The games on this phone: those that are only here, and those of a ledger that it records and that go on.

import { Again } from "../../../every_page/static/retry_and_follow.js";
import { UNREADABLE } from "../../../in_browser/static/browser_database.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { icon, plural, safe } from "../pieces/markup.js";
import { question } from "../pieces/dialog_parts.js";
import { replay, save } from "../pieces/share_local_game.js";
import { stateOf } from "../notebook/words.js";

/** @import { Row } from "../notebook/notebook.js" */

/** How far a game is. @param {View | null} screen what the phone saw last, or nothing @param {number} entries */
function progress(screen, entries) {
  if (screen?.closed) return screen.ended ? screen.outcome : "Left unfinished";
  return plural(screen ? screen.moves.length : entries, "move");
}

/** @param {string} id @param {string} names @param {string} detail @param {string} [where] */
function link(id, names, detail, where = "") {
  return (
    `<a href="${safe(addresses.record(id))}" data-begin><b>${safe(names)}</b> <span>${safe(detail)}</span>` +
    `${where ? ` <span class="where">${safe(where)}</span>` : ""}</a>`
  );
}

/**
 * A button for something that can be done with a game.
 * @param {string} act @param {string} sign @param {string} label @param {Row} row @param {string} [more] its classes
 */
export const verb = (act, sign, label, { id, players }, more = "") =>
  `<button type="button" class="btn tap${more}" data-do="${act}" data-id="${safe(id)}">` +
  `${icon(sign)}${label}<span class="sr">: ${safe(players.join(" – "))}</span></button>`;

/** @param {Row} row @param {GameList} list */
async function item(row, { notebook, exchange }) {
  const { id, acked, total } = row;
  const stored = await orElse(notebook.screen(id), undefined);
  const screen = stored?.view || null;
  const names = row.players.join(" – ");
  const detail = `${row.title || screen?.title || ""}, ${progress(screen, total - 1)}`;
  // What the ledger has and what is over needs no line here.
  if (acked)
    return screen?.closed
      ? ""
      : `<li>${link(id, names, detail, acked < total ? stateOf(row, exchange.contactOf(id)) : "")}</li>`;
  return (
    `<li class="local">${link(id, names, detail, stateOf(row, exchange.contactOf(id)))}` +
    `<p class="verbs">${verb("replay", "play", "Replay", row)}${verb("save", "save", "Save", row)}` +
    `${verb("delete", "trash", "Delete", row, " danger")}</p></li>`
  );
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

  /** @param {import("../notebook/notebook.js").Notebook} notebook
   * @param {import("../notebook/exchange.js").Exchange} exchange */
  constructor(notebook, exchange) {
    this.notebook = notebook;
    this.exchange = exchange;
    this.again = new Again(() => this.unread && this.show(), { shortest: 1000, longest: 15_000 });
  }

  /** Draws the list anew. @param {HTMLElement | null} [section] */
  async show(section = this.section) {
    this.section = section;
    if (!section) return;
    const turn = ++this.turn;
    const rows = await orElse(this.notebook.rows(), null);
    if (turn !== this.turn) return;
    this.unread = !rows;
    if (rows) await this.draw(section, turn, rows);
    else this.complain(section);
  }

  /** Says that the store cannot be read; what is shown already stays. @param {HTMLElement} section */
  complain(section) {
    const list = /** @type {HTMLElement} */ (section.querySelector("ul"));
    if (!list.children.length) list.innerHTML = `<li class="wrong" role="alert">${safe(UNREADABLE)}</li>`;
    section.hidden = false;
    this.again.later();
  }

  /** @param {HTMLElement} section @param {number} turn @param {Row[]} rows */
  async draw(section, turn, rows) {
    this.again.calm();
    const list = /** @type {HTMLElement} */ (section.querySelector("ul"));
    const items = await Promise.all(rows.map((row) => item(row, this)));
    if (turn !== this.turn) return;
    list.innerHTML = items.join("");
    section.hidden = !items.some(Boolean);
    list.onclick = (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      const row = rows.find(({ id }) => id === button?.dataset.id);
      if (row) perform(button?.dataset.do, row, this);
    };
  }
}

/** @param {string | undefined} action @param {Row} row @param {GameList} list */
async function perform(action, { id, players }, list) {
  const { notebook } = list;
  // It may have grown since it was listed, or be in the ledger by now.
  const log = await notebook.get(id);
  if (!log) return list.show();
  if (action === "replay") await replay(log);
  if (action === "save") save(log);
  if (action !== "delete") return undefined;
  const where = addresses.site ? "in this browser" : "on this phone";
  const sure = await question(
    "Delete this game?",
    `<p>${safe(players.join(" – "))}: the game is only ${where}. Once deleted, it cannot be brought back. ` +
      "“Save” keeps it as a file.</p>",
    "Yes, delete it",
  );
  const now = sure && (await notebook.get(id));
  if (now && !now.acked && now.entries.length === log.entries.length) await notebook.delete(id);
  return list.show();
}
