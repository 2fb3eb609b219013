import assert from "node:assert/strict";
import { test } from "node:test";

import { laterWords, question } from "../../viewer/static/record/correcting.js";

const place = (seq, seat, tile) => ({
  seq,
  seat,
  tile,
  act: "",
  words: `${seat ? "Ben" : "Ana"} plays ${tile}`,
  event: { type: "place", player: "ab"[seat], tile },
});
const called = {
  seq: 5,
  seat: null,
  tile: null,
  act: "",
  words: "Scores as called: Ana 3",
  event: { type: "score", scope: "game", points: {} },
};
const recorder = (findings = []) => ({
  upto: 6,
  names: { pair: () => "a1-a2" },
  judged: {
    players: [
      ["a", "Ana"],
      ["b", "Ben"],
    ],
    moves: [place(1, 0, "3-5"), place(2, 1, "1-2"), place(3, 0, "0-0"), place(4, 1, "2-2"), called],
    findings,
  },
});
const breach = (seq, message = "It does not fit") => ({ seq, verdict: "breach", message, meaning: "M.", clause: "c" });
const deletion = (seq) => ({ type: "retract", seq, why: "a slip" });
const text = (markup) =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

test("a deletion asks about deleting, with what stays and what no longer fits", () => {
  const asked = question(recorder(), deletion(1), [breach(2), breach(2, "It was Ana's turn"), breach(4)]);
  assert.equal(asked.title, "Delete Ana’s 3\u20115?");
  assert.equal(asked.body, "<p>Three later moves stay; two no longer fit.</p>");
  assert.equal(asked.yes, "Delete");
});

test("what broke a rule before, and notes of the rules, are no news", () => {
  const asked = question(recorder([breach(2)]), deletion(1), [
    breach(2, "Something else"),
    { ...breach(3), verdict: "unproven" },
  ]);
  assert.equal(asked.body, "<p>Three later moves stay.</p>");
  assert.equal(question(recorder(), deletion(3), [breach(1)]).body, "<p>One later move stays.</p>");
});

test("a move is a tile that was laid", () => {
  assert.equal(
    question(recorder(), deletion(3), [breach(5)]).body,
    "<p>One later move stays. One other entry no longer fits.</p>",
  );
  assert.equal(question(recorder(), deletion(4), []).body, "");
  assert.equal(question(recorder(), deletion(5), []).title, "Delete “Scores as called: Ana 3”?");
});

test("the words follow the numbers", () => {
  assert.equal(laterWords(6, 2, 0), "Six later moves stay; two no longer fit.");
  assert.equal(laterWords(6, 1, 0), "Six later moves stay; one no longer fits.");
  assert.equal(laterWords(1, 1, 0), "One later move stays; it no longer fits.");
  assert.equal(laterWords(13, 13, 2), "13 later moves stay; 13 no longer fit. Two other entries no longer fit.");
  assert.equal(laterWords(0, 0, 0), "");
});

test("a change names both entries, and the rule that the new one breaks", () => {
  const event = {
    type: "amend",
    seq: 2,
    event: { type: "place", player: "b", tile: "6-6", at: [0, 0], dir: "e", level: 1 },
  };
  const asked = question(recorder(), event, [breach(2, "it does not fit"), breach(3)]);
  assert.equal(asked.title, "Change Ben’s 1\u20112 to Ben’s 6\u20116?");
  assert.equal(text(asked.body), "It does not fit. M. c Two later moves stay; one no longer fits.");
  assert.equal(asked.yes, "Change");
});

test("an insertion counts the entry before which it comes", () => {
  const event = { type: "insert", before: 3, event: { type: "pass", player: "b" } };
  const asked = question(recorder(), event, [breach(6, "Ben could play"), breach(3)]);
  assert.equal(asked.title, "Insert “Ben passes” before Ana’s 0\u20110?");
  assert.equal(text(asked.body), "Ben could play. M. c Two later moves stay; one no longer fits.");
  assert.equal(asked.yes, "Insert");
});

test("without a connection only what stays is known", () => {
  const asked = question(recorder(), deletion(1), null);
  assert.equal(
    text(asked.body),
    "Three later moves stay. There is no connection. What no longer fits is shown when there is one.",
  );
});
