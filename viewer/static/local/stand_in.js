// The recorder's page in the place of the ledger's first one, which has not come from the network yet.

/**
 * Says so, and opens the ledger's page when it comes; if somebody has touched this one since, it only says that.
 * @param {HTMLElement} line where it is said
 */
export async function awaitHome(line) {
  const worker = navigator.serviceWorker?.controller;
  if (location.pathname !== "/" || !worker) return;
  line.hidden = false;
  let touched = false;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (touched = true), { once: true });
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
  worker.postMessage(location.href, [port2]);
  const came = await answer;
  port1.close();
  if (came && !touched && location.pathname === "/") return location.reload();
  const [text, link] = came
    ? ["The ledger answers now.", "Go to its page"]
    : ["The ledger does not answer. Below are the games on this phone.", "Try again"];
  line.firstElementChild?.replaceChildren(text);
  line.querySelector("a")?.replaceChildren(link);
  return undefined;
}
