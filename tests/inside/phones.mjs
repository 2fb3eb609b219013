// Phones in one process: the pages' own modules, each phone with a disk, a memory and a network of its own.
// One phone acts at a time, and a step is over when all that it began is over.
// @ts-check

import { webcrypto } from "node:crypto";

globalThis.crypto ??= /** @type {any} */ (webcrypto);
const nothing = () => undefined;
const root = { dataset: /** @type {any} */ ({}), classList: { toggle: nothing, contains: () => false } };
const element = () => ({ addEventListener: nothing, dataset: {}, textContent: "" });
Object.assign(globalThis, {
  addEventListener: nothing,
  document: {
    addEventListener: nothing,
    getElementById: element,
    querySelectorAll: () => [],
    body: { dataset: {} },
    documentElement: root,
  },
  location: { hash: "", pathname: "/r/", origin: "http://club" },
  IDBKeyRange: { bound: (/** @type {string} */ low, /** @type {string} */ high) => ({ low, high }) },
  localStorage: {
    getItem: (/** @type {string} */ name) => acting?.memory.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => acting?.memory.set(name, value),
  },
});
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });

const PAGES = "../../viewer/static/";
const { Again } = await import(`${PAGES}again.js`);
const { Database, Unreadable } = await import(`${PAGES}database.js`);
const { Contact } = await import(`${PAGES}local/contact.js`);
const { HeldGames } = await import(`${PAGES}local/held.js`);
const { Ledger } = await import(`${PAGES}record/server_ledger.js`);
const { Outbox } = await import(`${PAGES}record/outbox.js`);
const { Post } = await import(`${PAGES}record/send_entries.js`);
const { Recorder } = await import(`${PAGES}record/recorder.js`);
const { Redo } = await import(`${PAGES}record/redo.js`);
const { syncState } = await import(`${PAGES}record/sync.js`);
const { Witness } = await import(`${PAGES}record/witness.js`);

const realTimeout = setTimeout;
const realFetch = globalThis.fetch;
Again.prototype.later = nothing; // what is tried again is tried by the next step
globalThis.setTimeout = /** @type {any} */ (
  (/** @type {any} */ act, /** @type {number} */ pause, /** @type {any[]} */ ...args) => {
    const timer = realTimeout(act, pause, ...args);
    timer.unref();
    return timer;
  }
);

/** The phone that acts now. @type {Phone | null} */
let acting = null;

/** A request that has its result soon. @param {any} result */
function request(result) {
  const one = /** @type {any} */ ({ result: structuredClone(result) });
  queueMicrotask(() => one.onsuccess?.());
  return one;
}

/** A store on a disk. @param {Map<any, any>} rows @param {boolean} numbered whether it gives the keys itself */
const store = (rows, numbered) => {
  const all = (/** @type {any} */ range) =>
    [...rows]
      .filter(([key]) => !range || (range.low ? key >= range.low && key <= range.high : key === range))
      .map(([, value]) => value);
  const put = (/** @type {any} */ value) => {
    const copy = structuredClone(value);
    const key = numbered ? (copy.key ??= Math.max(0, ...rows.keys()) + 1) : copy.id;
    rows.set(key, copy);
    return request(key);
  };
  const of = (/** @type {string} */ record) => [...rows.values()].filter((row) => row.record === record);
  return {
    put,
    add: put,
    get: (/** @type {any} */ key) => request(rows.get(key)),
    delete: (/** @type {any} */ key) => request(void rows.delete(key)),
    clear: () => request(void rows.clear()),
    getAll: (/** @type {any} */ range) => request(all(range)),
    index: () => ({
      getAll: (/** @type {string} */ record) => request(of(record)),
      getAllKeys: (/** @type {string} */ record) => request(of(record).map(({ key }) => key)),
    }),
  };
};

Database.prototype.within = function (
  /** @type {string[]} */ names,
  /** @type {string} */ mode,
  /** @type {any} */ work,
) {
  const phone = /** @type {Phone} */ (acting);
  const turn = phone.disk.last.then(async () => {
    const fate = phone.diskFate();
    if (fate === "closed") throw new Unreadable(new Error("the connection was lost"));
    if (fate === "full" && mode === "readwrite") throw new DOMException("no room", "QuotaExceededError");
    const rows = names.map((name) => {
      const key = `${this.name}/${name}`;
      if (!phone.disk.stores.has(key)) phone.disk.stores.set(key, new Map());
      return /** @type {Map<any, any>} */ (phone.disk.stores.get(key));
    });
    const before = rows.map((one) => new Map(one));
    try {
      return await work(...rows.map((one, n) => store(one, ["entries", "tails"].includes(names[n]))));
    } catch (error) {
      rows.forEach((one, n) => {
        one.clear();
        for (const [key, value] of before[n]) one.set(key, value);
      });
      throw error;
    }
  });
  phone.disk.last = turn.then(nothing, nothing);
  return turn;
};

