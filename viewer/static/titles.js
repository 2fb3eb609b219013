// The title of a page's tab.

/** Sets the title; like every page's it ends with the program's name. @param {string} title */
export function entitle(title) {
  const whole = `${title} · Domino Ledger`;
  if (document.title !== whole) document.title = whole;
}
