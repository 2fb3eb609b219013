import assert from "node:assert/strict";
import { test } from "node:test";

// The module writes the times of the page at once: this page has none, and a field for a day.
const field = { value: "2020-01-01" };
Object.assign(globalThis, {
  document: { querySelectorAll: (selector) => (selector === "input[data-today]" ? [field] : []) },
});
const { ago, localize, readable, today } = await import("../../../viewer/every_page/static/times.js");

const NOW = new Date(2026, 10, 22, 10, 0);
const local = (...parts) => new Date(2026, 10, ...parts).toISOString();

test("days near today have names", () => {
  assert.equal(readable("2026-11-22", NOW), "today");
  assert.equal(readable("2026-11-21", NOW), "yesterday");
});

test("a game of tomorrow was played where it is tomorrow already, so its date is said", () => {
  assert.match(readable("2026-11-23", NOW), /23/);
});

test("a form has the day of this reader", () => {
  assert.equal(today(new Date(2027, 0, 3, 23, 59)), "2027-01-03");
  assert.match(field.value, /^20[2-9]\d-\d\d-\d\d$/);
  assert.notEqual(field.value, "2020-01-01");
});

test("other days are dates, with the year if it is another one", () => {
  assert.doesNotMatch(readable("2026-11-12", NOW), /2026|today|yesterday/);
  assert.match(readable("2025-11-12", NOW), /2025/);
});

test("a time has its hour and minute", () => {
  assert.match(readable(local(22, 3, 44), NOW), /^today, .*44/);
});

test("a text that is not a time stays as it is", () => {
  assert.equal(readable("once", NOW), null);
});

test("a time within the last hour is shown in minutes", () => {
  assert.equal(ago(local(22, 10, 0), NOW), "just now");
  assert.equal(ago(local(22, 9, 57), NOW), "3 min ago");
  assert.equal(ago(local(22, 9, 0), NOW), null);
  assert.equal(ago(local(22, 10, 5), NOW), null);
  assert.equal(ago("2026-11-22", NOW), null);
});

test("an element keeps what the server wrote as its title", () => {
  const time = { dataset: {}, dateTime: "2025-01-02", title: "", textContent: "2 January 2025" };
  const broken = { dataset: {}, dateTime: "once", title: "", textContent: "once" };
  localize({ querySelectorAll: () => [time, broken] });
  assert.equal(time.title, "2 January 2025");
  assert.match(time.textContent, /2025/);
  assert.equal(broken.textContent, "once");
});
