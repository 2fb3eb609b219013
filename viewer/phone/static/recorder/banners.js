// The banner above the table, if there is something to know or decide: a changed entry, a conflict, the end.

import { at } from "../../../every_page/static/club_root.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { by, fill, piece, plural, safe, stamp } from "../pieces/markup.js";
import { numberOf, plainly } from "../pieces/entries_in_words.js";
import { isMistake, sentence } from "../pieces/dialog_parts.js";
import { Mistakes } from "./slips_found.js";
import { CHOSEN } from "../notebook/log.js";
import { replay, save } from "../pieces/share_local_game.js";
import { resume } from "../entries/undo.js";

/** @param {string} body @param {string} [more] */
const banner = (body, more = "") => `<section class="banner"${more}>${body}</section>`;

/** The result; its scores stay on one line. @param {string} text */
const headline = (text) => safe(text.replaceAll(" : ", "\u00a0:\u00a0"));

export class Banners {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    this.mistakes = new Mistakes(recorder);
    /** What breaks a rule, in HTML; "" if nothing does. */
    this.wrong = "";
    for (const box of ["panels", "misfits", "moves"])
      by(box).addEventListener("click", (/** @type {any} */ event) =>
        this.pressed(event.target.closest("[data-panel]")),
      );
  }

  /** @param {View} view */
  show(view) {
    const { recorder } = this;
    this.mistakes.look();
    recorder.blind.look();
    if (recorder.edit?.mode === "look") {
      fill(by("panels"), recorder.dialogs.lookBack.bar());
      this.showWrong("");
      return;
    }
    const parts = [
      this.editing(),
      recorder.edit ? "" : recorder.blind.markup(),
      this.troubled(),
      recorder.versions.markup(),
    ];
    const { from, back = "" } = recorder.log || {};
    if (from) {
      const isHere = back.startsWith(addresses.record("")) ? " data-begin" : "";
      const link = `<a class="btn tap" href="${safe(back)}"${isHere}>Back to the real game</a>`;
      parts.push(stamp("branch", { number: numberOf(view, from.seq), link }));
    } else if (!recorder.secret)
      parts.push(banner("<p>This phone only watches. To record, open the recorder’s link.</p>"));
    for (const entry of recorder.log?.aside.filter(({ why }) => why !== CHOSEN) || []) {
      const words = safe(plainly(entry.event, recorder.judged));
      const key = stamp("panel-key", { act: "forget", id: entry.id, words: "Put it away" });
      parts.push(stamp("aside", { words, why: safe(sentence(entry.why || "")), key }));
    }
    if ((view.closed || view.ended) && !recorder.edit) parts.push(this.end(view));
    fill(by("panels"), parts.join(""));
    this.showWrong(recorder.edit ? "" : this.misfits(view), view.closed && !from ? this.agreement(view) : "");
  }

  /** Below the keys on a phone: a flag on "Moves" leads here. @param {string} wrong @param {string} [more] below it */
  showWrong(wrong, more = "") {
    this.wrong = wrong;
    fill(by("misfits"), wrong + more);
    by("show-moves").querySelector(".flag").hidden = !wrong;
  }

  editing() {
    const { edit } = this.recorder;
    if (!edit) return "";
    const number = numberOf(this.recorder.judged, edit.seq);
    const asks = { tile: "Which tile was it?", place: "Where did it lie?" }[edit.only || ""];
    const what =
      edit.mode === "amend"
        ? `<b>Change ${number}:</b> ${safe(edit.words)}. ${asks || "Enter what really happened."}`
        : `<b>Insert before ${number}:</b> ${safe(edit.words)}. Enter what is missing.`;
    return stamp("editing", { what });
  }

  /** What a word of the header means, where somebody must know or do something. */
  troubled() {
    const { words, log, contact } = this.recorder;
    const lost = this.recorder.waiting.some(({ was }) => was);
    const isGrave =
      contact.fault ||
      log?.taken ||
      (this.recorder.waiting.length && (lost || log?.locked || ["sick", "refused"].includes(contact.trouble)));
    return isGrave && words.banner
      ? banner(`<p><b>${safe(words.word)}.</b> ${safe(words.banner)}</p>`, ' role="alert"')
      : "";
  }

  /** @param {View} view */
  misfits(view) {
    const grave = view.findings.filter(isMistake);
    if (!grave.length) return "";
    const explained = this.mistakes.of(view)?.mistakes;
    if (explained) return explained;
    const seqs = new Set(view.moves.map(({ seq }) => seq));
    const count = new Set(grave.map(({ seq }) => seq)).size;
    const items = grave.map(({ seq, move, message }) => {
      const key = seqs.has(seq) ? stamp("panel-key", { act: "repair", id: seq, words: "Correct" }) : "";
      return stamp("misfit", { move: safe(sentence(move)), message: safe(sentence(message)), key });
    });
    const summary = `${plural(count, "entry breaks", "entries break")} a rule`;
    return stamp("misfits", { summary, items: items.join("") });
  }

  // ── The end ──────────────────────────────────────────────────────────────────────────────────────────

  /** The result, what the audit says, and what can be done with a game that is over. @param {View} view */
  end(view) {
    const { local, secret, log, goesOn } = this.recorder;
    const open = view.findings.filter(({ verdict }) => verdict === "unproven");
    const items = open.map(
      (finding) => `<li><b>${safe(sentence(finding.move))}</b> ${safe(sentence(finding.message))}</li>`,
    );
    const paragraph = (/** @type {string} */ text) => text && `<p>${safe(text)}</p>`;
    const holes = {
      title: headline(view.ended ? view.outcome : "Game left unfinished"),
      outcome: view.ended ? "" : paragraph(view.outcome),
      summary: paragraph(this.mistakes.of(view)?.summary || view.summary),
      open: open.length ? stamp("open", { count: open.length, items: items.join("") }) : "",
    };
    if (!view.closed)
      return stamp("ended", { ...holes, on: goesOn ? "" : stamp("panel-key", { act: "on", words: "Not over yet" }) });
    const mayResume = !view.ended && (secret || log?.from) && !log?.locked;
    return stamp("closed", {
      ...holes,
      resume: mayResume ? stamp("panel-key", { act: "resume", words: "Resume the game" }) : "",
      doors: stamp(local ? "doors-here" : "doors-in-ledger", { path: at(`g/${encodeURIComponent(view.id)}`) }),
      rematch: addresses.rematch(view.id),
    });
  }

  /** The players who agree to the record, and the fingerprint to compare first. @param {View} view */
  agreement(view) {
    if (!view.record_digest || view.sure === false) return "";
    const agreed = (view.agreed || [])
      .filter((confirmation) => confirmation.true && confirmation.last)
      .map(({ player }) => player);
    const agreeing = view.players.filter(([id]) => agreed.includes(id));
    const remaining = view.players.filter(([id]) => !agreed.includes(id));
    const names = agreeing.map(([, name]) => safe(name)).join(", ");
    const agree = (/** @type {string[]} */ [id, name]) =>
      stamp("panel-key", { act: "agree", id: safe(id), words: `<bdi>${safe(name)}</bdi>agrees` });
    const slots = {
      fingerprint: safe(view.fingerprint),
      agreed: names && `<br>Agreed: ${names}`,
      remaining: remaining.map(agree).join(""),
    };
    return piece("agreement", slots, {}, [!remaining.length && ".soft"]);
  }

  // ── What is pressed ──────────────────────────────────────────────────────────────────────────────────

  /** @param {any} button */
  pressed(button) {
    const { recorder } = this;
    const act = button?.dataset.panel;
    if (act === "cancel") recorder.writer.leaveEdit();
    if (act === "resume") resume(recorder);
    if (act === "confirm") recorder.writer.keep(...recorder.judged.result, { type: "close", why: "finished" });
    if (act === "agree")
      recorder.writer.keep({ type: "confirm", player: button.dataset.id, head: recorder.judged.record_digest });
    if (act === "on") {
      recorder.goesOn = true;
      recorder.changed();
    }
    if (act === "look") recorder.dialogs.lookBack.pressed(button.dataset.act);
    if (act === "otherwise") recorder.dialogs.calls.open();
    if (act === "fix") this.mistakes.fix(button.dataset);
    if (act === "repair") recorder.dialogs.moves.open(Number(button.dataset.id));
    if (act === "replay") replay(recorder.log);
    if (act === "share") recorder.dialogs.links.open();
    if (act === "save") save(recorder.log);
    if (act === "seat") recorder.blind.tap(Number(button.dataset.seq), button.dataset.player);
    if (act === "by-turn" || act === "as-entered") recorder.blind.decide(act === "by-turn");
    if (act === "forget") this.forget(button.dataset.id);
    if (act === "version") recorder.versions.choose(button.dataset.id);
  }

  /** Puts away what is not recorded: it stays in the file of the game. @param {string} id */
  async forget(id) {
    await this.recorder.change((log) => ({
      ...log,
      aside: log.aside.map((entry) => (entry.id === id ? { ...entry, why: CHOSEN } : entry)),
    }));
  }
}
