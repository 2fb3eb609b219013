import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

mock.timers.enable({ apis: ["setTimeout"] });
/** How each registration of the worker ends: "activated", "redundant" (a file did not arrive), or "refused". */
let fates = /** @type {string[]} */ ([]);
let registered = 0;
const root = { dataset: /** @type {any} */ ({}) };
const serviceWorker = {
  ready: Promise.resolve(),
  async register() {
    const fate = fates[Math.min(registered, fates.length - 1)];
    registered += 1;
    if (fate === "refused") throw new TypeError("the server is sick");
    if (fate === "stored before") return { active: {}, waiting: null, installing: null };
    const installing = Object.assign(new EventTarget(), { state: "installing" });
    Promise.all(fates).then(() => {
      installing.state = fate === "activated" ? "installed" : fate;
      installing.dispatchEvent(new Event("statechange"));
    });
    return { active: null, waiting: null, installing };
  },
};
Object.assign(globalThis, {
  window: { isSecureContext: true },
  document: { documentElement: root },
  addEventListener: () => undefined,
});
Object.defineProperty(globalThis, "navigator", { value: { serviceWorker }, configurable: true });
const { keepAll, keepPages } = await import("../../../viewer/in_browser/static/get_ready_offline.js");

/** Lets time pass, and all that waits for it. @param {number} milliseconds */
async function pass(milliseconds) {
  mock.timers.tick(milliseconds);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

beforeEach(() => {
  [fates, registered, root.dataset] = [[], 0, {}];
});

test("pages that are stored, or were before, are said to be ready", async () => {
  for (const fate of ["activated", "stored before"]) {
    [fates, registered, root.dataset] = [[fate], 0, {}];
    await keepPages();
    await pass(100_000);
    assert.deepEqual([root.dataset.offline, registered], ["ready", 1], fate);
  }
});

test("if a file does not arrive, the pages are stored again, later and later, until all are there", async () => {
  fates = ["redundant", "refused", "redundant", "activated"];
  await keepPages();
  for (const [pause, times] of [
    [1999, 1],
    [1, 2],
    [3999, 2],
    [1, 3],
    [7999, 3],
  ]) {
    await pass(pause);
    assert.deepEqual([registered, root.dataset.offline], [times, undefined]);
  }
  await pass(1);
  assert.deepEqual([registered, root.dataset.offline], [4, "ready"]);
  await pass(1_000_000);
  assert.equal(registered, 4);
});

test("a network that stays sick is asked once a minute", async () => {
  fates = ["redundant"];
  await keepPages(60_000);
  for (let minute = 1; minute <= 3; minute += 1) {
    assert.equal(registered, minute);
    await pass(60_000);
  }
});

test("a visit stores the pages and then the rules; who saves data gets them with the first game", async () => {
  const idle = /** @type {any} */ (globalThis).requestIdleCallback;
  Object.assign(globalThis, { requestIdleCallback: (/** @type {() => void} */ act) => act(), self: globalThis });
  Object.assign(globalThis.document, { body: { dataset: { runtime: "/runtime/1/" } } });
  for (const [saveData, rules, expected] of /** @type {const} */ ([
    [true, "", [undefined, 0, 0]],
    [false, "ready", ["ready", 1, 0]],
    [false, "", ["ready", 1, 3]],
  ])) {
    [fates, registered, root.dataset] = [["activated"], 0, rules ? { rules } : {}];
    Object.assign(navigator, { connection: { saveData } });
    const fetched = mock.method(globalThis, "fetch", async () => Promise.reject(new TypeError("no network")));
    keepAll();
    await pass(1500);
    await pass(0);
    assert.deepEqual([root.dataset.offline, registered, fetched.mock.callCount()], expected);
  }
  Object.assign(globalThis, { requestIdleCallback: idle });
});
