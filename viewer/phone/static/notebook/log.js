// One log a game: what this phone has of it, the first `acked` entries as the ledger has them.
// All functions are pure: a log goes in, another comes out.  The store calls them in one transaction each.

/**
 * An entry.  `id` is the phone's own, the link of the event where no phone made it, the record's for the opening.
 * `link`: its link in the ledger; `of`: the id of the entry that it corrects, while it waits; `sent`: a request with it
 * has left this phone; `was`: the link that a ledger once gave it; `blind`: nobody knew whose turn it was;
 * `compared`: people have compared it with what others recorded.
 * @typedef {{ id: string, event: any, link?: string, of?: string, sent?: boolean, was?: string, why?: string,
 *   blind?: boolean, compared?: boolean }} Entry
 */
/** What proves the first events to a ledger of the same owner. @typedef {{ version: number }} Seal */
/**
 * `choice`: ids of what others recorded while something waited here; null if there is nothing to choose.  `aside`: what
 * is not recorded, with the reason.  `asked`, `answered`: numbers of questions.  `heard`: when the ledger last
 * answered.  `names`: a digest of the names in the ledger.  `locked`: the key does not record there.  `waits`: only the
 * owner of a ledger that was lost can take it in.  `taken`: the ledger has another game of this id.  `from`: where
 * what might have been branches off, as the record format says it; `back`: the address of the real game.  `redo`:
 * what Undo took back.
 * @typedef {{ id: string, key: string, ledger: string, names: string, acked: number, entries: Entry[],
 *   aside: Entry[], choice: string[] | null, asked: number, answered: number, heard: number, locked: boolean,
 *   waits?: boolean, taken: boolean, from?: { record: string, seq: number, link: string }, back?: string,
 *   seal?: Seal | null, title?: string, touched?: string, redo?: import("../entries/undo.js").Step[] }} Log
 */
/**
 * @typedef {{ n: number, id: string, key: string, have: { from: number, link: string, names: string },
 *   add: { id: string, event: any, link?: string }[], seal?: Seal, sealed: number }} Question  `n`: its number on this
 *   phone; `sealed`: a seal of more events than these is wanted
 * @typedef {{ version: number, from: number, after: string, events: Entry[], names: string, opens: boolean,
 *   refused?: { id: string, why: string } | null, seal?: Seal | null, taken?: string, waits?: boolean }} Answer
 *   `events` follow the first `from`; `after` is the link there; `taken`: the id that the ledger gave the game
 */

export const AT_ONCE = 200;
/** The most events of a record. */
const MOST = 20_000;
/** So many events more are worth a new seal. */
const SEALED_AGAIN = 20;
export const CHOSEN = "the other version was chosen";

/** @param {string} id @param {string} key @param {any} [opening] of a game that begins here @returns {Log} */
export const newLog = (id, key, opening) => ({
  id,
  key,
  ledger: "",
  names: "",
  acked: 0,
  entries: opening ? [{ id, event: opening }] : [],
  aside: [],
  choice: null,
  asked: 0,
  answered: 0,
  heard: 0,
  locked: false,
  taken: false,
});

/** What the ledger has not acknowledged. @param {Log} log */
export const waiting = (log) => log.entries.slice(log.acked);

/** An event without what the chain leaves out, and without its time. @param {any} event @returns {string} */
export const essence = (event) =>
  JSON.stringify(event, (name, value) => {
    if (["when", "by", "recorder", "name", "of"].includes(name)) return undefined;
    return value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  });

/** The event as the ledger takes it: a correction names its target by seq. @param {Log} log @param {Entry} entry */
function numbered(log, { event, of }) {
  if (!of) return event;
  const seq = log.entries.findIndex(({ id }) => id === of);
  if (seq < 0) return event;
  return event.type === "insert" ? { ...event, before: seq } : { ...event, seq };
}

/** The id of the event of that seq. @param {Log} log @param {number} seq */
export const idAt = (log, seq) => log.entries[seq]?.id;

/** The id of the entry that one corrects. @param {Log} log @param {Entry} entry */
export const correctedId = (log, { event, of }) => of || named(log, event).of;

/** All events in order, for the rules. @param {Log} log */
export const events = (log) => log.entries.map((entry) => numbered(log, entry));

/**
 * Adds an entry, once; `of` is the id of the one that it corrects, which must be here.
 * @param {Log} log @param {Entry} entry @returns {Log}
 */
