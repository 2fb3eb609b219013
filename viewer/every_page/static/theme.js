// Before the page is drawn, so that nothing flashes: the theme that the reader chose on this machine, and whether the
// page is a film, which hides what is still to come.

document.documentElement.classList.toggle("film", new URLSearchParams(location.search).has("play"));

try {
  const { root = "/" } = document.documentElement.dataset;
  const theme = localStorage.getItem(`${root.slice(1)}domino-ledger.theme`);
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  /* nothing is kept here: the system's theme */
}
