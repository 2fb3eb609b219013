// @ts-check
/**
 * What each field of a record can hold: the table "What each field can hold" of the page.
 * @module
 */

import { Refused } from "./json.js";

/** @typedef {import("./json.js").Json} Json */
/** @typedef {(value: Json, where: string) => void} Check throws Refused for a value that cannot stand there */

const MOST = 1_000_000_000n;

/**
 * Throws Refused unless a condition holds.
 * @param {boolean} holds
 * @param {string} where
 * @param {string} wanted
 * @returns {asserts holds}
 */
export function need(holds, where, wanted) {
  if (!holds) throw new Refused(`${where}: ${wanted} is wanted`);
}

/**
 * @param {number} least
 * @param {number} most
 * @returns {Check}
 */
const text = (least, most) => (value, where) => {
  // A text is as long as it has code points; JavaScript's own length counts halves of pairs.
  const length = typeof value === "string" ? [...value].length : -1;
  need(length >= least && length <= most, where, `text of ${least} to ${most} characters`);
};

/**
 * @param {RegExp} pattern
 * @returns {Check}
 */
const matching = (pattern) => (value, where) =>
  need(typeof value === "string" && pattern.test(value), where, `text that matches ${pattern}`);

/**
 * @param {bigint} least
 * @param {bigint} most
 * @returns {Check}
 */
const whole = (least, most) => (value, where) =>
  need(typeof value === "bigint" && value >= least && value <= most, where, `a whole number, ${least} to ${most}`);

/**
 * @param {...string} words
 * @returns {Check}
 */
export const word =
  (...words) =>
  (value, where) =>
    need(typeof value === "string" && words.includes(value), where, words.join(" or "));

/**
 * @param {number} least
 * @param {number} most
 * @param {Check} item
 * @returns {Check}
 */
const list = (least, most, item) => (value, where) => {
  need(Array.isArray(value) && value.length >= least && value.length <= most, where, `a list of ${least} to ${most}`);
  value.forEach((one, at) => item(one, `${where}[${at}]`));
};

/**
 * @param {Check} name
 * @param {Check} item
 * @returns {Check}
 */
const object = (name, item) => (value, where) => {
  need(value instanceof Map, where, "an object");
  for (const [key, one] of value) {
    name(key, where);
    item(one, `${where}.${key}`);
  }
};

/** @type {Check} */
const anyText = (value, where) => need(typeof value === "string", where, "text");
/** @type {Check} */
export const yesNo = (value, where) => need(typeof value === "boolean", where, "true or false");
export const name = text(1, 200);
export const line = text(0, 2000);
export const number = whole(-MOST, MOST);
export const seq = whole(0n, MOST);
export const level = whole(1n, 1000n);
export const square = list(2, 2, whole(-1000n, 1000n));
export const tile = matching(/^(?:[0-9]|1[0-2])-(?:[0-9]|1[0-2])$/);
export const tiles = list(0, 200, tile);
export const names = list(0, Infinity, name);
export const points = object(anyText, number);
export const day = matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/);
export const time = matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/);
const numbers = list(0, 200, number);

/** @type {Check} */
const option = (value, where) => {
  if (value === null || typeof value === "boolean") return;
  const check = typeof value === "string" ? line : Array.isArray(value) ? numbers : number;
  check(value, where);
};
export const options = object(name, option);

/**
 * @param {Check} player
 * @returns {Check}
 */
export const players = (player) => list(1, 26, player);
