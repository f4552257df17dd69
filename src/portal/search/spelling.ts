/** Shorter words are one mistake away from too many others. */
const LETTERS_MIN = 5;

/**
 * The known word, or words, that differ from what was typed by one mistake: a letter too many, too few or wrong, or two
 * that changed places. The first one of several; `undefined` for none, and for what is too short to say so.
 */
export const likelySpelling = (typed: string, known: readonly string[]): string | undefined =>
  typed.length < LETTERS_MIN
    ? undefined
    : known.find((word) => word.length >= LETTERS_MIN && isOneMistake(typed, word));

/** True when the texts are equal but for one mistake at the first place where they differ. */
function isOneMistake(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  );
}
