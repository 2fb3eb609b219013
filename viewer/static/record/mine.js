// The games on this phone, on the page where a new one begins.
// @ts-check

import { Courier } from "../local/courier.js";
import { Games } from "../local/games.js";
import { showGames } from "../local/list.js";

const section = /** @type {HTMLElement} */ (document.getElementById("mine"));
const games = new Games();

showGames(section, games);
new Courier(games, () => showGames(section, games)).soon();
