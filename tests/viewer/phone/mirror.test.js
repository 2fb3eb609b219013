import assert from "node:assert/strict";
import { test } from "node:test";

import { differences, Mirror } from "../../../viewer/phone/static/entries/mirror.js";

/** A ledger whose record has events that are numbers; the rules see of it what `view` says. */
function table(count, { view = (events) => events.length, outdated = false, knows = true } = {}) {
  const ledger = { events: Array.from({ length: count }, (_, n) => n), asked: [] };
  const disk = { events: [], kept: 0 };
  let held = [];
  const link = (events) => events.join();
  const screen = (events) => ({
    version: events.length,
    link: link(events),
    scene: view(events),
    moves_digest: "d",
    findings_digest: "f",
  });
  const rules = {
    ready: true,
    outdated: async () => outdated,
    ask: async (name, question) => {
      if (!knows) return { problem: "no such game" };
      if (name === "screen") return screen(held);
      if (name === "append" && held.length !== question.version) return { problem: "a gap" };
      if (name === "open") held = [...question.events];
      else if (name === "append") held = [...held, ...question.events];
      else return { answered: name, question };
      return { version: held.length, link: link(held) };
    },
  };
  const told = [];
  const source = {
    disk: {
      events: async () => disk.events,
      keepRecord: async (events) => {
        disk.events = events;
        disk.kept += 1;
      },
    },
    events: async (since) => {
      ledger.asked.push(since);
      return ledger.events.slice(since);
    },
    disagree: (version, fields) => told.push([version, fields]),
  };
  return { ledger, disk, rules, told, mirror: new Mirror("r", rules, source), shown: () => screen(ledger.events) };
}

test("the record is fetched once, and grows by what this phone sent", async () => {
  const { mirror, ledger, disk, shown, told } = table(3);
  await mirror.follow(shown());
  assert.deepEqual([mirror.reaches(shown()), ledger.asked, disk.events], [true, [0], [0, 1, 2]]);
  ledger.events.push(7);
  assert.equal(mirror.reaches(shown()), false);
  await mirror.follow(shown(), [7]);
  assert.deepEqual([mirror.reaches(shown()), ledger.asked, told], [true, [0], []]);
});

test("what others recorded is fetched, and nothing more", async () => {
  const { mirror, ledger, disk, shown } = table(3);
  await mirror.follow(shown());
  ledger.events.push(8, 9);
  await mirror.follow(shown());
  assert.deepEqual([mirror.reaches(shown()), ledger.asked, disk.events], [true, [0, 3], [0, 1, 2, 8, 9]]);
});

test("the record on the disk is enough", async () => {
  const { mirror, ledger, disk, shown } = table(3);
  disk.events = [0, 1, 2];
  await mirror.follow(shown());
  assert.deepEqual([mirror.reaches(shown()), ledger.asked], [true, []]);
});

test("a record that is another one here is fetched anew", async () => {
  const { mirror, ledger, disk, shown } = table(3);
  disk.events = [0, 5, 2];
  await mirror.follow(shown());
  assert.deepEqual([mirror.reaches(shown()), ledger.asked, disk.events], [true, [0], [0, 1, 2]]);
});

test("a name that was forgotten is forgotten here, too", async () => {
  const { mirror, ledger, shown, rules } = table(2, { view: (events) => events.map(String) });
  await mirror.follow(shown());
  // The link stays, the view does not.
  const forgotten = { ...shown(), scene: ["player 1", "1"] };
  const ask = rules.ask;
  rules.ask = async (name, question) => {
    const answer = await ask(name, question);
    return name === "screen" && ledger.asked.length > 1 ? { ...answer, scene: ["player 1", "1"] } : answer;
  };
  await mirror.follow(forgotten);
  assert.deepEqual([mirror.reaches(forgotten), ledger.asked, mirror.disputed], [true, [0, 0], []]);
});

test("if the phone and the ledger differ, the phone reports it and uses only the ledger’s answers", async () => {
  const { mirror, ledger, shown, told } = table(2);
  const wrong = { ...shown(), scene: "another" };
  await mirror.follow(wrong);
  assert.deepEqual([told, mirror.disputed, mirror.reaches(wrong)], [[[2, ["scene"]]], ["scene"], false]);
  assert.equal(await mirror.answer("check", wrong, {}), null);
  ledger.events.push(3);
  await mirror.follow(shown(), [3]);
  assert.equal(mirror.reaches(shown()), false);
});

test("a page older than its server is no fault", async () => {
  const { mirror, shown, told } = table(2, { outdated: true });
  await mirror.follow({ ...shown(), scene: "newer" });
  assert.deepEqual([told, mirror.disputed, mirror.unusable], [[], [], true]);
});

test("a game that the rules here do not know is left to the ledger", async () => {
  const { mirror, ledger, shown } = table(2, { knows: false });
  await mirror.follow(shown());
  await mirror.follow(shown());
  assert.deepEqual([mirror.unusable, ledger.asked], [true, [0]]);
});

test("without a network it is tried again with the next screen", async () => {
  const { mirror, shown } = table(2);
  const { events } = mirror.source;
  mirror.source.events = async () => {
    throw new TypeError("no network");
  };
  await mirror.follow(shown());
  assert.equal(mirror.reaches(shown()), false);
  mirror.source.events = events;
  await mirror.follow(shown());
  assert.equal(mirror.reaches(shown()), true);
});

test("an answer is like that of fetch", async () => {
  const { mirror, shown, rules } = table(2);
  await mirror.follow(shown());
  const answer = await mirror.answer("check", shown(), { events: [4] });
  const question = { id: "r", events: [4], seen: 2, moves: "d", findings: "f" };
  assert.deepEqual([answer?.ok, await answer?.json()], [true, { answered: "check", question }]);
  rules.ask = async () => ({ problem: "no player is called Eve" });
  const refused = await mirror.answer("check", shown(), { events: [5] });
  assert.deepEqual([refused?.ok, (await refused?.json()).detail], [false, "no player is called Eve"]);
  rules.ask = async () => {
    throw new Error("the worker is gone");
  };
  assert.equal(await mirror.answer("check", shown(), { events: [5] }), null);
});

test("what depends on the phone alone is no difference", () => {
  const screen = { version: 1, scene: {}, kept: 0, moves: [1], findings: [1], then: null };
  assert.deepEqual(differences(screen, { ...screen, kept: 1, moves: [], findings: null, then: "abc" }), []);
  assert.deepEqual(differences(screen, { ...screen, scene: { a: 1 }, more: true }), ["scene", "more"]);
});
