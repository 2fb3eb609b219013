// A thumb that errs, on the page's own modules, and fast: nothing is drawn, and one process of Python is the ledger
// and the rules of the phone.  Standard output has the questions to it, a line of JSON each; standard input has the
// answers.
// Arguments: how many steps a game has, the first seed, the number of games.
// With SHOW in the environment, standard error tells of each game.
// @ts-check

import { createInterface } from "node:readline";
import { chanceOf } from "./chance.mjs";
import { beginAnew, countOpen, hand, Phone } from "./phones.mjs";

const nothing = () => undefined;
const [steps, first, count] = process.argv.slice(2).map(Number);

// ── Python ───────────────────────────────────────────────────────────────────────────────────────────────

/** Who waits for the next lines, in their order. @type {((answer: any) => void)[]} */
const waiting = [];
createInterface({ input: process.stdin }).on("line", (line) => waiting.shift()?.(JSON.parse(line)));

/** Asks Python. @param {any} question @returns {Promise<any>} */
function python(question) {
  process.stdout.write(`${JSON.stringify(question)}\n`);
  return new Promise((resolve) => waiting.push(resolve));
}

/** Waits until nothing goes on any more. */
async function quiet() {
  for (let idle = 0; idle < 4; idle += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (waiting.length || countOpen() || settling) idle = -1;
  }
}

// ── The page ─────────────────────────────────────────────────────────────────────────────────────────────

const element = () => ({
  addEventListener: nothing,
  querySelector: () => null,
  scrollIntoView: nothing,
  showModal: nothing,
  close: nothing,
  dataset: {},
  textContent: "",
  value: "",
});
document.getElementById = /** @type {any} */ (element);
Object.assign(globalThis, {
  self: globalThis,
  innerHeight: 640,
  scrollTo: nothing,
  history: { replaceState: nothing },
  requestAnimationFrame: (/** @type {() => void} */ act) => void setImmediate(act),
  requestIdleCallback: (/** @type {() => void} */ act) => void setImmediate(act),
});
const patient = setTimeout;
/** How many short pauses go on: the history of a browser settles soon. */
let settling = 0;
globalThis.setTimeout = /** @type {any} */ (
  (/** @type {any} */ act, /** @type {number} */ pause, /** @type {any[]} */ ...more) => {
    if (pause > 100) return patient(act, pause, ...more);
    settling += 1;
    return setImmediate(() => {
      settling -= 1;
      act(...more);
    });
  }
);

const RECORD = "../../viewer/phone/static/";
const { Notebook } = await import(`${RECORD}notebook/notebook.js`);
const { takeOnly } = await import(`${RECORD}recorder/number_pad.js`);
const { Pick } = await import(`${RECORD}recorder/next_entry.js`);
const { open } = await import(`${RECORD}entries/open_record.js`);
const { Recorder } = await import(`${RECORD}recorder/recorder.js`);
const { seen } = await import("./seen.mjs");

const rules = {
  ready: true,
  start: async () => true,
  ask: async (/** @type {string} */ name, /** @type {any} */ question) =>
    JSON.parse((await python({ ask: "rules", name, text: JSON.stringify(question) })).text),
};

class Sitting extends Phone {
  /** Entries that were made here, and those of them that were taken back before they left. @type {any[]} */
  made = [];
  undone = new Set();
  /** The question that is open. @type {{ yes: string, answer: (yes: boolean) => void } | null} */
  doubt = null;

  /** @override @param {string} path @param {any} options */
  reach(path, { method = "GET", headers = {}, body = "" } = {}) {
    return python({ ask: "ledger", path, method, headers, body });
  }

  /** @override @param {string} record @param {string} key */
  async load(record, key) {
    location.hash = key && `#${key}`;
    this.doubt = null;
    // The page before is gone: it does nothing more on the disk, and hears no answer.
    if (this.recorder) {
      this.exchange.close();
      Object.assign(this.recorder.notebook, { change: () => new Promise(nothing), get: () => new Promise(nothing) });
    }
    this.reload();
    const tab = this.tabs[this.tab];
    const one = new Recorder(/** @type {any} */ (rules), tab.notebook, tab.exchange);
    one.changed = ({ keep = false } = {}) => {
      if (!one.latest) return;
      one.versions.look();
      one.pick.update(keep);
      if (!keep) takeOnly(one);
    };
    one.dialogs.hint = nothing;
    one.dialogs.question = (_title, _body, yes) =>
      new Promise((resolve) => {
        this.doubt = { yes, answer: resolve };
      });
    one.dialogs.banners.mistakes.look = nothing;
    tab.recorder = one;
    await open(one, record);
    location.hash = "";
    await quiet();
  }
}

