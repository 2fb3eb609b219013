// A whole game in the fragment of a link, which a browser sends to nobody: #17.GAME, compressed.

/** The bytes of a stream. @param {ReadableStream} stream */
const all = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/** A text, compressed, in letters that an address may have. @param {string} text */
export async function pack(text) {
  const bytes = await all(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text again.  Throws, with a sentence for people, for letters that hold none. @param {string} letters */
export async function unpack(letters) {
  try {
    const plain = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new TextDecoder().decode(await all(stream));
  } catch (error) {
    // Signs of emphasis around a link look like letters of it.
    if (/[_-]$/.test(letters)) return unpack(letters.slice(0, -1));
    const words = "This link holds no game: a part of it is missing, or was changed on the way.";
    throw new Error(`${words} Copy the whole link, or ask for it again.`, { cause: error });
  }
}

/**
 * What the fragment of an address holds: a step, a game, the name of an example.  What stood around the link in a text
 * (a full stop, a bracket, a quotation mark) is no part of it, nor is the white space of a line that was broken.
 * @param {string} hash
 */
export function readLink(hash) {
  const plain = hash.replace(/%[0-9a-f]{2}/gi, (code) => (/%[2-7]/.test(code) ? decodeURIComponent(code) : " "));
  const [, step = "", kind = "", value = ""] = /^#(\d*)([.=]?)(.*)$/s.exec(plain.replace(/\s+/g, "")) || [];
  const [letters] = /^[\w-]*/.exec(value) || [""];
  const [name] = /^[\w/-]*/.exec(value) || [""];
  return { step, game: kind === "." ? letters : "", example: kind === "=" ? name : "" };
}
