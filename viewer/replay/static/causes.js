// The mistakes of a game: they arrive when the ledger has found them, and a recorder can take a correction.

import { at } from "../../every_page/static/club_root.js";
import { recall } from "../../every_page/static/browser_memory.js";

const TRIES = 6;
const FIRST_WAIT = 2000;

/** Fetches the causes for a page that was shown before they were known. @param {() => Promise<void>} renew */
export function causes(renew) {
  const of = element()?.dataset.of;
  const key = of ? recall(`key.${of}`) : "";
  document.documentElement.toggleAttribute("data-recorder", Boolean(key));
  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (
      /** @type {Element} */ (event.target).closest("button[data-fix]")
    );
    if (button && key) correct(button, key);
  });
  if (!("askParts" in globalThis)) wait(renew, TRIES, FIRST_WAIT);
  else if (element()?.hasAttribute("data-waits")) renew().catch(() => undefined);
}

const element = () => document.getElementById("causes");

/** @param {() => Promise<void>} renew @param {number} tries @param {number} pause */
function wait(renew, tries, pause) {
  if (!tries || !element()?.hasAttribute("data-waits") || !location.protocol.startsWith("http")) return;
  setTimeout(async () => {
    await renew().catch(() => undefined);
    wait(renew, tries - 1, pause * 2);
  }, pause);
}

/** An id for an entry; `crypto.randomUUID` does not exist over plain http. */
const entryId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Records a button's correction, and shows the game. @param {HTMLButtonElement} button @param {string} key */
async function correct(button, key) {
  const { of, version } = /** @type {HTMLElement} */ (element()).dataset;
  const when = new Date().toISOString();
  const entries = JSON.parse(button.dataset.fix || "[]").map((/** @type {any} */ event) => ({
    id: entryId(),
    event: { ...event, when },
  }));
  button.disabled = true;
  const answer = await fetch(at(`api/v1/records/${of}/events`), {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ expected: Number(version), entries }),
  }).catch(() => null);
  if (answer?.ok) return location.reload();
  const problem = answer && (await answer.json().catch(() => null));
  button.textContent = `Not corrected: ${problem?.title || "the ledger can't be reached"}`;
  return undefined;
}
