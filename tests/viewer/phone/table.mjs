// A recorder's page that asks for an act, on the page's own modules; the rules are what a test says.

const { Pick } = await import("../../../viewer/phone/static/recorder/next_entry.js");
const { Placing } = await import("../../../viewer/phone/static/recorder/place_tile.js");

/**
 * `tiles` are left for the act and `legal` is what fits; `more` replaces parts of the recorder.
 * `entered` has each event that was entered with whether it is known to be legal, and what the page said.
 */
export function table({ kind = "place", tiles = [], legal = [], count, many = false, laid = [], ...more } = {}) {
  const entered = [];
  const recorder = {
    sure: true,
    edit: null,
    redo: { next: null },
    view: {
      form: { names: { play: [], lift: [] } },
      parts: { largest: 12, stacks: "" },
      scene: { areas: [{ type: "grid", laid }] },
    },
    prompt: () => ({ kind, many }),
    way: (name = kind) => (name === kind ? { tiles, legal, count, due: many } : undefined),
    writer: {
      enter: (event, { legal: isLegal } = {}) => {
        entered.push([event, Boolean(isLegal)]);
        recorder.pick.clear();
      },
    },
    dialogs: { hint: (text) => entered.push(text) },
    changed: () => undefined,
    ...more,
  };
  const pick = (recorder.pick = Object.assign(new Pick(recorder), { kind, player: "a" }));
  const placing = (recorder.placing = new Placing(recorder));
  return { recorder, pick, placing, entered };
}
