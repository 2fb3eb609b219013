// What this phone remembers: who played here, and which games it records.
// @ts-check

const PREFIX = "domino-ledger.";

/** @param {string} what */
function kept(what) {
  try { return JSON.parse(localStorage.getItem(PREFIX + what) || "[]"); } catch { return []; }
}

const people = document.getElementById("people");
if (people) {
  for (const name of kept("people")) people.append(Object.assign(document.createElement("option"), { value: name }));
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form.opening"));
  form.addEventListener("submit", () => {
    const names = [...form.querySelectorAll("[name^=player]")].map((field) => /** @type {any} */ (field).value.trim()).filter(Boolean);
    const all = [...new Set([...names, ...kept("people")])].slice(0, 30);
    try { localStorage.setItem(`${PREFIX}people`, JSON.stringify(all)); } catch { /* they are typed again */ }
  });
}

const mine = document.getElementById("mine");
if (mine) {
  let ids = [];
  try { ids = Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX}key.`)).map((key) => key.slice(PREFIX.length + 4)); } catch { /* none */ }
  const list = /** @type {HTMLElement} */ (mine.querySelector("ul"));
  for (const id of ids) {
    fetch(`/api/records/${encodeURIComponent(id)}/screen`).then((answer) => (answer.ok ? answer.json() : null)).then((screen) => {
      if (!screen || screen.closed) return;
      const line = document.createElement("li");
      const link = Object.assign(document.createElement("a"), { href: `/r/${id}` });
      const names = screen.players.map((pair) => pair[1]).join(" – ");
      link.append(Object.assign(document.createElement("b"), { textContent: names }), Object.assign(document.createElement("span"), { textContent: `${screen.title}, ${screen.moves.length} moves` }));
      line.append(link);
      list.append(line);
      mine.hidden = false;
    }).catch(() => undefined);
  }
}
