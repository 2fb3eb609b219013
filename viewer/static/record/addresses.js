// Where the links of the recorder lead: on a server, or on a site of plain files.
// @ts-check

const SITE = {
  site: true,
  begin: "record.html",
  record: (/** @type {string} */ id) => `record.html#${id}`,
  form: (/** @type {string} */ game) => `record.html#game=${encodeURIComponent(game)}`,
  rematch: (/** @type {string} */ id) => `record.html#from=${id}`,
  rules: (/** @type {string} */ game) => `rules/${encodeURIComponent(game)}.html`,
  replay: (/** @type {string} */ letters) => `game.html#.${letters}`,
};
/** @type {typeof SITE} */
const SERVER = {
  site: false,
  begin: "/new",
  record: (id) => `/r/${id}`,
  form: (game) => `/new?game=${encodeURIComponent(game)}`,
  rematch: (id) => `/new?from=${id}`,
  rules: (game) => `/games/${encodeURIComponent(game)}`,
  replay: (letters) => `/kept#.${letters}`,
};

export const addresses = document.body?.dataset?.site === undefined ? SERVER : SITE;

/**
 * What an address of the recorder asks for: a record, or the form for a new game.
 * @param {{ pathname: string, search: string, hash: string }} address @param {boolean} [site]
 * @returns {{ record: string, game: string, from: string }}
 */
export function targetOf({ pathname, search, hash }, site = addresses.site) {
  const fragment = decodeURIComponent(hash.slice(1));
  const parameters = new URLSearchParams(site ? (fragment.includes("=") ? fragment : "") : search);
  const [game, from] = ["game", "from"].map((name) => parameters.get(name) || "");
  if (site) return { record: fragment.includes("=") ? "" : fragment, game, from };
  return { record: pathname.startsWith("/r/") ? decodeURIComponent(pathname.slice(3)) : "", game, from };
}
