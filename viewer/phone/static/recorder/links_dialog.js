// Links to this game: to watch it, to record it, to compare its fingerprint.

import { at } from "../../../every_page/static/club_root.js";
import { addresses, isHere, isNearby } from "../pieces/recorder_addresses.js";
import { pathOf, replyTo, request } from "../entries/api.js";
import { head } from "../pieces/dialog_parts.js";
import { replayAddress } from "../pieces/share_local_game.js";
import { by, safe, stamp } from "../pieces/markup.js";
import { recall, remember } from "../../../every_page/static/browser_memory.js";

export class Links {
  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    by("links").addEventListener("click", (/** @type {any} */ event) =>
      this.share(event.target.closest("[data-copy], [data-share]")),
    );
  }

  /** The link for watchers; in a private ledger it has a secret of its own, which is fetched once. */
  async watching() {
    const { record, secret } = this.recorder;
    const address = `${location.origin}${at("g/")}${record}`;
    if (!document.querySelector("main[data-private]")) return address;
    const name = `watch.${record}`;
    if (!recall(name)) {
      const how = { key: secret, body: { role: "watch" } };
      const { body } = await replyTo(() => request(pathOf(record, "links"), how), "key");
      if (body.key) remember(name, body.key);
    }
    return recall(name) ? `${address}#${recall(name)}` : "";
  }

  /** What there is to share: for each a name, the link, and what it does. @returns {Promise<string[][]>} */
  async all() {
    const { local, log, record, secret, judged: screen } = this.recorder;
    const whole = "This link holds the whole game as it is now: anyone with it sees the replay.";
    if (local) return [["Share", new URL(log ? await replayAddress(log) : "", location.href).href, whole]];
    const watch = await this.watching();
    const all = watch ? [["Watch", watch, "Anyone with this link can watch the game, but not record."]] : [];
    const recorders = "Anyone with this link can record. Keep it at the table.";
    if (secret) all.push(["Record", `${location.origin}${addresses.record(record)}#${secret}`, recorders]);
    const others = "On another phone, this tells whether the record there is this one.";
    if (screen?.closed && screen.fingerprint) {
      const query = `fingerprint=${encodeURIComponent(screen.fingerprint)}`;
      all.push(["Compare", `${location.origin}${at("g/")}${record}?${query}`, others]);
    }
    return all;
  }

  async open() {
    const { local } = this.recorder;
    const all = await this.all();
    const file = local ? " For everybody else, save the game as a file." : "";
    const near = isHere(location.hostname)
      ? "Phones cannot reach this address. Start the server with <code>domino-ledger serve --host 0.0.0.0</code>, " +
        "and open this game at the address that it prints."
      : `These links lead to ${safe(location.host)}: they work only for phones in this network.${file}`;
    const warning = isNearby(location.hostname) && !addresses.site ? `<p class="soft">${near}</p>` : "";
    const sections = all.map(([name, address, text], n) => {
      const link = safe(address);
      const share = "share" in navigator ? stamp("link-share", { link }) : "";
      // A code holds a few hundred letters, and a whole game has more.
      const code = local ? "" : stamp("link-code", { n });
      return stamp("link", { name, text, link, about: name.toLowerCase(), share, code });
    });
    by("links").innerHTML = head(local ? "Share" : "Let others watch") + warning + sections.join("");
    by("links").showModal();
    by("links").querySelector("details")?.toggleAttribute("open", true);
    if (!local) all.forEach(([, link], n) => this.draw(link, by(`qr${n}`)));
  }

  /** @param {string} link @param {HTMLElement} box */
  async draw(link, box) {
    try {
      const answer = await fetch(at("qr"), { method: "POST", headers: { "Content-Type": "text/plain" }, body: link });
      if (answer.ok) box.innerHTML = await answer.text();
    } catch {
      box.textContent = "No connection: there is no QR code now.";
    }
  }

  /** @param {any} button */
  async share(button) {
    if (!button) return;
    try {
      if (button.dataset.share) await navigator.share({ title: document.title, url: button.dataset.share });
      else {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = "Copied";
      }
    } catch {
      // Without https there is no clipboard, so the text is selected for copying by hand.
      button.parentElement.querySelector("input").select();
    }
  }
}
