import { type LowerEnumWord, lowerWordOf } from "#runtime/basis/enum-words.ts";

/** A value of a generated enum as it is printed, for example `active`; `unrecognized` for one that this program does not know. */
export const enumWord = <E extends Readonly<Record<string, string>>>(
  values: E,
  value: E[keyof E],
): LowerEnumWord<E> | "unrecognized" => lowerWordOf(values, value) ?? "unrecognized";
