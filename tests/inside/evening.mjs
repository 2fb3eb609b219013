// An evening of 12 games on 4 phones, then the ledger's disk is lost: each phone opens its page once.
// Argument: the server's address.  It prints what went wrong, and a line of numbers.
// @ts-check

import assert from "node:assert/strict";
import { begin, control, Phone } from "./phones.mjs";

const server = process.argv[2];
const OWNER = "o".repeat(43);
const GAMES = 12;
const ENTRIES = 40;

await control(server, { do: "empty", owner: OWNER });
const phones = ["a", "b", "c", "d"].map((name) => new Phone(name, server));
const games = Array.from({ length: GAMES }, (_, n) => ({
  id: `game${String(n).padStart(6, "0")}`,
  key: `${n % 10}x`.repeat(22),
}));
for (const [n, { id, key }] of games.entries()) {
  await begin(server, id, key);
  const phone = phones[n % phones.length];
  await phone.open(id, key);
  for (let entry = 0; entry < ENTRIES; entry += 1) await phone.enter(`${id}-${entry}`);
  await phone.sync();
  // Another phone watched it to the end.
  const other = phones[(n + 1) % phones.length];
  await other.open(id, "");
  await other.sync();
  // The last entries were acknowledged, and the disk was lost before the phone had another contact.
  await phone.open(id, key);
  await phone.enter(`${id}-last`);
}
const truth = async () => Promise.all(games.map(({ id }) => control(server, { do: "truth", record: id })));
const before = await truth();
assert.ok(before.every(({ notes }) => notes.length === ENTRIES + 1));

await control(server, { do: "empty" });
const walls = [];
for (const phone of phones) {
  const start = performance.now();
  phone.reload();
  phone.sent = [];
  await phone.sync();
  assert.ok(phone.sent.length <= 5 * GAMES, `${phone.sent.length} requests: so many are not done in ten seconds`);
  walls.push((performance.now() - start) / 1000);
}
assert.deepEqual(await truth(), before, "every game is whole again, with the same chain");
for (const [n, { id, key }] of games.entries()) {
  // The old link still records.
  const phone = phones[n % phones.length];
  await phone.open(id, key);
  await phone.enter("and on");
  assert.equal(phone.words, "Saved");
}
assert.deepEqual(await control(server, { do: "check" }), []);

// A phone that has just heard of all its games asks only about the one that is open.
const [phone] = phones;
await phone.sync();
phone.sent = [];
await phone.sync();
const bytes = phone.sent.map((one) => one.bytes);
assert.equal(phone.sent.length, 1, "one request");
assert.ok(bytes[0] <= 1000, `${bytes}`);
console.log(JSON.stringify({ seconds: walls.map((wall) => Number(wall.toFixed(2))), bytes: bytes[0] }));
process.exit(0);
