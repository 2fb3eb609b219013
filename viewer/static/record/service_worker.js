// With https, or on this machine, the pages of the recorder open without a network, too.
// All files of these pages are stored at the first visit.  They come from the network while it answers soon, else from
// here.
// @ts-check

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
const STORED = "domino-ledger-recorder";
/** The page that is the same for every record, and for a new game. */
const PAGE = "/r/";
const HOME = "/";
const NEW = "/new";
/** The page of a game that is in its own address. */
const KEPT = "/kept";
/** The list of the games on this phone. */
const ON_PHONE = "/on-this-phone";
/** The puzzle of the day, and of every other day: without a network the page asks the rules for the day's puzzle. */
const REFEREE = "/referee";
const OF_DAY = /^\/referee\/[\d-]+$/;
/** The replay of a day's puzzle: without a network the page of a game that is in its own address asks for it. */
const REPLAY = /^\/referee\/([\d-]+)\/replay\?ply=(\d+)$/;
/** The files of the page; the server fills them in. @type {string[]} */
const PARTS = [/* PARTS */];
/** Milliseconds that a network gets to answer; what it answers later is stored all the same. */
const PATIENCE = 2000;
/** Milliseconds for which a network that was too slow, or that a sick server is behind, is not waited for again. */
const DISTRUST = 15_000;
/** Until when that is. */
let distrusted = 0;

/** The renewal that goes on now. @type {Promise<unknown> | null} */
let renewal = null;

/** Stores all files of the pages anew. */
async function renew() {
  const store = await caches.open(STORED);
  await Promise.all([PAGE, KEPT, ON_PHONE, REFEREE, ...PARTS].map((part) => store.add(new Request(part, { cache: "no-cache" }))));
}

/** Renews the store, once at a time: each part of a page may find it empty, because the browser wanted the room. */
function refill() {
  renewal ??= renew()
    .catch(() => undefined)
    .finally(() => (renewal = null));
  return renewal;
}

worker.addEventListener("install", (event) => event.waitUntil(renew().then(() => worker.skipWaiting())));

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

// A page that came from here tells when the network is back.
worker.addEventListener("message", (event) => {
  if (event.data === "renew") event.waitUntil(refill());
});

/**
 * Under which address the store has what is asked for; "" for what only the network has.
 * @param {Request} asked
 */
function keyOf({ method, url, mode }) {
  const { pathname, search, origin } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return "";
  if (pathname.startsWith(PAGE) || pathname === NEW) return PAGE;
  // Without a network the home page is the list of the games on this phone.
  if (pathname === HOME && mode === "navigate") return HOME;
  if (mode === "navigate" && OF_DAY.test(pathname)) return REFEREE;
  if (mode === "navigate" && REPLAY.test(pathname + search)) return pathname + search;
  if ([KEPT, ON_PHONE, REFEREE].includes(pathname)) return pathname;
  return PARTS.includes(pathname + search) ? pathname + search : "";
}

/**
 * Whether an answer is what the store has under its key: with a connection /, /new and the puzzles of other days are
 * other pages.
 * @param {string} url @param {string} key
 */
function isStored(url, key) {
  const { pathname, search } = new URL(url);
  return key === PAGE
    ? pathname.startsWith(PAGE)
    : [KEPT, ON_PHONE, REFEREE, ...PARTS].includes(key) && pathname + search === key;
}

/**
 * What the network answers, or null if a sick server or nobody does; the store gets it, too.
 * @param {Request} request @param {string} key @param {Cache} store
 */
async function fromNetwork(request, key, store) {
  try {
    const response = await fetch(request);
    if (response.status >= 500) return null;
    distrusted = 0;
    if (response.ok && isStored(request.url, key)) await store.put(key, response.clone());
    return response;
  } catch {
    return null;
  }
}

/** What the store has in place of an answer. @param {string} key @param {Cache} store */
async function fromStore(key, store) {
  const replay = REPLAY.exec(key);
  if (replay) return (await store.match(KEPT)) && Response.redirect(`${KEPT}#${replay[2]}=referee/${replay[1]}`);
  if (key !== HOME) return store.match(key);
  return (await store.match(PAGE)) && Response.redirect(NEW);
}

/** @param {FetchEvent} event @param {string} key */
async function answer(event, key) {
  const { request } = event;
  const store = await caches.open(STORED);
  const copy = await fromStore(key, store);
  if (!copy) {
    event.waitUntil(refill());
    return fetch(request);
  }
  const network = fromNetwork(request, key, store);
  // A late answer is stored, too.
  event.waitUntil(network);
  if (Date.now() < distrusted) return copy;
  const pause = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  const response = await Promise.race([network, pause]);
  if (response) return response;
  distrusted = Date.now() + DISTRUST;
  return copy;
}

worker.addEventListener("fetch", (event) => {
  const key = keyOf(event.request);
  if (key) event.respondWith(answer(event, key));
});
