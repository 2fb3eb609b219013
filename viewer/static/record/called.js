// The called points in one tap: "=" as they were counted, "≠" something else.
// @ts-check

import { by, fill, safe } from "./marks.js";

/**
 * What the table calls after the last move: the points of a placement, or claims; null for nothing.
 * @param {Recorder} recorder
 */
function due(recorder) {
  const { latest, edit } = recorder;
  if (edit || latest.sure === false || latest.closed || !recorder.secret) return null;
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
  fill(
    by("called"),
    call
      ? `<button type="button" class="btn tap" data-called="same" title="Called as counted"` +
          ` aria-label="Called as counted: ${safe(call.words)}"><b>=</b> ${safe(call.label)}</button>` +
          `<button type="button" class="btn tap" data-called="other" title="Called differently"` +
          ` aria-label="Something else was called"><b>≠</b></button>`
      : "",
  );
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