export function append(log, { id, event, of, blind }) {
  const ids = log.entries.map((one) => one.id);
  if (ids.includes(id) || (of && !ids.includes(of))) return log;
  return { ...log, entries: [...log.entries, { id, event, ...(of ? { of } : {}), ...(blind ? { blind } : {}) }] };
}

/** These ids, and those of what waits and corrects one of them. @param {Log} log @param {string[]} ids */
function withCorrections(log, ids) {
  const all = new Set(ids);
  for (const { id, of } of waiting(log)) if (of && all.has(of)) all.add(id);
  return all;
}

/** Whether none of these can have left this phone. @param {Log} log @param {string[]} ids */
export function isOnlyHere(log, ids) {
  const all = withCorrections(log, ids);
  return log.entries.every(({ id, sent }, n) => !all.has(id) || (n >= log.acked && !sent));
}

/**
 * Takes back entries: without a trace while none can have left this phone, else by corrections.
 * @param {Log} log @param {string[]} ids @param {Entry[]} corrections @returns {Log}
 */
export function takeBack(log, ids, corrections) {
  if (!isOnlyHere(log, ids)) return corrections.reduce(append, log);
  const gone = withCorrections(log, ids);
  return settled({ ...log, entries: log.entries.filter((one) => !gone.has(one.id)) });
}

/**
 * A question to the ledger: what waits goes along, unless people must choose first.
 * @param {Log} log @param {boolean} [all] asks for the whole record @param {number} [most] entries at once
 * @returns {{ log: Log, question: Question }}
 */
export function ask(log, all = false, most = AT_ONCE) {
  const last = all ? undefined : log.entries[log.acked - 1];
  const version = last ? log.acked : 0;
  const { seal } = log;
  const covered = seal?.version || 0;
  const isLost = Boolean(seal) && !log.acked && log.entries.length >= covered;
  const isQuiet = log.choice || log.taken || !(log.key || isLost) || (all && log.acked);
  const first = isQuiet ? [] : waiting(log).slice(0, isLost ? Math.max(log.key ? most : 0, covered) : most);
  const isOver = ["close", "confirm"].includes(last?.event.type);
  const ids = new Set(first.map(({ id }) => id));
  const question = {
    n: log.asked + 1,
    id: log.id,
    key: log.key,
    have: { from: version, link: last?.link || "", names: log.names },
    add: first.map((entry) => ({
      id: entry.id,
      event: numbered(log, entry),
      ...(entry.was ? { link: entry.was } : {}),
    })),
    ...(isLost && first.length && seal ? { seal } : {}),
    sealed: log.acked - covered >= (isOver || !covered ? 1 : SEALED_AGAIN) ? covered : MOST,
  };
  const entries = log.entries.map((entry) => (ids.has(entry.id) && !entry.sent ? { ...entry, sent: true } : entry));
  return { log: { ...log, asked: question.n, entries }, question };
}

/** Without a choice that nobody has to make any more. @param {Log} log @returns {Log} */
function settled(log) {
  const recorded = new Set(log.entries.slice(0, log.acked).map(({ id }) => id));
  const news = (log.choice || []).filter((id) => recorded.has(id));
  if (news.length && log.entries.length > log.acked) return { ...log, choice: news };
  const entries = log.entries.map((entry) => (entry.compared ? { ...entry, compared: undefined } : entry));
  return { ...log, choice: null, entries };
}

/** Puts entries aside, and what corrects them. @param {Log} log @param {string[]} ids @param {string} why */
export function putAside(log, ids, why) {
  const gone = withCorrections(log, ids);
  const aside = waiting(log)
    .filter(({ id }) => gone.has(id))
    .map((entry) => ({ ...entry, why: ids.includes(entry.id) ? why : "the entry that it corrects is not recorded" }));
  const entries = log.entries.filter(({ id }, n) => n < log.acked || !gone.has(id));
  return settled({ ...log, entries, aside: [...log.aside, ...aside] });
}

/** What an entry of the ledger said at first, and after each amendment. @param {Log} log @param {Entry} entry */
const versions = (log, { id, event }) => {
  const amendments = log.entries.filter((one) => one.event.type === "amend" && log.entries[one.event.seq]?.id === id);
  return [event, ...amendments.map((one) => one.event.event)];
};

/**
 * Whether the ledger's entry says the same as this phone's, or did before it was amended.
 * @param {Log} log @param {Entry} theirs @param {Entry} mine
 */
const isTwin = (log, theirs, mine) =>
  !mine.of && versions(log, theirs).some((event) => essence(event) === essence(mine.event));

