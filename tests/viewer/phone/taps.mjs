// Plays games as a person does who looks at the recorder's page, and counts the taps: by the page's own logic.
// Input: JSON on standard input, `[{ hands, slides, scatter, steps: [{ view, act }] }]`.
// Output: for each game, for each act, its taps.
// With `slides`, a finger slides from one number of a tile to the other, which is one touch.
// With `scatter`, fingers come down beside what they mean, by so many CSS pixels, and the output has for each placement
// with a choice how often of TRIALS the tile lands elsewhere; null for other acts.  With `quick` they only tap.

import { text } from "node:stream/consumers";

import {
  fitWindow,
  footprints,
  lowFirst,
  placeAt,
  places,
  quickBids,
  squares,
} from "../../../viewer/phone/static/pieces/tile_geometry.js";
import {
  besidePad,
  lying,
  takeOnly,
  tapKey,
  tapNumber,
  usesPad,
} from "../../../viewer/phone/static/recorder/number_pad.js";
import { Pick } from "../../../viewer/phone/static/recorder/next_entry.js";
import { Placing } from "../../../viewer/phone/static/recorder/place_tile.js";
import { squareSize } from "../../../viewer/phone/static/recorder/squares_from_above.js";
import {
  enterMany,
  tapBare,
  tapEnd,
  tapStack,
  tapTile,
  overOf,
  takeRest,
} from "../../../viewer/phone/static/recorder/taps.js";

/** How often a scattering finger tries each placement. */
const TRIALS = 20;
/** The height of all that is neither table nor keys on a screen of 640 CSS pixels: header, last move, question, bar. */
const OTHERS = 206;

/** Numbers from a seed, and from them a normal distribution. */
let seed = 7;
const random = () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Where a finger points that means this place: in the square of the half that it holds, towards the other one. */
const leaning = (low, other, held) => low.map((at, n) => at + 0.5 + (other[n] - at) * (held === "high" ? 0.7 : 0.3));

/** Whether a tile lies the same way; a double does so either way. */
const same = (one, other, tile) => `${one}` === `${other}` || (isDouble(tile) && `${[one[1], one[0]]}` === `${other}`);
const isDouble = (tile) => tile.split("-")[0] === tile.split("-")[1];

/** The place of a placement, from the lower half. */
function lowPlace({ tile, at: [x, y], dir, level }) {
  const [first, second] = tile.split("-").map(Number);
  if (first <= second) return [x, y, dir, level];
  return dir === "e" ? [x + 1, y, "w", level] : [x, y + 1, "n", level];
}

/** What the modules of the page need of a recorder whose rules always answer. */
class Page {
  constructor() {
    Object.assign(this, { edit: null, sure: true, all: false, redo: { next: null } });
    Object.assign(this, { post: { waiting: [] }, ahead: { events: [] }, dialogs: { hint: () => undefined } });
    this.pick = new Pick(this);
    this.placing = new Placing(this);
    this.entered = null;
    this.writer = { enter: (event) => this.enter(event) };
  }

  enter(event) {
    this.entered = event;
    this.pick.clear();
  }

  see(view) {
    Object.assign(this, { view, upto: view.version, entered: null });
    this.placing.last.at = 0; // a move takes a person longer than the second of two taps
    this.changed();
  }

  way(kind = this.pick.kind, player = this.pick.player) {
    return this.view.form.ways.find((way) => way.kind === kind && (way.player || player) === player);
  }

  prompt(kind = this.pick.kind) {
    return this.view.prompts.find((prompt) => prompt.kind === kind);
  }

  changed({ keep = false } = {}) {
    this.pick.update(keep);
    if (!keep) takeOnly(this);
  }
}

/** The page, and a thumb that counts its taps. */
class Person {
  constructor() {
    this.page = new Page();
    this.taps = 0;
  }

  tap(...work) {
    this.taps += 1;
    work[0](this.page, ...work.slice(1));
  }

