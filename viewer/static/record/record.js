// The recorder: a move is a tile and a place; everything else is one tap.
// @ts-check

import { anyhow, near, places, square, STEP } from "./draw.js";
import { Dialogs } from "./dialogs.js";
import { guess, name } from "./guess.js";
import { Outbox, newId } from "./outbox.js";
import { after, Post } from "./post.js";
import { inOrder, MANY, show, state } from "./show.js";

const record = location.pathname.split("/").pop() || "";
/** @param {string} id */
const by = (id) => /** @type {any} */ (document.getElementById(id));
const memory = {
  get: (what) => { try { return localStorage.getItem(`domino-ledger.${what}`) || ""; } catch { return ""; } },
  set: (what, value) => { try { localStorage.setItem(`domino-ledger.${what}`, value); } catch { /* for this page only */ } },
};

/** Milliseconds for which a tile that was put down can still be turned before it goes out. */
const HELD = 1200;
/** How much nearer to a finger than a legal place another must be to be meant, in squares. */
const LEANING = 0.3;
/** How far from each other two taps of one finger on one spot may come down, in CSS pixels. */
const FINGER = 24;

class Recorder {
  constructor() {
    this.outbox = new Outbox(record);
    this.queue = [];
    this.screen = null;
    this.edit = null;
    this.made = null;
    this.pick = { player: "", kind: "", tiles: [], held: "", end: "", edited: null };
    this.byHand = -1;
    this.cycle = null;
    this.wide = 0;
    this.largest = 0;
    this.all = false;
    this.slots = new Map();
    this.numbers = new Map();
    this.writing = Promise.resolve();
    this.placing = Promise.resolve();
    this.post = new Post(this.outbox, this);
    this.dialogs = new Dialogs(this);
    this.secret = "";
    this.memory = memory;
  }

  /** The key stands in the fragment of the link; from there it moves to this phone, so that no copied address holds it. */
  async admit() {
    const fresh = location.hash.slice(1);
    this.secret = fresh || memory.get(`key.${record}`);
    this.secret = await this.outbox.key(this.secret);
    memory.set(`key.${record}`, this.secret);
    if (!fresh) return;
    history.replaceState(null, "", location.pathname);
    this.fresh = true;
  }

  key() { return this.secret; }

  // ── What is known ────────────────────────────────────────────────────────────────────────────────────

  async begin() {
    await this.admit();
    for (const entry of await this.outbox.all()) this.queue.push(entry);
    const kept = await this.outbox.screen();
    if (kept) this.seen(kept);
    await this.refresh();
    this.post.flush();
    this.follow();
    if (this.fresh && this.screen?.version === 1) this.dialogs.links();
    document.documentElement.dataset.ready = "yes";
  }

  /** Asks the ledger how things stand. */
  async refresh(before = 0) {
    try {
      const known = this.screen;
      const query = before ? `?before=${before}` : known?.link ? `?seen=${known.version}` : "";
      const answer = await this.entered(() => fetch(`/api/records/${record}/screen${query}`, { signal: after(8000) }));
      const said = await answer.json();
      if (!answer.ok) {
        if (!this.screen) by("status").textContent = `${said.title}: ${said.detail}.`;
        else if (answer.status === 404) {
          this.post.gone = true;
          this.changed();
        }
        return null;
      }
      this.post.gone = false;
      if (before) return said;
      // What this phone saw must still be there, event for event.
      this.altered = Boolean(known?.link) && said.then !== known.link && said.version >= known.version;
      // Another answer may have been quicker, and newer; and while something waits, the answer to that tells more.
      if (!this.screen || (said.version >= this.screen.version && (this.post.locked || !this.post.waiting.length))) {
        await this.outbox.settle([], said);
        this.seen(said);
      }
      return said;
    } catch {
      this.post.offline = true;
      if (!this.screen) by("status").textContent = "There is no connection, and this phone has not seen this game yet. Try again when there is one.";
      this.changed();
      return null;
    }
  }

  /** Asks, and where the ledger shows this game only to who has a link, hands in the secret of ours and asks again. */
  async entered(asking) {
    const answer = await asking();
    if (answer.status !== 401 || !this.secret) return answer;
    const said = new FormData();
    said.set("key", this.secret);
    said.set("record", record);
    const opened = await fetch("/door", { method: "POST", body: said, signal: after(8000) });
    return opened.ok ? asking() : answer;
  }

