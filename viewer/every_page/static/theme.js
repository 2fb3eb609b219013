// Sets the theme that the reader chose on this machine before the page is drawn, so that nothing flashes.

try {
  const theme = localStorage.getItem("domino-ledger.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  /* nothing is kept here: the system's theme */
}
