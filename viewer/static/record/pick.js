// The choices for the next entry: who does what with which tiles.
// @ts-check

import { inOrder } from "./prompt.js";

export class Pick {
  /** @param {import("./recorder.js").Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    this.player = "";
    this.kind = "";
    /** @type {string[]} */
    this.tiles = [];
    /** Which half of the tile was touched: "low" or "high". */
    this.held = "";
    /** The end of the line that was tapped before the tile. */
    this.end = "";
    /** The number on the stepper; null: the lowest legal bid. @type {number | null} */
    this.number = null;
    /** Who does what next, if somebody picked it. @type {{player: string, kind: string} | null} */
    this.forced = null;
    /** The number of events when hands were skipped. */
    this.skipped = false;
    /** For which number of events the player or the kind was picked by hand: that stays until the next entry. */
    this.byHand = -1;
    /** @type {any} */
    this.edited = null;
  }

  get tile() {
    return this.tiles[0] || "";
  }

  /** Drops every choice. */
  clear() {
    this.tiles = [];
    this.held = "";
    this.end = "";
    this.number = null;
  }

  /** @param {string} player */
  setPlayer(player) {
    this.player = player;
    this.forced = null;
    this.clear();
  }

  /** @param {string} kind */
  setKind(kind) {
    this.kind = kind;
    this.clear();
  }

  /** Skips the hands, which need not be written down. */
  skipHands() {
    this.skipped = true;
    this.forced = null;
    this.clear();
    this.choose();
  }

  /** The act that most likely comes next: who does what. */
  choose() {
    const { recorder } = this;
    const { form, next, players } = recorder.view;
    const kinds = Object.keys(form.names).sort(inOrder);
    const due = form.ways
      .filter((/** @type {any} */ way) => way.due && !(this.skipped && way.kind === "deal"))
      .sort((/** @type {any} */ a, /** @type {any} */ b) => inOrder(a.kind, b.kind));
    const playing = kinds.find((kind) => ["place", "stack", "play"].includes(kind));
    const fallback = this.skipped ? { kind: playing, player: players[0][0] } : null;
    const choice = this.forced || due[0] || next || fallback || { kind: kinds[0], player: players[0][0] };
    // A player who has to pass still sees the tiles, because the table may disagree.
    this.kind = (choice.kind === "pass" && playing) || choice.kind || kinds[0];
    this.player = choice.player || players[0][0];
    const original = recorder.edit?.was;
    if (original?.player) {
      this.player = original.player;
      if (kinds.includes(original.type)) this.kind = original.type;
    }
    this.edited = recorder.edit;
  }

  /** After one hand, the next player's hand comes. @param {any} event what was kept */
  follow(event) {
    this.forced = null;
    if (event.type !== "deal" && event.type !== "layout") {
      if (event.type !== "draw") this.skipped = false;
      return;
    }
    const { players } = this.recorder.screen;
    const seat = players.findIndex((/** @type {string[]} */ [id]) => id === event.player) + 1;
    if (seat < players.length) this.forced = { player: players[seat][0], kind: event.type };
  }
}
