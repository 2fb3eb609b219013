import assert from "node:assert/strict";
import { test } from "node:test";

import { tapCalled } from "../../../viewer/phone/static/recorder/calls_dialog.js";
import { Pick } from "../../../viewer/phone/static/recorder/next_entry.js";
import { Redo } from "../../../viewer/phone/static/entries/undo.js";
import { resume, TAKEN_BACK, undo } from "../../../viewer/phone/static/entries/undo.js";
import { entriesOf } from "../../../viewer/phone/static/entries/keep_entries.js";
import { append, events as ofLog, named, newLog } from "../../../viewer/phone/static/notebook/log.js";
import { unjudged } from "../../../viewer/phone/static/entries/waiting.js";

globalThis.requestAnimationFrame = (act) => setImmediate(act);
const back = (seq) => ({ type: "retract", seq, why: TAKEN_BACK });

/** A recorder without the rules: five entries are saved, `waiting` are on this phone, the first ones sent. */
function recorderWith(waiting, sent = 0) {
  const moves = [1, 2, 3, 4, 5].map((seq) => ({ seq, event: { type: "pass", player: "a" } }));
  const screen = {
    version: 6,
    moves,
    undo: [5, 4, 3, 2, 1].map((seq) => ({ seqs: [seq], corrections: [back(seq)] })),
    players: [["a", "Ana"]],
    scene: { areas: [], seats: [] },
    prompts: [],
    form: { names: { pass: [] }, ways: [] },
  };
  const saved = [{ type: "open", game: "zigzag" }, ...moves.map(({ event }) => event)];
  const begun = {
    ...newLog("game", "key"),
    acked: 6,
    entries: saved.map((event, n) => ({ id: `s${n}`, link: `l${n}`, event })),
  };
  const log = waiting.reduce((log, event, n) => append(log, { id: `w${n}`, ...named(log, event) }), begun);
  log.entries = log.entries.map((entry, n) => (n >= 6 && n < 6 + sent ? { ...entry, sent: true } : entry));
  const recorder = {
    log,
    screen,
    edit: null,
    sure: false,
    quick: false,
    writer: {
      writing: Promise.resolve([]),
      soon(make) {
        this.writing = this.writing.then(async () => {
          const entries = make();
          await recorder.change((log) => entries.reduce(append, log));
          return entries;
        });
        return this.writing;
      },
      keep(...events) {
        return this.soon(() => entriesOf(recorder, events));
      },
      leaveEdit() {
        recorder.edit = null;
      },
    },
    change: async (work) => (recorder.log = work(recorder.log)),
    exchange: { soon: async () => undefined },
    pick: { clear() {} },
    placing: { forget() {} },
    views: { judged: { version: 6 } },
    get upto() {
      return recorder.log.entries.length;
    },
    get waiting() {
      return recorder.log.entries.slice(6);
    },
    get view() {
      return unjudged(screen, ofLog(recorder.log).slice(6));
    },
    get latest() {
      return recorder.view;
    },
    get judged() {
      return screen;
    },
    changed() {},
  };
  recorder.redo = new Redo(recorder);
  return recorder;
}
/** What waits, without the time. */
const events = ({ log }) =>
  ofLog(log)
    .slice(6)
    .map(({ when, ...event }) => event);
const pass = { type: "pass", player: "b" };

test("what a disk that fails cannot take back still waits, and the page says so", async () => {
  const recorder = recorderWith([pass]);
  const said = [];
  recorder.dialogs = { say: (...words) => said.push(words.join(": ")) };
  recorder.change = async () => {
    throw new DOMException("no room", "QuotaExceededError");
  };
  await undo(recorder);
  assert.deepEqual(events(recorder), [pass]);
  assert.match(said.join(), /^This phone cannot take it back: It still stands\. /);
});

const tea = { type: "note", text: "tea" };
const old = { type: "pass", player: "a" };
const deletion = { type: "retract", seq: 2, why: "a slip" };
const change = { type: "amend", seq: 2, event: pass, why: "a slip" };
const insertion = { type: "insert", before: 2, event: pass, why: "a slip" };
const moved = [
  { ...deletion, seq: 3, when: "now" },
  { ...insertion, when: "now" },
]; // at once
const later = { ...change, seq: 6, event: { type: "pass", player: "c" } }; // of what waits
const inAgain = (before) => ({ type: "insert", before, event: old, why: TAKEN_BACK });
const asBefore = (seq, event) => ({ type: "amend", seq, event, why: TAKEN_BACK });
const movedBack = [...moved, back(7), inAgain(3)];
const gone = [pass, later, asBefore(6, pass), back(6)];
const again = (event) => ({ ...event, why: "done again" });

