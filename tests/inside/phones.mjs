// Phones in one process: the pages' own modules, each phone with a disk, a memory and a network of its own.
// One phone acts at a time, and a step is over when all that it began is over.  All that chance decides in a browser
// comes from a seed here: ids, clocks, and which of several requests gets its answer first.
// @ts-check

import { chanceOf } from "./chance.mjs";
import { Disk, useDisks } from "./disks.mjs";

/** What no trial decides itself: ids, and the order of answers. */
let chance = chanceOf(1);
/** @param {number} seed of all that chance decides from now on */
export const beginAnew = (seed) => {
  chance = chanceOf(seed);
};

Object.defineProperty(globalThis, "crypto", {
  value: {
    getRandomValues: (/** @type {any} */ numbers) => {
      numbers.set(Array.from(numbers, () => Math.floor(chance() * 2 ** 32)));
      return numbers;
    },
  },
});
const RealDate = Date;
/** The clock of the phone that acts: it goes on by a millisecond whenever it is read. */
globalThis.Date = /** @type {any} */ (
  class extends RealDate {
    /** @param {any[]} args */
    constructor(...args) {
      if (args.length || !acting) super(.../** @type {[]} */ (args));
      else super((acting.clock += 1));
    }
  }
);
const nothing = () => undefined;
const root = {
  dataset: /** @type {any} */ ({}),
  classList: { add: nothing, remove: nothing, toggle: nothing, contains: () => false },
};
const element = () => ({ addEventListener: nothing, dataset: {}, textContent: "" });
Object.assign(globalThis, {
  // Nothing is drawn here: a step waits for what the page does after its frame, a timer later.
  requestAnimationFrame: (/** @type {() => void} */ act) => {
    act();
    acting?.later(new Promise((done) => realTimeout(done)));
  },
  addEventListener: nothing,
  document: {
    addEventListener: nothing,
    getElementById: element,
    querySelectorAll: () => [],
    body: { dataset: {} },
    documentElement: root,
  },
  self: globalThis,
  requestIdleCallback: (/** @type {() => void} */ act) => act(),
  history: { replaceState: nothing },
  location: { hash: "", pathname: "/r/", origin: "http://club" },
  localStorage: {
    getItem: (/** @type {string} */ name) => acting?.memory.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => acting?.memory.set(name, value),
  },
});
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });

const PAGES = "../../viewer/";
const { Again } = await import(`${PAGES}every_page/static/retry_and_follow.js`);
const { Unreadable } = await import(`${PAGES}in_browser/static/browser_database.js`);
const { Exchange } = await import(`${PAGES}phone/static/notebook/exchange.js`);
const { Notebook } = await import(`${PAGES}phone/static/notebook/notebook.js`);
const { open } = await import(`${PAGES}phone/static/entries/open_record.js`);
const { Views } = await import(`${PAGES}phone/static/entries/views.js`);
const { Writer } = await import(`${PAGES}phone/static/entries/keep_entries.js`);
const { undo } = await import(`${PAGES}phone/static/entries/undo.js`);
const { Recorder } = await import(`${PAGES}phone/static/recorder/recorder.js`);
const { Versions } = await import(`${PAGES}phone/static/recorder/two_phones.js`);

const realTimeout = setTimeout;
const realFetch = globalThis.fetch;
// What is tried again is tried by the next step.
Again.prototype.later = Again.prototype.after = nothing;
globalThis.setTimeout = /** @type {any} */ (
  (/** @type {any} */ act, /** @type {number} */ pause, /** @type {any[]} */ ...args) => {
    const timer = realTimeout(act, pause, ...args);
    timer.unref();
    return timer;
  }
);

/** The phone that acts now. @type {Phone | null} */
let acting = null;

useDisks(() => /** @type {Phone} */ (acting).disk);

