// What this phone saw saved, on its disk: nothing that the ledger answers takes its place unseen.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const nothing = () => undefined;
Object.assign(globalThis, {
  addEventListener: nothing,
  document: { addEventListener: nothing, getElementById: () => null, body: { dataset: {} } },
  localStorage: { getItem: () => null, setItem: nothing },
});
const { Disk, useDisks } = await import("../../inside/disks.mjs");
const { HeldGames } = await import("../../../viewer/phone/static/kept_games/held.js");
const { Outbox } = await import("../../../viewer/phone/static/entries/outbox.js");
const { Post } = await import("../../../viewer/phone/static/entries/send_entries.js");
const { Witness } = await import("../../../viewer/phone/static/entries/witness.js");

let disk = new Disk();
useDisks(() => disk);
const held = new HeldGames();
const outbox = new Outbox("g");

/** A screen of the ledger. @param {number} version @param {any} [more] */
const screen = (version, more = {}) => ({ id: "g", version, link: `c${version}`, players: [["p1", "Ana"]], ...more });
/** A copy that the ledger gave. @param {number} version @param {any} [more] */
const copy = (version, more = {}) => ({
  record: "g",
  version,
  link: `c${version}`,
  events: [{ type: "open", game: "zigzag", players: [{ id: "p1", name: "Ana" }] }],
  ids: {},
  keys: {},
  names: "n",
  seal: "",
  ...more,
});
/** An entry of this phone. @param {number} base */
const entry = (base) => ({ key: base, id: `id-${base}`, record: "g", base, event: { type: "note" } });
const row = () => disk.rows("domino-ledger/held").get("g");

beforeEach(async () => {
  disk = new Disk();
  await held.keep(copy(5));
  await outbox.settle([entry(5), entry(6)], screen(7, { then: "c5" }), true);
});

test("what follows what this phone saw is kept", async () => {
  assert.deepEqual([row().version, row().link], [7, "c7"]);
  assert.deepEqual(
    (await held.tail("g")).map(({ base, after }) => [base, after]),
    [
      [5, "c5"],
      [6, ""],
    ],
  );
});

test("what follows an entry that the copy has already is kept, too", async () => {
  // The ledger had stored the first one, and the answer was lost.
  await outbox.settle([entry(6), entry(7)], screen(8, { then: "c6", seen: 6 }), true);
  await outbox.settle([entry(8)], screen(9, { then: "c8", seen: 8 }), true);
  assert.deepEqual([row().version, row().link], [9, "c9"]);
  assert.deepEqual(
    (await held.tail("g")).map(({ base }) => base),
    [5, 6, 7, 8],
  );
});

for (const [name, before] of /** @type {any[]} */ ([
  ["no screen", null],
  ["an older screen", screen(4)],
]))
  test(`a page with ${name} notices a ledger that has less than this phone saw`, async () => {
    const witness = new Witness("g", outbox);
    await witness.open();
    assert.equal(await witness.compare(before, screen(4, { then: "c4" })), false, "the answer takes no place");
    assert.equal(witness.state?.words, "The ledger has less");
    assert.match(witness.state?.whole.replaceAll("\u00a0", " ") || "", /has 4 entries.*this phone saw 7/);
    assert.match(witness.banners().join(), /The ledger has less.*href="\/on-this-phone"/);
    assert.equal(await witness.compare(before, screen(7, { then: before?.link })), true);
    assert.deepEqual([witness.state, witness.banners()], [null, []]);
  });

for (const [name, before] of /** @type {any[]} */ ([
  ["no screen", null],
  ["the newest screen", screen(7)],
]))
  test(`a page with ${name} says that the ledger has less, also while the store cannot be read`, async () => {
    const witness = new Witness("g", outbox);
    await witness.open();
    disk.fate = () => "closed";
    await assert.rejects(witness.compare(before, screen(4, { then: null })));
    assert.equal(witness.state?.words, "The ledger has less");
  });

test("a ledger that has something else is said in place of Saved, until somebody decides", async () => {
  await held.note("g", { kind: "other", has: 8, reason: "", trouble: "" });
  const witness = new Witness("g", outbox);
  await witness.open();
  assert.equal(witness.state?.words, "The ledger has something else");
  assert.equal(await witness.compare(screen(7), screen(6, { link: "x6" })), false);
  assert.equal(witness.banners().length, 1, "nothing is said twice");
  assert.match(witness.banners().join(), /Both are kept.*href="\/on-this-phone".*shows both/);
  await held.keepOther(copy(6, { link: "x6" }));
  await held.giveUp("g");
  await witness.open();
  assert.equal(await outbox.screen(), undefined);
  assert.equal(await witness.compare(null, screen(6, { link: "x6" })), true);
  assert.deepEqual([witness.state, witness.banners()], [null, []]);
});

for (const [name, state] of /** @type {any[]} */ ([
  ["before the next contact", "same"],
  ["after it", "other"],
]))
  test(`entries that followed something else are not mixed with what this phone saw, ${name}`, async () => {
    await held.note("g", { kind: state, has: 7, reason: "", trouble: "" });
    await outbox.settle([entry(7)], screen(8, { then: "x7", seen: 7, link: "x8" }), true);
    assert.deepEqual([row().version, row().link], [7, "c7"]);
    assert.deepEqual(
      (await held.tail("g")).map(({ base }) => base),
      [5, 6],
    );
  });

