// The recorder's dialogs: questions, the list of moves, claims, conflicts, the end.
// @ts-check

import { fill, safe } from "./draw.js";

/** @param {string} id */
const by = (id) => /** @type {any} */ (document.getElementById(id));

export class Dialogs {
  constructor(recorder) {
    this.recorder = recorder;
    for (const dialog of document.querySelectorAll("dialog")) {
      dialog.addEventListener("click", (event) => { if (/** @type {HTMLElement} */ (event.target).closest("[data-close]")) dialog.close(); });
    }
    by("list").addEventListener("click", () => { this.open = 0; this.moves(); by("moves").showModal(); });
    by("said").addEventListener("click", () => { this.claims(); by("claims").showModal(); });
    by("link").addEventListener("click", () => this.links());
    by("abandon").addEventListener("click", () => this.ask("Is the game left unfinished?", "It can be gone on with later.", () => recorder.keep({ type: "close", why: "abandoned" })));
    by("moves").addEventListener("click", (event) => this.chosen(/** @type {HTMLElement} */ (event.target).closest("button")));
    by("claims").addEventListener("submit", (event) => this.claimed(event));
    for (const where of ["panels", "misfits"]) by(where).addEventListener("click", (event) => this.pressed(event.target.closest("button")));
    this.conflict = null;
    this.open = 0;
  }

  // ── Doubts ───────────────────────────────────────────────────────────────────────────────────────────

  /** Whether the table says that it stood, though a rule is against it. @returns {Promise<boolean>} */
  doubt(findings, reason, may) {
    by("doubt").innerHTML = `<h2>${may ? "Was it like that?" : "That cannot have been"}</h2>`
      + (findings || []).map((one) => `<p><b class="m ${one.verdict}">⚑ ${one.verdict}</b> ${safe(one.message)}.</p><p class="soft">${safe(one.meaning)} <i>${one.clause}</i></p>`).join("")
      + (reason ? `<p>${safe(reason)}</p>` : "")
      + `<p class="two"><button type="button" value="">Back</button>${may ? '<button type="button" value="yes" class="strong">It stood: record it</button>' : ""}</p>`;
    return new Promise((resolve) => {
      const dialog = by("doubt");
      let stood = false;
      dialog.onclick = (event) => {
        const button = event.target.closest("button");
        if (button) { stood = button.value === "yes"; dialog.close(); }
      };
      dialog.onclose = () => resolve(stood);
      dialog.showModal();
    });
  }

  ask(title, text, act) {
    this.doubt(null, text, true).then((yes) => { if (yes) act(); });
    by("doubt").querySelector("h2").textContent = title;
    by("doubt").querySelector(".strong").textContent = "Yes";
  }

  say(title, text) {
    this.doubt(null, text, false);
    by("doubt").querySelector("h2").textContent = title;
  }

  hint(text) { by("last").textContent = text; }

  // ── The list of moves, and changing what stands there ────────────────────────────────────────────────

  /** An event that only this phone knows yet, in few words. */
  words(event) {
    const { players, moves } = this.recorder.screen;
    const who = players.find(([id]) => id === event.player)?.[1] || "";
    const was = moves.find(({ seq }) => seq === event.seq || seq === event.before)?.words || `event ${event.seq ?? event.before}`;
    if (event.type === "retract") return `Taken back: ${was}`;
    if (event.type === "amend") return `${was} – really: ${this.words(event.event)}`;
    if (event.type === "insert") return `Before “${was}”: ${this.words(event.event)}`;
    const rest = [event.tile, event.tiles?.join(", "), event.end && `on the ${event.end}`, event.stack && `on stack ${event.stack}`, event.bid, event.high, event.direction,
      event.at && `on level ${event.level}`, event.why, event.text, event.count].filter((part) => part !== undefined && part !== null && part !== "");
    return `${who} ${event.type} ${rest.join(" ")}`.trim();
  }

