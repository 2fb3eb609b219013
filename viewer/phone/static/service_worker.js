// With https, or on this machine, the pages of the recorder open without a network, too.
// Page, scripts and rules change together: each version has a store of its own, which is used only when all of it is
// there.  A page that is open goes on with the version that began it, and a half-arrived update changes nothing.

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
/** What tells versions apart: a digest of all files; the server fills it in. */
const VERSION = "/* VERSION */";
/** Where the pages of this club begin: there is this script. */
const ROOT = new URL("./", location.href).pathname;
const PREFIX = `${ROOT.slice(1)}domino-ledger-recorder-`;
const STORED = PREFIX + VERSION;
/** How many earlier versions are kept for pages that are still open. */
const EARLIER = 1;
/** The page that is the same for every record, and for a new game. */
const PAGE = `${ROOT}r/`;
const HOME = ROOT;
/** The page of a game that is in its own address. */
const KEPT = `${ROOT}kept`;
/** The list of the games on this phone. */
const ON_PHONE = `${ROOT}on-this-phone`;
/** The puzzle of the day, and of every other day: without a network the page asks the rules for the day's puzzle. */
const REFEREE = `${ROOT}referee`;
const OF_DAY = RegExp(`^${REFEREE}/[\\w-]+$`);
/** The replay of a day's puzzle: without a network the page of a game that is in its own address asks for it. */
const REPLAY = RegExp(`^${REFEREE}/([\\w-]+)/replay\\?ply=(\\d+)$`);
/** The files of the pages, and those of the rules; the server fills them in. @type {string[]} */
const PARTS = [/* PARTS */];
const RULES = `${ROOT}runtime/`;
/** Milliseconds that a network gets to answer. */
const PATIENCE = 2000;
/** Milliseconds that it gets where the store has a page that will do for now. */
const SOON = 300;
/** Milliseconds that it gets for a page that only the ledger has. */
const LONG = 10_000;
/** Under this address the store notes that the network did not answer in time. */
const HUNG = `${ROOT}hung`;
/** Addresses that a browser may be sent to, but that are not pages. */
const NO_PAGE = RegExp(`^${ROOT}(?:api|schema|healthz)\\b`);
/** Milliseconds for which a network that was too slow, or that a sick server is behind, is not waited for again. */
const DISTRUST = 15_000;
/** Until when that is. */
let distrusted = 0;

/** The filling of the store that goes on now. @type {Promise<unknown> | null} */
let filling = null;

/** Stores all of this version, or nothing. */
async function fill() {
  const store = await caches.open(STORED);
  try {
    await Promise.all(
      [PAGE, KEPT, ON_PHONE, REFEREE, ...PARTS].map((part) => store.add(new Request(part, { cache: "no-cache" }))),
    );
  } catch (error) {
    await caches.delete(STORED);
    throw error;
  }
}

/** Fills the store again, once at a time: the browser may have wanted the room. */
function refill() {
  filling ??= fill()
    .catch(() => undefined)
    .finally(() => (filling = null));
  return filling;
}

// An update that does not arrive whole fails here, and the version before it goes on.
worker.addEventListener("install", (event) => event.waitUntil(fill().then(() => worker.skipWaiting())));

worker.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      const earlier = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== STORED);
      await Promise.all(earlier.slice(0, -EARLIER || undefined).map((name) => caches.delete(name)));
      await worker.clients.claim();
    })(),
  ),
);

/** Under which address the store has what is asked for; "" for what only the network has. @param {Request} asked */
function keyOf({ method, url, mode }) {
  const { pathname, search, origin } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return "";
  if (pathname.startsWith(PAGE) || pathname === `${ROOT}new`) return PAGE;
  // Until the network answers, the home page is the list of the games on this phone; with a query it is the ledger's.
  if (pathname + search === HOME && mode === "navigate") return HOME;
  if (mode === "navigate" && OF_DAY.test(pathname)) return REFEREE;
  if (mode === "navigate" && REPLAY.test(pathname + search)) return pathname + search;
  if ([KEPT, ON_PHONE, REFEREE].includes(pathname)) return pathname;
  return PARTS.includes(pathname + search) || pathname.startsWith(RULES) ? pathname + search : "";
}

