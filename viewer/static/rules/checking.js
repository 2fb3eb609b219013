// “Check this game”: the file rebuilds its record by the rules and compares everything it shows with that.
// @ts-check

import { difference, frameDifferences, textDifference } from "./compare.js";
import { unpack } from "../reels.js";
import { frame, frameOf, partsOf } from "./original.js";
import { rulesFromText } from "./rules.js";

/** The texts of a file that readers do not see, and their names in a sentence. */
const HIDDEN = {
  data: "the data of the steps",
  record: "the record",
  worker: "the script that starts the rules",
  script: "the script of the page",
};
const NO_RULES =
  "The rules are not in this file, and not where it came from. Ask for a file that contains them: " +
  "domino-ledger export ID --html --self-contained";

/** @param {string} id */
const by = (id) => /** @type {any} */ (document.getElementById(id));

/** @param {string} id @param {Document} [page] */
const text = (id, page = document) => page.getElementById(id)?.textContent || "";

/** Prepares the button. @param {Map<string, Node | undefined>} original the page as it came */
export function checking(original) {
  const button = by("check");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    show("Checking…", ["The rules are starting. That takes a few seconds."]);
    try {
      await check(original);
    } catch (error) {
      show("This game cannot be checked here", [String(/** @type {Error} */ (error).message || error)]);
    }
    button.disabled = false;
  });
}

/** @param {Map<string, Node | undefined>} original */
async function check(original) {
  const notes = JSON.parse(text("noted"));
  const rules = await findRules(notes);
  try {
    const result = await rules.ask("verify", { record: text("record"), noted: text("noted") });
    const faults = [...result.faults];
    const passed = [...result.passed];
    if (result.page) faults.push(...differences(original, result.page), ...(await drawingDifferences(rules)));
    if (!faults.length) passed.push("Everything on this page is what the record says.");
    if (result.signature) await verify(result.signature, passed, faults);
    else if (!notes.proof) {
      passed.push(
        "This file has no signed checkpoint: nothing in it contradicts the rest, but anyone could have made it.",
      );
    }
    if (faults.length) show("This file was changed", faults, "altered");
    else show("This file checks out", passed, "ok");
  } finally {
    rules.close();
  }
}

/**
 * The rules in this file, or beside it, or at the address that it names.
 * @param {any} notes @returns {Promise<import("./rules.js").Rules>}
 */
async function findRules(notes) {
  if (by("rules")) {
    const python = await unpack(text("python")).catch((error) => {
      throw new Error(`The rules in this file were changed or cut off: ${error.message}.`);
    });
    const rules = rulesFromText(python, text("worker"), { base64: text("rules") });
    await rules.ready.catch((reason) => {
      throw new Error(`The rules in this file were changed or cut off: ${reason.message}.`);
    });
    return rules;
  }
  for (const place of [`runtime/${notes.runtime}/`, notes.source]) {
    if (!place || !notes.runtime) continue;
    try {
      const folder = new URL(place, location.href);
      const answer = await fetch(new URL("python.js", folder));
      if (!answer.ok) continue;
      const rules = rulesFromText(await answer.text(), text("worker"), { address: new URL("rules.pack", folder).href });
      await rules.ready;
      return rules;
    } catch {
      /* perhaps at the next place */
    }
  }
  throw new Error(NO_RULES);
}

/**
 * Where the drawings of this page differ from those of the record.
 * @param {import("./rules.js").Rules} rules
 */
async function drawingDifferences(rules) {
  const others = [];
  for (const [name, packed] of Object.entries(JSON.parse(text("reels")))) {
    const [shape, view, turn] = name.split(" ");
    const expected = await rules.ask("reel", { record: text("record"), shape, view, turn: Number(turn) });
    const here = await unpack(packed).catch(() => "");
    if (here !== JSON.stringify(expected)) others.push(name);
  }
  return others.length ? [`Of the drawings, these are not what the record says: ${others.join(", ")}.`] : [];
}

/**
 * Where this page differs from the record.
 * @param {Map<string, Node | undefined>} original @param {string} html
 */
function differences(original, html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const expected = partsOf(page);
  const hidden = Object.entries(HIDDEN).map(([id, name]) => textDifference(name, text(id), text(id, page)));
  const parts = [...original].map(([name, part]) => difference(part, expected.get(name)));
  return [...frameDifferences(frame, frameOf(page)), ...parts, ...hidden].filter(Boolean);
}

/**
 * Verifies a signature with the browser's own cryptography.
 * @param {any} signature @param {string[]} passed @param {string[]} faults
 */
async function verify(signature, passed, faults) {
  const bytes = (/** @type {string} */ hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
  let holds;
  try {
    const key = await crypto.subtle.importKey("raw", bytes(signature.public), "Ed25519", false, ["verify"]);
    const message = new TextEncoder().encode(signature.text);
    holds = await crypto.subtle.verify("Ed25519", key, bytes(signature.signature), message);
  } catch {
    passed.push("There is a signed checkpoint, but this browser cannot verify its signature (Ed25519).");
    return;
  }
  if (holds) passed.push(signature.sentence);
  else faults.push("The signature of the checkpoint is not that of its key.");
}

/** @param {string} title @param {string[]} lines @param {"" | "ok" | "altered"} [outcome] */
function show(title, lines, outcome = "") {
  const section = by("checked");
  const heading = document.createElement("h2");
  if (outcome) heading.append(sign(outcome), " ");
  heading.append(title);
  const list = document.createElement("ul");
  for (const line of lines) list.append(Object.assign(document.createElement("li"), { textContent: line }));
  section.replaceChildren(heading, list);
  section.className = `card pad checked ${outcome}`;
  section.hidden = false;
}

/** @param {"ok" | "altered"} outcome */
function sign(outcome) {
  const mark = document.createElement("span");
  mark.className = outcome === "ok" ? "good" : "flag";
  mark.innerHTML = `<svg class="ic" aria-hidden="true"><use href="#ic-${outcome === "ok" ? "check" : "flag"}"/></svg>`;
  return mark;
}
