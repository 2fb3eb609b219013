// The last hand: what is left of the tiles, where the rules say that it has just as many, or up to three fewer.
// @ts-check

import { enterMany } from "./taps.js";

/** So many tiles at most are over when the tiles are dealt. */
const OVER = 3;

/**
 * How many of the tiles that are left are not in the hand that is asked for; -1 where it is quicker to tap those that
 * are, or where nobody knows how many it has.
 * @param {Recorder} recorder
 */
export function overOf(recorder) {
  const { count = 0, tiles = [] } = recorder.way() || {};
  if (!recorder.prompt()?.many || !recorder.sure || recorder.pick.tiles.length) return -1;
  const over = tiles.length - count;
  return over >= 0 && over <= OVER && count > 2 * over + 1 ? over : -1;
}

/**
 * Takes all tiles that are left as the hand; if some are over, these are to be tapped away.
 * @param {Recorder} recorder
 */
export function takeRest(recorder) {
  const over = overOf(recorder);
  if (over < 0) return undefined;
  recorder.pick.tiles = [...(recorder.way()?.tiles || [])];
  recorder.pick.numbers = [];
  return over ? recorder.changed({ keep: true }) : enterMany(recorder);
}
