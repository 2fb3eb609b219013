// Waits for the browser to draw.

/** Milliseconds until a page goes on that is not drawn, because nobody sees it. */
const UNSEEN = 300;

/** Waits until the page is drawn as it is now. */
export const frame = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, UNSEEN);
  });
