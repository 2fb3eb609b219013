// Where the game was decided: worked out when somebody asks for it.

const PAUSE = 1000;
/** Three minutes: the largest search takes two. */
const TRIES = 180;

/** Fills the fold when it is opened. @param {Stepper} stepper */
export function decided(stepper) {
  const fold = /** @type {HTMLDetailsElement | null} */ (document.getElementById("decided"));
  const hands = document.getElementById("hands");
  if (!fold || !hands) return;
  let isFilled = Boolean(hands.querySelector("section, .soft"));
  fold.addEventListener("toggle", async () => {
    if (fold.open && !isFilled) {
      isFilled = true;
      hands.textContent = "Working it out…";
      hands.innerHTML = await answer(fold.dataset.source || "").catch(() => "");
      if (!hands.innerHTML) {
        isFilled = false;
        hands.textContent = "It could not be worked out now. Close this and open it again.";
      }
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

/** Marks the moves that decided in the list. @param {Stepper} stepper @param {boolean} isOpen */
function mark(stepper, isOpen) {
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-decides]"))) {
    const row = stepper.parts.list.querySelector(`#p${link.dataset.seq}`);
    if (isOpen) row?.setAttribute("data-decided", link.textContent || "");
    else row?.removeAttribute("data-decided");
  }
}
