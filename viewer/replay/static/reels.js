// Reels: the drawing of a game in one look (viewer/pictures/reel.py).  They come from the server, from the page's own
// file, or from the rules in this browser.

/**
 * @typedef {{ shape: string, view: string, turn: number }} Look
 * @typedef {[pieces: number, lists: number, sum: number]} Known  what a page has of a reel
 * @typedef {[words: string, levels: number[], beside: number[], tiles: number[], camera: number]} Step
 * @typedef {[zoom: number, right: number, down: number]} Camera
 * @typedef {{ width: number, height: number, squares: boolean, pieces: [string, Record<string, string>][],
 *   lists: number[][], steps: Step[], sentences: string[], cameras: Camera[], after: Known, known: Known }} Sent
 * @typedef {{ key: string, svg: string, node?: SVGElement, numerals?: boolean }} Piece
 * @typedef {(look: Look, had: Known) => Promise<Sent>} Ask
 */

export class Reel {
  pieces = /** @type {Piece[]} */ ([]);
  lists = /** @type {number[][]} */ ([]);
  steps = /** @type {Step[]} */ ([]);
  /** What names the tiles. @type {string[]} */
  sentences = [];
  cameras = /** @type {Camera[]} */ ([]);
  known = /** @type {Known} */ ([0, 0, 0]);
  width = 1;
  height = 1;
  squares = false;

  /** Takes over what was sent: what is new, or all of it. @param {Sent} sent */
  extend({ width, height, squares, pieces, lists, steps, sentences, cameras, after, known }) {
    Object.assign(this, { width, height, squares, steps, sentences, cameras, known });
    this.pieces.length = after[0];
    this.lists.length = after[1];
    for (const [key, alike] of pieces) for (const n in alike) this.pieces[Number(n)] = { key, svg: alike[n] };
    this.lists.push(...lists);
    return this;
  }
}

/** The reels of a page, each asked for when it is first wanted. */
export class Reels {
  /** @param {Ask} ask */
  constructor(ask) {
    this.ask = ask;
    /** @type {Map<string, { version: number, reel: Promise<Reel> }>} */
    this.kept = new Map();
    /** Counts the times that the game has grown. */
    this.version = 0;
  }

  /** @param {Look} look @returns {Promise<Reel>} */
  get(look) {
    const key = JSON.stringify(look);
    const kept = this.kept.get(key);
    if (kept?.version === this.version) return kept.reel;
    const reel = this.fetch(look, kept?.reel);
    this.kept.set(key, { version: this.version, reel });
    reel.catch(() => this.kept.delete(key));
    return reel;
  }

  /** @param {Look} look @param {Promise<Reel>} [older] */
  async fetch(look, older) {
    const reel = (await older) || new Reel();
    return reel.extend(await this.ask(look, reel.known));
  }
}

/** Where the reels of this page are. @param {HTMLElement} stage @returns {Ask} */
export function sourceOf(stage) {
  const inside = document.getElementById("reels");
  if (inside) {
    const reels = JSON.parse(inside.textContent || "{}");
    return async ({ shape, view, turn }) => {
      const held = { low: "phone", small: "phone", tablet: "wide" }[shape] || shape;
      return JSON.parse(await unpack(reels[`${held} ${view} ${turn}`] || reels[`${held} stacked 0`]));
    };
  }
  const { reel } = stage.dataset;
  // The page of a game that is in no ledger asks the rules (site/game.js).
  if (!reel) return (look) => /** @type {any} */ (globalThis).askReel(look);
  return async ({ shape, view, turn }, known) => {
    const address = new URL(reel, location.href);
    address.searchParams.set("shape", shape);
    if (view === "plan") address.searchParams.append("view", view);
    if (turn) address.searchParams.set("turn", String(turn));
    if (known[0]) address.searchParams.set("known", known.join());
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json();
  };
}

/** The text that was compressed and encoded. @param {string} encoded */
export async function unpack(encoded) {
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
