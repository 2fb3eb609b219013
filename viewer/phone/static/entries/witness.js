// What this phone saw of the record, and whether the ledger still has it.
// Whenever the ledger answers, its version and the link at the version that this phone saw are compared with what this
// phone saw: on the screen, and by its store.  What the ledger does not have any more is kept here before anything
// takes its place.

import { at } from "../../../every_page/static/club_root.js";
import { save } from "../pieces/share_local_game.js";
import { plural, safe } from "../pieces/markup.js";
import { question } from "../pieces/dialog_parts.js";
import { replyTo } from "./api.js";

/**
 * What this phone saw and the ledger lost: `seen` entries up to `link`, as the last `screen` and, where this phone had
 * them, as `events`.  `has` is how many the ledger had when that was noticed; with `less`, those few were all it had.
 * @typedef {{ id: string, record: string, seen: number, link: string, has: number, less: boolean, screen: View,
 *   events: GameEvent[], when: string }} Copy
 */

/**
 * How the ledger's answer differs from what this phone saw: "less", "other" events, or "" if all of it is there.
 * @param {View} before the screen that this phone had when it asked @param {View} answer
 * @returns {"" | "less" | "other"}
 */
export function difference(before, answer) {
  if (!before?.link) return "";
  if (answer.version < before.version) return "less";
  return answer.then === before.link ? "" : "other";
}

/**
 * What this phone saw.
 * @param {string} record @param {View} screen @param {number} has @param {boolean} less @param {GameEvent[]} events
 * @returns {Copy}
 */
function copyOf(record, screen, has, less, events) {
  const { version: seen, link } = screen;
  const id = `${record}~${String(seen).padStart(9, "0")}~${link}`;
  return { id, record, seen, link, has, less, screen, events, when: new Date().toISOString() };
}

export class Witness {
  /** What this phone keeps because the ledger does not have it. @type {Copy[]} */
  copies = [];
  /** The copy of what is shown, while the ledger has less; null if it has all that is shown. @type {Copy | null} */
  short = null;
  /** What this phone saw saved, by its store. @type {Held | null} */
  held = null;

  /** @param {string} record its id @param {Outbox} outbox */
  constructor(record, outbox) {
    this.record = record;
    this.outbox = outbox;
  }

  /** Remembers the copies on the disk. */
  async open() {
    this.copies = await this.outbox.copies();
    await this.look();
  }

  /** Reads what this phone saw saved, and how the ledger stood to it at the last contact. */
  async look() {
    this.held = (await this.outbox.held()) || null;
  }

  /**
   * Compares what the ledger answers with what this phone saw, and keeps what is missing there; returns whether the
   * answer may take the place of what this phone saw.
   * @param {View} before the screen that this phone had when it asked @param {View} answer
   */
  async compare(before, answer) {
    const kind = difference(before, answer);
    // Whatever becomes of this phone's store, the page does not say “Saved” any more.
    if (kind === "less") this.short ??= copyOf(this.record, before, answer.version, true, []);
    else this.#compareStored(before, answer);
    await this.look();
    if (this.#compareStored(before, answer)) return false;
    const copy = kind ? await this.keep(before, answer, kind === "less") : null;
    this.short = kind === "less" ? copy : null;
    if (!kind) await this.putBack(before, answer);
    return kind !== "less";
  }

  /**
   * Whether the ledger has less than this phone's store saw, which is more than the screen has: the page was opened
   * while the store could not be read, or was not open.
   * @param {View} before @param {View} answer
   */
  #compareStored(before, answer) {
    const { held } = this;
    if (!held || held.version <= Math.max(before?.version || 0, answer.version)) return false;
    const seen = { ...(before || answer), version: held.version, link: held.link };
    this.short = copyOf(this.record, seen, answer.version, true, []);
    return true;
  }

  /**
   * Whether entries may be sent to that place.  What this phone saw saved there comes first: while the ledger lacks it,
   * nothing takes its place.  If the ledger has something else there, it says so itself.
   * @param {number} version of the record before them @param {() => Promise<boolean>} handBack see `Recorder`
   */
  async allows(version, handBack) {
    await this.look();
    if (!this.held || this.held.version <= version || (await handBack())) return true;
    await this.look();
    return this.held?.state.kind === "other";
  }

  /** @param {View} before @param {View} answer @param {boolean} less */
  async keep(before, answer, less) {
    const known = this.copies.find(({ link }) => link === before.link);
    if (known) return known;
    const events = (await this.outbox.events()).slice(0, before.version);
    const copy = copyOf(this.record, before, answer.version, less, events);
    // Another answer may have said the same meanwhile.
    const same = this.copies.find(({ link }) => link === copy.link);
    if (same) return same;
    this.copies.push(copy);
    try {
      await this.outbox.keepCopy(copy);
    } catch (error) {
      this.copies = this.copies.filter((one) => one !== copy);
      throw error;
    }
    return copy;
  }

  /** The ledger has all of a copy again: then it is no longer needed. @param {View} before @param {View} answer */
  async putBack(before, answer) {
    const links = [before?.link, answer.link];
    for (const copy of this.copies.filter(({ link }) => links.includes(link))) await this.drop(copy);
  }