/** What was kept, and what of it was taken back without a trace: the disk hears of both. @param {Sitting} phone */
function listen(phone) {
  const { change } = Notebook.prototype;
  Notebook.prototype.change = async function (id, work) {
    let before = /** @type {any} */ (null);
    const result = await change.call(this, id, (/** @type {any} */ log) => work((before = log)));
    const [had, has] = [before, result.log].map(
      (log) => new Map(log?.entries.map((/** @type {any} */ one) => [one.id, one])),
    );
    for (const [own, entry] of has) if (!had.has(own) && !entry.link) phone.made.push(structuredClone(entry));
    for (const own of had.keys()) if (!has.has(own)) phone.undone.add(own);
    return result;
  };
  return () => Object.assign(Notebook.prototype, { change });
}

// ── The thumb ────────────────────────────────────────────────────────────────────────────────────────────

const PLAYS = ["ghost", "stack", "end", "bid", "rank", "tile", "key", "pass", "lift"];
const SLIPS = ["dim", "seat", "kind", "idle", "tile", "key", "held", "floor", "lift", "cancel"];
const STORMS = ["cut", "lost", "hangs", 502, 413];
let chance = chanceOf(1);
/** What was done, for a person who looks for a fault. @type {string[]} */
let log = [];
/** What was tapped last, and what that did. @type {{ name: string, tap: () => unknown } | null} */
let last = null;
let checks = 0;

/** @template T @param {T[]} list @returns {T} */
const any = (list) => list[Math.floor(chance() * list.length)];

/** Taps something of these groups, if there is any. @param {any} groups @param {string[]} names */
function tapOne(groups, names) {
  const all = names.flatMap((name) => (groups[name] || []).map((/** @type {() => unknown} */ tap) => ({ name, tap })));
  if (!all.length) return;
  const { name, tap } = any(all);
  log.push(name);
  last = { name, tap };
  tap();
}

/** Corrects some entry of the list: until that is open and closed again, all else has ended. @param {Sitting} phone */
async function correct(phone) {
  await quiet();
  const one = phone.recorder;
  const { edit, view, judged } = one;
  const seqs = phone.doubt || edit || view.closed ? [] : judged.moves.map((/** @type {any} */ { seq }) => seq);
  if (!seqs.length) return;
  const { moves } = one.dialogs;
  moves.opened = any(seqs);
  const mode = any(["retract", "retract", "amend", "insert", "earlier"]);
  const isFirst = moves.opened === one.judged.moves[0]?.seq;
  log.push(`${mode} ${moves.opened}`);
  moves.correct(mode === "earlier" && isFirst ? "retract" : mode);
  // Some tap on while the list closes.
  if (chance() < 0.7) await quiet();
}

/** One tap or slip. @param {Sitting} phone @param {{ id: string, key: string }} game @returns {Promise<void> | void} */
function step(phone, game) {
  const one = phone.recorder;
  const { doubt } = phone;
  if (doubt) {
    const yes = Boolean(doubt.yes) && chance() < 0.6;
    log.push(yes ? "yes" : "back");
    phone.doubt = null;
    doubt.answer(yes);
    return undefined;
  }
  const groups = seen(one, chance);
  const luck = chance();
  if (groups.resume) return tapOne(groups, ["resume", "undo"]);
  if (luck < 0.08) return tapOne(groups, ["undo"]);
  if (luck < 0.12) return tapOne(groups, ["redo"]);
  if (luck < 0.17) return correct(phone);
  if (luck < (phone.storm ? 0.29 : 0.21)) {
    const fate = phone.storm ? "" : any(STORMS);
    log.push(`network ${fate || "ok"}`);
    phone.storm = fate;
    return undefined;
  }
  if (luck < 0.25 && last && last.name !== "hand" && groups[last.name]?.length) {
    log.push("again");
    phone.clock -= 1000; // twice on the same spot
    return void last.tap();
  }
  if (luck < 0.26) {
    log.push("reload");
    last = null;
    return phone.load(game.id, "");
  }
  if (luck < 0.3 && groups.elsewhere) {
    tapOne(groups, ["elsewhere"]);
    return tapOne(seen(one, chance), ["floor"]);
  }
  if (luck < 0.38) return tapOne(groups, SLIPS);
  if (luck < 0.42) return tapOne(groups, ["called"]);
  const name = PLAYS.find((group) => groups[group]?.length) || "skip";
  // A hand is written down tile by tile, or not at all; here it is mostly one step.
  const way = one.prompt()?.many ? any(["hand", "hand", "rest", "skip", "skip", "done", name]) : name;
  if (way === "bid" && chance() < 0.3) return tapOne(groups, ["quick"]);
  return tapOne(groups, groups[way]?.length ? [way] : [name, "hand"]);
}

