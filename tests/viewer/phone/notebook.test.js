// One situation each; what chance makes of them: ../../inside/notebook_trial.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  append,
  branch,
  CHOSEN,
  compare,
  events,
  merge,
  newLog,
  takeBack,
} from "../../../viewer/phone/static/notebook/log.js";
import { withRows } from "../../../viewer/phone/static/notebook/old_stores.js";
import { NEVER, stateOf, words } from "../../../viewer/phone/static/notebook/words.js";
import { Ledger, Phone } from "../../inside/notebook_world.mjs";

Object.assign(globalThis, {
  document: { body: { dataset: {} }, documentElement: { dataset: {} }, addEventListener() {} },
  addEventListener() {},
});
const { Exchange } = await import("../../../viewer/phone/static/notebook/exchange.js");
const { recordText } = await import("../../../viewer/phone/static/pieces/share_local_game.js");

const ID = "aaaaaaaaaa";
const OPENING = {
  type: "open",
  game: "zigzag",
  players: [
    { id: "p1", name: "Ana" },
    { id: "p2", name: "Ben" },
  ],
};
let count = 0;
const newId = () => `id-${(count += 1)}`;
const note = (text) => ({ type: "note", text });
const place = (tile, when = "1") => ({ type: "place", player: "p2", tile, at: [5, 4], when });
function table(names = ["a", "b"], key = "k") {
  const ledger = new Ledger();
  const phones = names.map((name) => new Phone(name, newId));
  phones[0].open(ID, key, OPENING);
  sync(ledger, phones[0]);
  for (const phone of phones.slice(1)) (phone.open(ID, key), sync(ledger, phone));
  return [ledger, ...phones];
}
/** Questions until there is nothing more to ask. */
function sync(ledger, phone, now = 1, id = ID) {
  let result = { again: true, all: false, news: [] };
  for (let n = 0; n < 9 && (result.again || result.all); n += 1) {
    const question = phone.question(id, result.all);
    result = phone.answered(id, question, ledger.answer(structuredClone(question)), now);
  }
  return phone.logs.get(id);
}
const texts = (log) => log.entries.slice(1).map(({ event }) => event.text ?? event.tile ?? event.type);
const header = (log, now = 1, contact = {}) =>
  words(log, { trouble: "", reason: "", since: "", fault: "", heard: log.heard, ...contact }, now, now).word;

