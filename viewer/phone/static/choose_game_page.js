// The games on this phone, on the page where a new one begins.

import { Contact } from "./kept_games/contact.js";
import { Courier } from "./kept_games/courier.js";
import { Games } from "./kept_games/games.js";
import { HeldGames } from "./kept_games/held.js";
import { GameList } from "./kept_games/list.js";

const games = new Games();
const courier = new Courier(games, () => list.show());
const list = new GameList(games, (id) => courier.reason(id));

list.show(document.getElementById("mine"));
courier.soon();
new Contact(new HeldGames(), undefined, async () => (await games.all()).map(({ id }) => id)).soon();
