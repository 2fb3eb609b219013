// Places in the list of steps: numbers from 0, in order.

/** The place of a seq, or of the last one before it. @param {number[]} seqs of the steps @param {number} seq */
export function placeOf(seqs, seq) {
  const exact = seqs.indexOf(seq);
  const before = seqs.findLastIndex((other) => other <= seq);
  return exact < 0 ? Math.max(0, before) : exact;
}

/** The next of some places, or the one before. @param {number[]} places @param {number} place @param {number} way */
export function beside(places, place, way) {
  return way > 0 ? places.find((other) => other > place) : places.findLast((other) => other < place);
}
