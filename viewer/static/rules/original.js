// The page as it came, before any script changed it.
// @ts-check

/** The parts of the page that people read. */
const PARTS = ["title", "style", "header", "main"];

/** How a browser is told to read the page, by the name of each part. @param {Document} page */
export function frameOf(page) {
  const { doctype, documentElement, body, compatMode } = page;
  const type = doctype ? [doctype.name, doctype.publicId, doctype.systemId].join(" ").trim() : "missing";
  const settings = [...page.querySelectorAll("head > meta")].map((meta, n) => {
    const value = ["name", "http-equiv", "charset", "content"].map((name) => meta.getAttribute(name) || "");
    return /** @type {[string, string]} */ ([`setting ${n + 1} in its head`, value.join(" ").trim()]);
  });
  return new Map([
    ["the document type in its first line", compatMode === "CSS1Compat" ? type : `${type}, read as an old page`],
    ["the language", documentElement.lang],
    ["the class of the page", body.className],
    ...settings,
  ]);
}

export const frame = frameOf(document);

/** @param {Document} page */
export const partsOf = (page) => new Map(PARTS.map((name) => [name, page.querySelector(name)?.cloneNode(true)]));

export const original = partsOf(document);
