// What chance decides in the trials: the same again for the same seed.
// @ts-check

/** Numbers from a seed (mulberry32). @param {number} seed */
export function chanceOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let number = Math.imul(state ^ (state >>> 15), state | 1);
    number ^= number + Math.imul(number ^ (number >>> 7), number | 61);
    return ((number ^ (number >>> 14)) >>> 0) / 2 ** 32;
  };
}