  moves() {
    const { screen, queue } = this.recorder;
    const grave = new Map();
    for (const finding of screen.findings) if (finding.verdict !== "note" && finding.verdict !== "unproven") grave.set(finding.seq, [...(grave.get(finding.seq) || []), finding]);
    const waiting = queue.map((entry) => `<li class="${entry.state}"><i>…</i> ${safe(this.words(entry.event))} <small>${entry.state === "waiting" ? "on this phone" : `${entry.state}: ${safe(entry.reason || "")}`}</small></li>`).reverse();
    const stand = screen.moves.map((move) => (
      `<li><button type="button" data-seq="${move.seq}" aria-expanded="${this.open === move.seq}"><i>${move.seq}</i> ${safe(move.words)}${move.gained ? ` <b>+${move.gained}</b>` : ""}${grave.has(move.seq) ? ' <b class="m breach">⚑</b>' : ""}</button>`
      + (this.open === move.seq ? this.sheet(move, grave.get(move.seq) || []) : "") + "</li>")).reverse();
    by("moves").innerHTML = `<h2>Moves</h2><p><button type="button" data-close>Close</button></p><ol>${waiting.join("")}${stand.join("")}</ol>`;
  }

  sheet(move, findings) {
    const n = this.recorder.screen.moves.indexOf(move);
    return findings.map((one) => `<p class="f breach">${safe(one.message)}. <small>${safe(one.meaning)} ${one.clause}</small></p>`).join("")
      + `<p><label>Why <input id="why" value="a slip in recording" maxlength="200"></label></p><p class="two">`
      + `<button type="button" data-do="amend">Change it</button><button type="button" data-do="retract">It never happened</button>`
      + `<button type="button" data-do="insert">Something is missing before it</button>${n > 0 ? '<button type="button" data-do="earlier">It came one earlier</button>' : ""}</p>`;
  }

  async chosen(button) {
    if (!button) return;
    if (button.dataset.seq) {
      this.open = this.open === Number(button.dataset.seq) ? 0 : Number(button.dataset.seq);
      return this.moves();
    }
    const mode = button.dataset.do;
    if (!mode) return;
    const { recorder } = this;
    const why = by("why").value.trim() || "a slip in recording";
    const n = recorder.screen.moves.findIndex(({ seq }) => seq === this.open);
    const move = recorder.screen.moves[n];
    by("moves").close();
    if (mode === "retract") {
      const event = { type: "retract", seq: move.seq, why };
      if (await recorder.stood(event)) await recorder.keep(event);
    } else if (mode === "earlier") {
      const { when, by: who, ...event } = move.event;
      await recorder.keep({ type: "retract", seq: move.seq, why }, { type: "insert", before: recorder.screen.moves[n - 1].seq, event, why });
    } else {
      await this.change(mode, move, why);
    }
  }

  /** The table as it stood before that event, to enter there what really happened. */
  async change(mode, move, why) {
    const { recorder } = this;
    if (recorder.post.waiting.length) await recorder.post.soon();
    const screen = (await recorder.refresh(move.seq)) || { ...recorder.screen, form: unsure(recorder.screen.form), sure: false };
    recorder.edit = { mode, seq: move.seq, why, words: move.words, was: mode === "amend" ? move.event : null, screen };
    recorder.cycle = null;
    recorder.pick.tiles = [];
    recorder.changed();
    scrollTo(0, 0);
  }

  // ── Panels above the table ───────────────────────────────────────────────────────────────────────────

