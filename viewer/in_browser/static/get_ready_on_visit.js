// Makes this phone ready for a table without a network, whatever page of the ledger it visits.

/** Begins when the page itself is there; without a network the next visit tries again. */
async function begin() {
  const { keepAll } = await import("./get_ready_offline.js");
  await keepAll();
}

if (document.readyState === "complete") begin().catch(() => undefined);
else addEventListener("load", () => begin().catch(() => undefined), { once: true });