  /** Enters an act and returns how many taps that took. */
  enter(view, act, hands) {
    const { page } = this;
    this.taps = 0;
    page.see(view);
    if (page.pick.kind === "deal" && !hands) page.pick.skipHands();
    const { pick } = page;
    if (act.player && pick.player !== act.player) this.tap(() => pick.setPlayer(act.player));
    if (pick.kind !== act.type && !["pass", "lift"].includes(act.type)) this.tap(() => pick.setKind(act.type));
    this[act.type](act);
    if (act.tile && lowFirst(page.entered?.tile) !== lowFirst(act.tile)) throw new Error(`${JSON.stringify(act)}`);
    return this.taps;
  }

  /**
   * Names a tile: by itself, or by its numbers, the smaller first.  Where keys show how a tile will lie, by the one
   * that shows it as it does: its lower half on the first of these squares, the other on the second.
   */
  name(tile, cells = "") {
    const { page } = this;
    const low = lowFirst(tile);
    if (page.pick.tile === low) return;
    if (!usesPad(page)) return this.tapShown(low, cells) || this.tap(tapTile, low, "low");
    const [first, second] = low.split("-");
    this.tap(tapKey, first);
    if (page.entered || page.pick.tile === low || this.tapShown(low, cells)) return;
    this.tap(tapKey, second);
    if (this.slides && first !== second) this.taps -= 1;
  }

  /** Taps the key that shows a tile as it lies, if there is one. */
  tapShown(low, cells) {
    const [one, other] = low.split("-");
    const turned = one === other ? cells.split(",") : [];
    const both = [cells, `${[...turned.slice(2), ...turned.slice(0, 2)]}`];
    const at = lying(this.page)
      ?.find(({ tile }) => tile === low)
      ?.ways.find((way) => both.includes(`${squares(way)}`));
    if (at) this.tap(tapTile, low, "low", `${at}`);
    return Boolean(at);
  }

  /**
   * Several tiles, in the order of a person's own: on the pad, all with a number one after the other.  Where all that
   * are left can be taken at once, those that are over are tapped away.
   */
  many({ tiles }) {
    const { page } = this;
    const least = (tile) => Number(lowFirst(tile).split("-")[0]);
    const taken = overOf(page) < 0 ? null : [...page.way().tiles];
    if (taken) this.tap(takeRest);
    const named = new Set(tiles.map(lowFirst));
    const sorted = [...(taken ? taken.filter((tile) => !named.has(lowFirst(tile))) : tiles)].sort(
      (one, other) => least(one) - least(other),
    );
    for (const tile of sorted) {
      const [first] = lowFirst(tile).split("-");
      if (!usesPad(page)) this.tap(tapTile, lowFirst(tile), "low");
      else {
        if (page.pick.numbers[0] !== first) this.tap(tapNumber, first);
        if (!besidePad(page).includes(lowFirst(tile))) throw new Error(`${tile} is not shown`);
        this.tap(tapTile, lowFirst(tile), "low");
      }
    }
    if (!page.entered) this.tap(enterMany);
    if (`${page.entered.tiles.map(lowFirst).sort()}` !== `${[...named].sort()}`) throw new Error(`${tiles}`);
  }

  deal(act) {
    this.many(act);
  }

  layout(act) {
    this.many(act);
  }

  aside(act) {
    this.many(act);
  }

  draw({ tile }) {
    this.name(tile);
  }

  over({ tile }) {
    this.name(tile);
  }

  play({ tile, end }) {
    this.name(tile);
    if (!this.page.entered) this.tap(tapEnd, end);
  }

  stack({ tile, stack }) {
    this.name(tile);
    if (!this.page.entered) this.tap(tapStack, stack);
    if (this.page.entered.stack !== stack) throw new Error(`laid on stack ${this.page.entered.stack}, not ${stack}`);
  }

  place(act) {
    const cells = (event) => {
      const [first, second] = squares([...event.at, event.dir]);
      const [one, other] = event.tile.split("-").map(Number);
      return one <= other ? [first, second] : [second, first];
    };
    const [[x, y], [u, v]] = cells(act);
    this.name(act.tile, `${[x, y, u, v]}`);
    if (!this.page.entered) this.tap(() => this.touch([x, y], [u, v]));
    const lies = this.page.entered && cells(this.page.entered);
    const [one, other] = act.tile.split("-");
    const same = `${lies}` === `${[x, y, u, v]}` || (one === other && `${lies}` === `${[u, v, x, y]}`);
    if (!same) throw new Error(`${JSON.stringify(act)} would have to be turned: ${JSON.stringify(this.page.entered)}`);
  }

