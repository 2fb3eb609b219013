// What is wrong with the names of a new game; the server checks the same (viewer/phone/new_game.py).

/** A name in the form for comparison: one Unicode form, lower case, single spaces. @param {string} name */
export const folded = (name) =>
  name.normalize("NFC").toLowerCase().split(/\s+/u).filter(Boolean).join(" ").normalize("NFC");

/** Whether a name is blank. @param {string} name */
const isBlank = (name) => /^[\p{Z}\p{C}]*$/u.test(name);

/**
 * What is wrong, by place from 1.
 * @param {string[]} names
 * @param {([place: number, sentence: string] | null)[]} counts what is wrong with each number of names
 * @returns {Map<number, string>}
 */
export function wrongNames(names, counts) {
  const used = names.reduce((last, name, n) => (isBlank(name) ? last : n + 1), 0);
  const errors = new Map();
  const foldedNames = new Set();
  names.slice(0, used).forEach((name, n) => {
    if (isBlank(name)) errors.set(n + 1, `Player ${n + 1} has no name.`);
    else if (foldedNames.has(folded(name)))
      errors.set(n + 1, `There are two players called ${name}. Add a letter to one: “${name} L.”?`);
    foldedNames.add(folded(name));
  });
  const [place, sentence] = counts[used] || [0, ""];
  if (place && !errors.has(place)) errors.set(place, sentence);
  return errors;
}