  show(view) {
    const { recorder } = this;
    const parts = [];
    const wrong = [];
    if (recorder.edit) {
      const what = recorder.edit.mode === "amend" ? "Instead of" : "Before";
      parts.push(`<section class="banner"><p>${what} event ${recorder.edit.seq}, “${safe(recorder.edit.words)}”: enter what really happened.</p><button type="button" data-panel="cancel">Leave it as it is</button></section>`);
    }
    if (recorder.post.gone) {
      const kept = recorder.post.waiting.length;
      parts.push(`<section class="banner" role="alert"><h2>The ledger has lost this game</h2><p>It was there, and is not there now. ${kept ? `What you entered is safe: ${kept === 1 ? "1 entry stays" : `${kept} entries stay`} on this phone and ${kept === 1 ? "is" : "are"} sent when the game is back. ` : ""}Do not clear this browser's data. Tell the owner of the ledger to <code>verify</code> it.</p></section>`);
    }
    if (recorder.altered) {
      parts.push('<section class="banner" role="alert"><h2>This is not the game that this phone saw</h2><p>Events that this phone saw are different in the ledger now. That is impossible through the recorder: ask the owner of the ledger to <code>verify</code> it.</p></section>');
    }
    if (this.conflict) parts.push(this.choices());
    for (const entry of recorder.queue.filter(({ state }) => state === "refused")) {
      parts.push(`<section class="banner"><p>Not recorded: ${safe(this.words(entry.event))}. ${safe(entry.reason)}</p><button type="button" data-panel="forget" data-id="${entry.id}">Put it away</button></section>`);
    }
    const grave = view.findings.filter(({ verdict }) => verdict === "breach" || verdict === "impossible");
    const misfits = new Set(grave.map(({ seq }) => seq)).size;
    const known = new Set(view.moves.map(({ seq }) => seq));
    if (grave.length && !recorder.edit) {
      wrong.push(`<details class="banner"><summary>${misfits === 1 ? "1 move does" : `${misfits} moves do`} not fit the rules</summary><ul>${grave.map((one) => (
        `<li>${one.seq}: ${safe(one.message)} <small>${one.clause}</small>${known.has(one.seq) ? ` <button type="button" data-panel="repair" data-seq="${one.seq}">Repair</button>` : ""}</li>`)).join("")}</ul></details>`);
    }
    if (view.closed) {
      parts.push(`<section class="banner"><h2>The record is closed</h2>${this.audited(view)}${this.agreement(view)}<p class="two">${ways(view.id)}</p></section>`);
    } else if (view.ended && !recorder.edit) {
      parts.push(`<section class="banner"><h2>The game is over</h2>${this.audited(view)}`
        + `<p class="two"><button type="button" class="strong" data-panel="confirm">Confirm this result</button><button type="button" data-panel="otherwise">The table said otherwise</button></p></section>`);
    }
    fill(by("panels"), parts.join(""));
    fill(by("misfits"), wrong.join(""));
  }

  /** What the audit says of a whole game: what nobody could know while it was played is told here, and only here. */
  audited(view) {
    const open = view.findings.filter(({ verdict }) => verdict === "unproven");
    return `<p>${safe(view.outcome)}. <b class="m ${view.verdict}">${view.verdict}</b> ${safe(view.summary)}</p>`
      + (open.length ? `<details><summary>What nobody can tell from the record</summary><ul>${open.map((one) => (
        `<li>${one.seq}: ${safe(one.message)} <small>${one.clause}</small></li>`)).join("")}</ul></details>` : "");
  }

  /** The players who agree to the record, and the fingerprint to compare first. */
  agreement(view) {
    const said = new Map((view.agreed || []).filter((one) => one.true && one.last).map((one) => [one.player, one]));
    const yes = view.players.filter(([id]) => said.has(id)).map(([, who]) => safe(who));
    const still = view.players.filter(([id]) => !said.has(id));
    if (!view.record_digest || this.recorder.post.waiting.length) return "";
    return `<p>Fingerprint <b class="aloud">${safe(view.fingerprint)}</b>${yes.length ? `<br>Agreed: ${yes.join(", ")}` : ""}</p>`
      + (still.length ? `<p class="soft">Compare it on another phone, or read it aloud, to make sure that it is this record.</p><p class="two">${still.map(([id, who]) => `<button type="button" data-panel="agree" data-player="${safe(id)}">${safe(who)} agrees</button>`).join("")}</p>` : "");
  }

  pressed(button) {
    const { recorder } = this;
    const act = button?.dataset.panel;
    if (act === "cancel") { recorder.edit = null; recorder.pick.tiles = []; recorder.changed(); }
    if (act === "confirm") recorder.keep(...recorder.screen.result, { type: "close", why: "finished" });
    if (act === "agree") recorder.keep({ type: "confirm", player: button.dataset.player, head: recorder.screen.record_digest });
    if (act === "otherwise") { this.claims(); by("claims").showModal(); }
    if (act === "repair") {
      this.open = Number(button.dataset.seq);
      this.moves();
      by("moves").showModal();
      by("moves").querySelector(`[data-seq="${this.open}"]`)?.scrollIntoView({ block: "center" });
    }
    if (act === "forget") this.putAway(recorder.queue.filter(({ id }) => id === button.dataset.id)).then(() => recorder.changed());
    if (act === "resolve") this.resolve();
  }

