import { HOUR_MS } from "#runtime/basis/durations.ts";
import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { RequestedClaims } from "../claims/requested-claims.ts";
import type { Scope } from "../claims/scopes.ts";

export const PROMPTS = ["none", "login", "consent", "select_account"] as const;

export type Prompt = (typeof PROMPTS)[number];

/** How a response reaches the application (OAuth 2.0 Form Post Response Mode). */
export const RESPONSE_MODES = ["query", "form_post"] as const;

export type ResponseMode = (typeof RESPONSE_MODES)[number];

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
  readonly responseMode: ResponseMode;
  /** As sent: BCP 47 tags, the best first, separated by spaces. */
  readonly uiLocales: string | undefined;
  /** The people of whom one must sign in (`id_token_hint`, `claims`); `undefined` for any person. */
  readonly expectedPersonIds: readonly PersonId[] | undefined;
  readonly claims: RequestedClaims;
}

/** One authorization request on its way; everything after sign-in is read back from here (S6). */
export interface Interaction extends AuthorizationRequest {
  readonly id: string;
  /** Of the secret in the interaction's cookie. */
  readonly secretDigest: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** How long a person may take in all; without a password entered, `sign-in-unproven-minutes`. */
export const INTERACTION_LIFETIME_MS = HOUR_MS;
