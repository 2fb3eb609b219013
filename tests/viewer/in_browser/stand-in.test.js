import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { awaitHome } from "../../../viewer/in_browser/static/get_ready_offline.js";

const LEDGERS = "https://club.example/?page=1";
/** What the ledger answers, once. @type {(status: number) => void} */
let answer = () => undefined;
/** Where the page was sent. */
let sent = "";
/** @type {Map<string, () => void>} */
let taps = new Map();
let asked = "";

const place = { pathname: "/", search: "", replace: (/** @type {string} */ address) => (sent = address) };
globalThis.fetch = /** @type {any} */ (
  (/** @type {string} */ address) => {
    asked = address;
    return new Promise((resolve, reject) => {
      answer = (status) => (status ? resolve({ status }) : reject(new TypeError("no network")));
    });
  }
);
Object.defineProperty(globalThis, "navigator", {
  get: () => ({ serviceWorker: { controller: worker ? {} : null } }),
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
  const link = { ...part("link"), href: LEDGERS };
  return { hidden: true, words, firstElementChild: part("text"), querySelector: () => link };
}

beforeEach(() => {
  [sent, taps, asked, worker, place.pathname] = ["", new Map(), "", true, "/"];
});

test("the ledger's page comes in the place of the phone's, which nobody has touched", async () => {
  const said = line();
  const done = awaitHome(/** @type {any} */ (said));
  assert.deepEqual([said.hidden, asked, sent], [false, "/healthz", ""]);
  answer(200);
  await done;
  assert.equal(sent, LEDGERS);
});

for (const kind of ["pointerdown", "keydown"])
  test(`after ${kind} the page stays, and says that the ledger answers`, async () => {
    const said = line();
    const done = awaitHome(/** @type {any} */ (said));
    taps.get(kind)?.();
    answer(200);
    await done;
    assert.deepEqual([sent, said.words.text], ["", "The ledger answers now."]);
  });

for (const status of [0, 502])
  test(`while the ledger does not answer (${status}), the page says so and stays`, async () => {
    const said = line();
    const done = awaitHome(/** @type {any} */ (said));
    answer(status);
    await done;
    assert.equal(sent, "");
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
