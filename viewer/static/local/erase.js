// Erases on this phone the names that the ledger does not have any more, because somebody asked to be forgotten.

import { resultOf } from "../database.js";

/** @import { Copy } from "./held.js" */

/** The names of people in events. @param {GameEvent[]} events @returns {Set<string>} */
const namesIn = (events) =>
  new Set(
    events
      .flatMap((event) => [event.by, event.recorder, ...(event.players || []).map((one) => one.name)])
      .filter(Boolean),
  );

/** Events without these names. @param {GameEvent[]} events @param {Set<string>} names */
const without = (events, names) =>
  events.map((event) => {
    const kept = { ...event };
    for (const field of ["by", "recorder"]) if (names.has(kept[field])) delete kept[field];
    if (kept.players)
      kept.players = kept.players.map(({ name, ...rest }) =>
        name === undefined || names.has(name) ? rest : { ...rest, name },
      );
    return kept;
  });

/** The players of a screen without these names. @param {View | undefined} screen @param {Set<string>} names */
const playersWithout = (screen, names) =>
  (screen?.players || []).map(([id, name]) => [id, names.has(name) ? id : name]);

/**
 * Erases the names that are in what this phone has of a record, and not in the newest copy.  The last screen is dropped
 * if it shows one, because its sentences do, too.
 * @param {Copy} copy the newest @param {Copy | undefined} before the copy before it, if there is one
 * @param {IDBObjectStore} tails @param {IDBObjectStore} screens
 * @param {IDBObjectStore} records the events that are kept, and what the ledger lost
 */
export async function eraseNames({ record, events }, before, tails, screens, records) {
  const known = namesIn(events);
  const screen = await resultOf(screens.get(record));
  const rows = [
    await resultOf(records.get(record)),
    ...(await resultOf(records.getAll(IDBKeyRange.bound(`${record}~`, `${record}~\uffff`)))),
  ].filter(Boolean);
  const shown = [screen, ...rows.map((row) => row.screen)].flatMap((one) => one?.players || []);
  const gone = namesIn([...(before?.events || []), ...rows.flatMap((row) => row.events)]);
  for (const [id, name] of shown) if (name !== id) gone.add(name);
  for (const name of known) gone.delete(name);
  if (!gone.size) return;
  if (screen?.players.some((/** @type {string[]} */ [, name]) => gone.has(name)))
    await resultOf(screens.delete(record));
  for (const row of rows) {
    const { version, link } = row.screen || {};
    const seen = row.screen && { screen: { version, link, players: playersWithout(row.screen, gone) } };
    await resultOf(records.put({ ...row, ...seen, events: without(row.events, gone) }));
  }
  for (const entry of await resultOf(tails.index("record").getAll(record)))
    await resultOf(tails.put({ ...entry, event: without([entry.event], gone)[0] }));
}