/** Without an entry that others have recorded, too; what corrects it corrects theirs.
 * @param {Log} log @param {string} mine @param {string} theirs @returns {Log} */
function joined(log, mine, theirs) {
  const entries = log.entries.filter(({ id }) => id !== mine);
  return { ...log, entries: entries.map((entry) => (entry.of === mine ? { ...entry, of: theirs } : entry)) };
}

/** The names of people in an event. @param {any} event @returns {string[]} */
const namesIn = ({ by, recorder, players = [] }) =>
  [by, recorder, ...players.map((/** @type {any} */ one) => one.name)].filter(Boolean);

/** @param {Entry[]} entries */
const allNamesIn = (entries) => new Set(entries.flatMap(({ event }) => namesIn(event)));

/** Entries without the names that the ledger has forgotten. @param {Entry[]} entries @param {Set<string>} gone */
const nameless = (entries, gone) =>
  entries.map((entry) => {
    if (!namesIn(entry.event).some((name) => gone.has(name))) return entry;
    const event = { ...entry.event };
    for (const field of ["by", "recorder"]) if (gone.has(event[field])) delete event[field];
    event.players &&= event.players.map((/** @type {any} */ { name, ...rest }) =>
      gone.has(name) ? rest : { ...rest, name },
    );
    return { ...entry, event };
  });

/**
 * What an answer makes of a log.  The first entries become what the ledger has, in its order; what it has not waits
 * after them.  `again`: ask again, `all`: for the whole record, because the answer does not join what is here.
 * `twins`: acts that others have recorded, too.
 * @param {Log} log @param {Question} question @param {Answer} answer @param {number} now
 * @returns {{ log: Log, news: Entry[], twins: Entry[], again: boolean, all: boolean }}
 */
export function merge(log, question, answer, now) {
  const { from, after, events: added, names, opens, refused } = answer;
  const nothing = { news: [], twins: [], again: false, all: false };
  // An answer to an older question says nothing new.
  if (question.n <= log.answered) return { ...nothing, log };
  // A ledger that was lost gives a game that begins an id of its own.
  if (answer.taken) return { ...nothing, log: { ...log, asked: Math.max(log.asked, question.n), taken: true } };
  const known = log.entries.slice(0, from);
  if (from && known[from - 1]?.link !== after) return { ...nothing, log, again: true, all: true };
  const here = new Map(log.entries.map((entry) => [entry.id, entry]));
  const blind = (/** @type {string} */ id) => (here.get(id)?.blind ? { blind: true } : {});
  const record = [...known, ...added.map(({ id, event, link }) => ({ id, event, link, ...blind(id) }))];
  const [mine] = log.entries;
  const asked = Math.max(log.asked, question.n);
  // A game that this key opens is this one, even if its ledger says more about it.
  if (!opens && record.length && mine?.event.type === "open" && essence(record[0].event) !== essence(mine.event))
    return { ...nothing, log: { ...log, asked, answered: question.n, taken: true } };
  const theirs = new Set(record.map(({ id }) => id));
  const news = added.filter(({ id }) => !here.has(id));
  const left = log.entries
    .map((entry, n) => (n < log.acked ? { ...back(log, entry), sent: true, was: entry.link } : entry))
    .filter(({ id }) => !theirs.has(id));
  let next = /** @type {Log} */ ({
    ...log,
    taken: false,
    locked: Boolean(log.key) && !opens,
    waits: answer.waits,
    names,
    asked,
    answered: question.n,
    heard: now,
    acked: record.length,
    entries: [...record, ...left],
    seal: answer.seal || log.seal,
    choice: log.key ? [...(log.choice || []), ...news.map(({ id }) => id)] : null,
  });
  if (log.names && names && names !== log.names) {
    const gone = allNamesIn(log.entries);
    for (const name of allNamesIn(record)) gone.delete(name);
    next = { ...next, entries: [...record, ...nameless(left, gone)], aside: nameless(log.aside, gone) };
  }
  const twins = [];
  // Equal acts vanish, from the first on.
  for (const one of news) {
    const [first] = waiting(next);
    if (!first || !isTwin(next, one, first)) continue;
    next = { ...joined(next, first.id, one.id), choice: (next.choice || []).filter((id) => id !== one.id) };
    twins.push(first);
  }
  next = settled(next);
  if (refused) next = putAside(next, [refused.id], refused.why);
  const isBack = Boolean(next.seal) && !next.acked;
  const isStuck = (!(opens && next.key) && !isBack) || next.choice;
  return { log: next, news, twins, again: !isStuck && waiting(next).length > 0, all: false };
}

