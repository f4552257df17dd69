/** Every scope there is (R-S8). */
export const SCOPES = ["openid", "profile", "email", "offline_access"] as const;

export type Scope = (typeof SCOPES)[number];

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

/**
 * The scopes of a space-separated text, each once, in the order of `SCOPES`; `undefined` when one is unknown or the text is not of
 * RFC 6749 §3.3's form (single spaces, none at the ends). The empty text is refused too.
 */
export function parseScopes(text: string): readonly Scope[] | undefined {
  const names = text.split(" ");
  return names.every(isScope) ? SCOPES.filter((scope) => names.includes(scope)) : undefined;
}

/** True when every scope of `part` is in `whole`. */
export const covers = (whole: readonly string[], part: readonly string[]): boolean =>
  part.every((scope) => whole.includes(scope));

/** Of the stored scopes (JSON text) with `offline_access`, as a pattern of SQL's `like`; no scope's name holds a quote. */
export const WITH_OFFLINE_ACCESS = `%"${"offline_access" satisfies Scope}"%`;
