// The page as it came, before any script changed it.
// @ts-check

/** The parts of the page that people read. */
const PARTS = ["title", "style", "header", "main"];

/** @param {Document} page */
export const partsOf = (page) => new Map(PARTS.map((name) => [name, page.querySelector(name)?.cloneNode(true)]));

export const original = partsOf(document);
