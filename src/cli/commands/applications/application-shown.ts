import {
  type Application,
  ApplicationKind,
  ConsentPolicy,
  type Lifetimes,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Asked } from "../../connection/verb.ts";
import { applicationId } from "../../input/references.ts";
import type { Subject } from "../../input/verb-of-one.ts";
import type { Facts } from "../../output/card.ts";
import { enumWord } from "../../output/enum-word.ts";
import type { FieldFlags } from "../../output/failed-call.ts";
import { toJsonInstant, toShownInstant, toTimeSpan } from "../../output/instant.ts";
import { type OutcomeWords, one } from "../../output/outcome.ts";

/** `web`, `browser` or `native`. */
export const kindOf = ({ kind }: Application): string => enumWord(ApplicationKind, kind);

/** `live`, or since when it is disabled. */
export const stateOf = ({ disabledAt }: Application): string =>
  disabledAt ? `disabled ${toShownInstant(disabledAt)}` : "live";

const LIFETIMES = [
  "authorization_code_seconds",
  "access_token_seconds",
  "id_token_seconds",
  "refresh_token_idle_seconds",
  "refresh_token_absolute_seconds",
] as const;

/** The flags that carry the fields of an application. */
export const APPLICATION_FIELDS: FieldFlags = {
  application_id: "<application>",
  name: "--name",
  scopes: "--scope",
  pkce_required: "--pkce-required",
  consent: "--consent",
  grant_types: "--grant-type",
  refresh_repeat_seconds: "--refresh-repeat-seconds",
  cors_origins: "--cors-origin",
  post_logout_redirect_uris: "--post-logout-redirect-uri",
  ...Object.fromEntries(LIFETIMES.map((name) => [`lifetimes.${name}`, `--${name.replaceAll("_", "-")}`])),
};

/** What verbs of one application take. */
export const APPLICATION: Subject = {
  argument: ["<application>", "its id (app_…) or name"],
  find: applicationId,
  fields: APPLICATION_FIELDS,
};

/** The lifetimes of an application or of flags, and nothing else; null where there is none. */
export const toLifetimes = (given: Lifetimes) => ({
  authorizationCodeSeconds: given.authorizationCodeSeconds ?? null,
  accessTokenSeconds: given.accessTokenSeconds ?? null,
  idTokenSeconds: given.idTokenSeconds ?? null,
  refreshTokenIdleSeconds: given.refreshTokenIdleSeconds ?? null,
  refreshTokenAbsoluteSeconds: given.refreshTokenAbsoluteSeconds ?? null,
});

/** An application as `--json` shows it. */
export const toApplicationJson = (application: Application) => ({
  id: application.id,
  name: application.name,
  kind: kindOf(application),
  redirectUris: application.redirectUris.map(({ uri, instanceId }) => ({ uri, instanceId })),
  scopes: application.scopes,
  pkceRequired: application.pkceRequired,
  consent: enumWord(ConsentPolicy, application.consent),
  lifetimes: toLifetimes(application.lifetimes ?? {}),
  grantTypes: application.grantTypes,
  refreshRepeatSeconds: application.refreshRepeatSeconds,
  corsOrigins: application.corsOrigins,
  postLogoutRedirectUris: application.postLogoutRedirectUris,
  createdAt: toJsonInstant(application.createdAt),
  updatedAt: toJsonInstant(application.updatedAt),
  disabledAt: toJsonInstant(application.disabledAt),
  previousSecretExpiresAt: toJsonInstant(application.previousSecretExpiresAt),
  previousSecretLastUsedAt: toJsonInstant(application.previousSecretLastUsedAt),
});

/** An application with the names of the instances that its redirect URIs lead to, and with its secret where one was made. */
export async function shownApplication(
  asked: Asked,
  application: Application,
  words: OutcomeWords = {},
  secret?: string | null,
) {
  const instances = application.redirectUris.map(({ instanceId }) => instanceId);
  const facts = applicationFacts(application, await namesOf(asked, instances));
  if (secret === undefined) return one(toApplicationJson(application), facts, words);
  const shownSecret = secret ?? "none (public application)";
  return one({ ...toApplicationJson(application), secret }, [...facts, ["secret", shownSecret]], words);
}

/** An application as people see it. */
const applicationFacts = (application: Application, names: Names): Facts => [
  ["id", application.id],
  ["name", application.name],
  ["kind", kindOf(application)],
  ["state", stateOf(application)],
  ["redirect URIs", application.redirectUris.map(({ uri, instanceId }) => `${uri} → ${names.of(instanceId)}`)],
  ["scopes", application.scopes.join(" ")],
  ["grant types", application.grantTypes.join(" ")],
  ["PKCE", application.pkceRequired ? "required" : "optional"],
  ["consent", enumWord(ConsentPolicy, application.consent)],
  ["lifetimes", lifetimesOf(application)],
  ["origins", application.corsOrigins.length === 0 ? undefined : application.corsOrigins],
  ["after logout", application.postLogoutRedirectUris.length === 0 ? undefined : application.postLogoutRedirectUris],
  ["created", toShownInstant(application.createdAt)],
  ["changed", toShownInstant(application.updatedAt)],
  ["previous secret", previousSecretOf(application)],
];

/** Until when it is valid and when it was used last; `undefined` where there is none. */
export function previousSecretOf(application: Application): string | undefined {
  const until = toShownInstant(application.previousSecretExpiresAt);
  if (until === null) return undefined;
  const lastUsed = toShownInstant(application.previousSecretLastUsedAt);
  return `valid until ${until}, ${lastUsed === null ? "not used since the rotation" : `last used ${lastUsed}`}`;
}

const lifetimesOf = ({ lifetimes }: Application): string[] =>
  lifetimes === null
    ? []
    : [
        `authorization code ${toTimeSpan(lifetimes.authorizationCodeSeconds)}`,
        `access token ${toTimeSpan(lifetimes.accessTokenSeconds)}`,
        `ID token ${toTimeSpan(lifetimes.idTokenSeconds)}`,
        `refresh token ${toTimeSpan(lifetimes.refreshTokenIdleSeconds)} unused, ${toTimeSpan(lifetimes.refreshTokenAbsoluteSeconds)} in all`,
      ];
