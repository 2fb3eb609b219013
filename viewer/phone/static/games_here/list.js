// The games on this phone: those that are only here, and those of a ledger that it records and that go on.

import { Again } from "../../../every_page/static/retry_and_follow.js";
import { UNREADABLE } from "../../../in_browser/static/browser_database.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { icon, plural, safe } from "../pieces/markup.js";
import { question } from "../pieces/dialog_parts.js";
import { copiesOf, replay, save, saveText } from "../pieces/share_local_game.js";
import { stateOf } from "../notebook/words.js";

/** @import { Row } from "../notebook/notebook.js" */

/** How far a game is. @param {View | undefined} view what the phone saw last @param {number} entries */
function progress(view, entries) {
  if (view?.closed) return view.ended ? view.outcome : "Left unfinished";
  return plural(view ? view.moves.length : entries, "move");
}

/**
 * A button for something that can be done with a game.
 * @param {string} act @param {string} sign @param {string} label @param {Row} row @param {string} [more] its classes
 */
const verb = (act, sign, label, { id, players }, more = "") =>
  `<button type="button" class="btn tap${more}" data-do="${act}" data-id="${safe(id)}">` +
  `${icon(sign)}${label}<span class="sr">: ${safe(players.join(" – "))}</span></button>`;

/** @param {Row} row @param {GameList} list */
async function item(row, { notebook, exchange, isWhole }) {
  const { id, acked, total, players, title } = row;
  // Reading the views of all games would take too long.
  const stored = isWhole ? undefined : await notebook.screen(id).catch(() => undefined);
  const view = stored?.view;
  // The short list leaves out games that are over and in the ledger.
  if (acked && view?.closed) return "";
  const detail = [title || view?.title, progress(view, total - 1)].filter(Boolean).join(", ");
  const where = isWhole || acked < total ? stateOf(row, exchange.contactOf(id)) : "";
  const remove = acked ? "" : verb("delete", "trash", "Delete", row, " danger");
  const verbs =
    verb("replay", "play", "Replay", row) + verb("save", "save", acked ? "Save a copy" : "Save", row) + remove;
  const does = isWhole || !acked ? `<p class="verbs">${verbs}</p>` : "";
  return (
    `<li${does && ' class="local"'} data-game="${safe(id)}"><a href="${safe(addresses.record(id))}" data-begin>` +
    `<b>${safe(players.join(" – ") || id)}</b> <span>${safe(detail)}</span>` +
    `${where && ` <span class="where">${safe(where)}</span>`}</a>${does}</li>`
  );
}

/** The games on this phone, in a section that stays hidden while there are none. */
export class GameList {
  /** The section, with its list. @type {HTMLElement | null} */
  section = null;
  /** Whether this phone's store could not be read: then it is tried again. */
  unread = false;
  turn = 0;

  /**
   * @param {import("../notebook/notebook.js").Notebook} notebook
   * @param {import("../notebook/exchange.js").Exchange} exchange
   * @param {boolean} [isWhole] whether all games have a line, with what can be done with them
   */
  constructor(notebook, exchange, isWhole = false) {
    this.notebook = notebook;
    this.exchange = exchange;
    this.isWhole = isWhole;
    this.again = new Again(() => this.unread && this.show(), { shortest: 1000, longest: 15_000 });
  }

  /** Draws the list anew. @param {HTMLElement | null} [section] @returns {Promise<Row[] | null>} null: not drawn */
  async show(section = this.section) {
    this.section = section;
    if (!section) return null;
    const turn = ++this.turn;
    const rows = await this.notebook.rows().catch(() => null);
    if (turn !== this.turn) return null;
    this.unread = !rows;
    if (rows) await this.draw(section, turn, rows);
    else this.complain(section);
    return rows;
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
  if (action === "save" && log.acked) saveText(copiesOf(log), `${id}.copies`);
  else if (action === "save") save(log);
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
