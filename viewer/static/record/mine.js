// The games on this phone, on the page where a new one begins.

import { Contact } from "../local/contact.js";
import { Courier } from "../local/courier.js";
import { Games } from "../local/games.js";
import { HeldGames } from "../local/held.js";
import { GameList } from "../local/list.js";

const games = new Games();
const courier = new Courier(games, () => list.show());
const list = new GameList(games, (id) => courier.reason(id));

list.show(document.getElementById("mine"));
courier.soon();
new Contact(new HeldGames(), undefined, async () => (await games.all()).map(({ id }) => id)).soon();
