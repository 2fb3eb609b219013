// Steps through a game.  The page brings every step: which things come to the table and which go; a step switches them.
// @ts-check

const film = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("film")).textContent || "{}");
const [SEQ, WORDS, STATUS, SCORES, TURNS, NOTES, ROUND, WHEN, GAINED, COME, GO] = [...Array(11).keys()];
const frames = film.frames;
const root = document.documentElement;
const last = frames.length - 1;
/** @param {string} id */
const by = (id) => /** @type {any} */ (document.getElementById(id));
const things = [];
for (const thing of document.querySelectorAll(".panel g[id^=i]")) things[Number(thing.id.slice(1))] = thing;
const seats = frames[0][SCORES].map((_, seat) => by(`seat${seat}`));
const slider = by("slider");
const cursor = document.querySelector("#cursor");
const moves = new Map([...document.querySelectorAll(".moves li")].map((line) => [Number(line.id.slice(1)), line]));
const bySeq = new Map(frames.map((frame, place) => [frame[SEQ], place]));

const scrolls = matchMedia("(min-width: 900px)");
const at = { seq: by("now").firstElementChild, words: by("now").lastElementChild, status: by("state"), line: null };
const steps = ["first", "-1", "1", "last"].map((go) => /** @type {any} */ (document.querySelector(`[data-go="${go}"]`)));

let place = Number(slider.value);
let playing = 0;

/** The place of a seq, or the last one before it. */
function placeOf(seq) {
  if (bySeq.has(seq)) return bySeq.get(seq);
  let found = 0;
  frames.forEach((frame, n) => { if (frame[SEQ] <= seq) found = n; });
  return found;
}

/** Switches the table from one step to another, thing by thing. */
function show(to, { quiet = false } = {}) {
  to = Math.max(0, Math.min(last, to));
  const here = frames[to];
  while (place < to) {
    place += 1;
    for (const n of frames[place][COME]) things[n].classList.remove("o");
    for (const n of frames[place][GO]) things[n].classList.add("o");
  }
  while (place > to) {
    for (const n of frames[place][COME]) things[n].classList.add("o");
    for (const n of frames[place][GO]) things[n].classList.remove("o");
    place -= 1;
  }
  slider.value = String(place);
  seats.forEach((seat, n) => {
    seat.classList.toggle("turn", here[TURNS].includes(n));
    seat.querySelector("output").textContent = here[SCORES][n];
    seat.querySelector("small").textContent = here[NOTES][n];
  });
  at.seq.textContent = here[SEQ];
  at.words.textContent = here[WORDS] + (here[GAINED] ? ` (+${here[GAINED]})` : "");
  at.status.textContent = here[STATUS];
  at.line?.classList.remove("at");
  const line = at.line = moves.get(here[SEQ]);
  if (line) {
    line.classList.add("at");
    follow(/** @type {HTMLElement} */ (line));
  }
  if (cursor) cursor.setAttribute("d", `M${(8 + place * 380 / Math.max(1, last)).toFixed(1)} 4V100`);
  [0, Math.max(0, place - 1), Math.min(last, place + 1), last].forEach((there, n) => {
    const off = String(there === place);
    if (steps[n].getAttribute("aria-disabled") !== off) steps[n].setAttribute("aria-disabled", off);
  });
  if (!quiet) remember();
}

let following = 0;
/** The list keeps the step in sight: after the frame, since asking where a line stands costs a layout. */
function follow(line) {
  if (!scrolls.matches) return;
  cancelAnimationFrame(following);
  following = requestAnimationFrame(() => {
    const list = /** @type {HTMLElement} */ (line.parentElement);
    list.scrollTop += line.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  });
}

let waiting = 0;
/** The address and what is shared from here follow the stepping, a moment later. */
function remember() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const seq = frames[place][SEQ];
    [0, Math.max(0, place - 1), Math.min(last, place + 1), last].forEach((there, n) => {
      steps[n].href = `?ply=${frames[there][SEQ]}`;
    });
    try { history.replaceState(null, "", `${location.pathname}${view()}#${seq}`); } catch { /* a file on a disk */ }
    for (const link of document.querySelectorAll("[data-at]")) {
      const parts = new URLSearchParams({ ply: seq, view: root.dataset.view || "stacked", theme: root.dataset.theme || "light" });
      if (root.classList.contains("numerals")) parts.set("numerals", "1");
      link.setAttribute("href", `${/** @type {any} */ (link).pathname}?${parts}`);
    }
  }, 60);
}

function view() {
  return new URLSearchParams(location.search).get("view") === "recorded" ? "?view=recorded" : "";
}

/** @param {(frame: any, n: number) => boolean} wanted */
function next(wanted, step) {
  for (let n = place + step; n >= 0 && n <= last; n += step) if (wanted(frames[n], n)) return n;
  return step > 0 ? last : 0;
}

