// Listens to a game in play while the page is visible.
// @ts-check

/**
 * Reports when the record has grown and when names have changed.
 * @param {() => string} address of the live stream, asked for anew whenever it opens
 * @param {(version: number) => void} onGrowth
 * @param {() => void} onRenaming
 * @param {(version: number, link: string) => void} [onLink] hears the link of the record at the version that the
 *   address names, or at the last one if the ledger has less
 * @returns {() => void} stops listening
 */
export function follow(address, onGrowth, onRenaming, onLink) {
  /** @type {EventSource | null} */
  let stream = null;
  let renamings = "";
  const open = () => {
    if (stream || document.hidden) return;
    stream = new EventSource(address());
    stream.addEventListener("version", (event) => onGrowth(Number(event.data)));
    stream.addEventListener("link", (event) => {
      const [version, link] = event.data.split(" ");
      onLink?.(Number(version), link);
    });
    stream.addEventListener("names", (event) => {
      if (renamings && renamings !== event.data) onRenaming();
      renamings = event.data;
    });
  };
  const close = () => {
    stream?.close();
    stream = null;
  };
  // Browsers allow few connections to one site, so a hidden tab closes its own.
  const end = new AbortController();
  const { signal } = end;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()), { signal });
  addEventListener("pagehide", close, { signal });
  addEventListener("pageshow", open, { signal });
  open();
  return () => {
    end.abort();
    close();
  };
}
