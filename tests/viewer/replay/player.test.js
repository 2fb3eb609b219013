import assert from "node:assert/strict";
import { test } from "node:test";

/** A clock that a test moves on. It runs the timer that was set last, because a player sets one at a time. */
const clock = { now: 0, work: () => {}, at: Infinity };
globalThis.setTimeout = (work, wait) => {
  Object.assign(clock, { work, at: clock.now + wait });
  return 1;
};

/** A page with a game whose moments are at these places; what the player shows, and when. `joined` are no steps. */
function game(last, moments, joined) {
  const shown = [];
  const root = { classList: { add() {}, remove() {} } };
  const button = { setAttribute() {} };
  const byId = (id) => (id === "play" ? button : null);
  Object.assign(globalThis, { document: { getElementById: byId, documentElement: root } });
  const stepper = {
    place: 0,
    last,
    joined: new Set(joined),
    when: () => null,
    show(place) {
      this.place = place;
      shown.push([clock.now, place]);
    },
  };
  const story = {
    next: () => moments.find((place) => place > stepper.place) ?? stepper.place,
    at: (place) => moments.includes(place),
    count: () => moments.length,
  };
  return { stepper, story, shown };
}

const { Player } = await import("../../../viewer/replay/static/autoplay.js");

for (const [last, moments, joined = []] of [
  [33, [8, 10, 20, 23, 29, 30]],
  [60, [8, 10, 20, 23, 29, 30], [5, 11, 40, 51]],
  [152, [20, 45, 80, 99, 120, 142]],
  [1002, [18, 92, 528, 999, 1000]],
  [400, [5, 60, 61, 62, 100, 200, 300, 390, 400]],
])
  test(`a game of ${last} steps takes at most 45 seconds, stops at every moment and ends at its end`, () => {
    Object.assign(clock, { now: 0, at: Infinity });
    const { stepper, story, shown } = game(last, moments, joined);
    const player = new Player(stepper, story);
    player.play();
    while (player.playing && clock.now < 90000) {
      clock.now = clock.at;
      clock.work();
    }
    const times = new Map(shown.map(([time, place]) => [place, time]));
    for (const place of moments) assert.ok(times.has(place), `${place} was shown`);
    for (const place of joined) assert.ok(!times.has(place), `${place} was shown`);
    assert.equal(shown.at(-1)[1], last);
    const whole = shown.at(-1)[0];
    assert.ok(whole <= 45000, String(whole));
    assert.ok(last < 60 || whole >= 30000, String(whole));
    // A moment stays in sight far longer than another step.
    const after = (place) => shown[shown.findIndex((step) => step[1] === place) + 1]?.[0];
    for (const place of moments) if (after(place)) assert.ok(after(place) - times.get(place) >= 2000);
  });