export class Phone {
  /** @param {string} name @param {string} server the address of the ledger */
  constructor(name, server) {
    this.name = name;
    this.server = server;
    this.memory = new Map();
    /** Milliseconds: when it is for this phone. */
    this.clock = RealDate.UTC(2026, 10, 20, 19);
    this.disk = new Disk();
    /** What becomes of the next request: "", "cut", "lost", "hangs", or a status. */
    this.weather = () => /** @type {string | number} */ ("");
    /** Bytes that went out, by request. @type {{ path: string, bytes: number }[]} */
    this.sent = [];
    /** Whether the last request of this step was answered by the ledger. */
    this.heard = false;
    this.pending = /** @type {Promise<any>[]} */ ([]);
    /** The texts of notes that this phone showed as saved. */
    this.saved = new Set();
    /** What tells versions of the page apart. */
    this.program = "";
    this.tabs = [this.newTab(), this.newTab()];
    this.tab = 0;
  }

  /** A page, before a game is open in it. */
  newTab() {
    const notebook = new Notebook();
    const tab = /** @type {any} */ ({ notebook, recorder: null });
    tab.exchange = new Exchange(notebook, (/** @type {string} */ id, /** @type {any} */ heard) =>
      tab.recorder?.record === id ? tab.recorder.heard(heard) : undefined,
    );
    for (const name of ["soon", "run"]) {
      const act = tab.exchange[name];
      tab.exchange[name] = () => this.later(act.call(tab.exchange));
    }
    return tab;
  }

  /** The page loads again: all that is not on the disk is gone. */
  reload() {
    this.tabs[this.tab].recorder?.exchange.close();
    this.tabs[this.tab] = this.newTab();
  }

  get exchange() {
    return this.tabs[this.tab].exchange;
  }

  /** The page of the game that is open in this tab; null if there is none. */
  get recorder() {
    return this.tabs[this.tab].recorder;
  }

  /** Sends a request to the ledger. @param {string} path @param {any} options */
  async reach(path, options) {
    const answer = await realFetch(this.server + path, { ...options, signal: undefined });
    return { status: answer.status, body: await answer.text() };
  }

  /** What the step waits for. @param {Promise<any>} work */
  later(work) {
    const quiet = work.catch(nothing);
    this.pending.push(quiet);
    return quiet;
  }

  /** Does something as this phone, until all that it began is over. @template T @param {() => Promise<T>} act */
  async as(act) {
    acting = this;
    document.body.dataset.program = this.program;
    this.heard = false;
    const result = await act().catch((error) => {
      if (!(error instanceof Unreadable) && error.name !== "QuotaExceededError") throw error;
    });
    for (let work; (work = this.pending.shift());) await work;
    await this.disk.last;
    acting = null;
    return result;
  }

  /** Opens the page of a game. @param {string} record @param {string} key */
  open(record, key) {
    return this.as(() => {
      this.reload();
      return this.load(record, key);
    });
  }

  /** @param {string} record @param {string} key */
  async load(record, key) {
    const tab = this.tabs[this.tab];
    const one = Object.create(Recorder.prototype);
    tab.recorder = one;
    Object.assign(one, {
      ...{ record: "", log: null, edit: null, slots: new Map(), notebook: tab.notebook, exchange: tab.exchange },
      rules: { ready: false, reason: "", start: async () => false },
      redo: { quiet: nothing },
      dialogs: { say: nothing, lookBack: { forget: nothing } },
      changed: () => one.latest && one.versions.look(),
    });
    one.views = new Views(one);
    one.writer = new Writer(one);
    location.hash = key && `#${key}`;
    await open(one, record).catch((/** @type {any} */ error) => {
      tab.recorder = null;
      throw error;
    });
  }

  /** Whether somebody can enter something now. */
  get mayEnter() {
    return Boolean(this.recorder?.secret && this.recorder.latest);
  }

  /** @param {string} text */
  enter(text) {
    return this.as(() => this.recorder.writer.keep({ type: "note", text }));
  }