/** What is wrong with what the page says now; "" for nothing. @param {Sitting} phone @param {string} id */
async function difference(phone, id) {
  const one = phone.recorder;
  const { words } = phone;
  if (words !== "Saved" || !one.sure) {
    const { entries, acked, choice, aside } = one.log || {};
    const state = { acked, choice, aside, problem: one.views.problem, waits: entries?.slice(acked) };
    return `the page says ${words}, sure: ${one.sure}, ${JSON.stringify([state, one.contact])}`;
  }
  if (one.log.aside.length) return `put aside: ${JSON.stringify(one.log.aside)}`;
  const fresh = new Pick(one);
  fresh.skippedAfter = one.pick.skippedAfter;
  if (!one.edit && !one.pick.byHand) {
    fresh.choose();
    for (const name of /** @type {const} */ (["player", "kind"]))
      if (fresh[name] !== one.pick[name]) return `the page expects ${one.pick[name]}, not ${fresh[name]}`;
  }
  const entries = phone.made
    .filter((entry) => !phone.undone.has(entry.id))
    .map(({ event }) => [event.type, event.when]);
  const { latest: view } = one;
  return (await python({ ask: "truth", id, entries, view, total: one.upto })).wrong;
}

/** @param {Sitting} phone @param {{ id: string, key: string }} game @param {string} where */
async function check(phone, { id }, where) {
  await quiet();
  if (phone.doubt || phone.storm) return;
  let wrong = "";
  for (let round = 0; round < 6; round += 1) {
    wrong = await difference(phone, id);
    if (!wrong) return void (checks += 1);
    await phone.exchange.soon();
    await phone.recorder.views.show();
    await quiet();
  }
  throw new Error(`${where}: ${wrong} after ${log.join("; ")}`);
}

/** @param {number} seed */
async function play(seed) {
  beginAnew(seed);
  chance = chanceOf(seed);
  [log, last] = [[], null];
  const game = await python({ ask: "begin", seed });
  const phone = new Sitting("thumb", "");
  hand(phone);
  Object.defineProperty(globalThis, "navigator", {
    get: () => ({ onLine: phone.storm !== "cut" }),
    configurable: true,
  });
  phone.storm = "";
  phone.weather = () => phone.storm;
  const end = listen(phone);
  try {
    await phone.load(game.id, game.key);
    for (let at = 0; at < steps; at += 1) {
      phone.clock += 1000;
      await step(phone, game);
      // A fast thumb does not wait for what the last tap began.
      if (chance() < 0.3) for (let turn = 0; turn < 3 * chance(); turn += 1) await new Promise(setImmediate);
      else await check(phone, game, `seed ${seed}, step ${at}`);
    }
    phone.storm = "";
    if (phone.doubt) phone.doubt.answer(false);
    phone.doubt = null;
    await check(phone, game, `seed ${seed}, at the end`);
    if (process.env.SHOW)
      process.stderr.write(
        `${seed}: ${phone.recorder.upto} entries, ${phone.undone.size} undone, ${checks} checks, ${log.join("; ")}\n`,
      );
  } finally {
    end();
  }
}

const wrongs = /** @type {string[]} */ ([]);
process.on("unhandledRejection", (error) =>
  wrongs.push(`${/** @type {any} */ (error)?.stack} after ${log.join("; ")}`),
);
for (let seed = first; seed < first + count; seed += 1)
  await play(seed).catch((error) =>
    wrongs.push(
      error.message.startsWith("seed") ? error.message : `seed ${seed}: ${error.stack} after ${log.join("; ")}`,
    ),
  );
await python({ ask: "end", wrongs });
process.exit(0);
