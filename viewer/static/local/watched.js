// A game that this phone watched to its end: it keeps that too.

import { Contact } from "./contact.js";
import { HeldGames } from "./held.js";

/** @param {string} id @param {number} version the last one that this phone saw */
export async function watched(id, version) {
  const held = new HeldGames();
  const before = await held.get(id);
  if (!before) await held.hold(id, { version });
  const one = await held.get(id);
  if (one) await new Contact(held).compare([one]);
}
