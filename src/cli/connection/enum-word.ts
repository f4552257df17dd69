/** The word of one value of a generated enum: `USER_STATUS_ACTIVE` → `ACTIVE`; one that this program does not know is `UNRECOGNIZED`. */
export const enumWord = (prefix: string, value: string): string =>
  value.startsWith(prefix) ? value.slice(prefix.length) : value;

/** The words of a generated enum, in lower case and in order. */
export const enumWords = (values: Readonly<Record<string, string>>, prefix: string): readonly string[] =>
  Object.values(values)
    .filter((value) => value.startsWith(prefix) && value !== `${prefix}UNSPECIFIED`)
    .map((value) => enumWord(prefix, value).toLowerCase());

/** The value behind a word that `enumWords` gave. */
export const enumValue = <V extends string>(values: Readonly<Record<string, V>>, prefix: string, word: string): V => {
  const value = values[`${prefix}${word.toUpperCase()}`];
  if (value === undefined) throw new TypeError(`${word} is none of ${enumWords(values, prefix).join(", ")}`);
  return value;
};
