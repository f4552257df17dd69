/** What a key may be used for (R-X295); in the order in which lists show them. */
const KEY_SCOPES = ["read", "webhooks"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Of a key that is issued without any. */
export const DEFAULT_SCOPES: readonly KeyScope[] = ["read"];

/** Each once, in the order of `KEY_SCOPES`. */
export const inOrder = (scopes: readonly KeyScope[]): readonly KeyScope[] =>
  KEY_SCOPES.filter((scope) => scopes.includes(scope));
