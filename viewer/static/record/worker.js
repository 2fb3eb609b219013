// With https, or on this machine: the recorder's page opens without a network, too.
// The page and what it is made of come from the network where there is one, and from here where there is none.

const KEPT = "domino-ledger-recorder";
const PARTS = /^\/(r\/|static\/record\/|style\.css|record\.css|recorder\.webmanifest|icon\.svg)/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !PARTS.test(pathname)) return;
  event.respondWith((async () => {
    const kept = await caches.open(KEPT);
    // The page is the same for every record.
    const key = pathname.startsWith("/r/") ? "/r/" : event.request;
    try {
      const fresh = await fetch(event.request);
      if (fresh.ok) await kept.put(key, fresh.clone());
      return fresh;
    } catch (error) {
      const found = await kept.match(key);
      if (found) return found;
      throw error;
    }
  })());
});
