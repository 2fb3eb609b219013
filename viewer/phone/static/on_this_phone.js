// The page “On this phone”: each game that this phone keeps, and whether the ledger has it.

import { at } from "../../every_page/static/club_root.js";
import { by, plural } from "./pieces/markup.js";
import { asText } from "./entries/transport_log.js";
import { trouble } from "./entries/trouble.js";
import { GameList } from "./games_here/list.js";
import { Exchange } from "./notebook/exchange.js";
import { MOST, Notebook } from "./notebook/notebook.js";
import { copiesOf, saveText } from "./pieces/share_local_game.js";

const HERE = at("on-this-phone");
const notebook = new Notebook();
const exchange = new Exchange(notebook, () => show());
/** @type {GameList} */
const list = new GameList(notebook, exchange, true);

/** Draws the page anew. */
async function show() {
  const rows = await list.show(by("mine"));
  if (!rows) return;
  by("mine").hidden = false;
  by("none").hidden = rows.length > 0;
  by("size").textContent =
    `This phone keeps the last ${MOST} games: now ${plural(rows.length, "game")}. ` +
    "What the ledger lacks is never dropped.";
  const { trouble: kind, reason, since } = exchange.contact;
  by("contact").textContent = kind && trouble(kind, reason, since);
  by("unequal").hidden = rows.every(({ total, acked, from }) => from || total === acked);
  by("log-text").textContent = asText() || "Nothing has happened yet.";
}

by("unequal").addEventListener("click", async () => {
  const rows = (await notebook.rows()).filter(({ total, acked }) => total > acked);
  const logs = await Promise.all(rows.map(({ id }) => notebook.get(id)));
  saveText(logs.map((log) => log && copiesOf(log)).join(""), "this-phone.copies");
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
