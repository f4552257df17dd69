/** Every scope there is (R-S8). */
export const SCOPES = ["openid", "profile", "email", "offline_access"] as const;

export type Scope = (typeof SCOPES)[number];

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

/**
 * The scopes of a space-separated text, each once, in the order of `SCOPES`; `undefined` when one is unknown, when the
 * text is empty, or when it lacks the form of RFC 6749 §3.3 (single spaces, none at the ends).
 */
export function parseScopes(text: string): readonly Scope[] | undefined {
  const names = text.split(" ");
  return names.every(isScope) ? SCOPES.filter((scope) => names.includes(scope)) : undefined;
}

/** True when a text is not empty and a space in it separates no two names (RFC 6749 §3.3). */
export const hasStraySpace = (text: string): boolean => text !== "" && text.split(" ").includes("");

/** Of a text that `parseScopes` does not take, and that has no stray space: the first name that is unknown. */
export const firstUnknownScope = (text: string): string => text.split(" ").find((name) => !isScope(name)) ?? "";

/** The first scope of `part` that is not in `whole`; `undefined` when each is. */
export const firstBeyond = (whole: readonly string[], part: readonly string[]): string | undefined =>
  part.find((scope) => !whole.includes(scope));

/** The scopes that are in `whole`. */
export const within = (whole: readonly string[], scopes: readonly Scope[]): readonly Scope[] =>
  scopes.filter((scope) => whole.includes(scope));

/** True when every scope of `part` is in `whole`. */
export const covers = (whole: readonly string[], part: readonly string[]): boolean =>
  firstBeyond(whole, part) === undefined;

/**
 * Pattern for SQL's `like` that finds stored scopes (JSON text) with `offline_access`; no scope's name contains a
 * quote.
 */
export const WITH_OFFLINE_ACCESS = `%"${"offline_access" satisfies Scope}"%`;
