// Makes this phone ready for a table without a network, whatever page of the ledger it visits.

/** Begins when the page itself is there; without a network the next visit tries again. */
const begin = () => import("./get_ready_offline.js").then(({ keepAll }) => keepAll()).catch(() => undefined);

if (document.readyState === "complete") begin();
else addEventListener("load", begin, { once: true });
