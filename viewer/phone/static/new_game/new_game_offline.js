// A new game on this phone: choose a game, fill in the form, begin.  The rules on the phone make the form and read it.

import { addresses } from "../pieces/recorder_addresses.js";
import { prepareForm, takeTyped } from "./new_game_form.js";
import { by, safe } from "../pieces/markup.js";
import { newLog } from "../notebook/log.js";

export class BeginView {
  box = by("begin");
  /** The number of the latest request: only its answer is shown. */
  turn = 0;

  /**
   * `list`: the games on this phone; `begun` is called with the id of a game that has begun; `eventsOf` gives the
   * events of a record, for a rematch.
   * @param {{ rules: PhoneRules, notebook: import("../notebook/notebook.js").Notebook,
   *   list: import("../games_here/list.js").GameList, begun: (id: string) => void,
   *   eventsOf: (id: string) => Promise<GameEvent[]> }} page
   */
  constructor(page) {
    this.page = page;
  }

  /** Shows the games to choose from, or the form. @param {{ game: string, from: string }} asked */
  async show({ game, from }) {
    const turn = ++this.turn;
    const starting = this.page.rules.start();
    // To choose a game, nobody waits for the rules.
    if (!game && !from) await this.put(by("games").innerHTML);
    else if (!this.page.rules.ready) this.say("The rules are starting. That takes a few seconds.");
    const canBegin = await starting;
    if (turn !== this.turn) return;
    if (!canBegin) return this.refuse();
    if (!game && !from) return;
    try {
      const markup = await this.form(game, from);
      if (turn === this.turn) await this.put(markup);
    } catch (error) {
      if (turn === this.turn) this.say(safe(`${/** @type {Error} */ (error).message}.`));
    }
  }

  /** Shows a form, or the games to choose from and those on this phone. @param {string} markup */
  async put(markup) {
    this.box.innerHTML = markup;
    this.prepare();
    await this.page.list.show(/** @type {HTMLElement | null} */ (this.box.querySelector("#mine")));
    document.documentElement.dataset.ready = "yes";
  }

  prepare() {
    const form = /** @type {HTMLFormElement | null} */ (this.box.querySelector("form.opening"));
    if (form) prepareForm(form, (typed) => this.begin(form, typed));
  }

  /** Says something in place of the form. @param {string} text markup @param {string} [how] attributes */
  say(text, how = 'role="status"') {
    this.box.innerHTML = `<h1>New game</h1><p ${how}>${text}</p>`;
  }

  refuse() {
    const other = ` With a connection, <a href="${addresses.begin}">the page of the ledger</a> begins one.`;
    const why = `No game can begin here, since the rules cannot start: ${safe(this.page.rules.reason)}.`;
    this.say(why + (addresses.site ? "" : other), 'class="wrong" role="alert"');
  }

  /** @param {string} game @param {string} from */
  async form(game, from) {
    const events = from ? await this.page.eventsOf(from) : [];
    const typed = takeTyped(game);
    const page = await this.page.rules.answer("form", { game, typed, events, ...this.links(game || events[0]?.game) });
    return page.html;
  }

  /** @param {string} game */
  links(game) {
    return { rules: addresses.rules(game), other: addresses.begin };
  }

  /** @param {HTMLFormElement} form @param {Record<string, string>} typed */
  async begin(form, typed) {
    const button = /** @type {HTMLButtonElement} */ (form.querySelector(".begins button"));
    if (button.disabled) return;
    button.disabled = true;
    try {
      const { id, key } = typed;
      const answer = await this.page.rules.answer("begin", {
        typed,
        when: new Date().toISOString(),
        ...this.links(typed.game),
      });
      const { opening, title } = answer;
      if (!opening) {
        this.box.innerHTML = answer.html;
        this.prepare();
        return;
      }
      await this.page.rules.answer("screen", { id, events: [opening] });
      const begun = (/** @type {any} */ log) => ({ log: log || { ...newLog(id, key, opening), title } });
      await this.page.notebook.change(id, begun).catch((cause) => {
        const advice = "A private window keeps nothing; try an ordinary one";
        throw new Error(`This phone cannot keep the game: ${cause.message}. ${advice}`, { cause });
      });
      // Without this a browser may clear what it keeps when its disk is full.
      navigator.storage?.persist?.().catch(() => false);
      this.page.begun(id);
    } catch (error) {
      // What was typed stays.
      const line = /** @type {HTMLElement} */ (form.querySelector("#not-begun"));
      line.textContent = `${/** @type {Error} */ (error).message}.`;
      line.hidden = false;
    } finally {
      button.disabled = false;
    }
  }
}