/**
 * An entry that a ledger had, as it waits: a correction names its target by id.
 * @param {Log} log @param {Entry} entry
 */
const back = (log, { id, event, blind }) => ({ id, ...named(log, event), ...(blind ? { blind } : {}) });

/**
 * An event with the id of the one that it corrects in place of its seq.
 * @param {Log} log @param {any} event @returns {{ event: any, of?: string }}
 */
export function named(log, event) {
  const { type, seq, before } = event;
  const target = type === "insert" ? before : ["retract", "amend"].includes(type) ? seq : undefined;
  const of = target === undefined ? undefined : idAt(log, target);
  return of ? { event, of } : { event };
}

/**
 * Compares what waits with what others recorded, as far as nobody has to choose.  `pair`: the next two acts for a turn.
 * @param {Log} log @param {(event: any) => boolean} isAct whether that is something that a player does at a turn
 * @returns {{ log: Log, pair: { theirs: Entry, mine: Entry } | null, twins: Entry[] }}
 */
export function compare(log, isAct) {
  const entries = new Map(log.entries.map((entry) => [entry.id, entry]));
  const at = (/** @type {string} */ id) => /** @type {Entry} */ (entries.get(id));
  const now = (/** @type {string} */ id) => ({ ...at(id), event: versions(log, at(id)).pop() });
  const deleted = new Set(
    (log.choice || []).map((id) => at(id)?.event.type === "retract" && log.entries[at(id).event.seq]?.id),
  );
  let left = (log.choice || []).filter((id) => entries.has(id) && !deleted.has(id));
  const takenBack = new Set(waiting(log).map(({ event, of }) => event.type === "retract" && of));
  const twins = /** @type {Entry[]} */ ([]);
  let next = log;
  const mine = log.choice ? waiting(log).filter(({ compared }) => !compared) : [];
  for (const one of mine) {
    const same = left.find((id) => isTwin(log, at(id), one));
    if (!same) continue;
    next = joined(next, one.id, same);
    left = left.filter((id) => id !== same);
    twins.push(one);
  }
  for (const one of mine.filter((one) => !twins.includes(one))) {
    while (left.length && !isAct(at(left[0]).event)) left = left.slice(1);
    if (left.length && isAct(one.event) && !takenBack.has(one.id))
      return { log: { ...next, choice: left }, pair: { theirs: now(left[0]), mine: one }, twins };
  }
  return { log: settled({ ...next, choice: null }), pair: null, twins };
}

/**
 * What people chose of a pair: only `theirs`, only `mine`, which amends theirs, or `both`.
 * @param {Log} log @param {"theirs" | "both" | "mine"} what @param {string} theirs @param {string} mine their ids
 * @param {string} newId of the correction @returns {Log}
 */
export function decide(log, what, theirs, mine, newId) {
  const open = { ...log, choice: (log.choice || []).filter((id) => id !== theirs) };
  const change = (/** @type {Entry} */ entry) => {
    if (entry.id !== mine) return entry;
    if (what === "both") return { ...entry, compared: true };
    const { when, by, ...event } = entry.event;
    const amend = { type: "amend", event, why: CHOSEN, when, ...(by ? { by } : {}) };
    return { id: newId, of: theirs, event: amend, compared: true };
  };
  if (what === "theirs") return { ...putAside(open, [mine], CHOSEN), choice: open.choice };
  const next = { ...open, entries: open.entries.map(change) };
  return what === "mine" ? joined(next, mine, theirs) : next;
}

/** A game whose id another one has gets a new one; no ledger has it yet. @param {Log} log @param {string} id */
export const renamed = (log, id) => ({
  ...log,
  id,
  taken: false,
  answered: log.asked,
  entries: log.entries.map((entry, n) => ({ ...entry, id: n ? entry.id : id, sent: false })),
});

/**
 * What might have been after a move of another game.  Its first events stay as they are, as those that were sent do:
 * an Undo of them is a correction.
 * @param {string} id @param {{ events: any[], from: Log["from"] }} record as the rules make it
 * @param {string} back see `Log` @returns {Log}
 */
export const branch = (id, { events, from }, back) => ({
  ...newLog(id, ""),
  from,
  back,
  entries: events.map((event, n) => ({ id: n ? `${n}` : id, event, sent: true })),
});
