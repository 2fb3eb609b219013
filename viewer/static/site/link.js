// A whole game in the fragment of a link, which a browser sends to nobody: #17.GAME, compressed.
// @ts-check

/** The bytes of a stream. @param {ReadableStream} stream */
const all = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/** A text, compressed, in letters that an address may have. @param {string} text */
export async function pack(text) {
  const bytes = await all(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text again.  Throws for letters that hold none. @param {string} letters */
export async function unpack(letters) {
  const plain = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new TextDecoder().decode(await all(stream));
}

/** What the fragment of an address holds: a step, a game, the name of an example. @param {string} hash */
export function read(hash) {
  const [, step = "", kind = "", value = ""] = /^#(\d*)([.=]?)(.*)$/.exec(hash) || [];
  return { step, game: kind === "." ? value : "", example: kind === "=" ? decodeURIComponent(value) : "" };
}
