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

/** An element's own tag. @param {Element} element */
const tag = (element) => /** @type {Element} */ (element.cloneNode(false)).outerHTML;

/**
 * The first difference between what a page says and what it should say, as a sentence; empty if there is none.
 * @param {Node | undefined} page @param {Node | undefined} expected @returns {string}
 */
export function difference(page, expected) {
  if (!page || !expected) return page === expected ? "" : "A part of this page is missing.";
  if (page.isEqualNode(expected)) return "";
  const kind = page.nodeType === expected.nodeType && page.nodeName === expected.nodeName;
  if (!kind || page.nodeType === Node.TEXT_NODE) return sentence(page, page.textContent, expected.textContent);
  if (page instanceof Element && expected instanceof Element && tag(page) !== tag(expected)) {
    return sentence(page, tag(page), tag(expected));
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
