// Makes this phone ready for a table without a network: the pages of the recorder in the service worker, the rules in
// the browser's database.

import { ROOT, at } from "../../every_page/static/club_root.js";
import { idle, loadRuntime } from "./rules_in_browser.js";

/** Milliseconds until the page that was asked for has what it needs. */
const FIRST = 1500;

/** Milliseconds until the pages are stored again when that failed, at first and at most. */
const AGAIN = 2000;
const SELDOM = 60_000;

/**
 * Whether the pages of a registration are stored, once that has ended.  The browser's own `ready` never answers when
 * one file did not arrive.
 * @param {ServiceWorkerRegistration} registration @returns {Promise<boolean>}
 */
async function isStored({ active, waiting, installing }) {
  if (active || waiting || !installing) return Boolean(active || waiting);
  if (installing.state === "installing")
    await new Promise((resolve) => installing.addEventListener("statechange", resolve, { once: true }));
  return installing.state !== "redundant";
}

/**
 * Stores the recorder's pages, and tries again until that succeeds: at a table the network is often sick.  It is
 * possible with https, or on this machine.  Answers after the first attempt.
 * @param {number} [pause] milliseconds until the next one
 */
export async function keepPages(pause = AGAIN) {
  const { serviceWorker } = navigator;
  if (!window.isSecureContext || !serviceWorker) return;
  try {
    const registration = await serviceWorker.register(at("worker.js"));
    if (!(await isStored(registration))) throw new Error("a file did not arrive");
    await serviceWorker.ready;
    document.documentElement.dataset.offline = "ready";
    // A newer version arrives whole, or not at all.
    addEventListener("online", () => registration.update().catch(() => undefined));
  } catch {
    setTimeout(keepPages, pause, Math.min(2 * pause, SELDOM));
  }
}

/** Stores the pages and the rules when the page has nothing better to do: then one visit is enough. */
export async function keepAll() {
  const folder = document.body.dataset.runtime;
  if (!folder || !window.isSecureContext) return;
  await new Promise((resolve) => setTimeout(resolve, FIRST));
  await idle();
  // Who saves data gets all of it with the first game.
  if (/** @type {any} */ (navigator).connection?.saveData) return;
  await keepPages();
  // A page that has started the rules has kept them.
  if (document.documentElement.dataset.rules) return;
  await loadRuntime(folder).then(
    () => (document.documentElement.dataset.rules = "kept"),
    () => undefined,
  );
}

/** Milliseconds that the ledger gets to answer. */
const LONG = 10_000;

/**
 * Opens the ledger's home page when it answers; on a page that somebody touches, a line says so.
 * @param {HTMLElement} line
 */
export async function awaitHome(line) {
  const isInstead = () => location.pathname + location.search === ROOT;
  if (!isInstead() || !navigator.serviceWorker?.controller) return;
  line.hidden = false;
  let touched = false;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (touched = true), { once: true });
  const answer = await fetch(at("healthz"), { signal: AbortSignal.timeout(LONG) }).catch(() => null);
  const comes = Boolean(answer && answer.status < 500);
  const link = /** @type {HTMLAnchorElement} */ (line.querySelector("a"));
  if (comes && !touched && isInstead()) return location.replace(link.href);
  const [words, verb] = comes
    ? ["The ledger answers now.", "Go to its page"]
    : ["The ledger does not answer. Below are the games on this phone.", "Try again"];
  line.firstElementChild?.replaceChildren(words);
  link.replaceChildren(verb);
}
