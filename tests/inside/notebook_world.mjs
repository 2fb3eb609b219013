// A ledger, phones with several tabs each, and a network between them that loses, doubles and delays; all from a seed.
import { createHash } from "node:crypto";
import {
  append,
  ask,
  compare,
  decide,
  essence,
  merge,
  newLog,
  renamed,
  takeBack,
  waiting,
} from "../../viewer/phone/static/notebook/log.js";
import { NEVER } from "../../viewer/phone/static/notebook/words.js";

/** The ledger: append-only records, each with ids and links; its disk may be lost or be replaced by an older one. */
export class Ledger {
  records = new Map(); // id -> { key, names, entries }
  /** Whether it refuses an event. @type {(event: any, record: any[]) => string} */
  refuses = (event) => (event.type === "unknown" ? "the game has no such act" : "");
  backup() {
    return structuredClone(this.records);
  }
  link(before, event) {
    // As the real chain: with the time of recording, without names.
    return createHash("sha256")
      .update(before + essence(event) + event.when)
      .digest("hex");
  }
  at(entries, version) {
    return version ? entries[version - 1]?.link : "";
  }
  answer({ id, key, have, add }) {
    let record = this.records.get(id);
    let refused;
    if (!record && key && add[0]?.event.type === "open")
      this.records.set(id, (record = { key, names: "a", entries: [] }));
    if (!record) return { version: 0, from: 0, after: "", events: [], names: "", opens: Boolean(key) };
    const { entries } = record;
    const opens = key === record.key;
    if (opens && this.at(entries, have.from) === have.link) {
      let place = have.from;
      for (const { id: own, event } of add) {
        const known = entries.findIndex((one) => one.id === own);
        if (known === place) place += 1;
        if (known >= 0) continue;
        if (place !== entries.length) break; // others were first: people choose
        const why = this.refuses(event, entries) || this.unfitting(event, entries);
        if (why) {
          refused = { id: own, why };
          break;
        }
        entries.push({ id: own, event: structuredClone(event), link: this.link(this.at(entries, place), event) });
        place += 1;
      }
    }
    // What follows the place that both have; all of it where they have none in common, or names have changed.
    const isSame = have.from <= entries.length && this.at(entries, have.from) === have.link;
    const isLess = have.from > entries.length;
    const from = have.names && have.names !== record.names ? 0 : isSame ? have.from : isLess ? entries.length : 0;
    const events = structuredClone(entries.slice(from));
    return {
      version: entries.length,
      from,
      after: this.at(entries, from),
      events,
      names: record.names,
      opens,
      refused,
    };
  }
  unfitting(event, entries) {
    const seq = event.seq ?? event.before;
    if (seq === undefined) return "";
    if (seq < 0 || seq >= entries.length) return "it corrects nothing";
    return entries.some((one) => one.event.type === "retract" && one.event.seq === seq) ? "it is deleted already" : "";
  }
  /** The texts that stand. */
  standing(id) {
    const { entries } = this.records.get(id) || { entries: [] };
    const gone = new Set(entries.filter(({ event }) => event.type === "retract").map(({ event }) => event.seq));
    return entries
      .filter((_, seq) => !gone.has(seq))
      .map(({ event }) => event.text)
      .filter(Boolean);
  }
}

/** One phone: a disk with the logs, and tabs that share it.  Every change is one transaction: it reads, and writes. */
export class Phone {
  constructor(name, newId) {
    Object.assign(this, {
      name,
      newId,
      logs: new Map(),
      instead: new Map(),
      contact: { trouble: "", reason: "", since: "", fault: "", heard: NEVER },
    });
  }
  change(id, work) {
    const before = this.logs.get(id);
    const { log, ...rest } = work(structuredClone(before));
    this.logs.set(id, log); // one transaction, strict; only rows that differ are written
    return rest;
  }
  open(id, key, opening) {
    if (!this.logs.has(id)) this.logs.set(id, newLog(id, key, opening));
  }
  enter(id, event, of = undefined) {
    const own = this.newId();
    this.change(id, (log) => ({ log: append(log, { id: own, event, of }) }));
    return own;
  }
  undo(id, own) {
    const back = { id: this.newId(), of: own, event: { type: "retract", why: "taken back at once" } };
    this.change(id, (log) => ({ log: takeBack(log, [own], [back]) }));
  }
  /** Chooses the same of every pair. */
  choose(id, what) {
    this.change(id, (log) => {
      for (;;) {
        const { log: next, pair } = compare(log, ({ type }) => type !== "retract" && type !== "amend");
        if (!pair) return { log: next };
        if (what === "mine") this.instead.set(pair.mine.id, pair.theirs.id);
        log = decide(next, what, pair.theirs.id, pair.mine.id, this.newId());
      }
    });
  }
  question(id, all = false) {
    return this.change(id, (log) => ask(log, all)).question;
  }
  answered(id, question, answer, now) {
    this.contact = { ...this.contact, trouble: "", heard: now };
    return this.change(id, (log) => merge(log, question, answer, now));
  }
  rename(id, newId) {
    this.logs.set(newId, renamed(this.logs.get(id), newId));
    this.logs.delete(id);
  }
  waiting(id) {
    return waiting(this.logs.get(id));
  }
}
