import type { ApplicationId, InstanceId } from "#runtime/basis/ids.ts";
import type { Scope } from "../claims/scopes.ts";

/** R-S15: web applications are confidential, the others public. */
export type ApplicationKind = "web" | "browser" | "native";

/** R-S18. */
export type ConsentPolicy = "always" | "once" | "never";

/** R-S9, each per application. */
export interface Lifetimes {
  readonly authorizationCodeSeconds: number;
  readonly accessTokenSeconds: number;
  readonly idTokenSeconds: number;
  readonly refreshTokenIdleSeconds: number;
  readonly refreshTokenAbsoluteSeconds: number;
}

export const DEFAULT_LIFETIMES: Lifetimes = {
  authorizationCodeSeconds: 600,
  accessTokenSeconds: 3_600,
  idTokenSeconds: 3_600,
  refreshTokenIdleSeconds: 30 * 86_400,
  refreshTokenAbsoluteSeconds: 180 * 86_400,
};

export interface RegisteredRedirectUri {
  readonly uri: string;
  /** The instance that people sign in to when it is used. */
  readonly instanceId: InstanceId;
}

/** Software registered to send people here (RFC 6749 §2 "client"). */
export interface Application {
  readonly id: ApplicationId;
  readonly name: string;
  readonly kind: ApplicationKind;
  /** Undefined for a public application. */
  readonly secretDigest: Buffer | undefined;
  readonly scopes: readonly Scope[];
  readonly pkceRequired: boolean;
  readonly consentPolicy: ConsentPolicy;
  readonly lifetimes: Lifetimes;
  readonly redirectUris: readonly RegisteredRedirectUri[];
  readonly createdAt: Date;
}

declare const authenticated: unique symbol;

/** An application that has proven itself; grants ask for this. */
export type AuthenticatedApplication = Application & { readonly [authenticated]: true };

export const isPublic = (application: Application): boolean => application.secretDigest === undefined;
