// The rules, in a worker: Python with our own modules, which answers JSON with JSON.
// It gets the pack (see .ci/runtime/build.py) as bytes or by its address, and then questions.  It loads nothing else:
// once it has its files, `fetch` finds only those.

import { createPyodideModule, loadPyodide } from "./python.js";

/** @typedef {{ pack?: ArrayBuffer, address?: string }} Source  the pack, or where it is */
/** @typedef {{ number: number, name: string, text: string }} Question */

const HOME = "https://runtime.invalid/";
const SITE = "/lib/python3.14/site-packages/";

/** The files of a pack, by name. @param {Source} source @returns {Promise<Map<string, Uint8Array<ArrayBuffer>>>} */
async function files({ pack, address }) {
  const answer = pack ? new Response(pack) : await fetch(String(address));
  if (!answer.ok) throw new Error(`the rules are not at ${address}: ${answer.status}`);
  const plain = answer.body?.pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(plain).arrayBuffer());
  const head = bytes.indexOf(10);
  const byName = new Map();
  let at = head + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, head)))) {
    byName.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  return byName;
}

/** Python with our modules, ready to answer. @param {Source} source */
async function start(source) {
  const parts = await files(source);
  self.fetch = async (/** @type {any} */ request) => {
    const name = String(request.url ?? request).replace(HOME, "");
    const part = parts.get(name);
    if (!part) throw new TypeError(`the rules load nothing from elsewhere, and have no ${name}`);
    return new Response(part, { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "" } });
  };
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: HOME,
    packageBaseUrl: HOME,
    lockFileContents: JSON.parse(new TextDecoder().decode(parts.get("pyodide-lock.json"))),
    fsInit: async (/** @type {any} */ disk) => {
      for (const [name, bytes] of parts) {
        if (!name.startsWith("site/")) continue;
        const path = SITE + name.slice(5);
        disk.mkdirTree(path.slice(0, path.lastIndexOf("/")));
        disk.writeFile(path, bytes, { canOwn: true });
      }
    },
  });
  parts.clear();
  return python.pyimport("viewer.browser_app").answer;
}

let rules = /** @type {Promise<(name: string, text: string) => string> | null} */ (null);

self.addEventListener("message", async (/** @type {MessageEvent} */ { data }) => {
  if (data.source) {
    rules = start(data.source);
    try {
      await rules;
      self.postMessage({ ready: true });
    } catch (error) {
      self.postMessage({ failed: String(error) });
    }
    return;
  }
  const { number, name, text } = /** @type {Question} */ (data);
  try {
    if (!rules) throw new Error("the rules have no source yet");
    self.postMessage({ number, text: (await rules)(name, text) });
  } catch (error) {
    self.postMessage({ number, failed: String(error) });
  }
});
