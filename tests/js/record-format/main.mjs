// Reads records from the input, one a line in base 64, and prints what it makes of each as a line of JSON.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { digest, effective, fingerprint, hashed, links } from "./chain.js";
import { Refused } from "./json.js";
import { file, read, text } from "./record.js";

const hash = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest();
const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString("hex");

/** What this program makes of a text. */
function made(/** @type {Uint8Array} */ bytes) {
  const events = read(bytes);
  const whole = digest(events, hash);
  return {
    text: text(events),
    file: file(events),
    hashed: events.map(hashed),
    links: links(events, hash).map(hex),
    digest: hex(whole),
    fingerprint: fingerprint(whole),
    ...effective(events),
  };
}

for (const line of readFileSync(0, "latin1").split("\n").filter(Boolean)) {
  let answer;
  try {
    answer = made(Buffer.from(line === "-" ? "" : line, "base64"));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    answer = { refused: error.message };
  }
  console.log(JSON.stringify(answer));
}