export class Phone {
  /** @param {string} name @param {string} server the address of the ledger */
  constructor(name, server) {
    this.name = name;
    this.server = server;
    this.memory = new Map();
    this.disk = { stores: new Map(), last: Promise.resolve() };
    /** What becomes of the next request: "", "cut", "lost", "hangs", or a status. */
    this.weather = () => /** @type {string | number} */ ("");
    /** What becomes of the next transaction: "", "closed", "full". */
    this.diskFate = () => "";
    /** Bytes that went out, by request. @type {{ path: string, bytes: number }[]} */
    this.sent = [];
    /** Whether the last request of this step was answered by the ledger. */
    this.heard = false;
    this.pending = /** @type {Promise<any>[]} */ ([]);
    /** The texts of notes that this phone showed as saved. */
    this.saved = new Set();
    this.reload();
  }

  /** The page is loaded again: all that is not on the disk is gone. */
  reload() {
    this.recorder = /** @type {any} */ (null);
    this.contact = new Contact(new HeldGames(), (/** @type {string[]} */ ids) => {
      if (this.recorder && ids.includes(this.recorder.record)) this.later(this.recorder.handedBack());
    });
  }

  /** What the step waits for. @param {Promise<any>} work */
  later(work) {
    this.pending.push(work.catch(nothing));
  }

  /** Does something as this phone, until all that it began is over. @template T @param {() => Promise<T>} act */
  async as(act) {
    acting = this;
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
    return this.as(async () => {
      this.reload();
      const one = Object.create(Recorder.prototype);
      Object.assign(one, {
        record,
        queue: [],
        screen: null,
        secret: "",
        refused: "",
        delay: "",
        slots: new Map(),
        writing: Promise.resolve([]),
        rules: { ready: false, start: async () => false },
        outbox: new Outbox(record),
        pick: { clear: nothing },
        placing: {},
        ahead: { events: [] },
        changed: nothing,
        catchUp: async () => undefined,
      });
      one.redo = new Redo(one);
      one.witness = new Witness(record, one.outbox);
      one.ledger = new Ledger(record, () => one.secret, one.rules, one.outbox);
      one.post = new Post(one.outbox, one);
      const { post } = one;
      const { soon } = post;
      post.soon = () => this.later(soon.call(post));
      one.handBack = () => {
        const done = this.contact.handBack(record);
        this.later(done);
        return done;
      };
      one.dialogs = {
        say: nothing,
        banners: {},
        overtaken: (/** @type {any} */ problem) => this.later(overtaken(one, problem)),
      };
      this.recorder = one;
      one.secret = await one.outbox.key(key);
      one.queue.push(...(await one.outbox.all()));
      await one.witness.open();
      one.screen = (await one.outbox.screen()) || null;
      await one.refresh();
      await post.flush();
    });
  }

  /** @param {string} text */
  enter(text) {
    return this.as(() => this.recorder.keep({ type: "note", text }));
  }

  sync() {
    return this.as(async () => {
      await this.contact.start();
      if (!this.recorder) return;
      await this.recorder.refresh();
      await this.recorder.post.flush();
    });
  }

  /** What the header says. */
  get words() {
    return this.recorder?.screen ? syncState(this.recorder).words : "";
  }

  /** The notes of this game that are shown as recorded. */
  get notes() {
    return this.recorder.screen.moves
      .filter((/** @type {any} */ { event }) => event.type === "note")
      .map((/** @type {any} */ { event }) => event.text);
  }
}

/** Another phone was first: what was entered here is recorded after it. @param {any} one @param {any} problem */
async function overtaken(one, problem) {
  // If the ledger has less than this phone saw, a person waits until that is there again.
  if (problem.version < (one.screen?.version || 0)) {
    one.dialogs.banners.conflict = problem;
    return;
  }
  await one.post.rebase(problem.version, []);
  one.post.stopped = false;
  await one.refresh();
  await one.post.flush();
}

/** A request of the phone that acts, through its network. @param {any} path @param {any} options */
globalThis.fetch = /** @type {any} */ (
  async (/** @type {string} */ path, /** @type {any} */ options = {}) => {
    const phone = /** @type {Phone} */ (acting);
    phone.heard = false;
    phone.sent.push({ path, bytes: path.length + (options.body?.length || 0) });
    const fate = phone.weather();
    if (fate === "cut") throw new TypeError("no network");
    if (fate === "hangs") throw new DOMException("too late", "AbortError");
    if (typeof fate === "number") return new Response("<h1>sick</h1>", { status: fate });
    const answer = await realFetch(phone.server + path, { ...options, signal: undefined });
    const body = await answer.arrayBuffer();
    if (fate === "lost") throw new TypeError("the answer was lost");
    phone.heard = true;
    phone.sent[phone.sent.length - 1].bytes += body.byteLength;
    return new Response(answer.status === 204 ? null : body, answer);
  }
);

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
