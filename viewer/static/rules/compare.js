// Finds where two pages differ that should be the same.
// @ts-check

const LONGEST = 60;

/** A text for a sentence, not too long. @param {string | null | undefined} text */
export function quoted(text) {
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
 * @param {Node | undefined} page @param {Node | undefined} right @returns {string}
 */
export function difference(page, right) {
  if (!page || !right) return page === right ? "" : "A part of this page is missing.";
  if (page.isEqualNode(right)) return "";
  const kind = page.nodeType === right.nodeType && page.nodeName === right.nodeName;
  if (!kind || page.nodeType === Node.TEXT_NODE) return told(page, page.textContent, right.textContent);
  if (page instanceof Element && right instanceof Element && tag(page) !== tag(right)) {
    return told(page, tag(page), tag(right));
  }
  const [ours, theirs] = [[...page.childNodes], [...right.childNodes]];
  for (let n = 0; n < Math.max(ours.length, theirs.length); n += 1) {
    if (!ours[n] || !theirs[n]) return told(page, ours[n]?.textContent, theirs[n]?.textContent);
    const found = difference(ours[n], theirs[n]);
    if (found) return found;
  }
  return told(page, page.textContent, right.textContent);
}

/** @param {Node} node @param {string | null | undefined} page @param {string | null | undefined} right */
function told(node, page, right) {
  return `In ${placeOf(node)}, this file says ${quoted(page)}; by the record it is ${quoted(right)}.`;
}

/**
 * Where two long texts differ, as a sentence; empty if nowhere.
 * @param {string} name @param {string} page @param {string} right
 */
export function textDifference(name, page, right) {
  if (page === right) return "";
  let at = 0;
  while (page[at] === right[at]) at += 1;
  const from = Math.max(0, at - 12);
  return (
    `In ${name}, at character ${at}, this file says ${quoted(page.slice(from, at + 28))}; ` +
    `by the record it is ${quoted(right.slice(from, at + 28))}.`
  );
}