// What waits, how many of these were sent, what is tapped, and what waits then.
for (const [what, waiting, sent, taps, expected] of [
  ["what is only on this phone goes without a trace", [pass, tea], 0, "undo", [pass]],
  ["and then what was there before it", [pass, tea], 0, "undo undo", []],
  ["what is saved is taken back one by one", [], 0, "undo undo undo", [back(5), back(4), back(3)]],
  ["what may have left is taken back by a correction", [pass], 1, "undo undo", [pass, back(6), back(5)]],
  ["a correction that waits is what was done last", [pass, deletion], 0, "undo", [pass]],
  ["a deletion on its way, not the last move", [deletion], 1, "undo undo", [deletion, inAgain(2), back(5)]],
  ["a change on its way", [change], 1, "undo undo", [change, asBefore(2, old), back(5)]],
  ["an insertion on its way", [insertion], 1, "undo undo", [insertion, back(6), back(5)]],
  ["what was moved goes back with one tap", moved, 0, "undo", []],
  ["also when it was sent", moved, 2, "undo", movedBack],
  ["and is moved again", moved, 2, "undo redo", [...movedBack, again({ ...deletion, seq: 9 }), again(insertion)]],
  ["an insertion is done again at its place", [insertion], 1, "undo redo", [insertion, back(6), again(insertion)]],
  ["what was taken back is done again, the last first", [pass, tea], 0, "undo undo redo", [pass]],
  ["until there is no more", [pass, tea], 0, "undo undo redo redo redo", [pass, tea]],
  ["also when the page opens anew", [pass, tea], 0, "undo undo reload redo reload redo", [pass, tea]],
  ["or something else is recorded", [pass, tea], 0, "undo pass redo", [pass, pass]],
  ["then what was taken back before is gone", [pass, tea], 0, "undo pass undo redo redo", [pass, pass]],
  ["a saved move is done again at the end", [], 0, "undo redo", [back(5), old]],
  ["a deletion by the seq of now", [deletion], 1, "undo redo", [deletion, inAgain(2), again({ ...deletion, seq: 7 })]],
  ["or as it was, if it was only here", [deletion], 0, "undo redo", [deletion]],
  ["a change is taken back with its move", [pass, later], 2, "undo undo", gone],
  ["and follows it again", [pass, later], 2, "undo undo redo redo", [...gone, pass, again({ ...later, seq: 10 })]],
])
  test(what, async () => {
    const recorder = recorderWith(waiting, sent);
    const tap = {
      undo: () => undo(recorder),
      redo: () => recorder.redo.redo(),
      pass: () => recorder.writer.keep(pass),
      reload: () => {
        recorder.redo.quiet();
        recorder.redo = new Redo(recorder);
        recorder.redo.steps = structuredClone(recorder.log.redo);
      },
    };
    for (const name of taps.split(" ")) await tap[name]();
    assert.deepEqual(
      events(recorder),
      expected.map(({ when, ...event }) => event),
    );
    recorder.redo.quiet();
  });

test("an entry that still goes to the disk is what was done last", async () => {
  const recorder = recorderWith([]);
  recorder.writer.writing = new Promise((resolve) => setTimeout(resolve, 5));
  recorder.writer.keep(pass);
  await undo(recorder);
  assert.deepEqual(events(recorder), []);
});

test("what is called right after Undo is about what stands then", async () => {
  const recorder = recorderWith([pass]);
  let write = () => {};
  recorder.writer.writing = new Promise((resolve) => (write = resolve));
  const undoing = undo(recorder);
  const left = [];
  const page = {
    writer: recorder.writer,
    get latest() {
      left.push(events(recorder));
      return { sure: false };
    },
  };
  const calling = tapCalled(page, "same");
  await new Promise(setImmediate);
  assert.deepEqual(left, []);
  write();
  await Promise.all([undoing, calling]);
  assert.deepEqual(left, [[]]);
});