test("begun without a network: all of it waits, and one question hands it in", () => {
  const [ledger, phone] = [new Ledger(), new Phone("a", newId)];
  phone.open(ID, "k", OPENING);
  phone.enter(ID, note("one"));
  assert.equal(header(phone.logs.get(ID), 99_000), "2 wait here");
  assert.equal(header(sync(ledger, phone, 1), 1), "Saved");
  assert.equal(ledger.records.get(ID).entries.length, 2);
});
test("a ledger that was lost gives a new game another id, and leaves what it may have had to its owner", () => {
  const log = { ...newLog(ID, "k", OPENING), asked: 1 };
  const answer = { version: 0, from: 0, after: "", events: [], names: "", opens: false };
  const question = { n: 1, id: ID, key: "k", have: { from: 0, link: "", names: "" }, add: [], sealed: 0 };
  assert.ok(merge(log, question, { ...answer, opens: true, taken: "bbbbbbbbbb" }, 1).log.taken);
  const { log: kept, again } = merge(log, question, { ...answer, waits: true }, 1);
  assert.deepEqual([again, kept.entries.length, header(kept)], [false, 1, "1 waits here"]);
  const contact = { trouble: "", reason: "", since: "", fault: "", heard: 1 };
  assert.match(words(kept, contact, 1, 1).banner, /give that to the owner/);
  assert.equal(merge(kept, { ...question, n: 2 }, { ...answer, opens: true }, 1).log.waits, undefined);
});
test("undo: without a trace before it was sent, a deletion after", () => {
  const [ledger, a] = table();
  const one = a.enter(ID, note("one"));
  a.undo(ID, one);
  assert.deepEqual(texts(a.logs.get(ID)), []);
  const two = a.enter(ID, note("two"));
  ledger.answer(a.question(ID));
  a.undo(ID, two);
  assert.deepEqual(texts(sync(ledger, a)), ["two", "retract"]);
  assert.equal(ledger.records.get(ID).entries[2].event.seq, 1);
});
test("an older backup: what the ledger lost waits again, and both phones hand it in once", () => {
  const [ledger, a, b] = table();
  a.enter(ID, note("one"));
  sync(ledger, a);
  const backup = ledger.backup();
  const two = a.enter(ID, note("two"));
  (sync(ledger, a), a.undo(ID, two), sync(ledger, a), sync(ledger, b));
  const links = ledger.records.get(ID).entries.map(({ link }) => link);
  ledger.records = backup;
  const question = a.question(ID);
  a.answered(ID, question, ledger.answer(question), 1);
  assert.equal(header(a.logs.get(ID)), "Saving 2");
  assert.ok(a.waiting(ID).every(({ was, sent }) => was && sent));
  a.undo(ID, two); // it was sent: it cannot vanish
  (sync(ledger, b), sync(ledger, a));
  assert.deepEqual(
    ledger.records
      .get(ID)
      .entries.slice(0, 4)
      .map(({ link }) => link),
    links,
  );
});
const fork = () => {
  const [ledger, a, b] = table();
  (a.enter(ID, place("2-2")), sync(ledger, a));
  b.enter(ID, place("4-0"));
  b.enter(ID, note("after"));
  return [ledger, b];
};
test("two phones, one turn: nothing is sent until somebody chooses", () => {
  const [ledger, b] = fork();
  const log = sync(ledger, b);
  assert.equal(header(log), "Two versions");
  sync(ledger, b);
  assert.equal(ledger.records.get(ID).entries.length, 2);
  (b.enter(ID, note("more")), sync(ledger, b));
  assert.equal(ledger.records.get(ID).entries.length, 2);
});
for (const [what, expected] of Object.entries({
  theirs: ["2-2", "after"],
  both: ["2-2", "4-0", "after"],
  mine: ["2-2", "amend", "after"],
}))
  test(`two phones, one turn: ${what}`, () => {
    const [ledger, b] = fork();
    sync(ledger, b);
    b.choose(ID, what);
    const log = sync(ledger, b);
    assert.deepEqual(texts(log), expected);
    assert.equal(header(log), "Saved");
    assert.equal(log.aside.length, what === "theirs" ? 1 : 0);
  });
