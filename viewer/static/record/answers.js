// What the ledger answers about the record that is open: asked for, compared with what this phone saw, and shown.
// @ts-check

import { idle } from "../rules/phone.js";
import { by } from "./marks.js";
import { withAllParts } from "./moves.js";
import { replyTo } from "./reply.js";
import { whyNot } from "./sync.js";

export class Answers {
  stopFollowing = () => {};

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** Listens for what others record. */
  follow() {
    const { recorder } = this;
    const version = () => recorder.screen?.version || 0;
    this.stopFollowing();
    this.stopFollowing = recorder.ledger.follow(
      version,
      (/** @type {number} */ newVersion) => {
        if (newVersion > version() && !recorder.post.sending.length) this.refresh();
        recorder.post.soon();
      },
      () => this.refresh(),
      // The ledger may have less than this phone saw, or something else.
      (/** @type {number} */ theirs, /** @type {string} */ link) => {
        const { screen } = recorder;
        if (screen?.link && (theirs < screen.version || (theirs === screen.version && link !== screen.link)))
          this.refresh();
      },
    );
  }

  /** Asks the ledger for the current screen. */
  async refresh() {
    const { recorder } = this;
    if (recorder.unread) return;
    const { post } = recorder;
    const answer = await this.ask();
    if (!answer) return void (post === recorder.post && post.askAgain());
    // Another answer may have been faster and newer; and while entries wait, the answer to them says more.
    const isNews = () => {
      if (post !== recorder.post) return false;
      const { screen } = recorder;
      return !screen || (answer.version >= screen.version && (post.locked || !post.waiting.length));
    };
    if (!isNews()) return;
    await recorder.outbox.settle([], answer, !recorder.local);
    // The disk may be slow, and entries made or sent in the meantime must not be undone by an older screen.
    if (isNews()) this.show(answer);
  }

  /** The ledger stands otherwise to this record since this phone handed it in again: what waited can follow. */
  async handedBack() {
    await this.recorder.witness.look();
    await this.refresh();
    const { dialogs, post, screen, witness } = this.recorder;
    const { banners } = dialogs;
    if (witness.short || (banners.conflict && banners.conflict.version >= (screen?.version || 0))) return;
    banners.conflict = null;
    await post.resume();
  }

  /** The view before an event; null if nobody can tell now. @param {number} seq */
  async before(seq) {
    const { ahead, ledger, screen, quick } = this.recorder;
    const waiting = ahead.events;
    if (!waiting.length || !quick) return this.ask(seq);
    const answer = await ledger.ask("draft", waiting, screen, seq);
    return answer.ok ? withAllParts(screen, await answer.json()) : null;
  }

  /** The screen from the ledger, now or before an event; null if it is not available. @param {number} [before] */
  async ask(before) {
    const { recorder } = this;
    const { screen, post, witness } = recorder;
    const { kind, status, body, reason } = await replyTo(() => recorder.ledger.screen(screen, before));
    if (post !== recorder.post) return null;
    if (kind === "ok") {
      const answer = { ...withAllParts(screen, body), seen: screen?.version || 0 }; // where `then` is the link
      if (before) return answer;
      [post.gone, post.offline, post.trouble] = [false, false, ""];
      const { short } = witness;
      const isWhole = await witness.compare(screen, answer);
      if (short !== witness.short) recorder.changed();
      if (!isWhole) recorder.handBack();
      return isWhole ? answer : null;
    }
    post.offline ||= kind === "offline";
    if (kind === "sick") post.trouble = reason;
    if (screen && kind === "refused" && status === 404) {
      post.gone = true;
      recorder.handBack();
    } else if (!screen) by("status").textContent = whyNot(recorder, kind, status, reason);
    recorder.changed();
    return null;
  }

  /**
   * Shows what the ledger answered.
   * @param {View} screen @param {GameEvent[]} [sent] the events that this phone sent since the last answer
   */
  show(screen, sent = []) {
    this.recorder.screen = screen;
    this.recorder.changed();
    this.catchUp(sent);
  }

  /** Brings the record beside the rules on this phone to where the ledger is. @param {GameEvent[]} [sent] */
  async catchUp(sent = []) {
    const { recorder } = this;
    // The page comes first.
    if (!document.documentElement.dataset.ready || !(await recorder.rules.start())) return;
    const { ledger, screen } = recorder;
    if (!ledger.local) await ledger.mirror.follow(screen, sent);
    if (ledger !== recorder.ledger || !recorder.screen) return;
    if (recorder.ahead.events.length && !recorder.sure) await recorder.ahead.show();
    else if (ledger.mirror?.disputed.length) recorder.changed();
    recorder.dialogs.banners.mistakes.look();
  }

  /** Catches up as soon as the page is usable, which it is now. */
  async begin() {
    document.documentElement.dataset.ready = "yes";
    await idle();
    await this.catchUp();
  }
}
