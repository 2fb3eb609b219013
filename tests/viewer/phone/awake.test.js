import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

mock.timers.enable({ apis: ["setInterval"] });
let listeners = /** @type {Map<string, () => void>} */ (new Map());
let shown = /** @type {any[]} */ ([]);
let plays = 0;
let pictures = 0;
/** Whether a browser lets a video play without a tap. */
let tapped = true;

/** @param {string} name */
function element(name) {
  const one = /** @type {any} */ ({ name, isConnected: false, setAttribute: () => undefined });
  one.remove = () => (shown = shown.filter((other) => other !== one));
  if (name === "canvas") {
    one.getContext = () => ({ fillStyle: "#000000", fillRect: () => (pictures += 1) });
    one.captureStream = () => "a stream";
  }
  one.play = async () => {
    if (!tapped) throw new DOMException("a tap first", "NotAllowedError");
    plays += 1;
  };
  return one;
}

const root = { dataset: /** @type {any} */ ({}) };
Object.assign(globalThis, {
  document: {
    hidden: false,
    documentElement: root,
    createElement: element,
    body: { append: (/** @type {any} */ one) => shown.push(Object.assign(one, { isConnected: true })) },
    addEventListener: (/** @type {string} */ name, /** @type {() => void} */ act) => listeners.set(name, act),
  },
});
const { Awake, plainly } = await import("../../../viewer/phone/static/recorder/screen_awake.js");

/** @param {any} wakeLock */
const withLock = (wakeLock) =>
  Object.defineProperty(globalThis, "navigator", { value: { wakeLock }, configurable: true });

beforeEach(() => {
  [listeners, shown, plays, pictures, tapped] = [new Map(), [], 0, 0, true];
  root.dataset = {};
  withLock(undefined);
});

test("over plain http a silent video keeps the screen on until the game is over", async () => {
  const changed = mock.fn();
  const awake = new Awake(changed);
  await awake.begin();
  await awake.begin();
  assert.deepEqual(
    [shown.length, shown[0].muted, shown[0].playsInline, shown[0].srcObject],
    [1, true, true, "a stream"],
  );
  assert.deepEqual([awake.by, root.dataset.awake, changed.mock.callCount()], ["video", "video", 1]);
  const before = pictures;
  mock.timers.tick(3000);
  assert.equal(pictures, before + 3, "the stream goes on");
  awake.end();
  mock.timers.tick(3000);
  assert.deepEqual([shown, pictures, awake.by], [[], before + 3, ""]);
});

test("a browser that wants a tap first gets the video with the next one", async () => {
  tapped = false;
  const awake = new Awake(() => undefined);
  await awake.begin();
  assert.equal(awake.by, "");
  tapped = true;
  await awake.begin();
  assert.deepEqual([awake.by, shown.length], ["video", 1]);
});

test("a page that comes back goes on, and not after the game", async () => {
  const awake = new Awake(() => undefined);
  await awake.begin();
  listeners.get("visibilitychange")?.();
  assert.equal(plays, 2);
  awake.end();
  listeners.get("visibilitychange")?.();
  assert.equal(plays, 2);
});

test("where the browser has a lock of its own, it is taken, given back, and taken again", async () => {
  const locks = /** @type {any[]} */ ([]);
  withLock({
    request: async () => {
      const lock = {
        released: false,
        act: () => undefined,
        addEventListener: () => undefined,
        release: async () => {},
      };
      lock.release = async () => void (lock.released = true);
      locks.push(lock);
      return lock;
    },
  });
  const awake = new Awake(() => undefined);
  await awake.begin();
  await awake.begin();
  assert.deepEqual([locks.length, awake.by, shown], [1, "lock", []]);
  locks[0].released = true; // the phone took it back while the page was hidden
  await awake.begin();
  assert.equal(locks.length, 2);
  awake.end();
  assert.deepEqual([locks[1].released, awake.by], [true, ""]);
});

test("what plain http cannot do is said, and only what is so", () => {
  assert.equal(plainly(true, ""), "");
  assert.match(plainly(false, ""), /does not open again without a network.*may go dark/);
  assert.match(plainly(false, "video"), /silent video.*keeps the screen on/);
});
