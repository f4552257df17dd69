import {
  type Application as ApplicationMessage,
  ApplicationKind as KindMessage,
  type Lifetimes as LifetimesMessage,
  ConsentPolicy as PolicyMessage,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import {
  type Application,
  type ApplicationKind,
  type ConsentPolicy,
  DEFAULT_LIFETIMES,
  GRANT_TYPES,
  type GrantType,
  type Lifetimes,
} from "./application.ts";

/** The kinds by their message; one that is not said has no row. */
export const KINDS: Readonly<Record<string, ApplicationKind>> = {
  [KindMessage.APPLICATION_KIND_WEB]: "web",
  [KindMessage.APPLICATION_KIND_BROWSER]: "browser",
  [KindMessage.APPLICATION_KIND_NATIVE]: "native",
};

/** The policies by their message; one that is not said means once (R-S18). */
export const POLICIES: Readonly<Record<string, ConsentPolicy>> = {
  [PolicyMessage.CONSENT_POLICY_UNSPECIFIED]: "once",
  [PolicyMessage.CONSENT_POLICY_ALWAYS]: "always",
  [PolicyMessage.CONSENT_POLICY_ONCE]: "once",
  [PolicyMessage.CONSENT_POLICY_NEVER]: "never",
};

/** Absent ones take the default of R-S9. */
export const toLifetimes = (given: LifetimesMessage | null): Lifetimes => ({
  authorizationCodeSeconds: given?.authorizationCodeSeconds ?? DEFAULT_LIFETIMES.authorizationCodeSeconds,
  accessTokenSeconds: given?.accessTokenSeconds ?? DEFAULT_LIFETIMES.accessTokenSeconds,
  idTokenSeconds: given?.idTokenSeconds ?? DEFAULT_LIFETIMES.idTokenSeconds,
  refreshTokenIdleSeconds: given?.refreshTokenIdleSeconds ?? DEFAULT_LIFETIMES.refreshTokenIdleSeconds,
  refreshTokenAbsoluteSeconds: given?.refreshTokenAbsoluteSeconds ?? DEFAULT_LIFETIMES.refreshTokenAbsoluteSeconds,
});

/** In our order; none means all. */
export const toGrantTypes = (names: readonly string[]): readonly GrantType[] =>
  names.length === 0 ? GRANT_TYPES : GRANT_TYPES.filter((name) => names.includes(name));

const kindMessage = (kind: ApplicationKind): KindMessage =>
  ({
    web: KindMessage.APPLICATION_KIND_WEB,
    browser: KindMessage.APPLICATION_KIND_BROWSER,
    native: KindMessage.APPLICATION_KIND_NATIVE,
  })[kind];

const policyMessage = (policy: ConsentPolicy): PolicyMessage =>
  ({
    always: PolicyMessage.CONSENT_POLICY_ALWAYS,
    once: PolicyMessage.CONSENT_POLICY_ONCE,
    never: PolicyMessage.CONSENT_POLICY_NEVER,
  })[policy];

/** An application as operators are shown it: everything but its secrets. `now` decides whether the previous one still counts. */
export const toMessage = (application: Application, now: Date): ApplicationMessage => ({
  id: application.id,
  name: application.name,
  kind: kindMessage(application.kind),
  redirectUris: application.redirectUris.map(({ uri, instanceId }) => ({ uri, instanceId })),
  scopes: [...application.scopes],
  pkceRequired: application.pkceRequired,
  consent: policyMessage(application.consentPolicy),
  lifetimes: { ...application.lifetimes },
  createdAt: application.createdAt,
  grantTypes: [...application.grantTypes],
  refreshRepeatSeconds: application.refreshRepeatSeconds,
  corsOrigins: [...application.corsOrigins],
  postLogoutRedirectUris: [...application.postLogoutRedirectUris],
  updatedAt: application.updatedAt,
  disabledAt: application.disabledAt ?? null,
  previousSecretExpiresAt:
    application.previousSecret !== undefined && now < application.previousSecret.expiresAt
      ? application.previousSecret.expiresAt
      : null,
});
