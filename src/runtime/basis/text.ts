/** False for text with NUL, which no database stores, and for half a surrogate pair, which has no UTF-8 form. */
export const isText = (value: string): boolean => value.isWellFormed() && !value.includes("\0");

/** True for a text of at most so many characters, of which one beyond U+FFFF has two UTF-16 units. */
export const hasAtMost = (text: string, count: number): boolean =>
  text.length <= count || (text.length <= 2 * count && [...text].length <= count);

/** The first so many characters, none of them cut in half. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join("");

/** A number with its noun: `1 tenant`, `2 tenants`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;

/** application/x-www-form-urlencoded, strictly; undefined for malformed encoding and for NUL. */
export function decodeFormPart(text: string): string | undefined {
  try {
    // Most parts have nothing to decode.
    const decoded = /[%+]/.test(text) ? decodeURIComponent(text.replaceAll("+", " ")) : text;
    return isText(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** True for a plain word, as all our names are; any other name of a request is not repeated in an answer (R-X133). */
export const isWord = (name: string): boolean => /^[A-Za-z][A-Za-z_]{0,31}$/.test(name);
