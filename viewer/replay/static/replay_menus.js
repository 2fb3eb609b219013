// Share, the keys, and the rule behind a mistake.

import "../../every_page/static/close_menus.js";
import { recall } from "../../every_page/static/browser_memory.js";

const SECONDS_A_PICTURE = 0.35;

/** @param {string} id */
const by = (id) => /** @type {any} */ (document.getElementById(id));

/** @param {Stepper} stepper */
export function menus(stepper) {
  by("help")?.addEventListener("click", () => {
    by("settings").hidePopover();
    by("keys").showModal();
  });
  document.addEventListener("click", (event) => {
    const rule = /** @type {Element} */ (event.target).closest("a.rule, a.finding");
    if (!rule || !by("rule")) return;
    event.preventDefault();
    rules(stepper, /** @type {Element} */ (rule.closest("#rows > li")) || stepper.rows[stepper.place]);
  });
  if (!by("share")) return;
  share(stepper);
  animation();
  // A phone that records this game gets a link back to the recorder.
  if (stepper.data.version && recall(`key.${stepper.data.id}`)) by("goon").hidden = false;
}

/** Opens the rules that a step breaks. @param {Stepper} stepper @param {Element} row */
function rules(stepper, row) {
  const text = by("rule-text");
  text.replaceChildren();
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (row.querySelectorAll(".rule"));
  by("rule-title").textContent = links.length === 1 ? links[0].dataset.verdict : `${links.length} remarks`;
  for (const link of links) {
    const clause = link.dataset.clause || "";
    const parts = [
      ["b", link.parentElement?.firstElementChild?.textContent],
      ["p", capital(link.dataset.compared || "")],
      ["p", stepper.data.rules[clause]],
    ];
    for (const [tag, words] of parts) {
      if (!words) continue;
      text.append(Object.assign(document.createElement(/** @type {string} */ (tag)), { textContent: words }));
    }
    const page = { href: link.href, textContent: `All rules (this one is ${clause})` };
    const paragraph = document.createElement("p");
    paragraph.append(Object.assign(document.createElement("a"), page));
    text.append(paragraph);
  }
  by("rule").showModal();
}

/** @param {string} words */
const capital = (words) => words.slice(0, 1).toUpperCase() + words.slice(1) + (words ? "." : "");

/** @param {Stepper} stepper */
function share(stepper) {
  const [send, copy] = [by("send"), by("copy")];
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const link = stepper.shared().href;
    try {
      await navigator.clipboard.writeText(link);
      copy.textContent = "Copied";
    } catch {
      // Without https there is no clipboard, so the link is shown, selected, for copying by hand.
      window.prompt("The link to this step", link);
    }
    setTimeout(() => (copy.textContent = "Copy link to this step"), 2000);
  });
  if (typeof navigator.share === "function") {
    send.hidden = false;
    send.addEventListener("click", () =>
      navigator.share({ title: document.title, url: stepper.shared().href }).catch(() => undefined),
    );
  } else copy.classList.add("go");
  by("embed")?.addEventListener("focus", () => by("embed").select());
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("[data-at]"));
  const night = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const theme = document.documentElement.dataset.theme || (night.matches ? "dark" : "light");
    for (const link of links) {
      const { level, look } = stepper.table;
      const { view, turn } = look;
      const parts = new URLSearchParams({ ply: String(stepper.seq), view, theme });
      if (level) parts.set("level", String(level));
      if (turn) parts.set("turn", String(turn));
      if (by("numerals").checked) parts.set("numerals", "1");
      link.href = `${link.pathname}?${parts}`;
    }
  };
  document.addEventListener("remembered", follow);
  follow();
}

/** Says how long an animation takes to make, before somebody waits for it. */
function animation() {
  const form = by("gif");
  const number = (/** @type {string} */ name) => Number(form.elements[name].value);
  const estimate = () => {
    const pictures = Math.max(1, Math.ceil((number("to") - number("from")) / Math.max(1, number("every"))) + 1);
    by("takes").textContent = `${pictures} pictures, about ${Math.max(1, Math.round(pictures * SECONDS_A_PICTURE))} s`;
  };
  form.addEventListener("input", estimate);
  form.addEventListener("submit", () => (by("takes").textContent = "Making it …"));
  estimate();
}
