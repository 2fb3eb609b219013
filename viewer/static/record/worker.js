// With https, or on this machine, the recorder's page opens without a network, too.
// All files of the page are stored at the first visit.  They come from the network if there is one, else from here.
// @ts-check

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
const STORED = "domino-ledger-recorder";
/** The page that is the same for every record, and for a new game. */
const PAGE = "/r/";
const HOME = "/";
/** The page of a game that is in its own address. */
const KEPT = "/kept";
/** The files of the page; the server fills them in. @type {string[]} */
const PARTS = [/* PARTS */];

worker.addEventListener("install", (event) =>
  event.waitUntil(
    (async () => {
      const store = await caches.open(STORED);
      await Promise.all([PAGE, KEPT, ...PARTS].map((part) => store.add(new Request(part, { cache: "no-cache" }))));
      await worker.skipWaiting();
    })(),
  ),
);

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

/**
 * Under which address the store has what is asked for; "" for what only the network has.
 * @param {Request} asked
 */
function keyOf({ method, url, mode }) {
  const { pathname, origin } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return "";
  if (pathname.startsWith(PAGE) || pathname === "/new") return PAGE;
  // Without a network the home page is the list of the games on this phone.
  if (pathname === "/" && mode === "navigate") return HOME;
  return [KEPT, ...PARTS].includes(pathname) ? pathname : "";
}

worker.addEventListener("fetch", (event) => {
  const key = keyOf(event.request);
  if (!key) return;
  event.respondWith(
    (async () => {
      const store = await caches.open(STORED);
      try {
        const response = await fetch(event.request);
        // With a connection the server has a page of its own for a new game.
        if (key !== HOME && response.ok && new URL(event.request.url).pathname.startsWith(key))
          await store.put(key, response.clone());
        return response;
      } catch (error) {
        if (key === HOME) return Response.redirect("/new");
        const copy = await store.match(key);
        if (copy) return copy;
        throw error;
      }
    })(),
  );
});
