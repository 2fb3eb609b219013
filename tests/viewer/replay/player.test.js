import assert from "node:assert/strict";
import { test } from "node:test";

/** A clock that a test moves on. It runs the timer that was set last, because a player sets one at a time. */
const clock = { now: 0, work: () => {}, at: Infinity };
globalThis.setTimeout = (work, wait) => {
  Object.assign(clock, { work, at: clock.now + wait });
  return 1;
};

/** A page with a game whose moments are at these places; what the player shows, and when. `joined` are no steps. */
function game(last, moments, joined, pace) {
  const shown = [];
  const root = { classList: { add() {}, remove() {} } };
  const button = { setAttribute() {} };
  const byId = (id) => (id === "play" ? button : null);
  const page = { getElementById: byId, documentElement: root, addEventListener() {} };
  Object.assign(globalThis, { document: page });
  const stepper = {
    place: 0,
    last,
    joined: new Set(joined),
    data: { pace },
    when: () => null,
    show(place) {
      this.place = place;
      shown.push([clock.now, place]);
    },
  };
  const story = {
    next: () => moments.find((place) => place > stepper.place) ?? stepper.place,
    wait: (place) => (moments.includes(place) ? CAPTION : 0),
  };
  return { stepper, story, shown };
}

const { Player } = await import("../../../viewer/replay/static/autoplay.js");

/** The milliseconds for a caption of eleven words. */
const CAPTION = 4100;

for (const [last, moments, pace, joined = []] of [
  [33, [8, 10, 20, 23, 29, 30], [700, 1]],
  [60, [8, 10, 20, 23, 29, 30], [340, 1], [5, 11, 40, 51]],
  [152, [20, 45, 80, 99, 120, 142], [130, 1]],
  [1002, [18, 92, 528, 999, 1000], [112, 5]],
  [400, [60, 100, 200, 300, 390, 400], [110, 3]],
])
  test(`a film of ${last} steps shows every moment until its caption is read, and ends at its end`, () => {
    Object.assign(clock, { now: 0, at: Infinity });
    const { stepper, story, shown } = game(last, moments, joined, pace);
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
    // A moment stays in sight far longer than another step.
    const after = (place) => shown[shown.findIndex((step) => step[1] === place) + 1]?.[0];
    for (const place of moments) if (after(place)) assert.ok(after(place) - times.get(place) >= CAPTION);
    // A tap goes on at once.
    player.play();
    const before = stepper.place;
    player.tapped({ stopPropagation() {}, preventDefault() {} });
    assert.ok(stepper.place > before);
    player.pause();
  });
