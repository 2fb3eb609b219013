// Reads the secret from a link's fragment, which is never sent as part of an address, and sends it in once.
import { at } from "../../every_page/static/club_root.js";

/** Who has come in already has no form. */
const form = /** @type {HTMLFormElement | null} */ (document.getElementById("door"));
const why = /** @type {HTMLElement} */ (document.getElementById("why"));

async function enter(/** @type {string} */ key) {
  const fields = new FormData();
  fields.set("key", key);
  fields.set("record", form?.dataset.record || "");
  try {
    const answer = await fetch(at("door"), { method: "POST", body: fields });
    if (answer.ok) {
      history.replaceState(null, "", location.pathname + location.search);
      return location.reload();
    }
    const problem = await answer.json();
    why.textContent = `${problem.title}: ${problem.detail}.`;
  } catch {
    why.textContent = "There is no connection. Try again when there is one.";
  }
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(String(new FormData(form).get("key")));
});
if (location.hash.length > 40) enter(location.hash.slice(1));
// The page may already be open when somebody follows another link to it.
addEventListener("hashchange", () => enter(location.hash.slice(1)));
