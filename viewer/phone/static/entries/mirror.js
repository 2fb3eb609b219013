// The record of the ledger on this phone, beside the rules: they answer about it without asking the network.
// Every screen of the ledger is compared with what the rules here say: both come from the same program, so a difference
// is a fault of the program.  From then on only the ledger answers about this record.

import { partsHere } from "./api.js";
import { safe } from "../pieces/markup.js";

/** Fields that also depend on what this phone had when it asked: they may differ. */
const OF_THE_PHONE = ["kept", "moves", "findings", "then", "seen", "program"];

/** @typedef {Pick<PhoneRules, "ready" | "ask" | "outdated">} Rules */
/**
 * Where the record’s events come from, and where a fault is reported.
 * @typedef {{ disk: Pick<Outbox, "events" | "keepRecord">,
 *   events: (since: number) => Promise<GameEvent[]>, disagree: (version: number, fields: string[]) => void }} Source
 */

/**
 * The fields in which two screens at the same version differ.
 * @param {Record<string, unknown>} theirs @param {Record<string, unknown>} ours
 */
export function differences(theirs, ours) {
  const fields = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  for (const name of OF_THE_PHONE) fields.delete(name);
  return [...fields].filter((name) => JSON.stringify(theirs[name]) !== JSON.stringify(ours[name]));
}

export class Mirror {
  /** @param {string} record its id @param {Rules} rules @param {Source} source */
  constructor(record, rules, source) {
    this.record = record;
    this.rules = rules;
    this.source = source;
    /** The version of the record here; 0: there is none yet. */
    this.version = 0;
    this.link = "";
    /** Whether only the ledger answers: the rules here do not know the game, or disagree with the ledger. */
    this.unusable = false;
    /** The fields in which the rules here and the ledger disagree. @type {string[]} */
    this.disputed = [];
    this.following = Promise.resolve();
  }

  /** Whether the rules can answer about the record as this screen shows it. @param {View | null} screen */
  reaches(screen) {
    return this.rules.ready && !this.unusable && this.version === screen?.version && this.link === screen.link;
  }

  /**
   * An answer like that of `fetch`; null if only the ledger can tell.
   * @param {"screen" | "check" | "draft"} name @param {View | null} screen what this phone shows
   * @param {object} details
   */
  async answer(name, screen, details) {
    if (!this.reaches(screen)) return null;
    let answer;
    try {
      answer = await this.rules.ask(name, { id: this.record, ...details, ...partsHere(screen) });
    } catch {
      return null;
    }
    const body = answer.problem === undefined ? answer : { title: "That cannot be done", detail: answer.problem };
    return { ok: body === answer, status: body === answer ? 200 : 422, json: async () => body };
  }

  /**
   * Brings the record here to where the ledger's screen is, and compares the two.
   * @param {View | null} screen @param {GameEvent[]} sent what this phone sent since the last screen
   * @returns {Promise<void>}
   */
  follow(screen, sent = []) {
    this.following = this.following
      .then(() => this.reach(screen, sent))
      .catch(() => undefined); /* without a network it is tried again with the next screen */
    return this.following;
  }

  /** @param {View | null} screen @param {GameEvent[]} sent */
  async reach(screen, sent) {
    if (!this.rules.ready || this.unusable || !screen || screen.version < this.version) return;
    if (!this.version) await this.load(await this.source.disk.events());
    if (sent.length && this.version + sent.length === screen.version) await this.add(sent);
    if (!this.reaches(screen) && this.version && this.version < screen.version) {
      const [events, diskEvents] = [await this.source.events(this.version), await this.source.disk.events()];
      if (diskEvents.length === this.version) await this.source.disk.keepRecord([...diskEvents, ...events]);
      await this.add(events);
    }
    // A forgotten name changes the screen, but no link.
    const fields = this.reaches(screen) ? await this.compare(screen) : ["link"];
    if (!fields.length || this.version > screen.version) return;
    await this.loadAll();
    if (!this.reaches(screen)) return;
    this.disputed = await this.compare(screen);
    this.unusable ||= this.disputed.length > 0;
    if (!this.disputed.length) return;
    // A page that was loaded before the server changed has older rules: that is no fault.
    if (await this.rules.outdated()) this.disputed = [];
    else this.source.disagree(screen.version, this.disputed);
  }

  /**
   * The view of the record at this version as the rules draw it, from the events that this phone keeps; null if it does
   * not have them.
   * @param {View} screen that of another version of the program @returns {Promise<View | null>}
   */
  async drawn(screen) {
    if (!this.version) await this.load(await this.source.disk.events());
    return this.reaches(screen) ? this.rules.ask("screen", { id: this.record }) : null;
  }

  /** @param {View} screen the ledger's */
  async compare(screen) {
    const ours = await this.rules.ask("screen", { id: this.record, ...partsHere(screen) });
    return ours.problem === undefined ? differences(screen, ours) : ["version"];
  }

  /** Fetches the whole record, and keeps it in place of the one that is here. */
  async loadAll() {
    const events = await this.source.events(0);
    await this.source.disk.keepRecord(events);
    await this.load(events);
  }

  /** @param {GameEvent[]} events */
  async load(events) {
    if (!events.length) return;
    this.moved(await this.rules.ask("open", { id: this.record, events }));
    // The rules here do not know every game that a server may have.
    if (!this.version) this.unusable = true;
  }

  /** @param {GameEvent[]} events */
  async add(events) {
    this.moved(await this.rules.ask("append", { id: this.record, version: this.version, events }));
  }

  /** @param {{ version?: number, link?: string }} answer */
  moved({ version = 0, link = "" }) {
    this.version = version;
    this.link = link;
  }
}

/** What people call the fields of a screen; the others go by their names. @type {Record<string, string>} */
const CALLED = {
  scene: "the table and the scores",
  parts: "the table and the scores",
  form: "what can come next",
  prompts: "what can come next",
  moves_digest: "the moves and their points",
  findings_digest: "the mistakes",
  verdict: "the mistakes",
  summary: "the mistakes",
  outcome: "the result",
  result: "the result",
};

/**
 * What a banner says of it.
 * @param {number} move the seq of the last event @param {string[]} fields
 */
export function dispute(move, fields) {
  const names = [...new Set(fields.map((name) => CALLED[name] || name.replaceAll("_", " ")))];
  const list = new Intl.ListFormat("en").format(names);
  return (
    `<h2>This phone and the ledger disagree about move ${move}</h2>` +
    `<p>They differ in ${safe(list)}. Both should follow the same rules, so this is a fault of the program. ` +
    `What you see is the ledger’s answer; its log names the difference.</p>`
  );
}
