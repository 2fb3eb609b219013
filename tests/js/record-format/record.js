// @ts-check
/**
 * A reader and writer of records, written from docs/record-format.md alone: it has not seen the program.
 * @module
 */

import { parse, Refused, write } from "./json.js";
import * as of from "./values.js";

/** @typedef {import("./json.js").Json} Json */
/** @typedef {Map<string, Json>} Fields an event or a player, by field */
/**
 * A field, its check, and whether it may be left out; or the value with which it is left out.
 * @typedef {[name: string, check: of.Check, leftOut?: "may be" | Json]} Field
 */

const FORMAT = "domino-ledger/1";
const LONGEST = 16_000_000;
const MAY = "may be";

/** @type {Field} */
const PLAYER = ["player", of.name];
/** @type {Field} */
const TILE = ["tile", of.tile];
/** @type {Field} */
const WHY = ["why", of.line];

/** @type {Field[]} */
const NAMES = [
  ["id", of.name],
  ["name", of.line, ""],
];
const players = of.players((value, where) => void fields(NAMES, value, where));

/**
 * The event in a correction.
 * @type {of.Check}
 */
const inner = (value, where) => {
  const type = event(value, where).get("type");
  of.need(!CORRECTIONS.has(String(type)), where, "an event that is no correction");
};
const CORRECTIONS = new Set(["retract", "amend", "insert", "void"]);

/** @type {Record<string, Field[]>} */
const EVENTS = {
  open: [
    ["game", of.name],
    ["edition", of.name, MAY],
    ["options", of.options, new Map()],
    ["players", players],
    ["played", of.day, MAY],
    ["place", of.line, MAY],
    ["event", of.line, MAY],
    ["recorder", of.line, MAY],
    ["rules", of.name, MAY],
    ["card", of.yesNo, false],
  ],
  deal: [PLAYER, ["tiles", of.tiles], ["partial", of.yesNo, false]],
  aside: [
    ["tiles", of.tiles],
    ["player", of.name, MAY],
  ],
  layout: [PLAYER, ["tiles", of.tiles]],
  draw: [PLAYER, TILE],
  bid: [PLAYER, ["bid", of.number]],
  pass: [PLAYER],
  rank: [PLAYER, ["high", of.number], ["direction", of.word("regular", "reverse"), MAY]],
  over: [PLAYER, TILE],
  place: [
    PLAYER,
    TILE,
    ["at", of.square],
    ["dir", of.word("e", "s", "w", "n")],
    ["level", of.level],
    ["points", of.number, MAY],
  ],
  lift: [PLAYER, TILE],
  stack: [PLAYER, TILE, ["stack", of.number]],
  play: [PLAYER, TILE, ["end", of.word("left", "right"), MAY]],
  take: [PLAYER, ["tiles", of.number, MAY], ["points", of.number, MAY]],
  score: [
    ["scope", of.word("hand", "game")],
    ["points", of.points],
  ],
  cheats: [["count", of.number]],
  result: [
    ["winners", of.names],
    ["title", of.line, MAY],
  ],
  note: [
    ["text", of.line],
    ["about", of.seq, MAY],
  ],
  retract: [["seq", of.seq], WHY],
  amend: [["seq", of.seq], ["event", inner], WHY],
  insert: [["before", of.seq], ["event", inner], WHY],
  close: [["why", of.word("finished", "abandoned")]],
  confirm: [PLAYER, ["head", of.name]],
  void: [WHY, ["undo", of.yesNo, false]],
};
/** @type {Field[]} */
const EVERY = [
  ["when", of.time, MAY],
  ["by", of.name, MAY],
];

/**
 * The events of a text, each with its fields as they were written.  Throws Refused for a text that is no record.
 * @param {Uint8Array} bytes
 * @returns {Fields[]}
 */
export function read(bytes) {
  if (bytes.length >= LONGEST) throw new Refused("longer than any record");
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refused("not UTF-8");
  }
  const record = parse(text);
  fields(
    [
      ["format", of.word(FORMAT)],
      ["events", (value, where) => of.need(Array.isArray(value), where, "a list")],
    ],
    record,
    "the record",
  );
  const list = /** @type {Json[]} */ (/** @type {Fields} */ (record).get("events"));
  const events = list.map((value, seq) => event(value, `event ${seq}`));
  together(events);
  return events;
}

/**
 * Checks the fields of an object.
 * @param {Field[]} rows
 * @param {Json} value
 * @param {string} where
 * @returns {Fields}
 */
function fields(rows, value, where) {
  of.need(value instanceof Map, where, "an object");
  for (const name of value.keys()) {
    of.need(
      rows.some(([known]) => known === name),
      where,
      `no field ${name}`,
    );
  }
  for (const [name, check, leftOut] of rows) {
    const inside = value.get(name);
    if (inside === undefined || (inside === null && leftOut === MAY)) {
      of.need(leftOut !== undefined, where, `the field ${name}`);
    } else {
      check(inside, `${where}: ${name}`);
    }
  }
  return value;
}

