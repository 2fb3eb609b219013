// The types that many scripts of the pages speak of, for all of them: only the type checker reads this file.

// ── What a view of a record has (viewer/phone/recorder_view.py), as far as the page reads it ─────────────────────────────

/** An event as a record has it (ledger/record/events.py). */
type GameEvent = {
  type: string; player?: string; tile?: string; tiles?: string[]; when?: string; by?: string;
  players?: { id: string; name?: string }[];
  [field: string]: any;
};
type Laid = { tile: string; at: number[]; to: number[]; level: number; waits?: boolean };
/** Squares, or piles side by side. */
type Area = { type: "grid" | "row"; laid: Laid[]; bounds: number[]; reach: number[] | null; piles: { tiles: string[] }[] };
/** One kind of act by one player (ledger/play/forms.py). */
type Way = {
  kind: string; player?: string; tiles?: string[]; legal?: { tiles: string[]; at: any[][] }[]; count?: number; due?: boolean;
  open?: any[][];
};
/** What is said about a kind of act (viewer/phone/act_prompts.py). */
type Prompt = {
  kind: string; label: string; doing: string; ask: string; hint?: string; many?: boolean; bare?: boolean; lays?: boolean;
  own?: boolean; dealt?: boolean; held?: string; held_hint?: string; again?: Record<string, string>;
};
/** The pieces of the page (viewer/phone/recorder_parts.py). */
type PageParts = {
  seats: string; phase: string; table: string; squares: string; stacks: string; middle: string; beside: string;
  claims: string; least: number; largest: number;
  placed: { seq: number; counted: number; called: number | null } | null;
};
type Move = { seq: number; words: string; called: string; line: string; event: GameEvent };
type Finding = { seq: number; move: string; verdict: string; clause: string; meaning: string; message: string };
/** What was done, and what takes it back. */
type Undo = { seqs: number[]; corrections: GameEvent[] };
type View = {
  id: string; version: number; title: string; game: string; players: [string, string][];
  squares: { left: number; top: number; columns: string[]; rows: string[] };
  scene: { areas: Area[]; status: string; seats: { score: number | null }[] };
  form: { ways: Way[]; names: Record<string, string[]> };
  prompts: Prompt[]; parts: PageParts; kept: number; moves: Move[]; moves_digest: string; findings: Finding[];
  findings_digest: string; summary: string; ended: boolean; closed: boolean; outcome: string; result: GameEvent[];
  calls: GameEvent[]; claims: string[]; link: string; record_digest: string; fingerprint: string; undo: Undo[];
  sure?: boolean; then?: string; seen?: number; program?: string;
  agreed: { player: string; true: boolean; last: boolean }[]; next?: { kind: string; player: string };
};
/** An entry that is changed (`only` its tile or its place), or before which one is put, or the table as it was (`look`). */
type Edit = {
  mode: string; only?: string; seq: number; why: string; words: string; was: GameEvent | null; screen: View;
};

// ── What a phone keeps, and what a ledger answers ──────────────────────────────────────────────────────────────────

type Entry = import("./notebook/log.js").Entry;
type Reply = import("./entries/api.js").Reply;

// ── The pages ──────────────────────────────────────────────────────────────────────────────────────────────────────

type Recorder = import("./recorder/recorder.js").Recorder;
type SquareNames = import("./pieces/tile_geometry.js").SquareNames;
type Place = import("./pieces/tile_geometry.js").Place;
