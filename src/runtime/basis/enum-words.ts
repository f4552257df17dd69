/** A generated enum: its words, each with the value that the messages have. */
type GeneratedEnum = Readonly<Record<string, string>>;

/** `ACTIVE` of `UserStatus`. `UNSPECIFIED` and `UNRECOGNIZED` are no words. */
type EnumWord<E extends GeneratedEnum> = Exclude<keyof E & string, "UNSPECIFIED" | "UNRECOGNIZED">;

/** `active` of `UserStatus`: a word in lower case, as the command line and the store have it. */
export type LowerEnumWord<E extends GeneratedEnum> = Lowercase<EnumWord<E>>;

const wordsOf = new WeakMap<GeneratedEnum, ReadonlyMap<string, string>>();

function inverseOf(values: GeneratedEnum): ReadonlyMap<string, string> {
  const known = wordsOf.get(values);
  if (known !== undefined) return known;
  const words = Object.entries(values).filter(([word]) => word !== "UNSPECIFIED" && word !== "UNRECOGNIZED");
  const inverse = new Map(words.map(([word, value]) => [value, word]));
  wordsOf.set(values, inverse);
  return inverse;
}

/** `USER_STATUS_ACTIVE` → `ACTIVE`; `undefined` for a value that is not set, or that this program does not know. */
export const wordOf = <E extends GeneratedEnum>(values: E, value: E[keyof E]): EnumWord<E> | undefined =>
  inverseOf(values).get(value) as EnumWord<E> | undefined;

/** `APPLICATION_KIND_WEB` → `web`; `undefined` for a value that is not set, or that this program does not know. */
export const lowerWordOf = <E extends GeneratedEnum>(values: E, value: E[keyof E]): LowerEnumWord<E> | undefined =>
  wordOf(values, value)?.toLowerCase() as LowerEnumWord<E> | undefined;

/** All words of an enum in lower case, in its order. */
export const lowerWordsOf = <E extends GeneratedEnum>(values: E): readonly LowerEnumWord<E>[] =>
  [...inverseOf(values).values()].map((word) => word.toLowerCase() as LowerEnumWord<E>);

/** The value of a word in lower case: `ApplicationKind`, `web` → `APPLICATION_KIND_WEB`. */
export const valueOfLower = <E extends GeneratedEnum>(
  values: E,
  word: LowerEnumWord<E>,
): Exclude<E[EnumWord<E>], undefined> => values[word.toUpperCase() as EnumWord<E>];
