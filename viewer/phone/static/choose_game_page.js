// The games on this phone, on the page where a new one begins.

import { GameList } from "./games_here/list.js";
import { Exchange } from "./notebook/exchange.js";
import { Notebook } from "./notebook/notebook.js";

const notebook = new Notebook();
const exchange = new Exchange(notebook, () => void list.show());
/** @type {GameList} */
const list = new GameList(notebook, exchange);

list.show(document.getElementById("mine"));
exchange.others.soon();
