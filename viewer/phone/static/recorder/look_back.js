// Looks back at the game: the table as it stood after each move, in the recorder's own page, so it needs no network.

import { by, piece } from "../pieces/markup.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { flagged, isMistake } from "../pieces/dialog_parts.js";

export class LookBack {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** How many moves are shown; null: nobody looks back. @type {number | null} */
    this.place = null;
    by("panels").addEventListener("input", (/** @type {any} */ event) => {
      if (event.target.id === "look-at") this.go(Number(event.target.value));
    });
  }

  get moves() {
    return this.recorder.judged.moves;
  }

  open() {
    document.documentElement.classList.add("looking");
    return this.go(this.moves.length);
  }

  /** Ends looking back, without drawing anything. */
  forget() {
    this.place = null;
    document.documentElement.classList.remove("looking");
  }

  close() {
    this.forget();
    this.recorder.writer.leaveEdit();
  }

  /** @param {string} act what was pressed: "first", "back", "on", "last" or "close" */
  pressed(act) {
    const place = this.place || 0;
    if (act === "close") this.close();
    else this.go({ first: 0, back: place - 1, on: place + 1 }[act] ?? this.moves.length);
  }

  /** Shows the table after that many moves. @param {number} target */
  async go(target) {
    const { recorder, moves } = this;
    const place = Math.max(0, Math.min(moves.length, target));
    this.place = place;
    const screen = place < moves.length ? await recorder.views.before(moves[place].seq) : recorder.judged;
    // Another place may have been asked for, or the game left.
    if (this.place !== place || !screen) return;
    recorder.edit = { mode: "look", seq: 0, screen, was: null, why: "", words: "" };
    recorder.pick.clear();
    recorder.changed();
    by("look-at").value = String(place);
  }

  /** The bar with the move that is shown. */
  bar() {
    const { moves } = this;
    const { judged } = this.recorder;
    const place = this.place || 0;
    const move = moves[place - 1];
    const mistakes = judged.findings.filter((finding) => finding.seq === move?.seq && isMistake(finding));
    const slots = {
      move: move ? `<span class="no">${place}</span>${move.line}` : "Before the first move",
      findings: mistakes.map((finding) => flagged(finding)).join(""),
    };
    const off = { disabled: "" };
    return piece("lookback", slots, {
      "#look-at": { max: String(moves.length) },
      "[data-link=what-if]": { href: addresses.whatIf(this.recorder.record, move?.seq || 0) },
      ...(place ? {} : { "[data-act=first], [data-act=back]": off }),
      ...(place < moves.length ? {} : { "[data-act=on], [data-act=last]": off }),
    });
  }
}
