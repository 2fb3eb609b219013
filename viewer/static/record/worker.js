// With https, or on this machine: the recorder's page opens without a network, too.
// All that the page is made of is stored at the first visit.  It comes from the network where there is one, and from here
// where there is none.

const STORED = "domino-ledger-recorder";
const PAGE = "/r/";
/** The files of the page; the server writes them in here. */
const PARTS = [/* PARTS */];

/** The page that is the same for every record, as a visitor who is here now has it. */
async function storePage(store) {
  const visitors = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const { url } of visitors) {
    if (!new URL(url).pathname.startsWith(PAGE)) continue;
    const page = await fetch(url.split("#")[0]);
    if (page.ok) {
      await store.put(PAGE, page);
      return;
    }
  }
}

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const store = await caches.open(STORED);
  await Promise.all([storePage(store), ...PARTS.map((part) => store.add(new Request(part, { cache: "no-cache" })))]);
  await self.skipWaiting();
})()));

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isPage = pathname.startsWith(PAGE);
  if (event.request.method !== "GET" || origin !== location.origin || !(isPage || PARTS.includes(pathname))) return;
  event.respondWith((async () => {
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
  })());
});
