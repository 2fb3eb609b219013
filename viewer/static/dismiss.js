// Menus (popover) and dialogs: Escape, a tap beside them and the back button close them.
// The browser does the first two for a popover, and Escape for a dialog.  This does the rest.
// @ts-check

/** The open boxes, the latest last.  Each has an entry in the browser's history, so that "back" closes it. */
const openBoxes = /** @type {HTMLElement[]} */ ([]);
let leaving = 0;

/** Closes a menu or a dialog. @param {HTMLElement} box */
function close(box) {
  if (box instanceof HTMLDialogElement) box.close();
  else if (box.matches(":popover-open")) box.hidePopover();
}

/** @param {HTMLElement} box */
function onOpen(box) {
  if (openBoxes.includes(box)) return;
  openBoxes.push(box);
  history.pushState({ box: openBoxes.length }, "");
}

/** @param {HTMLElement} box */
function onClose(box) {
  const place = openBoxes.indexOf(box);
  if (place < 0) return;
  openBoxes.splice(place, 1);
  // It was closed by hand, so its entry in the history goes too.
  if (history.state?.box) {
    leaving += 1;
    history.back();
  }
}

addEventListener("popstate", () => {
  if (leaving) {
    leaving -= 1;
    return;
  }
  const box = openBoxes.pop();
  if (box) close(box);
});

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