test("the same act on two phones vanishes, and what corrects it corrects the other’s", () => {
  const [ledger, a, b] = table();
  (a.enter(ID, place("2-2", "1")), sync(ledger, a));
  const own = b.enter(ID, place("2-2", "2"));
  b.question(ID);
  b.undo(ID, own);
  const log = sync(ledger, b);
  assert.equal(log.choice, null);
  assert.deepEqual(texts(log), ["2-2", "retract"]);
  assert.equal(ledger.records.get(ID).entries[2].event.seq, 1);
});
test("an act that somebody amended vanishes on a third phone that has either version", () => {
  for (const tile of ["2-2", "4-0"]) {
    const [ledger, a, b, c] = table(["a", "b", "c"]);
    (a.enter(ID, place("2-2")), sync(ledger, a), b.enter(ID, place("4-0")), sync(ledger, b));
    (b.choose(ID, "mine"), sync(ledger, b), c.enter(ID, place(tile, "3")));
    const log = sync(ledger, c);
    assert.deepEqual([log.choice, log.aside, texts(log)], [null, [], ["2-2", "amend"]]);
  }
  const [ledger, a, b, c] = table(["a", "b", "c"]);
  (a.enter(ID, place("2-2")), sync(ledger, a), b.enter(ID, place("4-0")), sync(ledger, b));
  (b.choose(ID, "mine"), sync(ledger, b), c.enter(ID, place("5-5")));
  const { pair } = compare(sync(ledger, c), ({ type }) => type === "place");
  assert.deepEqual([pair.theirs.event.tile, pair.mine.event.tile], ["4-0", "5-5"]);
});
test("an entry that the ledger refuses is put aside with what corrects it, and the rest goes on", () => {
  const [ledger, a] = table();
  const bad = a.enter(ID, { type: "unknown" });
  a.enter(ID, { type: "amend", event: note("x") }, bad);
  a.enter(ID, note("on"));
  const log = sync(ledger, a);
  assert.deepEqual([texts(log), header(log)], [["on"], "Saved · 2 put aside"]);
  assert.deepEqual(
    log.aside.map(({ why }) => why),
    ["the game has no such act", "the entry that it corrects is not recorded"],
  );
});
test("a game of the same id is there: nothing is mixed, and a new id hands it in", () => {
  const [ledger] = table();
  const phone = new Phone("c", newId);
  phone.open(ID, "other", { ...OPENING, game: "gale" });
  phone.enter(ID, note("mine"));
  assert.equal(header(sync(ledger, phone)), "Two games");
  phone.rename(ID, "bbbbbbbbbb");
  assert.equal(header(sync(ledger, phone, 1, "bbbbbbbbbb")), "Saved");
});
test("an ended key: it waits, and says why", () => {
  const [ledger, a] = table();
  ledger.records.get(ID).key = "new";
  a.enter(ID, note("one"));
  const log = sync(ledger, a);
  assert.equal(words(log, a.contact, 1, 1).word, "1 waits here");
  assert.match(words(log, a.contact, 1, 1).banner, /This link does not record/);
});
test("a forgotten name goes from the phone, with all links the same", () => {
  const [ledger, a] = table();
  a.enter(ID, { ...note("one"), by: "Ana" });
  a.enter(ID, { ...note("two"), by: "Ben" });
  const record = ledger.records.get(ID);
  delete record.entries[0].event.players[0].name;
  Object.assign(record, { names: "b", key: "ended" }); // what waits stays here
  const log = sync(ledger, a);
  assert.equal(JSON.stringify(events(log)).includes("Ana"), false);
  assert.equal(log.entries[2].event.by, "Ben");
  assert.equal(log.entries[0].link, record.entries[0].link);
});
test("what might have been begins with the real game's events, which an Undo corrects, and is in no ledger", () => {
  const from = { record: ID, seq: 2, link: "ab" };
  const real = [{ type: "open", game: "zigzag", players: [] }, note("1"), note("2")];
  const log = branch("wwwwwwwwww", { events: real, from }, "/g/x?ply=2");
  const longer = append(log, { id: "x", event: note("else") });
  assert.deepEqual([texts(longer), header(longer), longer.key], [["1", "2", "else"], "What if", ""]);
  assert.deepEqual(takeBack(longer, ["x"], []).entries, log.entries);
  const correction = { id: "y", event: { type: "retract", seq: 2 }, of: "2" };
  const undone = takeBack(longer, ["2"], [correction]);
  assert.deepEqual([events(undone).slice(0, 3), events(undone)[4]], [real, { type: "retract", seq: 2 }]);
  assert.equal(
    recordText(events(log), log.from),
    `${JSON.stringify({ format: "domino-ledger/1", from, events: real })}\n`,
  );
  assert.match(stateOf(/** @type {any} */ ({ ...log, total: 3 }), /** @type {any} */ ({})), /never happened/);
});
test("a sealed game that is too large for what stands before the ledger is tried again later", async () => {
  const opening = { id: ID, event: OPENING, link: "l0" };
  const log = { ...newLog(ID, "k"), entries: [opening], seal: { version: 1 } };
  const notebook = /** @type {any} */ ({
    cache: new Map(),
    get: async () => log,
    change: async (_id, work) => work(log),
  });
  globalThis.fetch = async () => new Response("{}", { status: 413 });
  const exchange = new Exchange(notebook, () => undefined);
  assert.equal(await exchange.once(ID), null);
  assert.match(exchange.contact.reason, /too large/);
});
test("what might have been is never sent", async () => {
  const log = branch("wwwwwwwwww", { events: [], from: { record: ID, seq: 2, link: "ab" } }, "");
  for (const key of ["", "a key"]) {
    const notebook = /** @type {any} */ ({ get: async () => ({ ...log, key }), cache: new Map() });
    const heard = await new Exchange(notebook, () => undefined).once("wwwwwwwwww");
    assert.deepEqual([heard?.news, heard?.again], [[], false]);
  }
});
for (const [more, word] of /** @type {const} */ ([
  [0, "Saved"],
  [1, "Two versions"],
]))
  test(`entries that an earlier version of the page left, and ${more} of others since`, () => {
    const [ledger, a] = table();
    (a.enter(ID, note("one")), sync(ledger, a));
    const base = 2; // what the old entry had seen
    for (let n = 0; n < more; n += 1) (a.enter(ID, note("since")), sync(ledger, a));
    const b = new Phone("b", newId);
    b.logs.set(ID, newLog(ID, "k"));
    sync(ledger, b);
    const row = { id: newId(), base, state: "waiting", event: note("old") };
    b.logs.set(ID, withRows(b.logs.get(ID), [row]));
    assert.equal(header(sync(ledger, b)), word);
    assert.deepEqual(texts(b.logs.get(ID)), ["one", ...Array(more).fill("since"), "old"]);
  });
