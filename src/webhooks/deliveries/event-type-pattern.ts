import { EVENT_TYPES } from "#generated/event-types.ts";
import { isOperational } from "../operational/operational-event.ts";

/** Types that a pattern can stand for; every other one is found by its name alone. */
const PATTERNED: ReadonlySet<string> = new Set(EVENT_TYPES);

/**
 * True for the type itself, for `user.*` when the type is `user.` and more, and for `*` unless the type is one of the
 * operational events, which have to be named (R-X310).
 */
export function patternMatches(pattern: string, eventType: string): boolean {
  if (pattern === eventType) return true;
  if (pattern === "*") return !isOperational(eventType);
  return pattern.endsWith(".*") && eventType.startsWith(pattern.slice(0, -1));
}

/** The types of a list that a pattern stands for; a ping, which no subscription can name, by its name alone (R-X271). */
export const typesOf = (pattern: string, eventTypes: readonly string[]): readonly string[] =>
  eventTypes.filter(
    (eventType) => eventType === pattern || (PATTERNED.has(eventType) && patternMatches(pattern, eventType)),
  );

/**
 * What is wrong with one pattern, or `undefined`. A pattern is `*`, an exact type, or a group like `user.*`; it must
 * match a type that exists.
 */
export function patternProblem(pattern: string, eventTypes: readonly string[]): string | undefined {
  if (typesOf(pattern, eventTypes).length > 0) return undefined;
  return `must be *, one of ${eventTypes.join(", ")}, or their first word followed by .*`;
}
