// Where this club's pages begin.  A server may have many clubs: then a browser has one store for all of them, and every
// name in it bears the club's.

/** The address of the club's home page: "/", or one like "/north/". */
export const ROOT = globalThis.document?.documentElement?.dataset?.root || "/";

/** An address of this club. @param {string} path without the slash that it begins with */
export const at = (path) => ROOT + path;

/** What something in the browser's store is called: a database, a key, a channel. @param {string} name */
export const ofClub = (name) => ROOT.slice(1) + name;
