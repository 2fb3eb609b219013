// Finds where two pages differ that should be the same.
// @ts-check

const LONGEST = 60;

/** A text for a sentence, not too long. @param {string | null | undefined} text */
export function quote(text) {
  const plain = (text || "").replace(/\s+/g, " ").trim();
  return plain ? `“${plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain}”` : "nothing";
}

/** What people call the place of a node. @param {Node} node */
function placeOf(node) {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest("#rows > li[id]");
  if (row) return `move ${row.id.slice(1)} of the list`;
  const part = element?.closest("[aria-label]");
  if (part) return `“${part.getAttribute("aria-label")}”`;
  const root = /** @type {Element | null} */ (element?.closest("header, main, title, style"));
  return root ? `the ${root.localName} of the page` : "the page";
}

/** Elements by what people call them. @type {Record<string, string>} */
const KINDS = { a: "a link", li: "an entry", p: "a line", svg: "a picture", button: "a button" };

/**
 * The first attribute in which two elements differ; "" if they have the same.
 * @param {Element} page @param {Element} expected
 */
function attributeThatDiffers(page, expected) {
  const names = new Set([...page.getAttributeNames(), ...expected.getAttributeNames()]);
  return [...names].find((name) => page.getAttribute(name) !== expected.getAttribute(name)) || "";
}

/**
 * A sentence about an element with another attribute, in words instead of markup.
 * @param {Element} page @param {Element} expected @param {string} name
 */
function attributeSentence(page, expected, name) {
  const words = page.textContent?.trim() ? ` with the text ${quote(page.textContent)}` : "";
  return (
    `In ${placeOf(page)}, ${KINDS[page.localName] || "a part"}${words} was changed: its “${name}” is ` +
    `${quote(page.getAttribute(name))} in this file; by the record it is ${quote(expected.getAttribute(name))}.`
  );
}

/**
 * The first difference between what a page says and what it should say, as a sentence; empty if there is none.
 * @param {Node | undefined} page @param {Node | undefined} expected @returns {string}
 */
export function difference(page, expected) {
  if (!page || !expected) return page === expected ? "" : "A part of this page is missing.";
  if (page.isEqualNode(expected)) return "";
  const kind = page.nodeType === expected.nodeType && page.nodeName === expected.nodeName;
  if (!kind || page.nodeType === Node.TEXT_NODE) return sentence(page, page.textContent, expected.textContent);
  if (page instanceof Element && expected instanceof Element) {
    const name = attributeThatDiffers(page, expected);
    if (name) return attributeSentence(page, expected, name);
  }
  const [ours, theirs] = [[...page.childNodes], [...expected.childNodes]];
  for (let n = 0; n < Math.max(ours.length, theirs.length); n += 1) {
    if (!ours[n] || !theirs[n]) return sentence(page, ours[n]?.textContent, theirs[n]?.textContent);
    const inner = difference(ours[n], theirs[n]);
    if (inner) return inner;
  }
  return sentence(page, page.textContent, expected.textContent);
}

/** @param {Node} node @param {string | null | undefined} page @param {string | null | undefined} expected */
function sentence(node, page, expected) {
  if (quote(page) === quote(expected)) return `In ${placeOf(node)}, ${quote(page)} was changed.`;
  return `In ${placeOf(node)}, this file says ${quote(page)}; by the record it is ${quote(expected)}.`;
}

/**
 * Where two long texts differ, as a sentence; empty if nowhere.
 * @param {string} name @param {string} page @param {string} expected
 */
export function textDifference(name, page, expected) {
  if (page === expected) return "";
  let at = 0;
  while (page[at] === expected[at]) at += 1;
  const from = Math.max(0, at - 12);
  return (
    `In ${name}, at character ${at}, this file says ${quote(page.slice(from, at + 28))}; ` +
    `by the record it is ${quote(expected.slice(from, at + 28))}.`
  );
}

/**
 * Where two pages tell a browser to read them differently, as sentences.
 * @param {Map<string, string>} page @param {Map<string, string>} expected
 */
export function frameDifferences(page, expected) {
  const names = [...new Set([...page.keys(), ...expected.keys()])];
  return names
    .filter((name) => page.get(name) !== expected.get(name))
    .map(
      (name) =>
        `Around the page, ${name} was changed: this file says ${quote(page.get(name))}; ` +
        `it was written with ${quote(expected.get(name))}.`,
    );
}
