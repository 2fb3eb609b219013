import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, mock, test } from "node:test";

const SOURCE = readFileSync(new URL("../../../viewer/phone/static/service_worker.js", import.meta.url), "utf8");
const SITE = "https://club.example";
const PARTS = ["/record.js", "/record.css", "/runtime/1/rules.pack"];

/** The worker that a browser has now: its listeners. */
let listeners = /** @type {Map<string, (event: any) => void>} */ (new Map());
/** The stores by name, in the order in which they were made. */
let stores = /** @type {Map<string, Map<string, string>>} */ (new Map());
/** What the network does: answers with a status, "dead", or "hangs". */
let network = /** @type {any} */ (200);
/** What only that part of an update meets. */
let fates = /** @type {Map<string, any>} */ (new Map());
let body = "one";
let asked = /** @type {string[]} */ ([]);
let background = /** @type {Promise<any>[]} */ ([]);
let clients = /** @type {Map<string, string>} */ (new Map());

/** A response with the little that the worker needs. @param {string} text @param {number} [status] */
const response = (text, status = 200) => {
  const one = { text, status, ok: status < 300, clone: () => one };
  return one;
};

const pathOf = (/** @type {any} */ request) => new URL(request.url ?? request, SITE).pathname;

async function fetch(/** @type {any} */ request) {
  const path = pathOf(request);
  asked.push(path);
  const fate = await (fates.get(path) ?? network);
  if (fate === "dead") throw new TypeError("no network");
  if (fate === "hangs") await new Promise(() => undefined);
  return response(`${body} ${path}`, fate);
}

/** @param {Map<string, string>} rows */
const storeOf = (rows) => ({
  match: async (/** @type {string} */ key) => (rows.has(key) ? response(String(rows.get(key))) : undefined),
  put: async (/** @type {string} */ key, /** @type {any} */ answer) => void rows.set(key, answer.text),
  delete: async (/** @type {string} */ key) => rows.delete(key),
  add: async (/** @type {any} */ request) => {
    const answer = await fetch(request);
    if (!answer.ok) throw new TypeError("not ok");
    rows.set(pathOf(request), answer.text);
  },
});

const caches = {
  open: async (/** @type {string} */ name) => {
    if (!stores.has(name)) stores.set(name, new Map());
    return storeOf(/** @type {Map<string, string>} */ (stores.get(name)));
  },
  keys: async () => [...stores.keys()],
  delete: async (/** @type {string} */ name) => stores.delete(name),
  match: async (/** @type {string} */ key) => {
    for (const rows of stores.values()) if (rows.has(key)) return response(String(rows.get(key)));
    return undefined;
  },
};

/** The browser finds this version; whether it takes the place of the one before. @param {string} version */
async function install(version, parts = PARTS) {
  const script = SOURCE.replace("/* PARTS */", parts.map((part) => JSON.stringify(part)).join()).replace(
    "/* VERSION */",
    version,
  );
  const before = listeners;
  listeners = new Map();
  const self = {
    addEventListener: (/** @type {string} */ name, /** @type {any} */ act) => listeners.set(name, act),
    skipWaiting: async () => undefined,
    clients: {
      claim: async () => undefined,
      get: async (/** @type {string} */ id) => (clients.has(id) ? { url: SITE + clients.get(id) } : undefined),
    },
  };
  const Request = function (/** @type {string} */ path) {
    return { url: SITE + path, method: "GET", mode: "cors" };
  };
  const Response = Object.assign(
    function () {
      return response("");
    },
    { redirect: (/** @type {string} */ to) => response(`to ${to}`, 302) },
  );
  const names = ["self", "caches", "fetch", "location", "Request", "Response"];
  new Function(...names, script)(self, caches, fetch, { origin: SITE, href: `${SITE}/worker.js` }, Request, Response);
  background = [];
  try {
    dispatch("install", {});
    await Promise.all(background);
    dispatch("activate", {});
    await Promise.all(background);
    return true;
  } catch {
    listeners = before;
    return false;
  }
}

/** @param {string} name @param {any} event */
function dispatch(name, event) {
  /** @type {any} */
  let answer;
  const waitUntil = (/** @type {Promise<any>} */ work) => background.push(work);
  listeners.get(name)?.({ ...event, waitUntil, respondWith: (/** @type {any} */ promise) => (answer = promise) });
  return answer;
}

/** Lets all go on that can. */
async function turns() {
  for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** What a page gets for a path: a text, or "the browser asks" where the worker leaves it alone. */
async function get(/** @type {string} */ path, client = "") {
  const request = { url: SITE + path, method: "GET", mode: client ? "cors" : "navigate" };
  const answer = dispatch("fetch", { request, clientId: client, resultingClientId: client ? "" : `page ${path}` });
  let open = true;
  const end = () => (open = false);
  Promise.resolve(answer).then(end, end);
  await turns();
  for (const patience of [2000, 8000]) {
    if (open) mock.timers.tick(patience);
    await turns();
  }
  return (await answer)?.text ?? "the browser asks";
}

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  [listeners, stores, asked, fates, clients] = [new Map(), new Map(), [], new Map(), new Map()];
  [network, body] = [200, "one"];
  assert.ok(await install("v1"));
  [body, asked] = ["two", []];
});

