// The moves and the findings of a screen: the ledger sends only those that this phone does not have yet.

/**
 * What a request tells the ledger, so that it leaves out what this phone already has.
 * @param {View | null} screen the one that this phone has, or null
 * @returns {{ seen?: number, moves?: string, findings?: string }}
 */
export const partsHere = (screen) =>
  screen?.link ? { seen: screen.version, moves: screen.moves_digest, findings: screen.findings_digest } : {};

/**
 * An answer with all its moves, the first ones, which this phone had, and the new ones, and with its findings.
 * @param {View} screen what this phone had @param {View} answer
 */
export function withAllParts(screen, answer) {
  if (!answer.kept && answer.findings) return answer;
  const moves = [...screen.moves.slice(0, answer.kept), ...answer.moves];
  return { ...answer, kept: 0, moves, findings: answer.findings || screen.findings };
}
