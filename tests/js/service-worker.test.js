import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";

const SOURCE = readFileSync(new URL("../../viewer/static/record/service_worker.js", import.meta.url), "utf8");
const SITE = "https://club.example";
const PARTS = ["/record.js", "/record.css"];

/** The worker of one visit: its listeners, its store, and the network before it. */
let listeners = /** @type {Map<string, (event: any) => void>} */ (new Map());
let stored = /** @type {Map<string, string>} */ (new Map());
/** What the network does: answers with a status, "dead", or "hangs" until it is let go. */
let network = /** @type {any} */ (200);
let body = "new";
let waiting = /** @type {(() => void)[]} */ ([]);
let asked = /** @type {string[]} */ ([]);
let background = /** @type {Promise<any>[]} */ ([]);

/** A response with the little that the worker needs. @param {string} text @param {number} [status] */
const response = (text, status = 200) => {
  const one = { text, status, ok: status < 300, clone: () => one };
  return one;
};

const pathOf = (/** @type {any} */ request) => new URL(request.url ?? request, SITE).pathname;

async function fetch(/** @type {any} */ request) {
  asked.push(pathOf(request));
  if (network === "dead") throw new TypeError("no network");
  if (network === "hangs") await new Promise((resolve) => waiting.push(() => resolve(undefined)));
  return response(`${body} ${pathOf(request)}`, typeof network === "number" ? network : 200);
}

const store = {
  match: async (/** @type {string} */ key) => (stored.has(key) ? response(String(stored.get(key))) : undefined),
  put: async (/** @type {string} */ key, /** @type {any} */ answer) => void stored.set(key, answer.text),
  add: async (/** @type {any} */ request) => {
    const answer = await fetch(request);
    if (!answer.ok) throw new TypeError("not ok");
    stored.set(pathOf(request), answer.text);
  },
};

async function visit() {
  const script = SOURCE.replace("/* PARTS */", PARTS.map((part) => JSON.stringify(part)).join());
  const self = {
    addEventListener: (/** @type {string} */ name, /** @type {any} */ act) => listeners.set(name, act),
    skipWaiting: async () => undefined,
    clients: { claim: async () => undefined },
  };
  const Request = function (/** @type {string} */ path) {
    return { url: SITE + path, method: "GET", mode: "cors" };
  };
  const Response = { redirect: (/** @type {string} */ to) => response(`to ${to}`, 302) };
  const caches = { open: async () => store };
  const names = ["self", "caches", "fetch", "location", "Request", "Response"];
  new Function(...names, script)(self, caches, fetch, { origin: SITE }, Request, Response);
  await dispatch("install", {});
}

/** @param {string} name @param {any} event */
async function dispatch(name, event) {
  /** @type {any} */
  let answer;
  const waitUntil = (/** @type {Promise<any>} */ work) => background.push(work);
  listeners.get(name)?.({ ...event, waitUntil, respondWith: (/** @type {any} */ promise) => (answer = promise) });
  if (name === "install") await Promise.all(background);
  return answer;
}

/** What a page gets for a path: a text, or "the browser asks" where the worker leaves it alone. */
async function get(/** @type {string} */ path, mode = "navigate") {
  const answer = dispatch("fetch", { request: { url: SITE + path, method: "GET", mode } });
  for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve));
  mock.timers.tick(2000);
  return (await answer)?.text ?? "the browser asks";
}

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  [listeners, stored, waiting, asked, background] = [new Map(), new Map(), [], [], []];
  [network, body] = [200, "old"];
  await visit();
  [body, asked] = ["new", []];
});

test("a page comes from the network while that answers, and the store has it then", async () => {
  assert.equal(await get("/r/abc"), "new /r/abc");
  assert.equal(await get("/record.js", "cors"), "new /record.js");
  assert.deepEqual([stored.get("/r/"), stored.get("/record.js")], ["new /r/abc", "new /record.js"]);
});

