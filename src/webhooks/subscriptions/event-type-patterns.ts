/**
 * What is wrong with one pattern, or `undefined`. A pattern is `*`, an exact type, or a group like `user.*`; it must
 * match a type that exists.
 */
export function patternProblem(pattern: string, eventTypes: readonly string[]): string | undefined {
  if (eventTypes.some((eventType) => patternMatches(pattern, eventType))) return undefined;
  return `must be *, one of ${eventTypes.join(", ")}, or their first word followed by .*`;
}

/** True for `*`, for the type itself, and for `user.*` when the type is `user.` and more. */
export function patternMatches(pattern: string, eventType: string): boolean {
  if (pattern === "*" || pattern === eventType) return true;
  return /^[a-z_]+\.\*$/.test(pattern) && eventType.startsWith(pattern.slice(0, -1));
}
