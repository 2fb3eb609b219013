// Where the links of the recorder lead: on a server, or on a site of plain files.
import { at } from "../../../every_page/static/club_root.js";

const SITE = {
  site: true,
  begin: "record.html",
  record: (/** @type {string} */ id) => `record.html#${id}`,
  rematch: (/** @type {string} */ id) => `record.html#from=${id}`,
  rules: (/** @type {string} */ game) => `rules/${encodeURIComponent(game)}.html`,
  replay: (/** @type {string} */ letters, step = "") => `game.html#${step}.${letters}`,
  whatIf: (/** @type {string} */ id, /** @type {number} */ seq) => `record.html#${seq}=${id}`,
};
const RECORD = at("r/");
/** @type {typeof SITE} */
const SERVER = {
  site: false,
  begin: at("new"),
  record: (id) => RECORD + id,
  rematch: (id) => at(`new?from=${id}`),
  rules: (game) => at(`rules/${encodeURIComponent(game)}`),
  replay: (letters, step = "") => at(`kept#${step}.${letters}`),
  whatIf: (id, seq) => `${RECORD}#${seq}=${id}`,
};

export const addresses = document.body?.dataset?.site === undefined ? SERVER : SITE;

/** A part of an address as text; as it is if it is no such text. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether a host is this machine, and so out of reach for every phone. @param {string} host */
export const isHere = (host) => /^((.+\.)?localhost|127\..+|\[::1\])$/i.test(host);

/** Whether a host can be reached only from its own network. @param {string} host */
export const isNearby = (host) =>
  /^(localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[(::1\]|f[cd]|fe[89ab]))/i.test(host) ||
  /^[^.[]+$|\.(local|lan|home|internal|home\.arpa|localdomain)$/i.test(host);

/**
 * What an address of the recorder asks for: a record, or the form for a new game.
 * @param {{ pathname: string, search: string, hash: string }} address @param {boolean} [site]
 * @returns {{ record: string, game: string, from: string }}
 */
export function targetOf({ pathname, search, hash }, site = addresses.site) {
  const fragment = decoded(hash.slice(1));
  const parameters = new URLSearchParams(site ? (fragment.includes("=") ? fragment : "") : search);
  const [game, from] = ["game", "from"].map((name) => parameters.get(name) || "");
  if (site) return { record: fragment.includes("=") ? "" : fragment, game, from };
  return { record: pathname.startsWith(RECORD) ? decoded(pathname.slice(RECORD.length)) : "", game, from };
}
