import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { awaitHome } from "../../../viewer/in_browser/static/get_ready_offline.js";

/** What the worker answers, once. @type {(came: boolean) => void} */
let answer = () => undefined;
/** What the page was asked to do. */
let reloads = 0;
/** @type {Map<string, () => void>} */
let taps = new Map();
let asked = "";

const place = { pathname: "/", href: "https://club.example/", reload: () => (reloads += 1) };
const controller = {
  postMessage: (/** @type {string} */ url, /** @type {any[]} */ [port]) => {
    asked = url;
    answer = (came) => port.postMessage(came);
  },
};
Object.defineProperty(globalThis, "navigator", {
  get: () => ({ serviceWorker: { controller: worker ? controller : null } }),
  configurable: true,
});
let worker = true;
globalThis.location = /** @type {any} */ (place);
globalThis.addEventListener = /** @type {any} */ (
  (/** @type {string} */ kind, /** @type {() => void} */ act) => taps.set(kind, act)
);

/** The line of the page. */
function line() {
  const words = { text: "", link: "" };
  const part = (/** @type {"text" | "link"} */ name) => ({
    replaceChildren: (/** @type {string} */ text) => (words[name] = text),
  });
  return { hidden: true, words, firstElementChild: part("text"), querySelector: () => part("link") };
}

beforeEach(() => {
  [reloads, taps, asked, worker, place.pathname] = [0, new Map(), "", true, "/"];
});

test("the ledger's page comes in the place of the phone's, which nobody has touched", async () => {
  const said = line();
  const done = awaitHome(/** @type {any} */ (said));
  assert.deepEqual([said.hidden, asked, reloads], [false, "https://club.example/", 0]);
  answer(true);
  await done;
  assert.equal(reloads, 1);
});

for (const kind of ["pointerdown", "keydown"])
  test(`after ${kind} the page stays, and says that the ledger answers`, async () => {
    const said = line();
    const done = awaitHome(/** @type {any} */ (said));
    taps.get(kind)?.();
    answer(true);
    await done;
    assert.deepEqual([reloads, said.words.text], [0, "The ledger answers now."]);
  });

test("while the ledger does not answer, the page says so and stays", async () => {
  const said = line();
  const done = awaitHome(/** @type {any} */ (said));
  answer(false);
  await done;
  assert.equal(reloads, 0);
  assert.match(said.words.text, /does not answer/);
  assert.equal(said.words.link, "Try again");
});

test("another page, or one without a worker, stands in for nothing", async () => {
  for (const [path, has] of /** @type {[string, boolean][]} */ ([
    ["/new", true],
    ["/", false],
  ])) {
    [place.pathname, worker] = [path, has];
    const said = line();
    await awaitHome(/** @type {any} */ (said));
    assert.deepEqual([said.hidden, asked], [true, ""]);
  }
});
