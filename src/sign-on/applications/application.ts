import type { ApplicationId, InstanceId } from "#runtime/basis/ids.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
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

/** The ways of obtaining tokens that an application may be registered for (RFC 6749 §1.3). */
export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;

export type GrantType = (typeof GRANT_TYPES)[number];

export const isGrantType = (name: string): name is GrantType => (GRANT_TYPES as readonly string[]).includes(name);

/** R-S10: the default time for which a repeated refresh token gets the same successor. */
export const DEFAULT_REFRESH_REPEAT_SECONDS = 30;

export interface RegisteredRedirectUri {
  readonly uri: string;
  /** The instance that people sign in to when it is used. */
  readonly instanceId: InstanceId;
}

interface PreviousSecret {
  readonly digest: Buffer;
  readonly expiresAt: Date;
  /** About a minute late; undefined while it was not accepted. */
  readonly lastUsedAt: Date | undefined;
}

/** Software registered to send people here (RFC 6749 §2 "client"). */
export interface Application {
  readonly id: ApplicationId;
  readonly name: string;
  readonly kind: ApplicationKind;
  /** Undefined for a public application. */
  readonly secretDigest: Buffer | undefined;
  /** The secret before the last rotation, while it is still accepted. */
  readonly previousSecret: PreviousSecret | undefined;
  readonly scopes: readonly Scope[];
  readonly pkceRequired: boolean;
  readonly consentPolicy: ConsentPolicy;
  readonly lifetimes: Lifetimes;
  readonly grantTypes: readonly GrantType[];
  /** 0: every repeat of a refresh token is theft (R-S10). */
  readonly refreshRepeatSeconds: number;
  /** In the order of their bytes. */
  readonly redirectUris: readonly RegisteredRedirectUri[];
  /** Origins whose pages may read our answers (R-S15). */
  readonly corsOrigins: readonly string[];
  /** Where people may be sent after signing out (R-S20). */
  readonly postLogoutRedirectUris: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Set while the application is disabled; endpoints then treat it as unknown. */
  readonly disabledAt: Date | undefined;
}

/** The fields of an application that may change after registration, besides its redirect URIs. */
export type ApplicationFields = Pick<
  Application,
  | "name"
  | "scopes"
  | "pkceRequired"
  | "consentPolicy"
  | "lifetimes"
  | "grantTypes"
  | "refreshRepeatSeconds"
  | "corsOrigins"
  | "postLogoutRedirectUris"
>;

/** How the application tried to prove itself (R-S2). */
export interface ApplicationProof {
  readonly authentication: "basic" | "post" | "none";
  readonly applicationId: string;
  /** Empty with `none`. */
  readonly secret: string;
}

declare const authenticated: unique symbol;

/** An application that has proven itself; grants ask for this. */
export type AuthenticatedApplication = Application & { readonly [authenticated]: true };

export const isPublic = (application: Application): boolean => application.secretDigest === undefined;

const PREFIX = "ghs_";

/** An application's secret: a prefix that secret scanners can find, and 256 random bits. */
export const newApplicationSecret = (random: Random): string => `${PREFIX}${newSecret(random)}`;

/** Whether a text looks like one of ours, right or not. */
export const isApplicationSecret = (text: string): boolean => text.startsWith(PREFIX);
