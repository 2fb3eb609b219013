// Makes this phone ready for a table without a network: the pages of the recorder in the service worker, the rules in
// the browser's database.
// @ts-check

import { idle, keepRules } from "./rules/phone.js";

/** Milliseconds until the page that was asked for has what it needs. */
const FIRST = 1500;

/** Stores the recorder's pages.  That is possible with https, or on this machine. */
export async function keepPages() {
  const { serviceWorker } = navigator;
  if (!window.isSecureContext || !serviceWorker) return;
  try {
    const registration = await serviceWorker.register("/worker.js");
    await serviceWorker.ready;
    document.documentElement.dataset.offline = "ready";
    // A newer version arrives whole, or not at all.
    addEventListener("online", () => registration.update().catch(() => undefined));
  } catch {
    /* then a page needs the network */
  }
}

/** Stores the pages and the rules when the page has nothing better to do: then one visit is enough. */
export async function keepAll() {
  const folder = document.body.dataset.runtime;
  if (!folder || !window.isSecureContext) return;
  await new Promise((resolve) => setTimeout(resolve, FIRST));
  await idle();
  await keepPages();
  // Who saves data gets the rules with the first game.
  if (/** @type {any} */ (navigator).connection?.saveData) return;
  await keepRules(folder).then(
    () => (document.documentElement.dataset.rules = "kept"),
    () => undefined,
  );
}
