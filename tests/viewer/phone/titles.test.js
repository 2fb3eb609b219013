import assert from "node:assert/strict";
import { test } from "node:test";

import { entitle } from "../../../viewer/phone/static/pieces/markup.js";

test("a title that a script sets ends with the program's name", () => {
  const page = { title: "" };
  Object.assign(globalThis, { document: page });
  entitle("Zigzag: Ana, Ben and Cy");
  assert.equal(page.title, "Zigzag: Ana, Ben and Cy · Domino Ledger");
});