/** Whether a page is the same for everybody: then the store's is as good as the network's. @param {string} url */
function isOwn(url) {
  const { pathname } = new URL(url);
  return pathname.startsWith(PAGE) || pathname === KEPT || pathname === ON_PHONE;
}

/** The pages that came from the store of this version, by the id of their client. @type {Set<string>} */
const ours = new Set();

/** Whether a part is for a page that came from the store: then it comes from there, too. @param {FetchEvent} event */
async function isForOurs({ clientId }) {
  if (!clientId) return false;
  if (ours.has(clientId)) return true;
  // The browser may have stopped this worker since.
  const client = await worker.clients.get(clientId);
  return Boolean(client && isOwn(client.url));
}

/** An answer, after which the network is waited for as long as ever. @param {Response} response @param {Cache} store */
async function trusted(response, store) {
  distrusted = 0;
  await store.delete(HUNG);
  return response;
}

/** What the network answers, or null if a sick server or nobody does. @param {Request} request @param {Cache} store */
async function fromNetwork(request, store) {
  try {
    const response = await fetch(request);
    return response.status < 500 ? await trusted(response, store) : null;
  } catch {
    return null;
  }
}

/** What the store has in place of an answer. @param {string} key @param {Cache} store */
async function fromStore(key, store) {
  const replay = REPLAY.exec(key);
  if (replay) return (await store.match(KEPT)) && Response.redirect(`${KEPT}#${replay[2]}=referee/${replay[1]}`);
  const stored = await store.match(key === HOME ? PAGE : key);
  // A page of an earlier version that is still open uses the rules of that version.
  return stored || (key.startsWith(RULES) ? caches.match(key) : undefined);
}

/** @param {number} time in milliseconds @returns {Promise<undefined>} */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * What the network answers in time; null if nothing.  If it did not when it was last asked, be it before the phone
 * slept, it gets a fifth of that time.
 * @param {Promise<Response | null>} network @param {number} patience in milliseconds @param {Cache} store
 */
async function inTime(network, patience, store) {
  const hung = await store.match(HUNG);
  const response = await Promise.race([network, pause(hung ? patience / 5 : patience)]);
  if (response === undefined) await store.put(HUNG, new Response());
  return response || null;
}

/** @param {FetchEvent} event @param {string} key */
async function answer(event, key) {
  const { request } = event;
  const store = await caches.open(STORED);
  const copy = await fromStore(key, store);
  if (!copy) {
    if (!key.startsWith(RULES)) event.waitUntil(refill());
    return fetch(request);
  }
  const navigates = request.mode === "navigate";
  if (navigates ? isOwn(request.url) : key.startsWith(RULES) || (await isForOurs(event))) {
    if (navigates) ours.add(event.resultingClientId);
    return copy;
  }
  const network = fromNetwork(request, store);
  const answered = inTime(network, PATIENCE, store).then((response) => {
    if (!response) distrusted = Math.max(distrusted, Date.now() + DISTRUST);
    return response;
  });
  const waits = Date.now() >= distrusted;
  // The store's page begins and opens games as the network's does.
  const isSoon = navigates && [HOME, PAGE].includes(key);
  const response = waits && (await (isSoon ? Promise.race([answered, pause(SOON)]) : answered));
  if (response) return response;
  if (navigates) ours.add(event.resultingClientId);
  event.waitUntil(network);
  return copy;
}

/** Whether this is a page of its own that only the ledger has: a replay, a list. @param {Request} asked */
function isLedgers({ method, url, mode, destination }) {
  const { pathname, origin } = new URL(url);
  const isPage = method === "GET" && origin === location.origin && !NO_PAGE.test(pathname);
  return isPage && mode === "navigate" && destination !== "iframe";
}

/** A page that only the ledger has; without a network, what this phone has instead. @param {FetchEvent} event */
async function orList(event) {
  const network = fetch(event.request);
  const store = await caches.open(STORED);
  const arrival = network.then(
    (response) => trusted(response, store),
    () => null,
  );
  const response = await inTime(arrival, LONG, store);
  if (response) return response;
  const list = await store.match(ON_PHONE);
  if (!list) return network;
  ours.add(event.resultingClientId);
  return list;
}

worker.addEventListener("fetch", (event) => {
  const key = keyOf(event.request);
  if (key) event.respondWith(answer(event, key));
  else if (isLedgers(event.request)) event.respondWith(orList(event));
});
