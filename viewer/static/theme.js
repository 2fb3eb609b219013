// The theme that this reader chose on this machine, set before the page is drawn: nothing flashes.
// @ts-check

try {
  const theme = localStorage.getItem("domino-ledger.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch { /* nothing is kept here: the system's theme */ }