  /** A finger comes down, slides until the place that it means shows, and lifts: one touch. */
  touch(low, other) {
    const { placing, pick } = this.page;
    placing.aim = null;
    if (this.scatter) return this.tryOften(low, other);
    placing.point(leaning(low, other, pick.held));
    return placing.layAimed();
  }

  /** The same by fingers that scatter, again and again; then for real. */
  tryOften(low, other) {
    const { page } = this;
    const { pick, placing, view } = page;
    const grid = placing.grid;
    const rows = usesPad(page) ? Math.ceil((view.parts.largest + 1) / 7) : Math.ceil(page.way().tiles.length / 7);
    this.box = fitWindow(grid, places(page.way(), null), this.box, true);
    placing.px = squareSize(this.box, 352, 640 - OTHERS - 50 * rows);
    const meant = placing.legal.find((place) => same(squares(place), [low, other], pick.tile));
    const hand = { ...pick };
    if (placing.legal.length > 1 && grid.laid.length) {
      this.wrong = 0;
      for (let n = 0; n < TRIALS; n += 1) {
        page.entered = placing.aim = null;
        this.scattered(meant, low, other);
        Object.assign(pick, { ...hand, tiles: [lowFirst(page.entered.tile)] });
        if (`${squares(lowPlace(page.entered))}` !== `${squares(meant)}`) this.wrong += 1;
      }
    }
    placing.aim = { tile: pick.tile, place: meant };
    placing.layAimed();
  }

  /** One touch: quickly on a place that is large enough, else until the place shows. */
  scattered(meant, low, other) {
    const { placing, pick } = this.page;
    const near = ([x, y], scatter) => [x + (gauss() * scatter) / placing.px, y + (gauss() * scatter) / placing.px];
    const lean = leaning(low, other, pick.held);
    const pair = footprints(placing.legal).find(({ places: all }) => all.some((one) => `${one}` === `${meant}`));
    const drawn = pair.places.length > 1 ? (pick.held === "high" ? other : low).map((at) => at + 0.5) : pair.centre;
    const middle = pair.size < 1 ? lean : drawn;
    if (this.quick || placing.isLarge(meant)) {
      for (let tries = 0; tries < 9 && !this.page.entered; tries += 1) {
        const place = placeAt(placing.legal, near(middle, this.scatter), pick.held);
        if (place) placing.lay(place, true);
      }
      return;
    }
    const start = near(lean, this.scatter);
    let at = start;
    placing.point(at);
    for (let step = 1; step <= 8 && `${placing.aimed}` !== `${meant}`; step += 1)
      placing.point((at = start.map((from, n) => from + ((lean[n] - from) * step) / 8)));
    if (`${placing.aimed}` !== `${meant}`) throw new Error(`${meant} does not show`);
    placing.point(near(at, 2));
    placing.layAimed();
  }

  lift({ tile }) {
    const { placing } = this.page;
    const { at } = placing.grid.laid.find((laid) => lowFirst(laid.tile) === lowFirst(tile));
    this.tap(() => placing.tap([at[0] + 0.5, at[1] + 0.5]));
  }

  pass() {
    this.tap(tapBare, "pass", []);
  }

  rank({ high, direction }) {
    this.tap(tapBare, "rank", [high, direction]);
  }

  /** The lowest bid is shown; others have a button, or are typed. */
  bid({ bid }) {
    const legal = (this.page.way("bid").legal || []).flatMap(({ at }) => at).map(([number]) => number);
    if (bid !== Math.min(...legal)) this.taps += quickBids(legal).includes(bid) ? 1 : 1 + `${bid}`.length;
    this.tap(tapBare, "bid", [bid]);
  }
}

globalThis.innerHeight = 640;
const counts = JSON.parse(await text(process.stdin)).map(({ hands, slides, scatter, quick, steps }) => {
  const person = Object.assign(new Person(), { slides, scatter, quick, box: null });
  return steps.map(({ view, act }) => {
    person.wrong = null;
    const taps = person.enter(view, act, hands);
    return scatter ? person.wrong : taps;
  });
});
process.stdout.write(JSON.stringify(counts));