test("what the ledger has at / and /new is never stored as the recorder's page", async () => {
  assert.equal(await get("/"), "new /");
  assert.equal(await get("/new?game=gale"), "new /new");
  assert.equal(stored.get("/r/"), "old /r/");
});

for (const state of ["dead", "hangs", 500, 502, 503, 504]) {
  test(`every page of the recorder comes from the store when the network is ${state}`, async () => {
    network = state;
    assert.equal(await get("/r/abc"), "old /r/");
    assert.equal(await get("/new"), "old /r/");
    assert.equal(await get("/"), "to /new");
    assert.equal(await get("/kept"), "old /kept");
    for (const part of PARTS) assert.equal(await get(part, "cors"), `old ${part}`);
  });
}

test("a network that hangs is waited for once, not for each part of a page", async () => {
  network = "hangs";
  const start = Date.now();
  await get("/r/abc");
  const answer = dispatch("fetch", { request: { url: `${SITE}/record.js`, method: "GET", mode: "cors" } });
  assert.equal((await answer).text, "old /record.js");
  assert.equal(Date.now() - start, 2000);
});

test("what a slow network answers late is stored for the next time", async () => {
  network = "hangs";
  assert.equal(await get("/r/abc"), "old /r/");
  for (const go of waiting) go();
  await Promise.all(background);
  assert.equal(stored.get("/r/"), "new /r/abc");
  network = 200;
  assert.equal(await get("/record.js", "cors"), "new /record.js");
});

test("a page that came from the store has everything renewed when the network is back", async () => {
  network = "dead";
  await get("/r/abc");
  network = 200;
  await dispatch("message", { data: "renew" });
  await Promise.all(background);
  assert.deepEqual(
    [...stored.values()],
    ["/r/", "/kept", "/on-this-phone", "/referee", ...PARTS].map((path) => `new ${path}`),
  );
});

test("without a network any day's puzzle is the page that asks the rules, and its replay is theirs, too", async () => {
  network = "dead";
  for (const path of ["/referee", "/referee?move=2", "/referee/2026-11-20"])
    assert.equal(await get(path), "old /referee");
  assert.equal(await get("/referee/2026-11-20/replay?ply=17"), "to /kept#17=referee/2026-11-20");
  // The page itself asks only the server for another day.
  assert.equal(await get("/referee/2026-11-20", "cors"), "the browser asks");
});

test("the puzzle of another day, an answered one and a replay are never stored as today's puzzle", async () => {
  for (const path of ["/referee/2026-11-20", "/referee?move=2", "/referee/2026-11-20/replay?ply=17"])
    assert.match(await get(path), /^new/);
  assert.equal(stored.get("/referee"), "old /referee");
  assert.equal(stored.size, PARTS.length + 3);
});

test("a part is stored under its whole address", async () => {
  assert.equal(await get("/record.css?at=1", "cors"), "the browser asks");
  assert.equal(stored.get("/record.css"), "old /record.css");
});

test("an answer of the ledger that is no page is shown, and not stored", async () => {
  network = 404;
  assert.equal(await get("/r/nosuchgame"), "new /r/nosuchgame");
  assert.equal(stored.get("/r/"), "old /r/");
});

test("without a copy the network is all there is", async () => {
  stored.clear();
  network = 502;
  assert.equal(await get("/r/abc"), "new /r/abc");
});

test("a store that was emptied is filled again by the next visit, once for all parts of the page", async () => {
  stored.clear();
  assert.equal(await get("/r/abc"), "new /r/abc");
  assert.equal(await get("/record.js", "cors"), "new /record.js");
  await Promise.all(background);
  assert.deepEqual([...stored.keys()].sort(), ["/kept", "/on-this-phone", "/r/", "/referee", ...PARTS].sort());
  const before = asked.length;
  await get("/record.css", "cors");
  assert.equal(asked.length, before + 1);
});

test("the API and other pages are not the worker's", async () => {
  for (const path of ["/api/v1/records/abc/screen", "/players", "/g/abc"])
    assert.equal(await get(path), "the browser asks");
  assert.deepEqual(asked, []);
});
