// The games on this phone, on the page where a new one begins.

import { GameList } from "./games_here/list.js";
import { Exchange } from "./notebook/exchange.js";
import { Notebook } from "./notebook/notebook.js";
import { adopt } from "./notebook/old_stores.js";

const notebook = new Notebook();
const exchange = new Exchange(notebook, () => void list.show());
/** @type {GameList} */
const list = new GameList(notebook, exchange);

adopt(notebook)
  .catch(() => undefined)
  .then(() => {
    list.show(document.getElementById("mine"));
    return exchange.others.soon();
  });
