// The choices for the next entry: who does what with which tiles.

export class Pick {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    this.player = "";
    this.kind = "";
    this.tiles = /** @type {string[]} */ ([]);
    /** The numbers that were tapped: the first of a tile, or both. @type {string[]} */
    this.numbers = [];
    /** Whether the tile in hand was taken without a tap. */
    this.untapped = false;
    /** Whether the next tap may lay the tile anywhere. */
    this.anywhere = false;
    /** Which half of the tile was touched: "low" or "high". */
    this.held = "";
    /** The end of the line that was tapped before the tile. */
    this.end = "";
    /** The number on the stepper; null: the lowest legal bid. @type {number | null} */
    this.number = null;
    /** The seq of the last play when hands were skipped, 0 for none: they are not asked for until the next play. */
    this.skippedAfter = -1;
    /** Whether the player or the kind was picked by hand: that stays while there are `upto` events. */
    this.byHand = false;
    this.upto = -1;
    this.edited = /** @type {Edit | null} */ (null);
  }

  get tile() {
    return this.tiles[0] || "";
  }

  /** Drops every choice. */
  clear() {
    this.tiles = [];
    this.numbers = [];
    this.held = "";
    this.end = "";
    this.number = null;
    this.anywhere = this.untapped = false;
  }

  /** @param {string} player */
  setPlayer(player) {
    this.player = player;
    this.clear();
  }

  /** @param {string} kind */
  setKind(kind) {
    this.kind = kind;
    this.clear();
  }

  /** Skips the hands, which need not be written down. */
  skipHands() {
    this.skippedAfter = this.lastPlay;
    this.clear();
    this.choose();
  }

  /** The seq of the last play or call; 0: none. */
  get lastPlay() {
    const { moves, prompts } = this.recorder.view;
    const plays = prompts.filter(({ dealt }) => !dealt).map(({ kind }) => kind);
    return moves.findLast(({ event }) => plays.includes(event.type))?.seq || 0;
  }

  /**
   * Lets the rules choose after a change.  What was picked by hand stays only while nothing is entered or taken back.
   * @param {boolean} byHand whether somebody has just picked something
   */
  update(byHand) {
    const { edit, upto } = this.recorder;
    this.byHand = byHand || (this.byHand && upto === this.upto);
    this.upto = upto;
    const isKnownNow = !this.player && this.recorder.sure;
    if (isKnownNow || (!byHand && (!this.byHand || this.edited !== edit))) this.choose();
  }

  /** After a hand or a layout, that of the next player who has none. @param {boolean} skipped whether hands are */
  nextHand(skipped) {
    const { edit, sure, view } = this.recorder;
    const event = view.moves.at(-1)?.event;
    if (edit || !sure || !(event?.type === "layout" || (event?.type === "deal" && !skipped))) return null;
    const ids = view.players.map(([id]) => id);
    const after = ids.indexOf(event.player || "") + 1;
    const next = [...ids.slice(after), ...ids.slice(0, after)].find((id) => this.recorder.way(event.type, id)?.due);
    return next ? { player: next, kind: event.type } : null;
  }

  /** The act that most likely comes next: who does what.  Without the rules nobody knows who: the page asks. */
  choose() {
    const { recorder } = this;
    const skipped = this.skippedAfter === this.lastPlay;
    const { form, next, players, prompts } = recorder.view;
    const kinds = prompts.map((/** @type {Prompt} */ { kind }) => kind);
    const due = form.ways
      .filter((/** @type {any} */ way) => way.due && !(skipped && way.kind === "deal"))
      .sort((/** @type {any} */ a, /** @type {any} */ b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
    const playing = prompts.find((/** @type {Prompt} */ { lays, dealt }) => lays && !dealt)?.kind;
    const fallback = skipped ? { kind: playing, player: players[0][0] } : null;
    const choice = this.nextHand(skipped) || due[0] || next || fallback || { kind: kinds[0], player: players[0][0] };
    // A player who has to pass still sees the tiles, because the table may disagree.
    this.kind = (choice.kind === "pass" && playing) || choice.kind || kinds[0];
    this.player = recorder.sure || players.length === 1 ? choice.player || players[0][0] : "";
    const original = recorder.edit?.was;
    if (original?.player) {
      this.player = original.player;
      if (kinds.includes(original.type)) this.kind = original.type;
    }
    this.edited = recorder.edit;
  }
}
