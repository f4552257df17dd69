import type { ApplicationId, InstanceId } from "#runtime/basis/ids.ts";
import type { Scope } from "../claims/scopes.ts";

export const PROMPTS = ["none", "login", "consent", "select_account"] as const;

export type Prompt = (typeof PROMPTS)[number];

/** A proven authorization request: application and redirect URI are registered, so errors may be sent there (R-S14). */
export interface AuthorizationRequest {
  readonly applicationId: ApplicationId;
  /** As the request named it; for a native application the port may differ from the registered one. */
  readonly redirectUri: string;
  readonly instanceId: InstanceId;
  readonly scopes: readonly Scope[];
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly prompts: readonly Prompt[];
  readonly maxAgeSeconds: number | undefined;
  readonly loginHint: string | undefined;
}

/** One authorization request on its way; everything after sign-in is read back from here (S6). */
export interface Interaction extends AuthorizationRequest {
  readonly id: string;
  /** Of the secret in the interaction's cookie. */
  readonly secretDigest: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** How long a person may take. */
export const INTERACTION_LIFETIME_MS = 60 * 60 * 1000;
