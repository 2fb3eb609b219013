// What a person sees on the recorder's page and may tap, by groups: as the page's own modules say.
// @ts-check

const RECORD = "../../viewer/phone/static/";
const { tapCalled } = await import(`${RECORD}recorder/calls_dialog.js`);
const { places, quickBids, squares } = await import(`${RECORD}pieces/tile_geometry.js`);
const { besidePad, lying, padKeys, tapNumber, usesPad } = await import(`${RECORD}recorder/number_pad.js`);
const { enterMany, overOf, takeRest, tapBare, tapEnd, tapStack, tapTile } = await import(`${RECORD}recorder/taps.js`);
const { undo } = await import(`${RECORD}entries/undo.js`);

/** @typedef {() => unknown} Tap */
/** @typedef {Record<string, Tap[]>} Groups */

/** A tap that does something at once, after which the page is drawn again. @param {any} one @param {() => void} act */
const redrawn = (one, act) => () => {
  act();
  one.changed({ keep: true });
};

/** The places of the legal acts of this kind. @param {any} one @param {string} kind @returns {any[]} */
const legal = (one, kind) => places(one.way(kind), null);

/** What names a tile: the tiles themselves, or the keys of the pad. @param {any} one @param {() => number} chance */
function naming(one, chance) {
  const asItLies = (lying(one) || []).flatMap(({ tile, ways }) =>
    (ways.length ? ways : [""]).map((at) => () => {
      one.pick.numbers = [];
      return tapTile(one, tile, "low", `${at}`);
    }),
  );
  if (usesPad(one)) {
    const keys = [...padKeys(one, one.view.parts.largest).matchAll(/class="key( dim)?" data-number="(\d+)"/g)];
    const taps = (/** @type {boolean} */ dim) =>
      keys.filter((key) => Boolean(key[1]) === dim).map((key) => () => tapNumber(one, key[2]));
    const beside = one.prompt()?.many ? besidePad(one).map((tile) => () => tapTile(one, tile, "low")) : asItLies;
    return { tile: beside, key: taps(false), dim: taps(true) };
  }
  if (asItLies.length) return { tile: asItLies };
  const { tiles = [], legal: groups = [] } = one.way() || {};
  const fit = new Set(groups.flatMap((/** @type {any} */ group) => group.tiles));
  const isDim = (/** @type {string} */ tile) => fit.size > 0 && one.sure && !fit.has(tile);
  const tap = (/** @type {string} */ tile) => () => {
    one.pick.numbers = [];
    return tapTile(one, tile, chance() < 0.5 ? "low" : "high");
  };
  const free = tiles.filter((/** @type {string} */ tile) => !one.pick.tiles.includes(tile));
  return { tile: free.filter((/** @type {string} */ tile) => !isDim(tile)).map(tap), dim: free.filter(isDim).map(tap) };
}

/** Where the tile in hand may go, or could. @param {any} one @param {() => number} chance @returns {Groups} */
function laying(one, chance) {
  const { kind, tile, anywhere } = one.pick;
  const { names } = one.view.form;
  const at =
    (/** @type {number[]} */ [x, y]) =>
    () =>
      one.placing.tap([x + 0.1 + 0.8 * chance(), y + 0.1 + 0.8 * chance()]);
  const far = () => Math.round(8 * chance() - 4);
  const laid = one.placing.grid?.laid || [];
  if (kind === "play" && names.play.includes("end"))
    return { end: ["left", "right"].map((end) => () => tapEnd(one, end)) };
  if (kind === "stack" && tile)
    return {
      stack: places(one.way(kind), tile).map(
        (/** @type {any} */ [stack]) =>
          () =>
            tapStack(one, stack),
      ),
    };
  if (kind !== "place" || !tile)
    return { lift: "lift" in names ? laid.map((/** @type {any} */ one) => at(one.at)) : [] };
  return {
    ghost: anywhere ? [] : one.placing.legal.flatMap(squares).map(at),
    elsewhere: [redrawn(one, () => (one.pick.anywhere = true))],
    floor: [at([far(), far()])],
  };
}

/** What needs no tile. @param {any} one @returns {Groups} */
function saying(one) {
  const { view, pick } = one;
  const bids = legal(one, "bid").map(([bid]) => bid);
  const bid = pick.number ?? (bids.length ? Math.min(...bids) : view.parts.least);
  const pass = "pass" in view.form.names ? [() => tapBare(one, "pass", [])] : [];
  const mayPass = legal(one, "pass").length > 0 || one.way("pass")?.legal?.length > 0;
  return {
    quick: pick.kind === "bid" ? quickBids(bids).map((number) => redrawn(one, () => (pick.number = number))) : [],
    bid: pick.kind === "bid" ? [() => tapBare(one, "bid", [bid])] : [],
    rank: pick.kind === "rank" ? legal(one, "rank").map((at) => () => tapBare(one, "rank", at)) : [],
    pass: mayPass ? pass : [],
    idle: [...(mayPass ? [] : pass), redrawn(one, () => (one.all = true))],
    called: one.latest.parts?.placed?.counted && one.latest.sure !== false ? [() => tapCalled(one, "same")] : [],
  };
}

/** A hand or a layout: all of it, what was named so far, or nothing. @param {any} one @param {() => number} chance */
function writing(one, chance) {
  const { pick } = one;
  const { tiles = [], count = 0 } = one.way() || {};
  if (!one.prompt()?.many) return {};
  const some = () => {
    const named = new Set(pick.tiles);
    while (named.size < Math.min(count || 4, tiles.length)) named.add(tiles[Math.floor(chance() * tiles.length)]);
    pick.tiles = [...named];
    return enterMany(one);
  };
  return {
    hand: tiles.length ? [some] : [],
    rest: overOf(one) < 0 ? [] : [() => takeRest(one)],
    done: pick.tiles.length && pick.tiles.length !== count ? [() => enterMany(one)] : [],
    skip: pick.kind === "deal" && !one.edit && !pick.tiles.length ? [redrawn(one, () => pick.skipHands())] : [],
  };
}

/** Who acts, and what is done. @param {any} one @returns {Groups} */
function choosing(one) {
  const { view, pick } = one;
  const kinds = view.prompts.filter((/** @type {any} */ prompt) => prompt.kind !== "pass" && prompt.kind !== "lift");
  return {
    seat: view.players.map((/** @type {any} */ [id]) => redrawn(one, () => pick.setPlayer(id))),
    kind: kinds.map((/** @type {any} */ { kind, bare }) =>
      redrawn(one, () => (bare ? tapBare(one, kind, []) : pick.setKind(kind))),
    ),
    held: pick.tile ? [redrawn(one, () => pick.clear())] : [],
  };
}

/**
 * All that can be tapped now.
 * @param {any} one the recorder @param {() => number} chance @returns {Groups}
 */
export function seen(one, chance) {
  const { view } = one;
  const panel = (/** @type {string} */ act) => () => one.dialogs.banners.pressed({ dataset: { panel: act } });
  const back = {
    undo: one.latest.undo.length || one.edit ? [() => undo(one)] : [],
    redo: one.redo.next ? [() => one.redo.redo()] : [],
  };
  if ((view.closed || (view.ended && !one.goesOn)) && !one.edit && !one.all)
    return { ...back, resume: [panel(view.closed ? "resume" : "on")] };
  const named = ["bid", "rank"].includes(one.pick.kind) ? {} : naming(one, chance);
  return {
    ...named,
    ...back,
    ...laying(one, chance),
    ...saying(one),
    ...writing(one, chance),
    ...choosing(one),
    cancel: one.edit ? [panel("cancel")] : [],
  };
}
