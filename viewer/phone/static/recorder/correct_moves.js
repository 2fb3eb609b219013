// The list of moves, and correcting an entry in it.

import { closeDialog } from "../../../every_page/static/close_menus.js";
import { flagged, head, isMistake } from "../pieces/dialog_parts.js";
import { mayKeep } from "../entries/keep_entries.js";
import { unjudged } from "../entries/waiting.js";
import { badge } from "./entry_panel.js";
import { lowFirst } from "../pieces/tile_geometry.js";
import { by, fill, piece, safe, stamp } from "../pieces/markup.js";
import { plainly } from "../pieces/entries_in_words.js";

const WHY = "a slip in recording";
/** The fields that say where a tile lies. */
const WHERE = ["at", "stack", "end"];

export class MoveList {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    /** The seq of the entry that is open; 0: none. */
    this.opened = 0;
    /** What the list was drawn from. */
    this.drawn = "";
    by("moves").addEventListener("click", (/** @type {any} */ event) => this.pressed(event.target.closest("button")));
  }

  /** @param {number} seq the entry to open; 0: none */
  open(seq = 0) {
    this.opened = seq;
    this.draw();
    if (!by("moves").open) by("moves").showModal();
    if (seq) by("moves").querySelector(`ol [data-seq="${seq}"]`)?.scrollIntoView({ block: "center" });
    else by("moves").scrollTop = this.recorder.dialogs.banners.wrong ? 0 : by("moves").scrollHeight;
  }

  /** What tells one list from another. */
  get key() {
    const { judged, log, dialogs } = this.recorder;
    return [judged.version, judged.moves_digest, dialogs.banners.wrong, log?.acked, log?.entries.length].join();
  }

  /** Draws the list again if it is open and the moves have changed, unless somebody writes a reason. */
  renew() {
    const isOpen = by("moves").open && !by("moves").querySelector(".edit details[open]");
    if (isOpen && this.drawn !== this.key) this.draw();
  }

  draw() {
    const { judged: screen, views } = this.recorder;
    this.drawn = this.key;
    const findingsBySeq = /** @type {Map<number, Finding[]>} */ (new Map());
    for (const finding of screen.findings.filter(isMistake))
      findingsBySeq.set(finding.seq, [...(findingsBySeq.get(finding.seq) || []), finding]);
    let level = 0;
    const rows = screen.moves.map((move, n) => {
      const next = move.event.type === "place" ? move.event.level : level;
      const title = next !== level ? `<li class="lv">Level ${next}</li>` : "";
      level = next;
      return title + this.row(move, n + 1, findingsBySeq.get(move.seq) || []);
    });
    const waiting = views.unjudged.map((event) =>
      stamp("unjudged", { no: stamp("no-waits"), line: safe(plainly(event, screen)) }),
    );
    const list = [...rows, ...waiting].join("") || '<li class="quiet">No moves yet</li>';
    fill(by("moves"), `${head("Moves")}${this.recorder.dialogs.banners.wrong}<ol>${list}</ol>`);
  }

  /** @param {Move} move @param {number} no @param {Finding[]} findings */
  row(move, no, findings) {
    const { seq, line } = move;
    const worst = findings.find(({ verdict }) => verdict === "impossible") || findings[0];
    const isOpen = this.opened === seq;
    return stamp("row", {
      ...{ seq, line, expanded: isOpen, open: isOpen ? "open" : "" },
      no: seq >= (this.recorder.log?.acked || 0) ? stamp("no-waits") : stamp("no", { no }),
      flag: worst && stamp(`flag-${worst.verdict}`),
      sheet: isOpen ? this.sheet(move, findings) : "",
    });
  }

  /** The buttons for an entry. @param {Move} move @param {Finding[]} findings */
  sheet(move, findings) {
    const first = this.recorder.judged.moves[0]?.seq === move.seq;
    const why = findings.map((finding) => flagged(finding, ` <small>${safe(finding.meaning)}</small>`));
    const { player, tile } = move.event;
    const { players } = this.recorder.judged;
    const name = players.find(([id]) => id === player)?.[1] || "";
    const others = players.filter(([id]) => player && id !== player);
    const seats = others.map(([id, other]) =>
      stamp("seat-verb", { id: safe(id), badge: badge(id), other: safe(other), name: safe(name) }),
    );
    return piece("verbs", { findings: why.join(""), seats: seats.join("") }, { "#why": { value: WHY } }, [
      first && "[data-do=earlier]",
      ...(tile ? ["[data-do=amend]"] : ["[data-do=tile]"]),
      !WHERE.some((field) => field in move.event) && "[data-do=place]",
    ]);
  }

  /** @param {any} button */
  async pressed(button) {
    if (!button) return;
    if (button.dataset.seq && !button.dataset.panel) {
      this.opened = this.opened === Number(button.dataset.seq) ? 0 : Number(button.dataset.seq);
      this.draw();
      by("moves").querySelector(".edit")?.scrollIntoView({ block: "nearest" });
      by("moves").querySelector(`ol [data-seq="${button.dataset.seq}"]`)?.focus({ preventScroll: true });
      return;
    }
    if (button.dataset.do) await this.correct(button.dataset.do, button.dataset.player);
  }

  /** @param {string} mode @param {string} [player] who it really was */
  async correct(mode, player) {
    const { recorder } = this;
    const why = by("why").value.trim() || WHY;
    const { moves } = recorder.judged;
    const place = moves.findIndex(({ seq }) => seq === this.opened);
    const move = moves[place];
    await closeDialog(by("moves"));
    // An Undo that is still being written may take the entry back before somebody says Yes.
    const keep = async (/** @type {GameEvent[]} */ ...events) => {
      if (!(await mayKeep(recorder, ...events))) return;
      await recorder.writer.writing.catch(() => []);
      await recorder.views.show();
      if (recorder.judged.moves.some(({ seq }) => seq === move.seq)) await recorder.writer.keep(...events);
    };
    const retraction = { type: "retract", seq: move.seq, why };
    if (mode === "retract") return keep(retraction);
    const { when, by: who, ...event } = move.event;
    if (mode === "seat") return keep({ type: "amend", seq: move.seq, event: { ...event, player }, why });
    if (mode !== "earlier") return this.change(mode, move, why);
    return keep(retraction, { type: "insert", before: moves[place - 1].seq, event, why });
  }

  /** Shows the table before that entry. @param {string} mode @param {Move} move @param {string} why */
  async change(mode, move, why) {
    const { recorder } = this;
    const screen = (await recorder.views.before(move.seq)) || unjudged(recorder.judged, []);
    const [inserts, only] = [mode === "insert", mode === "tile" || mode === "place" ? mode : ""];
    const was = inserts ? null : move.event;
    recorder.edit = { mode: inserts ? mode : "amend", only, seq: move.seq, why, words: move.words, was, screen };
    recorder.pick.clear();
    if (mode === "place") [recorder.pick.tiles, recorder.pick.held] = [[lowFirst(move.event.tile || "")], "low"];
    recorder.changed();
    scrollTo(0, 0);
  }
}