  /** @param {Copy} copy */
  async drop(copy) {
    await this.outbox.dropCopy(copy.id);
    this.copies = this.copies.filter((other) => other !== copy);
  }

  /** Saves what this phone saw as a file. @param {string} id */
  save(id) {
    const copy = this.copies.find((one) => one.id === id);
    if (!copy) return;
    const names = copy.screen.players.map((/** @type {string[]} */ pair) => pair[1]);
    save({ names, events: copy.events, touched: copy.when });
  }

  /** Deletes a copy, if that is wanted. @param {string} id */
  async putAway(id) {
    const copy = this.copies.find((one) => one.id === id);
    const text = "<p>The ledger does not have these entries. Once deleted here, they cannot be brought back.</p>";
    if (copy && (await question("Delete what this phone saw?", text, "Yes, delete it"))) await this.drop(copy);
  }

  /** Whether the ledger has something else than this phone saw, by the last contact. */
  get isElse() {
    return this.held?.state.kind === "other";
  }

  /** What the header says in place of “Saved”; null if the ledger has all that is shown. */
  get state() {
    if (this.isElse)
      return {
        words: "The ledger has something else",
        whole:
          "Some entries that this phone saw saved are different in the ledger, or missing. " +
          "Both are kept, and nothing is overwritten: the owner of the ledger decides.",
      };
    if (!this.short) return null;
    const { has, seen } = this.short;
    const numbers = `The ledger has ${plural(has, "entry", "entries")} of this game, and this phone saw ${seen}.`;
    return { words: "The ledger has less", whole: `${numbers} This phone keeps what it saw.` };
  }

  /** The banners: what the ledger does not have, and what to do. */
  banners() {
    const { state, short, isElse } = this;
    const others = this.copies.filter((copy) => !isElse || copy !== short);
    // What the phone keeps of it says the same, with what can be done about it.
    const isSaid = isElse ? others.some(({ less }) => !less) : Boolean(short && others.includes(short));
    const ofStore =
      state && !isSaid
        ? [
            `<section class="banner" role="alert"><h2>${state.words}</h2><p>${state.whole} ` +
              `<a href="${at("on-this-phone")}">On this phone</a> shows ` +
              `${isElse ? "both" : "what became of it"}.</p></section>`,
          ]
        : [];
    const ofCopies = others.map((copy) => {
      const isShort = copy === this.short;
      const { title, text } = isShort ? lacking(copy) : copy.less ? lost(copy) : other(copy);
      const button = (/** @type {string} */ panel, /** @type {string} */ label, sort = "") =>
        `<button type="button" class="btn tap${sort}" data-panel="${panel}"` +
        ` data-id="${safe(copy.id)}">${label}</button>`;
      const verbs = [
        copy.events.length === copy.seen ? button("save-copy", "Save as a file") : "",
        isShort
          ? button("go-on", `Go on with the ledger’s ${copy.has}`)
          : button("drop-copy", "Put it away", " danger"),
      ];
      return (
        `<section class="banner" role="alert" data-copy="${safe(copy.link)}"><h2>${title}</h2><p>${text}</p>` +
        `<p class="two">${verbs.join("")}</p></section>`
      );
    });
    return [...ofStore, ...ofCopies];
  }
}

/** The ledger has less now. @param {Copy} copy */
const lacking = ({ has, seen }) => ({
  title: "The ledger has less of this game than this phone saw",
  text:
    `It has ${plural(has, "entry", "entries")}, and this phone saw ${seen}: ${seen - has} ` +
    `${seen - has === 1 ? "is" : "are"} missing there. An older copy of the ledger may have been restored. ` +
    "This phone hands them in again. Do not clear this browser’s data, and tell the owner of the ledger.",
});

/** The ledger had less, and goes on from there. @param {Copy} copy */
const lost = ({ has, seen }) => ({
  title: "This phone saw more than the ledger has",
  text:
    `The ledger had ${plural(has, "entry", "entries")} left of the ${seen} that this phone saw, and goes on from ` +
    `there. This phone keeps the ${seen - has === 1 ? "one" : seen - has} that it lost.`,
});

/** The ledger has something else. @param {Copy} copy */
const other = ({ seen }) => ({
  title: "This is not the game that this phone saw",
  text:
    "Entries that this phone saw are different in the ledger now, or missing. The recorder cannot do that: ask the " +
    "owner of the ledger to run <code>verify</code>. This phone keeps the " +
    `${plural(seen, "entry", "entries")} that it saw.`,
});

/**
 * Goes on with what the ledger has, although it is less than this phone saw: that is kept.
 * @param {Recorder} recorder
 */
export async function goOn(recorder) {
  const { outbox, screen, witness } = recorder;
  const { kind, body } = await replyTo(() => recorder.ledger.screen(null));
  if (kind !== "ok") return;
  if (screen?.link && body.version < screen.version) await witness.keep(screen, body, true);
  await outbox.keepRecord([]);
  await outbox.letGo();
  await outbox.settle([], body, true);
  witness.short = null;
  recorder.ledger = recorder.ofServer();
  recorder.answers.show(body);
  recorder.answers.follow();
}
