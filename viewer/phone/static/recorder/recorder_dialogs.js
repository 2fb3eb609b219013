// The recorder's dialogs, and the questions that it asks.

import { at } from "../../../every_page/static/club_root.js";
import { closeDialog } from "../../../every_page/static/close_menus.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { Banners } from "./banners.js";
import { canBuzz, setBuzz, wantsBuzz } from "../entries/keep_entries.js";
import { Calls } from "./calls_dialog.js";
import { openLeft } from "./tiles_left.js";
import { Links } from "./links_dialog.js";
import { by, safe } from "../pieces/markup.js";
import { LookBack } from "./look_back.js";
import { MoveList } from "./correct_moves.js";
import { remember } from "../../../every_page/static/browser_memory.js";
import { wantsTiles } from "./number_pad.js";
import { question } from "../pieces/dialog_parts.js";
import { replay, save } from "../pieces/share_local_game.js";

export class Dialogs {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    for (const dialog of document.querySelectorAll("dialog")) {
      dialog.addEventListener("click", (event) => {
        if (/** @type {HTMLElement} */ (event.target).closest("[data-close]")) dialog.close();
      });
    }
    this.moves = new MoveList(recorder);
    this.calls = new Calls(recorder);
    this.links = new Links(recorder);
    this.lookBack = new LookBack(recorder);
    this.banners = new Banners(recorder);
    by("show-moves").addEventListener("click", () => this.moves.open());
    by("show-calls").addEventListener("click", () => this.calls.open());
    by("show-left").addEventListener("click", () => openLeft(recorder));
    by("show-more").addEventListener("click", () => this.openMore());
    by("more").addEventListener("click", (/** @type {any} */ event) =>
      this.chosen(event.target.closest("[data-more]")?.dataset.more),
    );
    by("tiles-as-keys").addEventListener("change", () => {
      remember("keys", by("tiles-as-keys").checked ? "tiles" : "");
      recorder.changed();
    });
    by("vibrate").addEventListener("change", () => setBuzz(by("vibrate").checked));
  }

  /** The panels and the list of moves, after each change. @param {View} view */
  show(view) {
    this.banners.show(view);
    this.moves.renew();
  }

  // ── Questions ────────────────────────────────────────────────────────────────────────────────────────

  question = question;

  /** @param {string} title @param {string} text */
  say(title, text) {
    return this.question(title, `<p>${safe(text)}</p>`, "");
  }

  /** Shows a short hint in place of the question. @param {string} text */
  hint(text) {
    by("hint").textContent = text;
  }

  // ── More ─────────────────────────────────────────────────────────────────────────────────────────────

  openMore() {
    const { judged: screen, record, local } = this.recorder;
    for (const part of ["another", "abandon"]) by(`more-${part}`).hidden = Boolean(screen?.closed);
    by("more-links").lastChild.textContent = local ? "Share" : "Let others watch";
    by("more-replay").hidden = local;
    by("more-replay").href = at(`g/${encodeURIComponent(record)}`);
    for (const part of ["replay-here", "save"]) by(`more-${part}`).hidden = !local;
    by("more-rules").href = addresses.rules(screen?.game || "");
    by("more-new").href = addresses.begin;
    by("tiles-as-keys").checked = wantsTiles();
    by("more-vibrate").hidden = !canBuzz;
    by("vibrate").checked = wantsBuzz();
    by("more").showModal();
  }

  /** @param {string | undefined} what */
  async chosen(what) {
    if (!what) return;
    await closeDialog(by("more"));
    const { recorder } = this;
    if (what === "links") this.links.open();
    if (what === "left") openLeft(recorder);
    if (what === "look") this.lookBack.open();
    if (what === "replay-here") await replay(recorder.log);
    if (what === "save") save(recorder.log);
    if (what === "another") {
      recorder.all = true;
      recorder.changed({ keep: true });
    }
    if (what === "abandon") {
      const text = "<p>The record is closed as it is. You can still look at it, correct it and share it.</p>";
      const agreed = await this.question("Leave the game unfinished?", text, "Yes, close it");
      if (agreed) recorder.writer.keep({ type: "close", why: "abandoned" });
    }
  }
}
