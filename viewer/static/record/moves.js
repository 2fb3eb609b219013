// The moves and the findings of a screen: a phone that has some of them is sent only the others.
// @ts-check

/**
 * The parameters that say which of them this phone has.
 * @param {any} screen the one that this phone has, or null
 * @returns {{ seen?: number, moves?: string, findings?: string }}
 */
export const partsHere = (screen) =>
  screen?.link ? { seen: screen.version, moves: screen.moves_digest, findings: screen.findings_digest } : {};

/**
 * An answer with all its moves, the first ones, which this phone had, and the new ones, and with its findings.
 * @param {any} screen what this phone had @param {any} answer
 */
export function withAllParts(screen, answer) {
  if (!answer.kept && answer.findings) return answer;
  const moves = [...screen.moves.slice(0, answer.kept), ...answer.moves];
  return { ...answer, kept: 0, moves, findings: answer.findings || screen.findings };
}
