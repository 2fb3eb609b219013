// What the ledger answers about the record that is open: asked for, compared with what this phone saw, and shown.

import { follow } from "../../../every_page/static/retry_and_follow.js";
import { idle } from "../../../in_browser/static/rules_in_browser.js";
import { by } from "../pieces/markup.js";
import { withAllParts, replyTo } from "./api.js";
import { whyNot } from "./sync.js";

export class Answers {
  stopFollowing = () => {};

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
  }

  /** Hears what others record, and of forgotten names. */
  follow() {
    const { ledger } = this.recorder;
    this.stopFollowing();
    let names = "";
    const heard = (/** @type {import("../../../every_page/static/retry_and_follow.js").News} */ news) => {
      const wasRenamed = names && names !== news.names;
      names = news.names;
      return this.heard(news, Boolean(wasRenamed));
    };
    this.stopFollowing = ledger.local
      ? ledger.follow((/** @type {number} */ version) => this.grown(version))
      : follow(
          () => this.news(),
          heard,
          () => this.silent(),
        );
  }

  /** What the ledger has that this phone has not; null if it does not answer. */
  async news() {
    const { ledger, post, screen } = this.recorder;
    const reply = await replyTo(() => ledger.news(screen), "version");
    if (post !== this.recorder.post) return null;
    if (reply.kind === "ok") return reply.body;
    this.failed(reply);
    return null;
  }

  /**
   * Does what news asks for; returns whether there was any.
   * @param {import("../../../every_page/static/retry_and_follow.js").News} news @param {boolean} wasRenamed
   */
  heard({ version, from }, wasRenamed) {
    const { post, screen } = this.recorder;
    // An entry that waits will say more about the ledger than a question.
    if (post.waiting.length) {
      if (post.offline) post.soon();
    } else if (post.offline || post.trouble) {
      post.note(false, "");
      this.recorder.changed({ keep: true });
    }
    // The ledger may have less than this phone saw, or something else.
    if (wasRenamed || from < (screen?.version || 0)) this.refresh();
    return this.grown(version);
  }

  /** Asks for what was recorded elsewhere, if there is any; returns whether there is. @param {number} version */
  grown(version) {
    const { post, screen } = this.recorder;
    if (version <= (screen?.version || 0)) return false;
    if (!post.sending.length) this.refresh();
    if (post.waiting.length) post.soon();
    return true;
  }

  /** The ledger has not answered for a while: nobody knows how the game stands there. */
  silent() {
    this.failed({ kind: "sick", reason: "the ledger has not answered for ten seconds" });
  }

  /** Notes that the ledger does not answer. @param {Pick<Reply, "kind" | "reason">} reply */
  failed({ kind, reason }) {
    const { post } = this.recorder;
    const before = [post.offline, post.trouble];
    post.note(post.offline || kind === "offline", kind === "sick" ? reason : post.trouble);
    if (`${before}` !== `${[post.offline, post.trouble]}`) this.recorder.changed({ keep: true });
  }

  /** Asks the ledger for the current screen. */
  async refresh() {
    const { recorder } = this;
    if (recorder.unread) return;
    const { post } = recorder;
    const answer = await this.ask();
    if (!answer) return;
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
    const { versions, post, screen, witness } = this.recorder;
    if (witness.short || (versions.conflict && versions.conflict.version >= (screen?.version || 0))) return;
    versions.conflict = null;
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
      post.gone = false;
      post.note(false, "");
      const { short } = witness;
      const isWhole = await witness.compare(screen, answer);
      if (short !== witness.short) recorder.changed();
      if (!isWhole) recorder.handBack();
      return isWhole ? answer : null;
    }
    this.failed({ kind, reason });
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
