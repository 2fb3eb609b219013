// What a view of a record has (viewer/recorder/view.py), as far as the page reads it.
// @ts-check

/**
 * @typedef {{ type: string, player?: string, tile?: string, tiles?: string[], when?: string, by?: string,
 *   players?: { id: string, name?: string }[],
 *   [field: string]: any }} GameEvent  an event as a record has it (ledger/record/events.py)
 * @typedef {{ tile: string, at: number[], to: number[], level: number, waits?: boolean }} Laid
 * @typedef {{ type: "grid" | "row", laid: Laid[], bounds: number[], reach: number[] | null,
 *   piles: { tiles: string[] }[] }} Area  squares, or piles side by side
 * @typedef {{ tiles: string[], at: any[][] }} Legal
 * @typedef {{ kind: string, player?: string, tiles?: string[], legal?: Legal[], count?: number, due?: boolean,
 *   open?: any[][] }} Way  one kind of act by one player (ledger/play/forms.py)
 * @typedef {{ kind: string, label: string, doing: string, ask: string, hint?: string, many?: boolean, bare?: boolean,
 *   lays?: boolean, own?: boolean, dealt?: boolean, held?: string, held_hint?: string,
 *   again?: Record<string, string> }} Prompt  what is said about a kind of act (viewer/recorder/prompts.py)
 * @typedef {{ seats: string, phase: string, table: string, squares: string, stacks: string,
 *   middle: string, beside: string, claims: string, least: number, largest: number,
 *   placed: { seq: number, counted: number, called: number | null } | null
 * }} Parts  the pieces of the page (viewer/recorder/page_parts.py)
 * @typedef {{ seq: number, words: string, called: string, line: string, event: GameEvent }} Move
 * @typedef {{ seq: number, verdict: string, clause: string, meaning: string, message: string }} Finding
 * @typedef {{ seqs: number[], corrections: GameEvent[] }} Undo  what was done, and what takes it back
 * @typedef {{ id: string, version: number, title: string, game: string, players: [string, string][],
 *   squares: { left: number, top: number, columns: string[], rows: string[] },
 *   scene: { areas: Area[], status: string, seats: { score: number | null }[] },
 *   form: { ways: Way[], names: Record<string, string[]> },
 *   prompts: Prompt[], parts: Parts, kept: number, moves: Move[], moves_digest: string, findings: Finding[],
 *   findings_digest: string, summary: string, ended: boolean, closed: boolean, outcome: string, result: GameEvent[],
 *   calls: GameEvent[], claims: string[],
 *   link: string, record_digest: string, fingerprint: string, undo: Undo[], sure?: boolean,
 *   then?: string, seen?: number, program?: string,
 *   agreed: { player: string, true: boolean, last: boolean }[], next?: { kind: string, player: string } }} View
 * @typedef {{ mode: string, seq: number, why: string, words: string, was: GameEvent | null,
 *   screen: View }} Edit  an entry that is changed, or before which one is put, or the table as it was (`look`)
 */

export {};
