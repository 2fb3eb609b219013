// The rules on this phone: fetched once, kept in the browser's database, started in a worker when the page is usable.
// The database is there over plain http, too, where a page has no service worker.  It keeps bytes: a blob that WebKit's
// private windows keep can never be read again.

import { Database, resultOf } from "./browser_database.js";

const STORE = "runtimes";
const database = new Database("domino-ledger-rules", (db) => db.createObjectStore(STORE, { keyPath: "digest" }));
/** Milliseconds after which a worker that does not answer counts as gone: a phone may end it to save memory. */
const PATIENCE = 10_000;

/** @typedef {{ digest: string, script: string, pack: ArrayBuffer }} Runtime  a script for the worker, and the rest */

/** The runtime in a folder of the server. @param {string} digest @param {string} folder @returns {Promise<Runtime>} */
async function fetchRuntime(digest, folder) {
  const part = async (/** @type {string} */ name) => {
    const answer = await fetch(folder + name);
    if (!answer.ok) throw new Error(`the rules are not at ${folder}${name}: ${answer.status}`);
    return answer;
  };
  const [python, worker, pack] = await Promise.all([
    part("python.js").then((answer) => answer.text()),
    part("rules_worker.js").then((answer) => answer.text()),
    part("rules.pack").then((answer) => answer.arrayBuffer()),
  ]);
  // One script needs no address to import from, so it starts without a network.
  return { digest, script: `${python}\n${worker.replace(/^import .*$/m, "")}`, pack };
}

/**
 * Does something with the runtimes that are kept here.  It gives undefined if that fails: a private window may keep
 * nothing, and a disk may be full.
 * @template T @param {IDBTransactionMode} mode @param {(runtimes: IDBObjectStore) => Promise<T>} work
 */
const withKept = (mode, work) => database.within([STORE], mode, work).catch(() => undefined);

/** The runtime: stored here, or fetched and stored. @param {string} folder @returns {Promise<Runtime>} */
export async function loadRuntime(folder) {
  const digest = folder.split("/").filter(Boolean).pop() || "";
  const stored = await withKept("readonly", (runtimes) => resultOf(runtimes.get(digest)));
  if (stored) return stored;
  let runtime;
  try {
    runtime = await fetchRuntime(digest, folder);
  } catch (error) {
    // Older rules are better than none.
    const [older] = (await withKept("readonly", (runtimes) => resultOf(runtimes.getAll()))) || [];
    if (!older) throw error;
    return older;
  }
  await withKept("readwrite", (runtimes) => Promise.all([resultOf(runtimes.clear()), resultOf(runtimes.put(runtime))]));
  return runtime;
}

export class PhoneRules {
  /** The worker that has them, or gets them. @type {Worker | null} */
  worker = null;
  asked = 0;
  /** Who waits for an answer, by the number of the question. */
  open = /** @type {Map<number, { resolve: (answer: any) => void, reject: (reason: Error) => void }>} */ (new Map());

  /** @param {string} folder where the files of the runtime are, by their digest; "" if there are none */
  constructor(folder = document.body.dataset.runtime || "") {
    this.folder = folder;
    /** Whether they can answer now. */
    this.ready = false;
    /** Why they cannot start; "" if they can. */
    this.reason = "";
    this.starting = /** @type {Promise<boolean> | null} */ (null);
  }

  /** Starts the rules, once; whether they can be had. @returns {Promise<boolean>} */
  start() {
    this.starting ??= this.boot().then(
      () => true,
      (error) => {
        this.reason = error.message;
        // Without a network they can be had later.
        if (error instanceof TypeError) this.starting = null;
        return false;
      },
    );
    return this.starting;
  }

  async boot() {
    if (!this.folder) throw new Error("this server has no rules for browsers");
    if (document.body.dataset.site !== undefined) {
      // On the static site the browser keeps the rules' own files, as it keeps the page.
      const folder = new URL(this.folder, location.href);
      return this.run(new URL("rules_worker.js", folder), { address: new URL("rules.pack", folder).href });
    }
    const { script, pack } = await loadRuntime(this.folder);
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    return this.run(address, { pack }).finally(() => URL.revokeObjectURL(address));
  }

  /**
   * Runs the rules in a worker; ends when they can answer.
   * @param {string | URL} script @param {{ pack?: ArrayBuffer, address?: string }} source the pack, or where it is
   */
  async run(script, source) {
    const worker = new Worker(script, { type: "module" });
    this.worker = worker;
    await new Promise((resolve, reject) => {
      worker.addEventListener("error", (event) => reject(new Error(event.message || "the worker cannot start")));
      worker.addEventListener("message", ({ data }) => {
        if (data.ready) resolve(undefined);
        else if (data.number === undefined) reject(new Error(data.failed));
        else this.answered(data);
      });
      worker.postMessage({ source });
    });
    this.ready = true;
    document.documentElement.dataset.rules = "ready";
  }

  /** @param {{ number: number, text?: string, failed?: string }} answer */
  answered({ number, text, failed }) {
    const waiting = this.open.get(number);
    this.open.delete(number);
    if (text === undefined) waiting?.reject(new Error(failed));
    else waiting?.resolve(JSON.parse(text));
  }

  /**
   * The answer to a question (viewer/browser_app.py lists them); a refusal is an answer with a `problem`.
   * @param {string} name @param {object} question @param {number} patience in milliseconds @returns {Promise<any>}
   */
  ask(name, question, patience = PATIENCE) {
    return new Promise((resolve, reject) => {
      if (!this.worker) throw new Error("the rules are not here yet");
      const timer = setTimeout(() => {
        this.ready = false;
        reject(new Error("the rules do not answer"));
      }, patience);
      const number = ++this.asked;
      const end = (/** @type {(result: any) => void} */ act) => (/** @type {any} */ result) => {
        clearTimeout(timer);
        act(result);
      };
      this.open.set(number, { resolve: end(resolve), reject: end(reject) });
      this.worker.postMessage({ number, name, text: JSON.stringify(question) });
    });
  }

  /**
   * The same; what the rules refuse is an error.
   * @param {string} name @param {object} question @param {number} [patience] in milliseconds
   */
  async answer(name, question, patience) {
    const answer = await this.ask(name, question, patience);
    if (answer.problem) throw new Error(answer.problem);
    return answer;
  }
}

/** Milliseconds after which a page that is always busy goes on all the same. */
const BUSY = 10_000;

/** Waits until the page has nothing better to do. */
export const idle = () =>
  new Promise((resolve) =>
    "requestIdleCallback" in self ? requestIdleCallback(resolve, { timeout: BUSY }) : setTimeout(resolve, 500),
  );

/** A problem as lines. @param {{ problem: string, others: string[] }} answer */
export const linesOf = ({ problem, others }) => [problem, ...(others || [])];