/**
 * What a phone sends whose entry waits at that place.
 * @param {number} base @param {() => Promise<boolean>} handBack
 */
async function sent(base, handBack) {
  const calls = /** @type {number[]} */ ([]);
  const waiting = { ...entry(base), state: "waiting" };
  const one = /** @type {any} */ ({
    queue: [waiting],
    witness: new Witness("g", outbox),
    handBack,
    ledger: {
      take: async (/** @type {number} */ expected) => {
        calls.push(expected);
        return { ok: true, status: 200, json: async () => ({}) };
      },
    },
    answers: { ask: async () => screen(base + 1, { then: `c${base}` }), show: nothing },
    changed: nothing,
  });
  const post = new Post(outbox, one);
  post.again.later = nothing;
  await post.flush();
  return { calls, trouble: post.trouble };
}

test("nothing is sent in place of what this phone saw, while the ledger lacks that", async () => {
  const { calls, trouble } = await sent(4, async () => false);
  assert.deepEqual(calls, []);
  assert.match(trouble, /does not have all that this phone saw/);
  assert.deepEqual((await sent(4, async () => true)).calls, [4]);
  assert.deepEqual((await sent(7, async () => false)).calls, [7], "after it there is nothing to hand in first");
});

test("if the ledger has something else, it says so itself what may follow", async () => {
  const handBack = async () => {
    await held.note("g", { kind: "other", has: 5, reason: "", trouble: "" });
    return false;
  };
  assert.deepEqual((await sent(5, handBack)).calls, [5]);
});

test("a shorter copy, sent while the ledger was replaced, takes the place of none", async () => {
  await held.keep(copy(3));
  assert.equal((await held.copy("g"))?.version, 5);
  assert.equal(row().version, 7);
});

test("a name that the ledger forgot is erased in all that this phone keeps of the game", async () => {
  const opening = { type: "open", game: "zigzag", recorder: "Zerafina", players: [{ id: "p1", name: "Zerafina" }] };
  const events = [opening, { type: "note", text: "x", by: "Zerafina" }, { type: "note", text: "y", by: "Ben" }];
  await held.keep(copy(5, { events, names: "before" }));
  await outbox.settle([], screen(7, { then: "c7", players: [["p1", "Zerafina"]] }), true);
  await outbox.keepRecord(events);
  const lost = { ...screen(9), players: [["p1", "Zerafina"]], moves: [{ words: "Zerafina drew" }] };
  await outbox.keepCopy(/** @type {any} */ ({ id: "g~9", record: "g", seen: 9, link: "c9", screen: lost, events }));
  await outbox.settle([{ ...entry(7), event: { type: "note", by: "Zerafina" } }], screen(8, { then: "c7" }), true);
  await outbox.settle([], { ...lost, version: 8, link: "c8", then: "c7" }, true);
  const all = () => JSON.stringify([...disk.stores].map(([name, rows]) => [name, [...rows]]));
  assert.match(all(), /Zerafina/);

  const forgotten = [{ type: "open", game: "zigzag", players: [{ id: "p1" }] }, { type: "note", text: "x" }, events[2]];
  await held.keep(copy(6, { events: forgotten, names: "after" }));
  assert.doesNotMatch(all(), /Zerafina/);
  assert.match(all(), /Ben/);
  assert.deepEqual(
    (await held.tail("g")).map(({ base }) => base),
    [6, 7],
    "what this phone saw stays",
  );
  assert.equal((await outbox.copies())[0].events.length, 3);
  assert.deepEqual(row().names, ["p1"]);
});

/** Keeps games of so many bytes, the first one the oldest. @param {number} count @param {number} bytes */
async function keepGames(count, bytes) {
  disk = new Disk();
  for (let n = 0; n < count; n += 1) {
    const id = `game${String(n).padStart(6, "0")}`;
    await held.keep(copy(5, { record: id, seal: "x".repeat(bytes) }));
    await held.hold(id, { touched: new Date(n).toISOString() });
    await new Outbox(id).keepRecord([{}]);
    await held.note(id, { kind: n % 100 ? "same" : "less", has: 5, reason: "", trouble: "" });
  }
  await held.prune();
  return [...disk.rows("domino-ledger/held").keys()].map((id) => Number(id.slice(4)));
}

test("a phone keeps the last 200 games, and older ones that the ledger does not have", async () => {
  const kept = await keepGames(230, 10);
  assert.equal(kept.length, 201);
  assert.deepEqual(kept.slice(0, 2), [0, 30]);
  for (const store of ["copies", "records"]) assert.equal(disk.rows(`domino-ledger/${store}`).size, 201, store);
});

test("a phone keeps at most 20 MB of games, and older ones that the ledger does not have", async () => {
  const kept = await keepGames(24, 1_000_000);
  assert.ok(kept.includes(0), "the ledger has less of the oldest one");
  const bytes = [...disk.rows("domino-ledger/held").values()].reduce((sum, { copied }) => sum + copied.bytes, 0);
  assert.ok(bytes <= 21_000_000 && bytes > 18_000_000, `${bytes}`);
  assert.ok(kept.includes(23) && !kept.includes(1));
});
