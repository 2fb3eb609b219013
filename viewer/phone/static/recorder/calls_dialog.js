// Calls at the table: points, totals, the winner; the ledger keeps them beside its own count.

import { head } from "../pieces/dialog_parts.js";
import { recall, remember } from "../../../every_page/static/browser_memory.js";
import { by, fill, safe, setText, stamp } from "../pieces/markup.js";

/**
 * The fields of a claim as somebody filled them in: those that are empty are left out, or have their `data-empty`.
 * A name with a dot is a field within a field, and one with several boxes is a list.
 * @param {HTMLFormElement} form
 */
function fieldsOf(form) {
  const fields = /** @type {any} */ ({});
  for (const { type, name, value, checked, dataset } of /** @type {any} */ (form.elements)) {
    if (!name) continue;
    const [outer, inner] = name.split(/\.(.*)/s);
    if (type === "checkbox") fields[name] = [...(fields[name] || []), ...(checked ? [value] : [])];
    else {
      const text = value.trim() || dataset.empty || "";
      const entered = type === "number" ? Number(text) : text;
      if (text === "") continue;
      if (inner === undefined) fields[outer] = entered;
      else fields[outer] = { ...fields[outer], [inner]: entered };
    }
  }
  return fields;
}

export class Calls {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    by("calls").addEventListener("submit", (/** @type {any} */ event) => {
      event.preventDefault();
      by("calls").close();
      this.record(event.target);
    });
  }

  /** @param {string} [claim] the claim to begin with */
  open(claim = "") {
    const { parts, scene } = this.recorder.judged;
    by("calls").innerHTML =
      `${head("What the table called")}<p class="soft">` +
      `We keep score too. Enter what the table said, and we compare. Beside the last move, <b>=</b> says that the` +
      ` table called what is counted, and <b>≠</b> that it called something else.</p>${parts.claims}`;
    for (const field of by("calls").querySelectorAll("[data-seat]"))
      field.value = String(scene.seats[Number(field.dataset.seat)].score ?? 0);
    const points = by("calls").querySelector("[data-claim=points]");
    if (parts.placed) points.elements.points.value = String(parts.placed.called ?? parts.placed.counted);
    else points.remove();
    by("calls").showModal();
    const form = claim && by("calls").querySelector(`[data-claim=${claim}]`);
    if (!form) return;
    form.scrollIntoView({ block: "nearest" });
    form.querySelector("input")?.select();
  }

  /** @param {HTMLFormElement} form */
  record(form) {
    const { writer, judged } = this.recorder;
    const { claim } = form.dataset;
    const fields = fieldsOf(form);
    if (claim !== "points" || !judged.parts.placed) return writer.keep({ type: claim, ...fields });
    return this.recordPoints(fields.points ?? null);
  }

  /** Records the points of the last placement, which belong to it. @param {number | null} called */
  recordPoints(called) {
    const { writer, judged } = this.recorder;
    const move = judged.moves.find(({ seq }) => seq === judged.parts.placed?.seq);
    if (!move) return undefined;
    const { when, by: who, points, ...rest } = move.event;
    const why = "points as they were called";
    return writer.keep({ type: "amend", seq: move.seq, event: { ...rest, points: called }, why });
  }
}

/** What the table calls after the last move: points, claims, or null for nothing. @param {Recorder} recorder */
function due(recorder) {
  const { latest, edit } = recorder;
  if (edit || latest.sure === false || latest.closed || !(recorder.secret || recorder.log?.from)) return null;
  const { placed } = latest.parts;
  if (placed && placed.counted > 0 && placed.called === null && latest.claims.includes("score"))
    return { kind: "points", label: String(placed.counted), words: `${placed.counted} points` };
  const [call] = latest.calls || [];
  if (!call) return null;
  const names = new Map(latest.players);
  if (call.type === "take")
    return { kind: "take", label: "taken", words: `${names.get(call.player || "")} took ${call.tiles}` };
  const each = latest.players.map(([id, name]) => `${name} ${call.points[id] ?? 0}`);
  return { kind: call.type, label: "scores", words: each.join(", ") };
}

/** Draws the two buttons beside the last move. @param {Recorder} recorder */
export function showCalled(recorder) {
  const call = recorder.redo.words ? null : due(recorder);
  by("called").hidden = !call;
  fill(by("called"), call ? stamp("called", { words: safe(call.words), label: safe(call.label) }) : "");
  explainOnce(recorder, Boolean(call));
}

/** What the buttons mean, beside the first move that has them. @param {Recorder} recorder @param {boolean} shown */
function explainOnce({ latest, pick, record }, shown) {
  if (!shown) return;
  const move = `${record}/${latest.version}`;
  if (!recall("called")) remember("called", move);
  if (recall("called") === move && !pick.tile)
    setText("hint", "= the table called it as counted · ≠ it called something else");
}

/** A tap on one of them. @param {Recorder} recorder @param {string} which */
export async function tapCalled(recorder, which) {
  await recorder.writer.writing.catch(() => []); // what was called may be taken back just now
  const call = due(recorder);
  if (!call) return undefined;
  if (which === "other") return recorder.dialogs.calls.open(call.kind);
  if (call.kind === "points") return recorder.dialogs.calls.recordPoints(Number(call.label));
  return recorder.writer.keep(...recorder.latest.calls);
}