  /** What is not recorded stays on the phone, out of the way. */
  async putAway(entries) {
    for (const entry of entries) entry.state = "dropped";
    await this.recorder.outbox.put(entries);
  }

  // ── Two who record at once ───────────────────────────────────────────────────────────────────────────

  overtaken(problem) {
    this.conflict = problem;
    this.recorder.changed();
    by("panels").scrollIntoView();
  }

  choices() {
    const said = new Set(this.conflict.missed.map(({ event }) => same(event)));
    return `<section class="banner" role="alert"><h2>${safe(this.conflict.title)}</h2>${this.conflict.missed.length ? `<ul>${this.conflict.missed.map((one) => `<li>${one.seq}: ${safe(one.words)}</li>`).join("")}</ul>` : "<p>The ledger has less of this game than this phone has seen: it may have been restored from a copy.</p>"}`
      + `<p>On this phone there waits what was entered without knowing that. What of it is to be recorded after it?</p>`
      + this.recorder.post.waiting.map((entry) => `<p><label><input type="checkbox" data-keep="${entry.id}"${said.has(same(entry.event)) ? "" : " checked"}> ${safe(this.words(entry.event))}${said.has(same(entry.event)) ? " <small>(the same was recorded)</small>" : ""}</label></p>`).join("")
      + `<button type="button" class="strong" data-panel="resolve">Go on like this</button></section>`;
  }

  async resolve() {
    const { recorder } = this;
    const kept = new Set([...document.querySelectorAll("[data-keep]:checked")].map((box) => box.getAttribute("data-keep")));
    await this.putAway(recorder.post.waiting.filter(({ id }) => !kept.has(id)));
    await recorder.post.rebase(this.conflict.version);
    this.conflict = null;
    recorder.post.stopped = false;
    await recorder.refresh();
    recorder.changed();
    recorder.post.soon();
  }

  // ── What the table said ──────────────────────────────────────────────────────────────────────────────

  claims() {
    const { screen } = this.recorder;
    const { players } = screen;
    const last = screen.moves[screen.moves.length - 1];
    const seats = screen.scene.seats;
    const one = (id, label, value) => `<label>${safe(label)} <input type="number" inputmode="numeric" step="1" name="${safe(id)}" value="${value}"></label>`;
    const people = (name) => `<label>Who <select name="${name}">${players.map(([id, who]) => `<option value="${safe(id)}">${safe(who)}</option>`).join("")}</select></label>`;
    const known = {
      take: `<h3>Who took the pile</h3>${people("player")}${one("tiles", "tiles", "")}${one("points", "points", "")}`,
      score: `<h3>Points</h3><label>of <select name="scope"><option value="game">the game so far</option><option value="hand">this hand</option></select></label>${players.map(([id, who], n) => one(`points.${id}`, who, seats[n].score ?? 0)).join("")}`,
      cheats: `<h3>Cheats</h3>${one("count", "cheats", seats[0].score ?? 0)}`,
      result: `<h3>Who won</h3>${players.map(([id, who]) => `<label><input type="checkbox" name="winners" value="${safe(id)}"> ${safe(who)}</label>`).join("")}<label>title <input name="title" maxlength="200"></label>`,
    };
    const place = last?.event.type === "place" ? `<form data-claim="points"><h3>Points that the table gave for the last tile</h3>${one("points", "points", last.event.points ?? last.gained)}<button>Record it</button></form>` : "";
    by("claims").innerHTML = `<h2>What the table said</h2><p class="soft">Computed is beside it all the time; what was said is compared with that.</p>${place}`
      + screen.claims.map((kind) => `<form data-claim="${kind}">${known[kind] || ""}<button>Record it</button></form>`).join("")
      + `<form data-claim="note"><h3>A note</h3><label>text <input name="text" maxlength="2000" required></label><button>Record it</button></form>`
      + '<p><button type="button" data-close>Close</button></p>';
  }

