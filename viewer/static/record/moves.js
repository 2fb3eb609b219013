// The moves of a screen: a phone that has some of them is sent only the others.
// @ts-check

/**
 * The parameters that say which moves this phone has.
 * @param {any} screen the one that this phone has, or null
 * @returns {{ seen?: number, moves?: string }}
 */
export const movesHere = (screen) => (screen?.link ? { seen: screen.version, moves: screen.moves_digest } : {});

/**
 * An answer with all its moves: the first ones, which this phone had, and the new ones.
 * @param {any} screen what this phone had @param {any} answer
 */
export function withAllMoves(screen, answer) {
  if (!answer.kept) return answer;
  return { ...answer, kept: 0, moves: [...screen.moves.slice(0, answer.kept), ...answer.moves] };
}
