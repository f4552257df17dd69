import type { Application } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { Facts } from "./card.ts";
import { enumWord } from "./enum-word.ts";
import { toJsonInstant, toShownInstant } from "./instant.ts";

/** What the words of the two enums begin with where they are generated. */
export const KIND = "APPLICATION_KIND_";
export const CONSENT = "CONSENT_POLICY_";

/** `web`, `browser` or `native`. */
export const kindOf = ({ kind }: Application): string => enumWord(KIND, kind).toLowerCase();

/** An application as `--json` shows it. */
export const toApplicationJson = (application: Application) => ({
  id: application.id,
  name: application.name,
  kind: kindOf(application),
  redirectUris: application.redirectUris.map(({ uri, instanceId }) => ({ uri, instanceId })),
  scopes: application.scopes,
  pkceRequired: application.pkceRequired,
  consent: enumWord(CONSENT, application.consent).toLowerCase(),
  lifetimes: {
    authorizationCodeSeconds: application.lifetimes?.authorizationCodeSeconds ?? null,
    accessTokenSeconds: application.lifetimes?.accessTokenSeconds ?? null,
    idTokenSeconds: application.lifetimes?.idTokenSeconds ?? null,
    refreshTokenIdleSeconds: application.lifetimes?.refreshTokenIdleSeconds ?? null,
    refreshTokenAbsoluteSeconds: application.lifetimes?.refreshTokenAbsoluteSeconds ?? null,
  },
  grantTypes: application.grantTypes,
  refreshRepeatSeconds: application.refreshRepeatSeconds,
  corsOrigins: application.corsOrigins,
  postLogoutRedirectUris: application.postLogoutRedirectUris,
  createdAt: toJsonInstant(application.createdAt),
  updatedAt: toJsonInstant(application.updatedAt),
  disabledAt: toJsonInstant(application.disabledAt),
});

/** An application as people see it. */
export const applicationFacts = (application: Application): Facts => [
  ["id", application.id],
  ["name", application.name],
  ["kind", kindOf(application)],
  ["redirect URIs", application.redirectUris.map(({ uri }) => uri)],
  ["scopes", application.scopes.join(" ")],
  ["PKCE", application.pkceRequired ? "required" : "optional"],
  ["consent", enumWord(CONSENT, application.consent).toLowerCase()],
  ["created", toShownInstant(application.createdAt)],
];
