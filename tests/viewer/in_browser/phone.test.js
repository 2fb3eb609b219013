import assert from "node:assert/strict";
import { mock, test } from "node:test";

Object.assign(globalThis, { document: { body: { dataset: {} }, documentElement: { dataset: {} } } });
mock.timers.enable({ apis: ["setTimeout"] });
const { PhoneRules } = await import("../../../viewer/in_browser/static/rules_in_browser.js");

test("a page without rules says so, and stays as it is", async () => {
  const rules = new PhoneRules("");
  assert.equal(await rules.start(), false);
  assert.deepEqual([rules.ready, rules.reason], [false, "this server has no rules for browsers"]);
  await assert.rejects(rules.ask("screen", {}), /not here yet/);
});

test("without a network the rules are asked for again", async () => {
  const rules = new PhoneRules("/runtime/abc/");
  let tries = 0;
  rules.boot = async () => {
    tries += 1;
    if (tries === 1) throw new TypeError("no network");
  };
  assert.deepEqual([await rules.start(), await rules.start(), await rules.start(), tries], [false, true, true, 2]);
});

test("a worker that is gone is not asked again", async () => {
  const rules = new PhoneRules("/runtime/abc/");
  rules.ready = true;
  rules.worker = { postMessage() {} };
  const asking = rules.ask("check", {});
  mock.timers.tick(10_000);
  await assert.rejects(asking, /do not answer/);
  assert.equal(rules.ready, false);
});

test("an answer comes as it is, a refusal too", async () => {
  const rules = new PhoneRules("/runtime/abc/");
  rules.ready = true;
  const answer = (name, text) => JSON.stringify({ problem: `${name} ${JSON.parse(text).id}` });
  rules.worker = { postMessage: ({ number, name, text }) => rules.answered({ number, text: answer(name, text) }) };
  assert.deepEqual(await rules.ask("check", { id: "r" }), { problem: "check r" });
  mock.timers.tick(20_000);
  assert.equal(rules.ready, true);
});