test("the recorder's pages and their parts come from one version, whatever the network has by now", async () => {
  assert.equal(await get("/r/abc"), "one /r/");
  assert.equal(await get("/kept"), "one /kept");
  assert.equal(await get("/on-this-phone"), "one /on-this-phone");
  for (const part of PARTS) assert.equal(await get(part, "page /r/abc"), `one ${part}`);
  assert.deepEqual(asked, []);
});

test("page, scripts and rules change together, when all of it is there", async () => {
  const parts = ["/record.js", "/record.css", "/runtime/2/rules.pack"];
  fates.set("/runtime/2/rules.pack", "dead");
  assert.equal(await install("v2", parts), false);
  assert.deepEqual([...stores.keys()], ["domino-ledger-recorder-v1"]);
  assert.equal(await get("/r/abc"), "one /r/");
  assert.equal(await get("/record.js", "page /r/abc"), "one /record.js");
  assert.equal(await get("/runtime/1/rules.pack", "page /r/abc"), "one /runtime/1/rules.pack");
  fates.clear();
  assert.equal(await install("v2", parts), true);
  assert.equal(await get("/r/abc"), "two /r/");
  assert.equal(await get("/record.js", "page /r/abc"), "two /record.js");
});

test("each part that is missing, refused or cut off leaves the version before as it was", async () => {
  for (const part of ["/r/", "/kept", "/on-this-phone", ...PARTS])
    for (const fate of ["dead", 404, 502]) {
      fates = new Map([[part, fate]]);
      assert.equal(await install("v2"), false, `${part} ${fate}`);
      assert.equal(await get("/r/abc"), "one /r/");
    }
  assert.deepEqual([...stores.keys()], ["domino-ledger-recorder-v1"]);
});

test("a game that is open gets the rules of the version that began it", async () => {
  await get("/r/abc");
  await install("v2", ["/record.js", "/runtime/2/rules.pack"]);
  network = "dead";
  assert.equal(await get("/runtime/1/rules.pack", "page /r/abc"), "one /runtime/1/rules.pack");
  // Two versions later nobody needs them.
  network = 200;
  await install("v3", ["/record.js", "/runtime/3/rules.pack"]);
  assert.deepEqual([...stores.keys()], ["domino-ledger-recorder-v2", "domino-ledger-recorder-v3"]);
});

test("what the ledger has at / and /new comes from the network, with that page's own parts", async () => {
  assert.equal(await get("/"), "two /");
  assert.equal(await get("/new?game=gale"), "two /new");
  assert.equal(await get("/record.css", "page /new?game=gale"), "two /record.css");
  assert.equal(stores.get("domino-ledger-recorder-v1")?.get("/r/"), "one /r/");
});

for (const state of ["dead", "hangs", 500, 502, 503, 504]) {
  test(`every page of the recorder comes from the store when the network is ${state}`, async () => {
    network = state;
    assert.equal(await get("/r/abc"), "one /r/");
    assert.equal(await get("/new"), "one /r/");
    assert.equal(await get("/"), "one /r/");
    for (const part of PARTS) assert.equal(await get(part, "page /new"), `one ${part}`);
  });
}

test("a network that hangs is waited for once", async () => {
  network = "hangs";
  const start = Date.now();
  await get("/referee");
  const request = { url: `${SITE}/referee`, method: "GET", mode: "navigate" };
  assert.equal((await dispatch("fetch", { request, resultingClientId: "another" })).text, "one /referee");
  assert.equal(Date.now() - start, 2000);
});

test("without a network any day's puzzle is the page that asks the rules, and its replay is theirs, too", async () => {
  network = "dead";
  for (const path of ["/referee", "/referee?move=2", "/referee/2026-11-20"])
    assert.equal(await get(path), "one /referee");
  assert.equal(await get("/referee/2026-11-20/replay?ply=17"), "to /kept#17=referee/2026-11-20");
  // The page itself asks only the server for another day.
  assert.equal(await get("/referee/2026-11-20", "page /referee"), "the browser asks");
});

test("with a network a puzzle and its replay are the server's, and nothing of them is stored", async () => {
  for (const path of ["/referee", "/referee/2026-11-20", "/referee?move=2", "/referee/2026-11-20/replay?ply=17"])
    assert.match(await get(path), /^two/);
  assert.equal(stores.get("domino-ledger-recorder-v1")?.get("/referee"), "one /referee");
  assert.equal(stores.get("domino-ledger-recorder-v1")?.size, PARTS.length + 4);
});

