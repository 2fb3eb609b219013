// What is wrong with the names of a new game; the server checks the same (viewer/recorder/names.py).
// @ts-check

export const MOST = 8;
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

/** A name in the form for comparison: one Unicode form, lower case, single spaces. @param {string} name */
export const folded = (name) =>
  name.normalize("NFC").toLowerCase().split(/\s+/u).filter(Boolean).join(" ").normalize("NFC");

/** Whether a name is blank. @param {string} name */
const isBlank = (name) => /^[\p{Z}\p{C}]*$/u.test(name);

/** How many players a game is for. @param {string} title @param {number[]} counts */
function seatsSentence(title, counts) {
  const numbers = counts.map((count) => NUMBERS[count]);
  const open = counts.length > 2 && counts[counts.length - 1] === MOST && counts.length === MOST - counts[0] + 1;
  if (open) return `${title} is for ${numbers[0]} or more players.`;
  if (counts.length === 1) return `${title} is for ${numbers[0]} player${counts[0] === 1 ? "" : "s"}.`;
  return `${title} is for ${numbers.slice(0, -1).join(", ")} or ${numbers[numbers.length - 1]} players.`;
}

/**
 * What is wrong, by place from 1.
 * @param {string[]} names @param {string} title @param {number[]} counts @returns {Map<number, string>}
 */
export function wrongNames(names, title, counts) {
  const used = names.reduce((last, name, n) => (isBlank(name) ? last : n + 1), 0);
  const errors = new Map();
  const foldedNames = new Set();
  names.slice(0, used).forEach((name, n) => {
    if (isBlank(name)) errors.set(n + 1, `Player ${n + 1} has no name.`);
    else if (foldedNames.has(folded(name)))
      errors.set(n + 1, `There are two players called ${name}. Add a letter to one: “${name} L.”?`);
    foldedNames.add(folded(name));
  });
  if (counts.length && !counts.includes(used)) {
    const more = counts.find((count) => count > used);
    const fewer = counts.filter((count) => count < used).pop();
    const advice = [];
    if (more !== undefined) advice.push(`name ${NUMBERS[more - used]} more`);
    if (fewer !== undefined) advice.push(`take ${NUMBERS[used - fewer]} out`);
    const words = advice.join(" or ");
    const place = more === undefined ? Math.min(used, counts[counts.length - 1]) : used + 1;
    if (!errors.has(place))
      errors.set(place, `${seatsSentence(title, counts)} ${words.charAt(0).toUpperCase()}${words.slice(1)}.`);
  }
  return errors;
}