/**
 * All fields of a type of events, in order.
 * @param {string} type
 * @returns {Field[]}
 */
function rowsOf(type) {
  return [["type", of.word(type)], ...(EVENTS[type] ?? []), ...EVERY];
}

/**
 * Checks an event by itself.
 * @param {Json} value
 * @param {string} where
 * @returns {Fields}
 */
function event(value, where) {
  const type = value instanceof Map ? value.get("type") : undefined;
  of.need(typeof type === "string" && Object.hasOwn(EVENTS, type), where, "the type of an event");
  return fields(rowsOf(type), value, where);
}

/**
 * Checks what the events of a record must be together: the opening, the players, what a correction may do.
 * @param {Fields[]} events
 */
function together(events) {
  /** @type {Set<string>} */
  const known = new Set();
  events.forEach((fields, seq) => {
    const where = `event ${seq}`;
    of.need((fields.get("type") === "open") === (seq === 0), where, "an opening at 0, and nowhere else");
    const put = fields.get("event");
    const placed = put instanceof Map ? put : fields;
    if (placed.get("type") === "open") {
      of.need(seq === 0 || (fields.get("type") === "amend" && fields.get("seq") === 0n), where, "no opening");
      seat(placed, known, where);
      return;
    }
    of.need(fields.get("seq") !== 0n, where, "an opening in place of the opening");
    for (const player of named(placed)) of.need(known.has(player), where, `a player of the opening, not ${player},`);
    if (placed.get("type") === "take") {
      of.need(
        ["tiles", "points"].some((name) => (placed.get(name) ?? null) !== null),
        where,
        "tiles or points",
      );
    }
  });
  of.need(events.length > 0, "the record", "an opening");
  const [opening] = events;
  if (opening?.get("card") === true) of.need(events.some(scored(opening)), "event 0", "the scores of a card");
}

/**
 * Whether an event has the scores of a card: the cheats, or the score of the game for each of its players.
 * @param {Fields} opening
 * @returns {(event: Fields) => boolean}
 */
function scored(opening) {
  const ids = /** @type {Fields[]} */ (opening.get("players")).map((player) => String(player.get("id")));
  return (event) => {
    const put = event.get("event");
    const placed = put instanceof Map ? put : event;
    const points = placed.get("points");
    if (placed.get("type") === "cheats") return true;
    if (placed.get("type") !== "score" || placed.get("scope") !== "game" || !(points instanceof Map)) return false;
    return ids.every((id) => points.has(id));
  };
}

/**
 * Adds the players of an opening to those that are known.
 * @param {Fields} opening
 * @param {Set<string>} known
 * @param {string} where
 */
function seat(opening, known, where) {
  const ids = /** @type {Fields[]} */ (opening.get("players")).map((player) => String(player.get("id")));
  of.need(new Set(ids).size === ids.length, where, "an id of its own for each player");
  for (const player of known) of.need(ids.includes(player), where, `the player ${player}`);
  for (const id of ids) known.add(id);
}

/**
 * The ids of players in an event.
 * @param {Fields} event
 * @returns {string[]}
 */
function named(event) {
  const [player, winners, points] = ["player", "winners", "points"].map((name) => event.get(name) ?? null);
  const list = Array.isArray(winners) ? winners : points instanceof Map ? [...points.keys()] : [];
  return [player, ...list].filter((id) => id !== null).map(String);
}

/**
 * The canonical text of a record.
 * @param {Fields[]} events
 */
export function text(events) {
  return `{"format":"${FORMAT}","events":[${events.map(eventText).join(",")}]}`;
}

/**
 * The same record as a file for people: an event per line.
 * @param {Fields[]} events
 */
export function file(events) {
  return `{"format":"${FORMAT}","events":[\n${events.map(eventText).join(",\n")}\n]}\n`;
}

/**
 * The canonical text of an event.
 * @param {Fields} event
 */
export function eventText(event) {
  return write(canonical(event));
}

/**
 * An event with its fields in order, and without those that are left out.
 * @param {Fields} event
 * @returns {Fields}
 */
function canonical(event) {
  const ordered = inOrder(rowsOf(String(event.get("type"))), event);
  const put = ordered.get("event");
  if (put instanceof Map) ordered.set("event", canonical(put));
  const seats = ordered.get("players");
  if (Array.isArray(seats)) {
    ordered.set(
      "players",
      seats.map((player) => inOrder(NAMES, /** @type {Fields} */ (player))),
    );
  }
  return ordered;
}

/**
 * @param {Field[]} rows
 * @param {Fields} fields
 * @returns {Fields}
 */
function inOrder(rows, fields) {
  /** @type {Fields} */
  const ordered = new Map();
  for (const [name, , leftOut] of rows) {
    const value = fields.get(name) ?? null;
    const empty = value instanceof Map && leftOut instanceof Map && value.size === 0;
    if (value !== null && value !== leftOut && !empty) ordered.set(name, value);
  }
  return ordered;
}
