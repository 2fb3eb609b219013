// Where the game was decided: worked out when somebody asks for it.

const PAUSE = 1000;
/** A search takes half a minute at most, and others may wait before it. */
const TRIES = 180;

/** Fills the fold when it is opened. @param {Stepper} stepper */
export function decided(stepper) {
  const fold = /** @type {HTMLDetailsElement | null} */ (document.getElementById("decided"));
  const hands = document.getElementById("hands");
  if (!fold || !hands) return;
  fold.addEventListener("toggle", async () => {
    if (fold.open && !hands.querySelector("section, .soft")) {
      hands.textContent = "Working it out…";
      const found = await answer(fold.dataset.source || "").catch(() => "");
      hands.innerHTML = found || "It could not be worked out now. Close this and open it again.";
    }
    mark(stepper, fold.open);
  });
}

/** The hands as HTML, which the rules wrote (viewer/replay/decided.py). @param {string} source */
async function answer(source) {
  const { askDecided } = /** @type {any} */ (globalThis);
  if (askDecided) return askDecided();
  for (let n = 0; n < TRIES; n += 1) {
    const reply = await fetch(source);
    if (reply.status !== 202) return reply.ok ? reply.text() : "";
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  return "";
}

/**
 * Marks the moves that decided in the list, and the better tiles in the hand.
 * @param {Stepper} stepper @param {boolean} isOpen
 */
function mark(stepper, isOpen) {
  stepper.table.marked = {};
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-decides]"))) {
    const row = stepper.parts.list.querySelector(`#p${link.dataset.seq}`);
    const place = stepper.placeOf(Number(link.dataset.seq));
    row?.toggleAttribute("data-decided", isOpen);
    if (!isOpen) continue;
    row?.setAttribute("data-decided", link.textContent || "");
    stepper.table.marked[place] = stepper.table.marked[place - 1] = link.dataset.decides?.split(",") || [];
  }
  stepper.table.draw();
}
