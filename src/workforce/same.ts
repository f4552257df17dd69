import { isDeepStrictEqual } from "node:util";

/** True when two values say the same, member by member; it does not matter who made them. */
export const isSame = <T>(one: T, other: T): boolean => isDeepStrictEqual(one, other, { skipPrototype: true });
