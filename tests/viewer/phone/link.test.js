import assert from "node:assert/strict";
import { test } from "node:test";

const { pack, readLink, unpack } = await import("../../../viewer/phone/static/pieces/game_in_link.js");

const TEXT = "Game: zigzag\nPlayers: A Ana, B Béla\n";
const LETTERS = await pack(TEXT);

for (const around of [
  ".",
  ")",
  ",",
  ";",
  ":",
  "!",
  "?",
  ">",
  "]",
  '"',
  "'",
  "…",
  "»",
  ").",
  "%29",
  "%22",
  "%E2%80%A6",
  "*",
  "_",
  "__.",
]) {
  test(`a link that ${around} follows in a text opens`, async () => {
    const { step, game } = readLink(`#17.${LETTERS}${around}`);
    assert.equal(step, "17");
    assert.equal(await unpack(game), TEXT);
  });
}

test("a link that was broken over two lines opens", async () => {
  const broken = `#.${LETTERS.slice(0, 20)}%0A ${LETTERS.slice(20)}`;
  assert.equal(await unpack(readLink(broken).game), TEXT);
});

test("a link that is cut off, changed or empty is refused in words", async () => {
  for (const letters of [LETTERS.slice(0, 9), "A", `x${LETTERS}`, "", "_____", "Aé"])
    await assert.rejects(unpack(letters), (error) => {
      assert.match(String(/** @type {Error} */ (error).message), /^This link holds no game: .*ask for it again\.$/);
      return true;
    });
});

test("an example is named, whatever follows it", () => {
  assert.equal(readLink("#=zigzag/ending-target.").example, "zigzag/ending-target");
  assert.equal(readLink("#=%").example, "");
  assert.deepEqual(readLink(""), { step: "", game: "", example: "" });
});
