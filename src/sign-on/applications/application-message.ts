import {
  type Application as ApplicationMessage,
  ApplicationKind as KindMessage,
  type Lifetimes as LifetimesMessage,
  ConsentPolicy as PolicyMessage,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { lowerWordOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import {
  type Application,
  type ApplicationKind,
  type ConsentPolicy,
  DEFAULT_LIFETIMES,
  GRANT_TYPES,
  type GrantType,
  type Lifetimes,
} from "./application.ts";

/** `undefined` for a kind that is not given, or that this program does not know. */
export const toKind = (kind: KindMessage): ApplicationKind | undefined => lowerWordOf(KindMessage, kind);

/** A policy that is not given means once (R-S18); `undefined` for one that this program does not know. */
export const toConsentPolicy = (policy: PolicyMessage): ConsentPolicy | undefined =>
  policy === PolicyMessage.UNSPECIFIED ? "once" : lowerWordOf(PolicyMessage, policy);

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

/** An application as operators are shown it: everything but its secrets. `now` decides whether the previous one still counts. */
export const toMessage = (application: Application, now: Date): ApplicationMessage => ({
  id: application.id,
  name: application.name,
  kind: valueOfLower(KindMessage, application.kind),
  redirectUris: application.redirectUris.map(({ uri, instanceId }) => ({ uri, instanceId })),
  scopes: [...application.scopes],
  pkceRequired: application.pkceRequired,
  consent: valueOfLower(PolicyMessage, application.consentPolicy),
  lifetimes: { ...application.lifetimes },
  createdAt: application.createdAt,
  grantTypes: [...application.grantTypes],
  refreshRepeatSeconds: application.refreshRepeatSeconds,
  corsOrigins: [...application.corsOrigins],
  postLogoutRedirectUris: [...application.postLogoutRedirectUris],
  updatedAt: application.updatedAt,
  disabledAt: application.disabledAt ?? null,
  ...ofPreviousSecret(application, now),
});

const ofPreviousSecret = ({ previousSecret: previous }: Application, now: Date) =>
  previous !== undefined && now < previous.expiresAt
    ? { previousSecretExpiresAt: previous.expiresAt, previousSecretLastUsedAt: previous.lastUsedAt ?? null }
    : { previousSecretExpiresAt: null, previousSecretLastUsedAt: null };
