// Calls at the table: points, totals, the winner; the ledger keeps them beside its own count.
// @ts-check

import { head } from "./sheet.js";
import { by, safe } from "./marks.js";

/** Only the fields that somebody filled in. @param {Record<string, any>} fields */
const filled = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** @param {string} name @param {string} label @param {any} value */
const number = (name, label, value) =>
  `<label>${safe(label)} ` +
  `<input type="number" inputmode="numeric" step="1" name="${safe(name)}" value="${safe(value)}"></label>`;

export class Calls {
  /** @param {import("./recorder.js").Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    by("calls").addEventListener("submit", (/** @type {any} */ event) => {
      event.preventDefault();
      by("calls").close();
      this.record(event.target.dataset.claim, new FormData(event.target));
    });
  }

  open() {
    const { judged: screen } = this.recorder;
    const last = screen.moves[screen.moves.length - 1];
    const points =
      last?.event.type === "place"
        ? this.form(
            "points",
            "Points for the last tile",
            number("points", "Points", last.event.points ?? this.scored(last)),
          )
        : "";
    by("calls").innerHTML =
      `${head("What the table called")}<p class="soft">` +
      `We keep score too. Enter what the table said, and we compare.</p>${points}` +
      screen.claims.map((/** @type {string} */ kind) => this.claim(kind)).join("") +
      this.form("note", "Note", '<label class="wide">Text <input name="text" maxlength="2000" required></label>');
    by("calls").showModal();
  }

  /** The points that the player of a move got for it. @param {any} move */
  scored(move) {
    return (move.gained || []).find((/** @type {number[]} */ [seat]) => seat === move.seat)?.[1] ?? 0;
  }

  /** @param {string} kind @param {string} title @param {string} fields */
  form(kind, title, fields) {
    return (
      `<form data-claim="${kind}"><h3>${title}</h3><div class="fields">${fields}</div>` +
      `<button class="btn tap">Record</button></form>`
    );
  }

  /** @param {string} kind */
  claim(kind) {
    const { players, scene } = this.recorder.judged;
    const people = players
      .map((/** @type {string[]} */ [id, name]) => `<option value="${safe(id)}">${safe(name)}</option>`)
      .join("");
    if (kind === "take")
      return this.form(
        kind,
        "Pile taken",
        `<label>Player <select name="player">${people}</select>` +
          `</label>${number("tiles", "Tiles", "")}${number("points", "Points", "")}`,
      );
    if (kind === "score") {
      const scores = players
        .map((/** @type {string[]} */ [id, name], /** @type {number} */ n) =>
          number(`points.${id}`, name, scene.seats[n].score ?? 0),
        )
        .join("");
      return this.form(
        kind,
        "Scores",
        `<label>For <select name="scope"><option value="game">the game so far</option>` +
          `<option value="hand">this hand</option></select></label>${scores}`,
      );
    }
    if (kind === "cheats") return this.form(kind, "Cheats", number("count", "Cheats", scene.seats[0].score ?? 0));
    if (kind === "result") {
      const winners = players
        .map(
          (/** @type {string[]} */ [id, name]) =>
            `<label class="check">` +
            `<input type="checkbox" name="winners" value="${safe(id)}"> <bdi>${safe(name)}</bdi></label>`,
        )
        .join("");
      return this.form(
        kind,
        "Winner",
        `${winners}<label class="wide">Title <input name="title" maxlength="200"></label>`,
      );
    }
    return "";
  }

  /** @param {string} kind @param {FormData} form */
  async record(kind, form) {
    const { recorder } = this;
    const textOf = (/** @type {string} */ name) => String(form.get(name) ?? "").trim();
    const numeral = (/** @type {string} */ name) => (textOf(name) === "" ? null : Number(textOf(name)));
    const { players, moves } = recorder.judged;
    if (kind === "points") {
      const last = moves[moves.length - 1];
      const { when, by: who, ...rest } = last.event;
      return recorder.keep({
        type: "amend",
        seq: last.seq,
        event: { ...rest, points: numeral("points") },
        why: "points as they were called",
      });
    }
    const claims = /** @type {Record<string, () => any>} */ ({
      take: () => ({ player: form.get("player"), ...filled({ tiles: numeral("tiles"), points: numeral("points") }) }),
      score: () => ({
        scope: form.get("scope"),
        points: Object.fromEntries(players.map((/** @type {string[]} */ [id]) => [id, numeral(`points.${id}`) ?? 0])),
      }),
      cheats: () => ({ count: numeral("count") ?? 0 }),
      result: () => ({ winners: form.getAll("winners"), ...filled({ title: textOf("title") || null }) }),
      note: () => ({ text: form.get("text") }),
    });
    return recorder.keep({ type: kind, ...claims[kind]() });
  }
}