  async claimed(event) {
    event.preventDefault();
    const form = event.target;
    const kind = form.dataset.claim;
    const said = new FormData(form);
    const number = (name) => { const value = String(said.get(name) ?? "").trim(); return value === "" ? null : Number(value); };
    const { recorder } = this;
    by("claims").close();
    if (kind === "points") {
      const last = recorder.screen.moves[recorder.screen.moves.length - 1];
      const { when, by: who, ...rest } = last.event;
      return recorder.keep({ type: "amend", seq: last.seq, event: { ...rest, points: number("points") }, why: "points as they were said" });
    }
    const made = { type: kind };
    if (kind === "take") Object.assign(made, { player: said.get("player"), ...some({ tiles: number("tiles"), points: number("points") }) });
    if (kind === "score") Object.assign(made, { scope: said.get("scope"), points: Object.fromEntries(recorder.screen.players.map(([id]) => [id, number(`points.${id}`) ?? 0])) });
    if (kind === "cheats") made.count = number("count") ?? 0;
    if (kind === "result") Object.assign(made, { winners: said.getAll("winners"), ...some({ title: String(said.get("title") || "") || null }) });
    if (kind === "note") made.text = said.get("text");
    return recorder.keep(made);
  }

  // ── Links ────────────────────────────────────────────────────────────────────────────────────────────

  /** The link for watchers; where the ledger is private it has a secret of its own, asked for once. */
  async watching() {
    const { recorder } = this;
    const there = `${location.origin}/g/${recorder.outbox.record}`;
    if (!document.querySelector("main[data-private]")) return there;
    const kept = `watch.${recorder.outbox.record}`;
    if (!recorder.memory.get(kept)) {
      try {
        const answer = await fetch(`/api/records/${recorder.outbox.record}/links`, {
          method: "POST", body: JSON.stringify({ role: "watch" }),
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${recorder.secret}` } });
        if (answer.ok) recorder.memory.set(kept, (await answer.json()).key);
      } catch { /* there is no such link without a connection */ }
    }
    return recorder.memory.get(kept) ? `${there}#${recorder.memory.get(kept)}` : "";
  }

  async links() {
    const { recorder } = this;
    const record = recorder.outbox.record;
    const watch = await this.watching();
    const all = watch ? [["Watch", watch, "Anyone with this link can watch the game, but not record."]] : [];
    if (recorder.secret) all.push(["Record", `${location.origin}/r/${record}#${recorder.secret}`, "Anyone with this link can record: keep it at the table."]);
    if (recorder.screen?.closed && recorder.screen.fingerprint) {
      const said = encodeURIComponent(recorder.screen.fingerprint);
      all.push(["Compare", `${location.origin}/g/${record}?fingerprint=${said}`, "On another phone this tells whether the record there is the one that stands here."]);
    }
    by("links").innerHTML = `<h2>Links to this game</h2>${all.map(([name, link, text], n) => (
      `<section><h3>${name}</h3><p>${text}</p><div class="qr" id="qr${n}"></div><p><input readonly value="${safe(link)}" aria-label="Link to ${name.toLowerCase()}"> <button type="button" data-copy="${safe(link)}">Copy</button></p></section>`)).join("")}<p><button type="button" data-close class="strong">To the table</button></p>`;
    by("links").showModal();
    by("links").onclick = async (event) => {
      const button = event.target.closest("[data-copy]");
      if (!button) return;
      try { await navigator.clipboard.writeText(button.dataset.copy); button.textContent = "Copied"; } catch {
        // Without https there is no clipboard: the text is selected, to be copied by hand.
        button.parentElement.querySelector("input").select();
      }
    };
    all.forEach(async ([, link], n) => {
      try {
        const answer = await fetch("/qr", { method: "POST", headers: { "Content-Type": "text/plain" }, body: link });
        if (answer.ok) by(`qr${n}`).innerHTML = await answer.text();
      } catch { /* the text is there */ }
    });
  }
}

/** Where to go when a game is over. */
const ways = (id) => {
  const path = encodeURIComponent(id);
  return `<a class="strong" href="/g/${path}">Replay and share</a><a href="/g/${path}/print">Score sheet</a><a href="/new?from=${path}">Rematch</a>`;
};

/** An event without when and by whom it was recorded, for comparing. */
function same({ when, by: who, ...event }) {
  return JSON.stringify(Object.entries(event).sort());
}

const some = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** A form that does not know what is legal. */
const unsure = (form) => ({ ...form, ways: form.ways.map((way) => ({ ...way, legal: [], due: false })) });
