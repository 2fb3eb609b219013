import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const nothing = () => undefined;
Object.assign(globalThis, {
  addEventListener: nothing,
  document: { addEventListener: nothing, getElementById: () => null, body: { dataset: {} } },
});
const { difference, goOn, Witness } = await import("../../../viewer/phone/static/entries/witness.js");

/** What is on the phone's disk: the events that it kept, and the copies. */
let disk = /** @type {any} */ ({});
const outbox = /** @type {any} */ ({
  events: async () => disk.events,
  held: async () => undefined,
  copies: async () => [...disk.copies.values()],
  keepCopy: async (/** @type {any} */ copy) => {
    if (disk.full) throw new Error("the disk is full");
    disk.copies.set(copy.id, structuredClone(copy));
    disk.writes += 1;
  },
  dropCopy: async (/** @type {string} */ id) => disk.copies.delete(id),
  keepRecord: async (/** @type {any[]} */ events) => (disk.events = events),
  letGo: async () => undefined,
  settle: async (/** @type {any[]} */ _, /** @type {any} */ screen) => (disk.screen = screen),
});

const SAW = { version: 12, link: "c12", players: [["p1", "Ana"]] };
/** What a ledger answers that has so many of the events, and then others. @param {number} version @param {any} more */
const answer = (version, more = {}) => ({
  version,
  link: `c${version}`,
  then: version >= 12 ? "c12" : null,
  players: SAW.players,
  ...more,
});

let witness = new Witness("g", outbox);

beforeEach(() => {
  disk = { events: Array.from({ length: 12 }, (_, n) => ({ n })), copies: new Map(), writes: 0 };
  witness = new Witness("g", outbox);
});

const text = () => witness.banners().join(" ").replaceAll("\u00a0", " ");

test("an answer that has all that was seen is no news for the witness", async () => {
  assert.equal(difference(null, answer(3)), "");
  assert.equal(difference(SAW, answer(12)), "");
  assert.equal(await witness.compare(SAW, answer(15)), true);
  assert.deepEqual([witness.copies, witness.state, disk.writes], [[], null, 0]);
});

test("a ledger that has less is noticed, counted, and what it lost is kept", async () => {
  assert.equal(await witness.compare(SAW, answer(6)), false, "the answer takes no place");
  const [copy] = [...disk.copies.values()];
  assert.deepEqual([copy.seen, copy.has, copy.events.length, copy.screen], [12, 6, 12, SAW]);
  assert.equal(witness.state?.words, "The ledger has less");
  assert.match(
    witness.state?.whole.replaceAll("\u00a0", " ") || "",
    /has 6 entries of this game, and this phone saw 12/,
  );
  assert.match(text(), /It has 6 entries, and this phone saw 12: 6 are missing there/);
  assert.match(text(), /save-copy.*Go on with the ledger’s 6/);
});

test("it is written once, and known after the page was loaded again", async () => {
  await witness.compare(SAW, answer(6));
  await witness.compare(SAW, answer(6));
  assert.equal(disk.writes, 1);
  witness = new Witness("g", outbox);
  await witness.open();
  assert.match(text(), /This phone saw more than the ledger has/);
  await witness.compare(SAW, answer(6));
  assert.match(text(), /6 are missing there/);
  assert.equal(disk.writes, 1);
});

test("a ledger that has other events of the same number is noticed", async () => {
  assert.equal(await witness.compare(SAW, answer(12, { link: "x12", then: "x12" })), true);
  assert.equal(witness.state, null);
  assert.match(text(), /This is not the game that this phone saw.*keeps the 12 entries/);
  assert.equal(disk.copies.size, 1);
});

test("a ledger that lost something and went on is still known to have lost it", async () => {
  await witness.compare(SAW, answer(6));
  assert.equal(await witness.compare(SAW, answer(14, { then: "x12" })), true);
  assert.equal(witness.state, null);
  assert.match(text(), /The ledger had 6 entries left of the 12 that this phone saw/);
});

test("a ledger that is whole again needs no copy", async () => {
  await witness.compare(SAW, answer(6));
  assert.equal(await witness.compare(SAW, answer(13)), true);
  assert.deepEqual([witness.copies, disk.copies.size, witness.state], [[], 0, null]);
});

test("two losses are two copies", async () => {
  await witness.compare(SAW, answer(6));
  await witness.compare({ ...SAW, version: 9, link: "x9" }, answer(6));
  assert.equal(disk.copies.size, 2);
});

test("what cannot be kept is not given up", async () => {
  disk.full = true;
  await assert.rejects(witness.compare(SAW, answer(6)), /full/);
  await assert.rejects(witness.compare(SAW, answer(12, { then: "x12" })), /full/);
});

test("a phone without the events keeps its screen, and offers no file", async () => {
  disk.events = [];
  await witness.compare(SAW, answer(6));
  assert.doesNotMatch(text(), /save-copy/);
  assert.deepEqual([...disk.copies.values()][0].screen, SAW);
});

test("going on with what the ledger has keeps what was seen, also if that was not noticed before", async () => {
  const shown = /** @type {any[]} */ ([]);
  const ledger = { screen: async () => ({ ok: true, status: 200, json: async () => answer(6) }) };
  const recorder = /** @type {any} */ ({
    outbox,
    witness,
    screen: SAW,
    ledger,
    ofServer: () => ledger,
    answers: { show: (/** @type {any} */ screen) => shown.push(screen.version), follow: nothing },
  });
  await goOn(recorder);
  assert.deepEqual(shown, [6]);
  assert.deepEqual([disk.screen.version, disk.events], [6, []]);
  assert.equal([...disk.copies.values()][0].events.length, 12);
  assert.match(text(), /Put it away/);
});