const rounds = frames.some((frame) => frame[ROUND]);
const isRound = (frame, n) => (rounds ? Boolean(frame[ROUND]) : n % Math.max(2, seats.length) === 0);
const flagged = new Set(film.flags);
const finding = (step) => { const n = next((_, at) => flagged.has(at), step); show(flagged.has(n) ? n : place); };

// ── Playing ────────────────────────────────────────────────────────────────────────────────────────────

function pause() {
  clearTimeout(playing);
  playing = 0;
  by("play").setAttribute("aria-label", "Play");
  root.classList.remove("playing");
}

function play() {
  if (place === last) show(0);
  by("play").setAttribute("aria-label", "Pause");
  root.classList.add("playing");
  const tick = () => {
    if (place === last) return pause();
    show(place + 1);
    playing = setTimeout(tick, delay());
  };
  playing = setTimeout(tick, delay());
}

function delay() {
  const speed = by("speed")?.value || "800";
  if (speed !== "real") return Number(speed);
  const [one, other] = [frames[place][WHEN], frames[Math.min(last, place + 1)][WHEN]];
  const passed = one && other ? Date.parse(other) - Date.parse(one) : 800;
  return Math.max(300, Math.min(10000, passed));
}

const toggle = () => (playing ? pause() : play());
const step = (to) => { pause(); root.classList.add("moved"); show(to); };

// ── What can be pressed ────────────────────────────────────────────────────────────────────────────────

function flip() {
  const eyes = by("eyes");
  if (!eyes) return;
  eyes.selectedIndex = (eyes.selectedIndex + 1) % eyes.options.length;
  eyes.dispatchEvent(new Event("change"));
}

function look(how) {
  root.dataset.view = how;
  for (const button of document.querySelectorAll("[data-view]")) {
    if (button !== root) button.setAttribute("aria-pressed", String(button.getAttribute("data-view") === how));
  }
  remember();
}

const keys = {
  ArrowLeft: () => step(place - 1), k: () => step(place - 1), ArrowRight: () => step(place + 1), j: () => step(place + 1),
  Home: () => step(0), End: () => step(last), "[": () => step(next(isRound, -1)), "]": () => step(next(isRound, 1)),
  " ": toggle, n: () => { pause(); finding(1); }, p: () => { pause(); finding(-1); }, f: flip,
  v: () => look(root.dataset.view === "plan" ? "stacked" : "plan"), "?": () => by("keys")?.showModal(),
};

addEventListener("keydown", (event) => {
  const at = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || by("keys")?.open) return;
  if (at.matches?.("input:not([type=range]):not([type=checkbox]),textarea,select,[contenteditable]")) return;
  if (event.key === " " && at.matches?.("button,summary,a,input")) return;
  if (at === slider && event.key.startsWith("Arrow")) return;
  if (event.key.length === 1 && by("letters") && !by("letters").checked) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  root.classList.toggle("held-down", event.repeat);
  act();
});
addEventListener("keyup", () => root.classList.remove("held-down"));

/** A button that goes on while it is held, faster and faster. */
function hold(button, act) {
  let timer = 0;
  let held = false;
  const stop = () => { clearTimeout(timer); root.classList.remove("held-down"); };
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    held = false;
    let wait = 350;
    const again = () => { held = true; root.classList.add("held-down"); act(); wait = Math.max(60, wait * 0.85); timer = setTimeout(again, wait); };
    timer = setTimeout(again, 450);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, stop);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => { event.preventDefault(); if (!held) act(); held = false; });
}

for (const button of document.querySelectorAll("[data-go]")) {
  const go = button.getAttribute("data-go");
  if (go === "first" || go === "last") button.addEventListener("click", (event) => { event.preventDefault(); step(go === "first" ? 0 : last); });
  else hold(button, () => step(place + Number(go)));
}
for (const link of document.querySelectorAll("[data-ply]")) {
  link.addEventListener("click", (event) => { event.preventDefault(); step(Number(link.getAttribute("data-ply"))); });
}
slider.hidden = false;
slider.addEventListener("input", () => step(Number(slider.value)));
by("play").hidden = false;
by("play").addEventListener("click", toggle);
for (const button of document.querySelectorAll(".views [data-view]")) {
  button.addEventListener("click", () => look(button.getAttribute("data-view")));
}
by("peel")?.addEventListener("change", () => { root.dataset.peel = by("peel").value; });
// What lies above the domino under the pointer becomes clear as glass, so that what is hidden is seen.
const stacked = document.querySelector(".panel.stacked");
let hovering = 0;
const peel = (level) => { root.dataset.peel = level || by("peel")?.value || ""; };
stacked?.addEventListener("pointerover", (event) => {
  if (/** @type {PointerEvent} */ (event).pointerType !== "mouse" || by("peel")?.value) return;
  clearTimeout(hovering);
  const block = /** @type {Element} */ (event.target).closest(".l");
  const level = block ? (block.getAttribute("class") || "").replace(/\D/g, "") : "";
  hovering = setTimeout(() => peel(level), 300);
});
stacked?.addEventListener("pointerleave", () => { clearTimeout(hovering); peel(""); });

