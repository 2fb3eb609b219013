// @ts-check
/**
 * The links, the digest and the fingerprint of a record, and what its corrections leave.
 * @module
 */

import { eventText } from "./record.js";

/** @typedef {import("./record.js").Fields} Fields */
/** @typedef {(bytes: Uint8Array) => Uint8Array} Hash SHA-256 */

const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The text of an event that is hashed: its canonical text without names of people.
 * @param {Fields} event
 * @returns {string}
 */
export function hashed(event) {
  return eventText(nameless(event));
}

/**
 * @param {Fields} event
 * @returns {Fields}
 */
function nameless(event) {
  const bare = new Map(event);
  bare.delete("by");
  const put = bare.get("event");
  if (put instanceof Map) bare.set("event", nameless(put));
  if (bare.get("type") === "open") {
    bare.delete("recorder");
    const players = /** @type {Fields[]} */ (bare.get("players"));
    bare.set(
      "players",
      players.map((player) => new Map([["id", player.get("id") ?? null]])),
    );
  }
  return bare;
}

/**
 * The link of each event.
 * @param {Fields[]} events
 * @param {Hash} hash
 */
export function links(events, hash) {
  /** @type {Uint8Array} */
  let link = new Uint8Array(32);
  return events.map((event) => {
    const text = new TextEncoder().encode(hashed(event));
    const input = new Uint8Array(32 + text.length);
    input.set(link);
    input.set(text, 32);
    link = hash(input);
    return link;
  });
}

/**
 * The record digest: the link of the last event that is neither a confirmation nor a void.
 * @param {Fields[]} events
 * @param {Hash} hash
 * @returns {Uint8Array}
 */
export function digest(events, hash) {
  const last = events.findLastIndex((event) => !["confirm", "void"].includes(String(event.get("type"))));
  return /** @type {Uint8Array} */ (links(events, hash)[last]);
}

/**
 * The fingerprint of a digest, for people.
 * @param {Uint8Array} digest
 */
export function fingerprint(digest) {
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = Array.from({ length: 20 }, (_, n) => LETTERS[parseInt(bits.slice(5 * n, 5 * n + 5), 2)]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/**
 * The seqs of the effective events, in place, and those of the corrections that change nothing.
 * @param {Fields[]} events
 */
export function effective(events) {
  /** @type {number[]} the events in place, also retracted ones */
  const order = [];
  /** @type {Map<number, unknown>} by seq the game and kind of an opening, true for others, false if retracted */
  const standing = new Map();
  /** @type {number[]} */
  const nothing = [];
  events.forEach((event, seq) => {
    const type = event.get("type");
    const target = Number(event.get("seq") ?? event.get("before"));
    const put = event.get("event");
    const inner = put instanceof Map ? put : event;
    const stands = inner.get("type") === "open" ? `${inner.get("card") ?? false} ${inner.get("game")}` : true;
    const before = target < seq ? standing.get(target) : undefined;
    if (type === "insert" && before !== undefined && target !== 0) {
      order.splice(order.indexOf(target), 0, seq);
      standing.set(seq, stands);
    } else if (type === "retract" && before) {
      standing.set(target, false);
    } else if (type === "amend" && before && (target !== 0 || before === stands)) {
      standing.set(target, stands);
    } else if (type === "insert" || type === "retract" || type === "amend") {
      nothing.push(seq);
    } else if (type !== "void") {
      order.push(seq);
      standing.set(seq, stands);
    }
  });
  return { seqs: order.filter((seq) => standing.get(seq)), nothing };
}
