// Menus (popover) and dialogs: Escape, a tap beside them and the back button close them.
// The browser does the first two for a popover, and Escape for a dialog.  This does the rest.

/** Milliseconds until a way back that the browser gave up, for a link that was tapped meanwhile, is not waited for. */
const GIVEN_UP = 5000;

/** The open boxes, the latest last.  Each has an entry in the browser's history, so that "back" closes it. */
const openBoxes = /** @type {HTMLElement[]} */ ([]);
/** Ends when the history has an entry for each open box. */
let settling = Promise.resolve();
/** Ends going back; null while this page does not go back by itself. @type {(() => void) | null} */
let arrive = null;

/** Closes a menu or a dialog. @param {HTMLElement} box */
function close(box) {
  if (box instanceof HTMLDialogElement) box.close();
  else if (box.matches(":popover-open")) box.hidePopover();
}

/** Goes back one entry, which takes a moment, on a busy phone a long one. @returns {Promise<void>} */
const back = () =>
  new Promise((resolve) => {
    const timer = setTimeout(() => arrive?.(), GIVEN_UP);
    arrive = () => {
      clearTimeout(timer);
      arrive = null;
      resolve();
    };
    history.back();
  });

/** Gives the history an entry for one more box, or takes that of one that was closed by hand. */
async function follow() {
  const entries = history.state?.box || 0;
  if (entries < openBoxes.length) history.pushState({ box: entries + 1 }, "");
  else if (entries > openBoxes.length) await back();
}

/** Lets the history follow the boxes, one step after the other: what comes too early would be undone. */
function settle() {
  settling = settling.then(follow).catch(() => undefined); // Safari takes a hundred entries in half a minute
}

/** @param {HTMLElement} box */
function onOpen(box) {
  if (openBoxes.includes(box)) return;
  openBoxes.push(box);
  settle();
}

/** @param {HTMLElement} box */
function onClose(box) {
  const place = openBoxes.indexOf(box);
  if (place < 0) return;
  openBoxes.splice(place, 1);
  settle();
}

addEventListener("popstate", () => {
  if (arrive) return arrive();
  const box = openBoxes.pop();
  if (box) close(box);
});

/** Closes a dialog, and waits until the page may turn to another address. @param {HTMLDialogElement} dialog */
export async function closeDialog(dialog) {
  dialog.close();
  await null; // it is noticed before this goes on
  await settling;
}

/** Watches a menu or a dialog. @param {HTMLElement} box */
export function dismissable(box) {
  if (!(box instanceof HTMLDialogElement)) {
    box.addEventListener("toggle", (event) =>
      /** @type {ToggleEvent} */ (event).newState === "open" ? onOpen(box) : onClose(box),
    );
    return;
  }
  new MutationObserver(() => (box.open ? onOpen(box) : onClose(box))).observe(box, { attributeFilter: ["open"] });
  box.addEventListener("click", (event) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const beside = event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
    if (event.target === box && beside) box.close();
  });
}

for (const box of document.querySelectorAll("dialog, [popover]")) dismissable(/** @type {HTMLElement} */ (box));
