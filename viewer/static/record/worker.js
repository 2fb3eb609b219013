// With https, or on this machine, the recorder's page opens without a network, too.
// All files of the page are stored at the first visit.  They come from the network if there is one, else from here.
// @ts-check

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
const STORED = "domino-ledger-recorder";
const PAGE = "/r/";
/** The files of the page; the server fills them in. @type {string[]} */
const PARTS = [/* PARTS */];

/** The page, which is the same for every record, as this visitor gets it. @param {Cache} store */
async function storePage(store) {
  const visitors = await worker.clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const { url } of visitors) {
    if (!new URL(url).pathname.startsWith(PAGE)) continue;
    const page = await fetch(url.split("#")[0]);
    if (page.ok) {
      await store.put(PAGE, page);
      return;
    }
  }
}

worker.addEventListener("install", (event) =>
  event.waitUntil(
    (async () => {
      const store = await caches.open(STORED);
      await Promise.all([
        storePage(store),
        ...PARTS.map((part) => store.add(new Request(part, { cache: "no-cache" }))),
      ]);
      await worker.skipWaiting();
    })(),
  ),
);

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isPage = pathname.startsWith(PAGE);
  if (event.request.method !== "GET" || origin !== location.origin || !(isPage || PARTS.includes(pathname))) return;
  event.respondWith(
    (async () => {
      const store = await caches.open(STORED);
      const key = isPage ? PAGE : pathname;
      try {
        const fresh = await fetch(event.request);
        if (fresh.ok) await store.put(key, fresh.clone());
        return fresh;
      } catch (error) {
        const stored = await store.match(key);
        if (stored) return stored;
        throw error;
      }
    })(),
  );
});
