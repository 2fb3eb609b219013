// @ts-check
/**
 * JSON as the page about the record format needs it. Objects are Maps, which keep the order of their names.
 * A number that is written as a whole one is a bigint.
 * @module
 */

/** @typedef {null | boolean | string | bigint | number | any[] | Map<string, any>} Json */

/** A text that is not a record, or a part of one: where, and why. */
export class Refused extends Error {}

const WHITE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES = new Map(
  Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", "/": "/" }),
);
const DEEPEST = 100;

/**
 * The value that a text holds.  A whole number is a bigint, any other a number.  Throws Refused.
 * @param {string} text
 * @returns {Json}
 */
export function parse(text) {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.space();
  if (reader.at < text.length) throw reader.refuse("there is more after the end");
  return value;
}

/** Reads a text from its beginning. */
class Reader {
  at = 0;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  /** @param {string} why */
  refuse(why) {
    return new Refused(`not JSON at character ${this.at}: ${why}`);
  }

  /**
   * Goes past what matches here; the match.
   * @param {RegExp} pattern a sticky one
   */
  past(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at += match[0].length;
    return match;
  }

  space() {
    this.past(WHITE);
  }

  /**
   * Goes past a word that must stand here.
   * @param {string} word
   */
  need(word) {
    if (!this.text.startsWith(word, this.at)) throw this.refuse(`no ${word}`);
    this.at += word.length;
  }

  /**
   * @param {number} depth
   * @returns {Json}
   */
  value(depth) {
    if (depth > DEEPEST) throw this.refuse("nested deeper than any record");
    this.space();
    switch (this.text[this.at]) {
      case "{":
        return this.object(depth);
      case "[":
        return this.list(depth);
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  /**
   * @template T
   * @param {string} word
   * @param {T} meaning
   */
  word(word, meaning) {
    this.need(word);
    return meaning;
  }

  number() {
    const match = this.past(NUMBER);
    if (!match) throw this.refuse("no value");
    return match[1] === undefined && match[2] === undefined ? BigInt(match[0]) : Number(match[0]);
  }

  /**
   * Goes through the items between two brackets.
   * @param {string} open
   * @param {string} close
   * @param {() => void} item
   */
  items(open, close, item) {
    this.need(open);
    this.space();
    if (this.text[this.at] !== close) {
      for (item(), this.space(); this.text[this.at] === ","; this.space()) {
        this.at++;
        item();
      }
    }
    this.need(close);
  }

  /** @param {number} depth */
  list(depth) {
    /** @type {Json[]} */
    const list = [];
    this.items("[", "]", () => list.push(this.value(depth + 1)));
    return list;
  }

  /** @param {number} depth */
  object(depth) {
    /** @type {Map<string, Json>} */
    const object = new Map();
    this.items("{", "}", () => {
      this.space();
      const name = this.string();
      if (object.has(name)) throw this.refuse(`${name} stands twice in one object`);
      this.space();
      this.need(":");
      object.set(name, this.value(depth + 1));
    });
    return object;
  }

  string() {
    this.need('"');
    let value = "";
    for (;;) {
      value += this.past(PLAIN)?.[0] ?? "";
      if (this.text[this.at] !== "\\") break;
      value += this.escape();
    }
    this.need('"');
    if (/\p{Surrogate}/u.test(value)) throw this.refuse("half of a surrogate pair");
    return value;
  }

  escape() {
    const letter = this.text[this.at + 1] ?? "";
    const code = this.text.slice(this.at + 2, this.at + 6);
    const hexadecimal = letter === "u" && /^[0-9a-fA-F]{4}$/.test(code);
    const value = hexadecimal ? String.fromCharCode(parseInt(code, 16)) : ESCAPES.get(letter);
    if (value === undefined) throw this.refuse("an escape that is none");
    this.at += hexadecimal ? 6 : 2;
    return value;
  }
}

const SHORT = new Map(
  Object.entries({ '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r" }),
);

/**
 * The text of a value without white space, as canonical text has it.
 * @param {Json} value
 * @returns {string}
 */
export function write(value) {
  if (value instanceof Map) {
    return `{${[...value].map(([name, inner]) => `${string(name)}:${write(inner)}`).join(",")}}`;
  }
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  return typeof value === "string" ? string(value) : String(value);
}

/** @param {string} text */
function string(text) {
  return `"${text.replace(/["\\\u0000-\u001f]/g, escaped)}"`;
}

/** @param {string} letter */
function escaped(letter) {
  return SHORT.get(letter) ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
