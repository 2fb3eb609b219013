// Takes the last entry back: without a trace while it is only on this phone, with a correction after that.
// @ts-check

/** @param {import("./recorder.js").Recorder} recorder */
export async function undo(recorder) {
  const { post, outbox, placing } = recorder;
  const last = post.waiting[post.waiting.length - 1];
  if (last && !post.sending.includes(last)) {
    await outbox.settle([last], null);
    recorder.queue = recorder.queue.filter((entry) => entry !== last);
    placing.forget();
    await recorder.ahead.show();
    return;
  }
  const standing = recorder.screen.moves.filter(
    (/** @type {any} */ { event }) => !["note", "close", "confirm"].includes(event.type),
  );
  const seq = last ? last.base : Math.max(...standing.map((/** @type {any} */ move) => move.seq));
  if (Number.isFinite(seq)) await recorder.keep({ type: "retract", seq, why: "taken back at once" });
}