  seen(screen) {
    this.screen = screen;
    this.made = null;
    this.changed();
  }

  /** Listens for events recorded by another phone. */
  follow() {
    let stream = null;
    let names = "";
    const open = () => {
      if (stream || document.hidden) return;
      stream = new EventSource(`/g/${record}/live?from=${this.screen?.version || 1}`);
      stream.addEventListener("version", (event) => {
        if (Number(event.data) > (this.screen?.version || 0) && !this.post.sending.length) this.refresh();
        this.post.soon();
      });
      // Somebody may have asked to be forgotten.
      stream.addEventListener("names", (event) => {
        if (names && names !== event.data) this.refresh();
        names = event.data;
      });
    };
    const close = () => { stream?.close(); stream = null; };
    document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
    addEventListener("pagehide", close);
    open();
  }

  /** The version of the record with all that waits: the seq of the next entry. */
  get upto() {
    const { waiting } = this.post;
    return waiting.length ? waiting[waiting.length - 1].base + 1 : this.screen?.version || 0;
  }

  get view() {
    if (this.edit) return this.edit.screen;
    const events = this.post.waiting.map((entry) => entry.event);
    const of = stamp(this.screen, events);
    if (this.made?.of !== of) this.made = { of, view: guess(this.screen, events) };
    return this.made.view;
  }

  /** Asks how things will stand with what rests on this phone for a moment. */
  async peek() {
    const events = this.post.waiting.map((entry) => entry.event);
    const of = stamp(this.screen, events);
    try {
      const answer = await this.ask("draft", events);
      const view = { ...await answer.json(), sure: true };
      // More may have been entered since: then this is no longer how things stand.
      if (answer.ok && this.made?.of === of) this.made = { of, view };
      this.changed();
    } catch { /* the guess stays */ }
  }