test("an answer that does not join is asked for again, as a whole", () => {
  const log = { ...newLog(ID, "k", OPENING), acked: 1, entries: [{ id: ID, event: OPENING, link: "x" }] };
  const question = { n: 1, id: ID, key: "k", have: { from: 1, link: "x", names: "" }, add: [] };
  const answer = {
    version: 2,
    from: 1,
    after: "y",
    events: [{ id: "e", event: note("?"), link: "z" }],
    names: "",
    opens: true,
  };
  assert.deepEqual(merge(log, question, answer, 0), { log, news: [], twins: [], again: true, all: true });
});
test("the words", () => {
  const log = (acked, more = {}) => ({
    ...newLog(ID, "k", OPENING),
    entries: [OPENING, note("1"), note("2")].map((event, n) => ({ id: `${n}`, event })),
    acked,
    heard: 60_000,
    ...more,
  });
  const offline = { trouble: "offline", since: "2026-11-20T20:14:00Z" };
  const rows = [
    [log(3), {}, 65_000, "Saved"],
    [log(3), {}, 70_001, /^Saved until /],
    [log(3), offline, 61_000, /^Saved until /],
    [log(3), { heard: NEVER }, 61_000, /^Saved until /],
    [log(1), {}, 61_000, "Saving 2"],
    [log(1), {}, 71_000, "2 wait here"],
    [log(2), {}, 71_000, "1 waits here"],
    [log(1), offline, 61_000, "2 wait here"],
    [log(1), { trouble: "sick", reason: "502" }, 61_000, "2 wait here"],
    [log(1), { trouble: "refused" }, 61_000, "2 wait here"],
    [log(1, { locked: true }), {}, 61_000, "2 wait here"],
    [log(3, { locked: true }), {}, 61_000, "Saved"],
    [log(1, { key: "" }), {}, 61_000, "2 wait here"],
    [log(0, { heard: 0 }), { heard: NEVER }, 1_000, "3 wait here"],
    [log(2, { choice: ["1"] }), {}, 61_000, "Two versions"],
    [log(2, { choice: ["1"] }), offline, 61_000, "Two versions"],
    [log(1), { fault: "full" }, 61_000, "Not kept"],
    [log(3), { fault: "full" }, 61_000, "Not kept"],
    [log(3, { key: "" }), {}, 61_000, "Live"],
    [log(3, { key: "" }), {}, 99_000, /^As it was at /],
    [log(3, { taken: true }), {}, 61_000, "Two games"],
    [log(0, { from: { record: ID, seq: 1 } }), {}, 0, "What if"],
    [log(0), { site: true }, 0, "In this browser"],
    [log(3, { aside: [{ why: "no such act" }] }), {}, 61_000, "Saved · 1 put aside"],
    [log(3, { aside: [{ why: CHOSEN }] }), {}, 61_000, "Saved"],
  ];
  for (const [one, contact, now, word] of rows)
    if (typeof word === "string") assert.equal(header(one, now, contact), word);
    else assert.match(header(one, now, contact), word);
  // The clock of the phone was moved: what was heard is not new for that.
  const moved = words(log(3), { trouble: "", reason: "", since: "", fault: "", heard: 61_000 }, 61_000, 0);
  assert.match(moved.word, /^Saved until /);
});
