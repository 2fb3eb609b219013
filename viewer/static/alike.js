// Changes an element in place instead of replacing it, which is much less work for the browser.
// @ts-check

/**
 * Whether two elements differ only in values and texts.
 * @param {Element} one @param {Element} other @returns {boolean}
 */
export function alike(one, other) {
  if (one.nodeName !== other.nodeName || one.childNodes.length !== other.childNodes.length) return false;
  if (one.attributes?.length !== other.attributes?.length) return false;
  for (const { name } of other.attributes || []) if (!one.hasAttribute(name)) return false;
  return [...one.childNodes].every((child, n) =>
    alike(/** @type {Element} */ (child), /** @type {Element} */ (other.childNodes[n])),
  );
}

/** Takes over the values and texts of an element that is alike. @param {Element} one @param {Element} other */
export function become(one, other) {
  if (one.nodeType === Node.TEXT_NODE) {
    if (one.nodeValue !== other.nodeValue) one.nodeValue = other.nodeValue;
    return;
  }
  for (const { name, value } of other.attributes) if (one.getAttribute(name) !== value) one.setAttribute(name, value);
  one.childNodes.forEach((child, n) =>
    become(/** @type {Element} */ (child), /** @type {Element} */ (other.childNodes[n])),
  );
}
