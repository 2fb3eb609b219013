// Several tabs of one phone share its disk.
import assert from "node:assert/strict";
import { test } from "node:test";

const nothing = () => undefined;
Object.assign(globalThis, {
  addEventListener: nothing,
  document: { addEventListener: nothing, getElementById: () => null, body: { dataset: {} } },
  localStorage: { getItem: () => null, setItem: nothing },
});
const { Disk, useDisks } = await import("../../inside/disks.mjs");
const { Outbox } = await import("../../../viewer/phone/static/entries/outbox.js");

const disk = new Disk();
useDisks(() => disk);

/** An entry that the ledger refused. @param {string} id */
const refused = (id) => ({ id, record: "g", base: 5, event: { type: "note" }, state: "refused" });

test("three tabs that hand in a game at once keep each refused entry once", async () => {
  const tabs = [1, 2, 3].map(() => new Outbox("g"));
  await Promise.all(tabs.map((tab) => tab.add(/** @type {any} */ ([refused("a"), refused("b")]))));
  assert.deepEqual(
    (await tabs[0].all()).map(({ id }) => id),
    ["a", "b"],
  );
});