  /** Asks what the ledger would say to events that it does not have. */
  ask(what, events) {
    return fetch(`/api/records/${record}/${what}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ events }), signal: after(6000) });
  }

  // ── What is entered ──────────────────────────────────────────────────────────────────────────────────

  /** Keeps events: on the disk of this phone first, then on the screen, then in the ledger. @returns {Promise<any[]>} */
  keep(...events) {
    // One after the other: each must know how many came before it.
    this.writing = this.writing.catch(() => undefined).then(() => this.write(events));
    // At once: a finger may be on the next tile before the disk has this one.
    this.pick = { ...this.pick, tiles: [], held: "", end: "" };
    return this.writing;
  }

  async write(events) {
    const when = new Date().toISOString();
    const who = memory.get("by");
    const first = this.upto;
    const entries = events.map((event, n) => (
      { id: newId(), record, base: first + n, state: "waiting", event: { ...event, when, ...(who ? { by: who } : {}) } }));
    try {
      await this.outbox.add(entries);
    } catch (error) {
      this.dialogs.say("This phone cannot keep it", `Nothing was recorded: ${error}. A private window keeps nothing; try an ordinary one.`);
      return [];
    }
    this.queue.push(...entries);
    const last = events[events.length - 1];
    this.forced = null;
    this.all = false;
    if (last.type === "deal" || last.type === "layout") this.onward(last);
    this.wide = 0;
    this.changed();
    // A tile that was just put down may still be turned without a trace; then it goes out.
    clearTimeout(this.resting);
    // The next entry need not wait for an answer.
    if (!this.cycle) this.post.soon();
    else {
      this.resting = setTimeout(() => this.post.soon(), HELD);
      this.peek();
    }
    return entries;
  }

  /** After one hand is written the next player's comes. */
  onward(event) {
    const seat = this.screen.players.findIndex(([id]) => id === event.player) + 1;
    if (seat < this.screen.players.length) this.forced = { player: this.screen.players[seat][0], kind: event.type };
  }

  /** What was entered, as a change of an earlier event where one is being changed; judged first unless it is legal. */
  async enter(event, { legal = false, sure = true } = {}) {
    const edit = this.edit;
    let said = event;
    if (edit?.mode === "amend") said = { type: "amend", seq: edit.seq, event, why: edit.why };
    if (edit?.mode === "insert") said = { type: "insert", before: edit.seq, event, why: edit.why };
    if (!legal && sure && !(await this.stood(said))) return [];
    this.edit = null;
    return this.keep(said);
  }

  /** Whether an event may be kept: at once if no rule is against it, else when the table says that it stood. */
  async stood(event) {
    try {
      const events = [...this.post.waiting.map((entry) => entry.event), event];
      const answer = await this.ask("check", events);
      const said = await answer.json();
      if (!answer.ok) return this.dialogs.doubt(null, said.detail, false);
      const grave = said.findings.filter(({ verdict }) => verdict === "impossible" || verdict === "breach");
      if (!grave.length) return true;
      const later = event.type === "amend" || event.type === "insert" || event.type === "retract";
      return this.dialogs.doubt(grave, "", later || !grave.some(({ verdict }) => verdict === "impossible"));
    } catch {
      return this.dialogs.doubt(null, "There is no connection: whether it was legal will be said when there is one.", true);
    }
  }

  async undo() {
    const last = this.post.waiting[this.post.waiting.length - 1];
    if (last && !this.post.sending.includes(last)) {
      await this.outbox.settle([last], null);
      this.queue = this.queue.filter((entry) => entry !== last);
      this.cycle = null;
      return this.changed();
    }
    const standing = this.screen.moves.filter(({ event }) => !["note", "close", "confirm"].includes(event.type));
    const seq = last ? last.base : Math.max(...standing.map((move) => move.seq));
    if (Number.isFinite(seq)) await this.keep({ type: "retract", seq, why: "taken back at once" });
  }

  /** The last tile the other way round, or the next place that fits the tap. */
  async turn() {
    const cycle = this.cycle;
    if (!cycle) return;
    cycle.n = (cycle.n + 1) % cycle.all.length;
    cycle.until = Date.now() + HELD;
    const event = placed(cycle.player, cycle.tile, cycle.all[cycle.n]);
    const entry = this.queue.find(({ id }) => id === cycle.id);
    if (entry && !this.post.sending.includes(entry)) {
      entry.event = { ...entry.event, ...event };
      await this.outbox.put([entry]);
      this.changed();
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.post.soon(), HELD);
      this.peek();
    } else {
      await this.keep({ type: "amend", seq: cycle.base, event, why: "turned at once" });
    }
  }

  // ── What is tapped ───────────────────────────────────────────────────────────────────────────────────

  way(kind = this.pick.kind, player = this.pick.player) {
    return this.view.form.ways.find((way) => way.kind === kind && (way.player || player) === player);
  }

  /** The act that comes next by all that is known: who does what. */
  choose() {
    const { form, next, players } = this.view;
    const kinds = Object.keys(form.names).sort(inOrder);
    const due = form.ways.filter((way) => way.due).sort((one, other) => inOrder(one.kind, other.kind));
    const found = this.forced || due[0] || next || { kind: kinds[0], player: players[0][0] };
    this.pick.kind = found.kind || kinds[0];
    this.pick.player = found.player || players[0][0];
    if (this.edit?.was?.player) {
      this.pick.player = this.edit.was.player;
      if (kinds.includes(this.edit.was.type)) this.pick.kind = this.edit.was.type;
    }
    this.pick.edited = this.edit;
  }

  /** A tile is taken in hand, by the half that was touched. */
  tile(tile, held) {
    const { kind, player } = this.pick;
    const way = this.way();
    if (this.cycle) this.post.soon();
    this.cycle = null;
    if (MANY.includes(kind)) {
      const tiles = this.pick.tiles.includes(tile) ? this.pick.tiles.filter((one) => one !== tile) : [...this.pick.tiles, tile];
      this.pick.tiles = tiles;
      this.changed({ keep: true });
      return way?.count && tiles.length === way.count ? this.many() : undefined;
    }
    if (kind === "place" || kind === "stack") {
      this.pick.tiles = this.pick.tiles[0] === tile && this.pick.held === held ? [] : [tile];
      this.pick.held = kind === "place" ? held : "";
      return this.changed({ keep: true });
    }
    if (kind === "play" && this.view.form.names.play.includes("end")) return this.onLine(tile);
    const legal = way?.legal?.some((group) => group.tiles.includes(tile)) || (kind !== "play" && way?.due);
    return this.enter({ type: kind, player, tile }, { legal, sure: this.view.sure !== false });
  }

  /** A tile for a line: it goes to the end that was tapped before it or, if it can go to one end only, there. */
  onLine(tile) {
    const at = places(this.way("play"), tile);
    if (this.pick.end) return this.atEnd(tile, this.pick.end);
    const line = this.view.scene.areas.find((area) => area.type === "row");
    if (at.length === 1 || !line?.piles.length) return this.atEnd(tile, at[0]?.[0]);
    this.pick.tiles = this.pick.tiles[0] === tile ? [] : [tile];
    return this.changed({ keep: true });
  }

  /** An end of the line, for the tile in hand or for the next one. */
  end(end) {
    const { tiles: [tile] } = this.pick;
    if (tile) return this.atEnd(tile, end);
    this.pick.end = this.pick.end === end ? "" : end;
    return this.changed({ keep: true });
  }

  /** A play; the first tile of a line goes to no end. */
  atEnd(tile, end) {
    const legal = places(this.way("play"), tile).some((at) => at[0] === end);
    const event = { type: "play", player: this.pick.player, tile, ...(end ? { end } : {}) };
    return this.enter(event, { legal, sure: this.view.sure !== false });
  }

  /** Several tiles at once: a layout, a hand. */
  many() {
    const { kind, player, tiles } = this.pick;
    const way = this.way();
    const part = kind === "deal" && way?.count && tiles.length < way.count ? { partial: true } : {};
    return this.enter({ type: kind, player, tiles, ...part }, { legal: way?.due, sure: this.view.sure !== false });
  }

  /** A place for the tile in hand; the same spot again at once turns the tile that was put there; a tile is lifted. */
  async spot(point, glass) {
    const now = Date.now();
    // What was put down a moment ago may still be on its way to the disk: a second tap means that.
    await this.placing;
    const { player, tiles: [tile], held } = this.pick;
    const view = this.view;
    const grid = view.scene.areas.find((area) => area.type === "grid");
    const under = (x, y) => Math.max(0, ...grid.laid.filter(({ at, to }) => `${at}` === `${[x, y]}` || `${to}` === `${[x, y]}`).map(({ level }) => level));
    if (!tile) {
      const [x, y] = point.map(Math.floor);
      // The squares may have moved under the finger, since they make room for the new tile.
      if (this.cycle && now < this.cycle.until && (this.cycle.cell === `${x},${y}` || Math.hypot(glass[0] - this.cycle.glass[0], glass[1] - this.cycle.glass[1]) < FINGER)) return this.turn();
      const laid = grid.laid.find(({ at, to, level }) => level === under(x, y) && (`${at}` === `${[x, y]}` || `${to}` === `${[x, y]}`));
      if (!laid || !("lift" in view.form.names)) return;
      const way = this.way("lift") || {};
      const legal = way.legal?.some((group) => group.tiles.includes(name(laid.tile)));
      return this.enter({ type: "lift", player, tile: name(laid.tile) }, { legal, sure: view.sure !== false });
    }
    const fit = near(places(this.way("place"), tile), point, held);
    const free = anyhow(point, held, under);
    // A tap well away from every legal place means another one.
    const legal = fit.length > 0 && !(free.length && fit[0].far > free[0].far + LEANING);
    const all = (legal ? fit : free).map(({ place }) => place);
    if (!all.length) return;
    this.cycle = { player, tile, all, n: 0, id: "", base: 0, until: 0, cell: point.map(Math.floor).join(), glass };
    const placing = this.enter(placed(player, tile, all[0]), { legal, sure: view.sure !== false });
    this.placing = placing.then(() => undefined, () => undefined);
    const [entry] = (await placing) || [];
    if (entry?.event.type === "place") Object.assign(this.cycle, { id: entry.id, base: entry.base, until: Date.now() + HELD });
    else this.cycle = null;
    this.changed();
  }

  /** A pile for the tile in hand. */
  stack(number) {
    const { player, tiles: [tile] } = this.pick;
    if (!tile) return this.dialogs.hint("Take a tile first, then the stack.");
    const legal = places(this.way("stack"), tile).some(([stack]) => stack === number);
    return this.enter({ type: "stack", player, tile, stack: number }, { legal, sure: this.view.sure !== false });
  }

  /** An act that names no tile: a bid, a pass, a ranking. */
  bare(kind, at) {
    const { form } = this.view;
    const way = this.way(kind);
    const legal = (way?.legal || []).some((group) => group.at.some((one) => `${one}` === `${at}`));
    const fields = Object.fromEntries(form.names[kind].map((field, n) => [field, at[n]]));
    return this.enter({ type: kind, player: this.pick.player, ...fields }, { legal, sure: this.view.sure !== false });
  }

  // ── What is shown ────────────────────────────────────────────────────────────────────────────────────

  changed({ keep = false } = {}) {
    if (!this.screen) return state(this);
    // A player picked by hand stays until the next entry.
    const total = this.upto;
    if (keep) this.byHand = total;
    else if (this.byHand !== total || this.pick.edited !== this.edit) this.choose();
    show(this, this.view);
  }

  overtaken(problem) { this.dialogs.overtaken(problem); }
}

/** What a look ahead is made of. */
const stamp = (screen, events) => `${screen.version} ${JSON.stringify(events)}`;

/** A placement, written from its left or upper half. */
function placed(player, tile, [x, y, way, level]) {
  const [one, other] = tile.split("-");
  const [right, down] = STEP[way];
  return way === "e" || way === "s"
    ? { type: "place", player, tile, at: [x, y], dir: way, level }
    : { type: "place", player, tile: `${other}-${one}`, at: [x + right, y + down], dir: way === "w" ? "e" : "s", level };
}

const recorder = new Recorder();

/** @param {string} where @param {string} what @param {(on: any, event: any) => void} act */
function tapped(where, what, act) {
  by(where).addEventListener("click", (event) => {
    const on = /** @type {HTMLElement} */ (event.target).closest(what);
    if (on) act(on, event);
  });
}
tapped("seats", "button", (on) => { recorder.pick.player = on.dataset.player; recorder.pick.tiles = []; recorder.pick.end = ""; recorder.forced = null; recorder.changed({ keep: true }); });
tapped("kinds", "[data-kind]", (on) => { recorder.pick.kind = on.dataset.kind; recorder.pick.tiles = []; recorder.pick.end = ""; recorder.changed({ keep: true }); });
tapped("kinds", "[data-more]", () => { recorder.all = true; recorder.changed({ keep: true }); });
tapped("kinds", "[data-bare]", (on) => recorder.bare(on.dataset.bare, []));
tapped("tray", "[data-tile]", (on, event) => {
  const box = on.getBoundingClientRect();
  recorder.tile(on.dataset.tile, event.clientX > box.left + box.width / 2 ? "high" : "low");
});
tapped("ends", "[data-end]", (on) => recorder.end(on.dataset.end));
tapped("tray", "[data-bare]", (on) => recorder.bare(on.dataset.bare, on.dataset.at.split(",").map((one) => (/^\d+$/.test(one) ? Number(one) : one))));
tapped("rows", "[data-stack]", (on) => recorder.stack(Number(on.dataset.stack)));
tapped("places", "[data-place]", (on) => {
  const place = places(recorder.way("place"), recorder.pick.tiles[0])[Number(on.dataset.place)];
  recorder.enter(placed(recorder.pick.player, recorder.pick.tiles[0], place), { legal: true });
});
by("table").addEventListener("click", (event) => {
  const picture = /** @type {HTMLElement} */ (event.target).closest("svg");
  if (picture) recorder.spot(square({ currentTarget: picture, clientX: event.clientX, clientY: event.clientY }, recorder.box), [event.clientX, event.clientY]);
});
by("turn").addEventListener("click", () => recorder.turn());
by("undo").addEventListener("click", () => recorder.undo());
by("done").addEventListener("click", () => recorder.many());
by("wider").addEventListener("click", () => { recorder.wide += 1; recorder.changed({ keep: true }); });
by("other").addEventListener("submit", (event) => {
  event.preventDefault();
  const number = Number(by("number").value);
  if (Number.isInteger(number)) recorder.bare("bid", [number]);
});
by("who").value = memory.get("by");
by("who").addEventListener("change", () => memory.set("by", by("who").value.trim().slice(0, 200)));

/** The screen stays on while a game is recorded, where the browser can. */
async function awake() {
  try { if (!document.hidden) await /** @type {any} */ (navigator).wakeLock?.request("screen"); } catch { /* it may not */ }
}
document.addEventListener("visibilitychange", awake);
document.addEventListener("click", awake, { once: true });
if (window.isSecureContext) navigator.serviceWorker?.register("/worker.js").catch(() => undefined);

recorder.begin();
