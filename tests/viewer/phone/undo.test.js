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

test("what is only on this phone goes without a trace", async () => {
  const recorder = recorderWith([pass, { type: "note", text: "tea" }]);
  await undo(recorder);
  assert.deepEqual(events(recorder), [pass]);
  await undo(recorder);
  assert.deepEqual(events(recorder), []);
});

test("what is saved is taken back one by one, also without an answer between", async () => {
  const recorder = recorderWith([]);
  undo(recorder);
  undo(recorder);
  await undo(recorder);
  assert.deepEqual(events(recorder), [back(5), back(4), back(3)]);
});

test("what is on its way is taken back by a correction, and then what was done before", async () => {
  const recorder = recorderWith([pass], 1);
  await undo(recorder);
  await undo(recorder);
  assert.deepEqual(events(recorder), [pass, back(6), back(5)]);
});

test("what an attempt without an answer may have brought to the ledger is taken back by a correction", async () => {
  const recorder = recorderWith([pass], 1);
  await undo(recorder);
  assert.deepEqual(events(recorder), [pass, back(6)]);
});

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

test("what was taken back is done again, the last first, until something else is recorded", async () => {
  const tea = { type: "note", text: "tea" };
  const recorder = recorderWith([pass, tea]);
  const { redo } = recorder;
  await undo(recorder);
  await undo(recorder);
  assert.match(redo.words, /^Taken back: /);
  await redo.redo();
  assert.deepEqual(events(recorder), [pass]);
  await redo.redo();
  assert.deepEqual(events(recorder), [pass, tea]);
  assert.equal(redo.next, null);
  await undo(recorder);
  await recorder.writer.keep(pass);
  assert.equal(redo.next, null);
  redo.quiet();
});

test("a saved move is done again at the end, and a deletion by the seq that the entry has now", async () => {
  const recorder = recorderWith([]);
  await undo(recorder);
  await recorder.redo.redo();
  assert.deepEqual(events(recorder), [back(5), { type: "pass", player: "a" }]);
  const deleted = recorderWith([{ type: "retract", seq: 2, why: "a slip" }], 1);
  await undo(deleted);
  await deleted.redo.redo();
  assert.deepEqual(events(deleted).at(-1), { type: "retract", seq: 7, why: "done again" });
  const waiting = recorderWith([{ type: "retract", seq: 2, why: "a slip" }]);
  await undo(waiting);
  await waiting.redo.redo();
  assert.deepEqual(events(waiting), [{ type: "retract", seq: 2, why: "done again" }]);
  for (const { redo } of [recorder, deleted, waiting]) redo.quiet();
});

test("a change is done again, and one that refers to a move that was done again follows it", async () => {
  const change = { type: "amend", seq: 6, event: { type: "pass", player: "c" }, why: "a slip" };
  const recorder = recorderWith([pass, change], 2);
  await undo(recorder);
  await undo(recorder);
  assert.deepEqual(events(recorder).slice(2), [{ ...change, event: pass, why: TAKEN_BACK }, back(6)]);
  await recorder.redo.redo();
  await recorder.redo.redo();
  assert.deepEqual(events(recorder).slice(4), [pass, { ...change, seq: 10, why: "done again" }]);
  recorder.redo.quiet();
});

test("a correction that waits is what was done last", async () => {
  const recorder = recorderWith([pass, { type: "retract", seq: 2, why: "a slip" }]);
  await undo(recorder);
  assert.deepEqual(events(recorder), [pass]);
});

test("a correction on its way is taken back, not the last move", async () => {
  for (const [correction, taken] of [
    [
      { type: "retract", seq: 2, why: "a slip" },
      { type: "insert", before: 2, event: { type: "pass", player: "a" }, why: TAKEN_BACK },
    ],
    [
      { type: "amend", seq: 2, event: pass, why: "a slip" },
      { type: "amend", seq: 2, event: { type: "pass", player: "a" }, why: TAKEN_BACK },
    ],
    [{ type: "insert", before: 2, event: pass, why: "a slip" }, back(6)],
  ]) {
    const recorder = recorderWith([correction], 1);
    await undo(recorder);
    assert.deepEqual(events(recorder), [correction, taken]);
    await undo(recorder);
    assert.deepEqual(events(recorder), [correction, taken, back(5)]);
  }
});

test("what was moved goes back with one tap", async () => {
  const moved = [
    { type: "retract", seq: 3, why: "a slip", when: "now" },
    { type: "insert", before: 2, event: pass, why: "a slip", when: "now" },
  ];
  const recorder = recorderWith(moved);
  await undo(recorder);
  assert.deepEqual(events(recorder), []);
  const sent = recorderWith(moved, 2);
  await undo(sent);
  const putBack = { type: "insert", before: 3, event: { type: "pass", player: "a" }, why: TAKEN_BACK };
  assert.deepEqual(events(sent).slice(2), [back(7), putBack]);
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
