// Listens to a game in play while the page is visible.
// @ts-check

/**
 * Reports when the record has grown and when names have changed.
 * @param {() => string} address of the live stream, asked for anew whenever it opens
 * @param {(version: number) => void} grown
 * @param {() => void} renamed
 */
export function follow(address, grown, renamed) {
  /** @type {EventSource | null} */
  let stream = null;
  let names = "";
  const open = () => {
    if (stream || document.hidden) return;
    stream = new EventSource(address());
    stream.addEventListener("version", (event) => grown(Number(event.data)));
    stream.addEventListener("names", (event) => {
      if (names && names !== event.data) renamed();
      names = event.data;
    });
  };
  const close = () => {
    stream?.close();
    stream = null;
  };
  // Browsers allow few connections to one site, so a hidden tab closes its own.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}
