// The recorder's page: a move is a tile and a place; everything else is one tap.
// @ts-check

import { by } from "./marks.js";
import { recall, remember } from "./memory.js";
import { squareAt } from "./plan.js";
import { Recorder } from "./recorder.js";
import { enterMany, tapBare, tapEnd, tapStack, tapTile } from "./taps.js";

const recorder = new Recorder(decodeURIComponent(location.pathname.split("/").pop() || ""));
const { pick } = recorder;
const picked = () => recorder.changed({ keep: true });

/**
 * Does something when a piece of a box is tapped.
 * @param {string} box @param {string} piece @param {(on: any, event: any) => void} act
 */
function tapped(box, piece, act) {
  by(box).addEventListener("click", (/** @type {any} */ event) => {
    const on = event.target.closest(piece);
    if (on) act(on, event);
  });
}
/** @param {string} id @param {() => void} act */
const pressed = (id, act) => by(id).addEventListener("click", act);

tapped("seats", "button", (on) => {
  pick.setPlayer(on.dataset.player);
  picked();
});
tapped("kinds", "[data-kind]", (on) => {
  pick.setKind(on.dataset.kind);
  picked();
});
tapped("tray", "[data-tile]", (on, event) => {
  const box = on.getBoundingClientRect();
  tapTile(recorder, on.dataset.tile, event.clientX > box.left + box.width / 2 ? "high" : "low");
});
tapped("tray", "[data-bare]", (on) =>
  tapBare(
    recorder,
    on.dataset.bare,
    on.dataset.at.split(",").map((/** @type {string} */ one) => (/^\d+$/.test(one) ? Number(one) : one)),
  ),
);
tapped("ends", "[data-end]", (on) => tapEnd(recorder, on.dataset.end));
tapped("rows", "[data-stack]", (on) => tapStack(recorder, Number(on.dataset.stack)));
by("table").addEventListener("click", (/** @type {any} */ event) => {
  const picture = event.target.closest("svg");
  if (picture && recorder.box)
    recorder.placing.tap(squareAt(picture, event, recorder.box), [event.clientX, event.clientY]);
});
by("table").addEventListener("keydown", (/** @type {any} */ event) => {
  const plus = event.target.closest("[data-plus]");
  if (!plus || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  const { left, top } = plus.getBoundingClientRect();
  recorder.placing.plus(Number(plus.dataset.plus), [left, top]);
});
pressed("turn", () => recorder.placing.turn());
pressed("undo", () => recorder.undo());
pressed("done", () => enterMany(recorder));
pressed("skip", () => {
  pick.skipHands();
  picked();
});
pressed("wider", () => recorder.widen());
pressed("pass", () => tapBare(recorder, "pass", []));
pressed("other-kinds", () => {
  recorder.all = true;
  picked();
});

// Bids: a stepper, round numbers, or a number that is typed.
/** @param {number} number */
function setNumber(number) {
  pick.number = Math.max(0, number);
  picked();
}
pressed("less", () => setNumber(Number(by("number").value) - 1));
pressed("more-bid", () => setNumber(Number(by("number").value) + 1));
tapped("quick", "[data-number]", (on) => setNumber(Number(on.dataset.number)));
by("number").addEventListener("input", () => {
  if (/^\d{1,6}$/.test(by("number").value)) setNumber(Number(by("number").value));
});
by("number").addEventListener("focus", () => by("number").select());
by("bids").addEventListener("submit", (/** @type {any} */ event) => {
  event.preventDefault();
  if (/^\d{1,6}$/.test(by("number").value)) tapBare(recorder, "bid", [Number(by("number").value)]);
});
pressed("pass-bid", () => tapBare(recorder, "pass", []));

by("who").value = recall("by");
by("who").addEventListener("change", () => remember("by", by("who").value.trim().slice(0, 200)));

/** Keeps the screen on while a game is recorded, if the browser can. */
async function awake() {
  try {
    if (!document.hidden) await /** @type {any} */ (navigator).wakeLock?.request("screen");
  } catch {
    /* it may not */
  }
}
document.addEventListener("visibilitychange", awake);
document.addEventListener("click", awake, { once: true });
addEventListener("resize", () => {
  if (recorder.screen) picked();
});

// With https, or on this machine, the page opens without a network after the first visit.
if (window.isSecureContext && navigator.serviceWorker) {
  navigator.serviceWorker
    .register("/worker.js")
    .then(() => navigator.serviceWorker.ready)
    .then(() => {
      document.documentElement.dataset.offline = "ready";
    })
    .catch(() => undefined);
}

recorder.begin();