// ── What is remembered on this machine ─────────────────────────────────────────────────────────────────

/** @param {string} name @param {(value: any) => void} use */
function setting(name, use) {
  const field = by(name);
  if (!field) return;
  const box = field.type === "checkbox";
  let kept = null;
  try { kept = localStorage.getItem(`domino-ledger.${name}`); } catch { /* kept for this page only */ }
  if (kept !== null) { if (box) field.checked = kept === "true"; else field.value = kept; }
  const change = () => {
    const value = box ? field.checked : field.value;
    try { localStorage.setItem(`domino-ledger.${name}`, String(value)); } catch { /* as above */ }
    use(value);
    remember();
  };
  field.addEventListener("change", change);
  use(box ? field.checked : field.value);
}
setting("numerals", (on) => root.classList.toggle("numerals", on));
setting("coloured", (on) => root.classList.toggle("coloured", on));
setting("codes", (on) => root.classList.toggle("codes", on));
setting("only", (on) => root.classList.toggle("only", on));
setting("theme", (value) => { root.dataset.theme = value; });
setting("speed", () => undefined);
setting("letters", () => undefined);
by("eyes")?.addEventListener("change", () => { root.dataset.eyes = by("eyes").value; });
by("help")?.addEventListener("click", () => by("keys").showModal());
by("embed")?.addEventListener("focus", () => by("embed").select());

try {
  // A phone that records this game gets a link back to the recorder.
  if (film.version && by("goon") && localStorage.getItem(`domino-ledger.key.${film.id}`)) by("goon").hidden = false;
} catch { /* nothing is kept here */ }

const copy = by("copy");
if (copy) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const link = `${location.origin}${location.pathname}${view()}#${frames[place][SEQ]}`;
    try {
      await navigator.clipboard.writeText(link);
      copy.textContent = "Copied";
    } catch {
      // Without https there is no clipboard: the link is shown, selected, to be copied by hand.
      window.prompt("The link to this step", link);
    }
    setTimeout(() => { copy.textContent = "Copy link to this step"; }, 2000);
  });
}

function fromAddress(hash) {
  if (/^#\d+$/.test(hash)) show(placeOf(Number(hash.slice(1))));
}
addEventListener("hashchange", (event) => { pause(); fromAddress(new URL(event.newURL).hash); });
// ── Live ───────────────────────────────────────────────────────────────────────────────────────────────

/** A game that goes on: who looks at its last step is taken along, who reviews an earlier one finds a way back. */
function live(version) {
  const button = by("live");
  let known = version;
  let stream = /** @type {EventSource | null} */ (null);
  const renew = () => {
    try { sessionStorage.setItem("domino-ledger.live", JSON.stringify([root.dataset.view, by("eyes")?.value || ""])); } catch { /* it stands at the last step all the same */ }
    history.replaceState(null, "", location.pathname + location.search);
    location.reload();
  };
  const heard = (/** @type {MessageEvent} */ event) => {
    const latest = Number(event.data);
    if (!(latest > known)) return;
    known = latest;
    if (place === last && !playing) return renew();
    button.textContent = `Back to live: ${latest - version} new`;
    button.hidden = false;
  };
  let names = "";
  // Somebody may have asked to be forgotten: this page must not show that name any longer.
  const renamed = (/** @type {MessageEvent} */ event) => {
    if (names && names !== event.data) location.reload();
    names = event.data;
  };
  const open = () => {
    if (stream || document.hidden) return;
    stream = new EventSource(`${button.dataset.from}?from=${known}`);
    stream.addEventListener("version", heard);
    stream.addEventListener("names", renamed);
  };
  const close = () => { stream?.close(); stream = null; };
  // A browser allows few connections to one site: a hidden tab closes its own.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  button.addEventListener("click", renew);
  open();
}

if (film.version && by("live") && location.protocol.startsWith("http")) live(film.version);

/** After a page has renewed itself it looks as it did. */
function lookAgain() {
  let kept = null;
  try { kept = sessionStorage.getItem("domino-ledger.live"); sessionStorage.removeItem("domino-ledger.live"); } catch { /* nothing is kept */ }
  if (!kept) return;
  const [how, who] = JSON.parse(kept);
  look(how);
  if (by("eyes")) { by("eyes").value = who; by("eyes").dispatchEvent(new Event("change")); }
}

lookAgain();
if (innerWidth < 500 && !root.dataset.view) root.dataset.view = "stacked";
root.dataset.view ||= "stacked";
show(place, { quiet: true });
fromAddress(location.hash);
remember();
root.dataset.ready = "yes";