test("while an entry is being changed, undo only ends that", async () => {
  const recorder = recorderWith([pass]);
  recorder.edit = { mode: "amend" };
  await undo(recorder);
  assert.equal(recorder.edit, null);
  assert.deepEqual(events(recorder), [pass]);
});

test("a change of a move ends that was begun while this move was taken back", async () => {
  for (const [waiting, seq, ends] of [
    [[], 5, true],
    [[], 4, false],
    [[{ type: "pass", player: "a" }], 6, true],
  ]) {
    const recorder = recorderWith(waiting);
    const { change } = recorder;
    recorder.change = (work) => {
      recorder.edit = { mode: "amend", seq };
      recorder.change = change;
      return change(work);
    };
    await undo(recorder);
    assert.equal(recorder.edit === null, ends, `${seq}`);
  }
});

test("a game that was left goes on, whether that is saved or waits", async () => {
  const recorder = recorderWith([{ type: "close", why: "abandoned" }]);
  await resume(recorder);
  assert.deepEqual(events(recorder), []);
  recorder.screen.moves.push({ seq: 6, event: { type: "close", why: "abandoned" } });
  await resume(recorder);
  assert.deepEqual(events(recorder), [back(6)]);
});

// ── Who acts, after that ─────────────────────────────────────────────────────────────────────────────────

const place = { kind: "place", lays: true };

/** What the rules would say for this many events: Ana and Ben take turns. */
function turnsWith(count, names = ["a", "b"]) {
  const ways = names.map((player, n) => ({ kind: "place", player, due: n === count % names.length, legal: [] }));
  return { form: { names: { place: [] }, ways }, players: names.map((id) => [id, id]), moves: [], prompts: [place] };
}

test("after an entry was taken back, the rules say who acts, not an earlier tap", () => {
  const recorder = { edit: null, sure: true, post: { waiting: [] }, upto: 4, view: turnsWith(4) };
  const pick = new Pick(recorder);
  const go = (upto, byHand = false) => {
    Object.assign(recorder, { upto, view: turnsWith(upto) });
    pick.update(byHand);
  };
  go(4);
  assert.equal(pick.player, "a");
  go(4, true); // a tile was picked
  go(5);
  assert.equal(pick.player, "b");
  go(4);
  assert.equal(pick.player, "a");
  pick.setPlayer("b");
  go(4, true);
  go(4);
  assert.equal(pick.player, "b", "a tap on a seat stays until the next entry");
  go(3);
  go(4);
  assert.equal(pick.player, "a", "another table has come between");
});

test("hands are asked for one after the other, and again after one was taken back", () => {
  const form = (missing) => ({
    names: { bid: [], deal: [] },
    ways: [
      { kind: "bid", player: "a", due: true, legal: [] },
      ...missing.map((player) => ({ kind: "deal", player, due: true })),
    ],
  });
  const prompts = [{ kind: "bid" }, { kind: "deal", dealt: true, many: true }];
  const players = ["a", "b", "c"].map((id) => [id, id]);
  const dealt = (...ids) => ids.map((player, n) => ({ seq: n + 1, event: { type: "deal", player } }));
  const recorder = { edit: null, sure: true, post: { waiting: [] }, upto: 0, view: {} };
  recorder.way = (kind, player) => recorder.view.form.ways.find((way) => way.kind === kind && way.player === player);
  const pick = new Pick(recorder);
  const asked = (...ids) => {
    const missing = ["a", "b", "c"].filter((id) => !ids.includes(id));
    const view = { form: form(missing), players, prompts, moves: dealt(...ids) };
    Object.assign(recorder, { upto: 1 + ids.length, view });
    pick.update(false);
    return [pick.kind, pick.player];
  };
  assert.deepEqual(asked("a"), ["deal", "b"]);
  assert.deepEqual(asked("a", "b"), ["deal", "c"]);
  assert.deepEqual(asked("a"), ["deal", "b"]);
  assert.deepEqual(asked("b"), ["deal", "c"], "the hands begin with any player");
  assert.deepEqual(asked("b", "c"), ["deal", "a"]);
  assert.deepEqual(asked("b", "c", "a"), ["bid", "a"]);
  assert.deepEqual(asked("a"), ["deal", "b"]);
  pick.skipHands();
  assert.deepEqual(asked("a"), ["bid", "a"]);
});