  /** Takes back the last entry if it is a note of this phone's; returns its text, "" if nothing was taken back. */
  takeBack() {
    return this.as(async () => {
      const { recorder } = this;
      const [seq] = recorder.latest.undo[0]?.seqs || [];
      const text = (seq && recorder.log.entries[seq]?.event.text) || "";
      if (!text.startsWith(this.name)) return "";
      const before = recorder.log.entries;
      await undo(recorder);
      recorder.redo.quiet();
      // A disk that failed keeps no correction, and a dialog says so.
      return recorder.log.entries === before ? "" : text;
    });
  }

  sync() {
    return this.as(async () => {
      await this.exchange.round();
      await this.exchange.soon();
    });
  }

  /** What the header says. */
  get words() {
    return this.recorder?.log ? this.recorder.words.word : "";
  }

  /** What this page has of the game that is open. */
  get log() {
    return this.recorder?.log;
  }

  /** The notes of this game that are shown as recorded. */
  get notes() {
    return this.log.entries
      .slice(0, this.log.acked)
      .filter((/** @type {any} */ { event }) => event.type === "note")
      .map((/** @type {any} */ { event }) => event.text);
  }
}

// A step is over when all that it began is over.
for (const [type, name] of [
  [Views, "show"],
  [Versions, "compare"],
]) {
  const act = type.prototype[name];
  type.prototype[name] = function () {
    return acting ? acting.later(act.call(this)) : act.call(this);
  };
}

const { settle, store } = Views.prototype;
Views.prototype.store = function () {
  if (acting) store.call(this);
};
Views.prototype.settle = function () {
  settle.call(this);
  this.store();
};

/** The requests on their way: what each does when its turn comes. @type {(() => Promise<void>)[]} */
const onTheirWay = [];
let answering = false;

/** Answers one request at a time, any of those on their way, when the phone has done all that it can do without. */
async function answer() {
  answering = true;
  while (onTheirWay.length) {
    await new Promise((resolve) => setImmediate(resolve));
    const [go] = onTheirWay.splice(Math.floor(chance() * onTheirWay.length), 1);
    await go();
  }
  answering = false;
}

/** A request of the phone that acts, through its network. @param {any} path @param {any} options */
globalThis.fetch = /** @type {any} */ (
  (/** @type {string} */ path, /** @type {any} */ options = {}) => {
    const phone = /** @type {Phone} */ (acting);
    return new Promise((resolve, reject) => {
      onTheirWay.push(() => exchange(phone, path, options).then(resolve, reject));
      if (!answering) answer();
    });
  }
);

/** @param {Phone} phone @param {string} path @param {any} options */
async function exchange(phone, path, options) {
  phone.heard = false;
  phone.sent.push({ path, bytes: path.length + (options.body?.length || 0) });
  const fate = phone.weather();
  if (fate === "cut") throw new TypeError("no network");
  if (fate === "hangs") throw new DOMException("too late", "TimeoutError");
  if (typeof fate === "number") return { status: fate, ok: false, json: async () => JSON.parse("<h1>sick</h1>") };
  const { status, body } = await phone.reach(path, options);
  if (fate === "lost") throw new TypeError("the answer was lost");
  phone.heard = true;
  phone.sent[phone.sent.length - 1].bytes += Buffer.byteLength(body);
  return { status, ok: status < 300, json: async () => JSON.parse(body) };
}

/** How many requests have no answer yet. */
export const countOpen = () => onTheirWay.length + Number(answering);

/** Lets this phone act from now on, without an end. @param {Phone} phone */
export const hand = (phone) => {
  acting = phone;
};

/** Orders something of the ledger's server. @param {string} server @param {any} order @returns {Promise<any>} */
export const control = async (server, order) =>
  (await realFetch(`${server}/control`, { method: "POST", body: JSON.stringify(order) })).json();

/** Begins a game in the ledger. @param {string} server @param {string} id @param {string} key */
export async function begin(server, id, key) {
  const players = ["Ana", "Ben", "Cy"].map((name, n) => ({ id: `p${n + 1}`, name }));
  const opening = { type: "open", game: "zigzag", players, when: "2026-11-20T19:00:00.000Z" };
  await realFetch(`${server}/api/v1/records`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ id, key, opening }),
  });
}
