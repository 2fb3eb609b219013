// The page “On this phone”: each game that this phone keeps, and whether the ledger has it.

import { at } from "../../every_page/static/club_root.js";
import { UNREADABLE } from "../../in_browser/static/browser_database.js";
import { addresses } from "./pieces/recorder_addresses.js";
import { by, plural, safe } from "./pieces/markup.js";
import { asText } from "./entries/transport_log.js";
import { trouble } from "./entries/trouble.js";
import { verb } from "./games_here/list.js";
import { stateOf } from "./notebook/words.js";
import { Exchange } from "./notebook/exchange.js";
import { events } from "./notebook/log.js";
import { MOST, Notebook } from "./notebook/notebook.js";
import { replay, save, saveText } from "./pieces/share_local_game.js";

/** @import { Row } from "./notebook/notebook.js" */

const HERE = at("on-this-phone");
const notebook = new Notebook();
const exchange = new Exchange(notebook, () => show());

/** @param {Row} row */
function item(row) {
  const { id, players, title, total, acked } = row;
  const verbs = [
    verb("save", "save", acked ? "Save a copy" : "Save as a file", row),
    verb("replay", "play", "Replay", row),
  ];
  return (
    `<li class="local" data-game="${safe(id)}"><a href="${safe(addresses.record(id))}">` +
    `<b>${safe(players.join(" – ") || id)}</b> ` +
    `<span>${safe(title || "")} ${plural(total, "entry", "entries")}</span> ` +
    `<span class="where">${safe(stateOf(row, exchange.contactOf(id)))}</span></a><p class="verbs">${verbs.join("")}</p></li>`
  );
}

let turn = 0;
/** Draws the list anew. */
async function show() {
  const mine = ++turn;
  try {
    const rows = await notebook.rows();
    if (mine !== turn) return;
    by("held").innerHTML = rows.map(item).join("");
    by("none").hidden = rows.length > 0;
    by("size").textContent =
      `This phone keeps the last ${MOST} games: now ${plural(rows.length, "game")}. ` +
      "What the ledger lacks is never dropped.";
    const { trouble: kind, reason, since } = exchange.contact;
    by("contact").textContent = kind ? trouble(kind, reason, since) : "";
    by("unequal").hidden = rows.every(({ total, acked, from }) => from || total === acked);
    by("log-text").textContent = asText() || "Nothing has happened yet.";
  } catch {
    if (mine === turn) by("contact").textContent = UNREADABLE;
  }
}

/** The lines of a file for `domino-ledger recover`: what the ledger sealed, and all of it. @param {string} id */
async function linesOf(id) {
  const log = await notebook.get(id);
  if (!log || log.from) return [];
  const { seal } = log;
  const all = events(log);
  const line = (/** @type {number} */ version, /** @type {any} */ proof) => ({
    record: id,
    events: all.slice(0, version),
    ids: Object.fromEntries(
      log.entries.slice(0, version).flatMap((entry, seq) => (seq && entry.id !== entry.link ? [[seq, entry.id]] : [])),
    ),
    keys: proof?.keys || {},
    seal: proof?.text || "",
  });
  const lines = seal ? [line(seal.version, seal)] : [];
  if (!seal || seal.version < all.length) lines.push({ ...line(all.length, null), keys: lines[0]?.keys || {} });
  return lines.map((one) => `${JSON.stringify({ format: "domino-ledger-copy/1", ...one })}\n`);
}

/** Does what a button says. @param {string} what @param {string} id */
async function act(what, id) {
  const log = await notebook.get(id);
  if (!log) return;
  if (what === "replay") await replay(log);
  if (what === "save" && log.acked) saveText((await linesOf(id)).join(""), `${id}.copies`);
  if (what === "save" && !log.acked) save(log);
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-do]"));
  if (button) act(button.dataset.do || "", button.dataset.id || "");
});
by("unequal").addEventListener("click", async () => {
  const lines = [];
  for (const { id, total, acked } of await notebook.rows()) if (total > acked) lines.push(...(await linesOf(id)));
  saveText(lines.join(""), "this-phone.copies");
});
by("save-log").addEventListener("click", () => saveText(`${asText()}\n`, "transport.txt"));
by("send-log").hidden = typeof navigator.share !== "function";
by("send-log").addEventListener("click", () =>
  navigator.share({ title: "What happened between this phone and the ledger", text: asText() }).catch(() => undefined),
);
by("check").addEventListener("click", compareNow);

/** Compares, and shows what came of it. */
async function compareNow() {
  exchange.heardAt.clear();
  const comparing = exchange.others.soon();
  await show();
  by("contact").textContent = "Comparing with the ledger …";
  await comparing;
  await notebook.prune("").catch(() => undefined);
  await show();
}

// The service worker shows this page in place of one that only the ledger has.
by("instead").hidden = location.pathname === HERE;
compareNow().then(() => (document.documentElement.dataset.ready = "yes"));