test("a part is stored under its whole address", async () => {
  assert.equal(await get("/record.css?at=1", "page /r/abc"), "the browser asks");
});

test("a page that a worker before this one served keeps its version's parts", async () => {
  clients.set("old", "/r/abc");
  assert.equal(await get("/record.js", "old"), "one /record.js");
});

test("a store that the browser emptied is filled again by the next visit", async () => {
  stores.clear();
  assert.equal(await get("/r/abc"), "two /r/abc");
  await Promise.all(background);
  assert.deepEqual(
    [...(stores.get("domino-ledger-recorder-v1") || new Map()).keys()].sort(),
    ["/kept", "/on-this-phone", "/r/", "/referee", ...PARTS].sort(),
  );
});

test("a replay or a list is the ledger's as it is now, and nothing of it is stored", async () => {
  for (const state of [200, 404, 502]) {
    network = state;
    for (const path of ["/players", "/g/abc", "/g/abc?ply=3"])
      assert.equal(await get(path), `two ${path.split("?")[0]}`);
  }
  assert.equal(stores.get("domino-ledger-recorder-v1")?.size, PARTS.length + 4);
});

for (const state of ["dead", "hangs"]) {
  test(`without a page of the ledger there is what this phone has, when the network is ${state}`, async () => {
    network = state;
    for (const path of ["/players", "/g/abc"]) assert.equal(await get(path), "one /on-this-phone");
    // The parts of that page come from the store, too.
    for (const part of PARTS) assert.equal(await get(part, "page /g/abc"), `one ${part}`);
    stores.clear();
    if (state === "dead") await assert.rejects(get("/g/abc"), "the browser says that there is no network");
  });
}

test("a slow ledger gets ten seconds for a page of its own, unless the network was just found to hang", async () => {
  network = "hangs";
  const ask = () =>
    dispatch("fetch", { request: { url: `${SITE}/g/abc`, method: "GET", mode: "navigate" }, resultingClientId: "g" });
  for (const patience of [10_000, 2000]) {
    let answer = /** @type {any} */ (null);
    ask().then((/** @type {any} */ one) => (answer = one));
    await turns();
    mock.timers.tick(patience - 1);
    await turns();
    assert.equal(answer, null);
    mock.timers.tick(1);
    await turns();
    assert.equal(answer.text, "one /on-this-phone");
  }
});

/** What a page gets, and after how many milliseconds. @param {any} request */
async function timed(request) {
  const start = Date.now();
  let text = "";
  dispatch("fetch", { request, clientId: "page /new", resultingClientId: "home" }).then(
    (/** @type {any} */ one) => (text = one.text),
  );
  for (await turns(); !text; await turns()) mock.timers.tick(100);
  return [text, Date.now() - start];
}
const visit = (/** @type {string} */ path) => timed({ url: SITE + path, method: "GET", mode: "navigate" });

test("a network that hung gets 0.4 s the next time, also after the phone slept, until it answers", async () => {
  const ask = async () => {
    const answer = await timed({ url: `${SITE}/record.js`, method: "GET", mode: "cors" });
    mock.timers.tick(20_000); // nobody remembers in memory any more
    return answer;
  };
  network = "hangs";
  assert.deepEqual(await ask(), ["one /record.js", 2000]);
  assert.deepEqual(await ask(), ["one /record.js", 400]);
  network = 200;
  assert.deepEqual(await ask(), ["two /record.js", 0]);
  network = "hangs";
  assert.deepEqual(await ask(), ["one /record.js", 2000]);
});

test("the first page is the store's after 0.3 s; with a query it is the ledger's, however slow", async () => {
  for (const path of ["/", "/new"]) {
    network = "hangs";
    assert.deepEqual(await visit(path), ["one /r/", 300]);
    mock.timers.tick(20_000);
  }
  let answer = (/** @type {number} */ _status) => {};
  network = new Promise((resolve) => (answer = resolve));
  const coming = visit("/?page=1");
  answer(200);
  assert.equal((await coming)[0], "two /");
});

test("the API, what a page asks for, forms and frames are not the worker's", async () => {
  for (const path of ["/api/v1/records/abc/screen", "/schema/domino-ledger-1.json", "/healthz"])
    assert.equal(await get(path), "the browser asks");
  assert.equal(await get("/g/abc", "page /g/abc"), "the browser asks");
  const navigates = { url: `${SITE}/g/abc`, method: "GET", mode: "navigate" };
  for (const other of [{ method: "POST" }, { destination: "iframe" }, { url: "https://other.example/g/abc" }])
    assert.equal(dispatch("fetch", { request: { ...navigates, ...other }, clientId: "" }), undefined);
  assert.deepEqual(asked, []);
});
