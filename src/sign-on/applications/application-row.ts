import type { ApplicationId, InstanceId } from "#runtime/basis/ids.ts";
import type { Scope } from "../claims/scopes.ts";
import type { ApplicationsTable } from "../tables.ts";
import type {
  Application,
  ApplicationFields,
  ApplicationKind,
  ConsentPolicy,
  GrantType,
  RegisteredRedirectUri,
} from "./application.ts";

/** A redirect URI as stored. */
export const toRedirectUri = (row: { readonly uri: string; readonly instance_id: string }): RegisteredRedirectUri => ({
  uri: row.uri,
  instanceId: row.instance_id as InstanceId,
});

/** An application as stored, with the rows of its redirect URIs. */
export const toApplication = (row: ApplicationsTable, redirectUris: readonly RegisteredRedirectUri[]): Application => ({
  id: row.id as ApplicationId,
  name: row.name,
  kind: row.kind as ApplicationKind,
  secretDigest: row.secret_digest ?? undefined,
  previousSecret: toPreviousSecret(row),
  scopes: JSON.parse(row.scopes) as Scope[],
  pkceRequired: row.pkce_required === 1,
  consentPolicy: row.consent_policy as ConsentPolicy,
  lifetimes: {
    authorizationCodeSeconds: row.authorization_code_seconds,
    accessTokenSeconds: row.access_token_seconds,
    idTokenSeconds: row.id_token_seconds,
    refreshTokenIdleSeconds: row.refresh_token_idle_seconds,
    refreshTokenAbsoluteSeconds: row.refresh_token_absolute_seconds,
  },
  grantTypes: JSON.parse(row.grant_types) as GrantType[],
  refreshRepeatSeconds: row.refresh_repeat_seconds,
  redirectUris,
  corsOrigins: JSON.parse(row.cors_origins) as string[],
  postLogoutRedirectUris: JSON.parse(row.post_logout_redirect_uris) as string[],
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at ?? row.created_at),
  disabledAt: row.disabled_at === null ? undefined : new Date(row.disabled_at),
});

const toPreviousSecret = ({
  previous_secret_digest: digest,
  previous_secret_expires_at: expiresAt,
  previous_secret_used_at: usedAt,
}: ApplicationsTable): Application["previousSecret"] =>
  digest === null || expiresAt === null
    ? undefined
    : { digest, expiresAt: new Date(expiresAt), lastUsedAt: usedAt === null ? undefined : new Date(usedAt) };

/** What an update may change of an application, as columns. */
export const toFieldColumns = (fields: ApplicationFields) => ({
  name: fields.name,
  scopes: JSON.stringify(fields.scopes),
  pkce_required: fields.pkceRequired ? 1 : 0,
  consent_policy: fields.consentPolicy,
  authorization_code_seconds: fields.lifetimes.authorizationCodeSeconds,
  access_token_seconds: fields.lifetimes.accessTokenSeconds,
  id_token_seconds: fields.lifetimes.idTokenSeconds,
  refresh_token_idle_seconds: fields.lifetimes.refreshTokenIdleSeconds,
  refresh_token_absolute_seconds: fields.lifetimes.refreshTokenAbsoluteSeconds,
  grant_types: JSON.stringify(fields.grantTypes),
  refresh_repeat_seconds: fields.refreshRepeatSeconds,
  cors_origins: JSON.stringify(fields.corsOrigins),
  post_logout_redirect_uris: JSON.stringify(fields.postLogoutRedirectUris),
});

/** The secrets of an application, as columns. */
export const toSecretColumns = ({
  secretDigest,
  previousSecret,
}: Pick<Application, "secretDigest" | "previousSecret">) => ({
  secret_digest: secretDigest ?? null,
  previous_secret_digest: previousSecret?.digest ?? null,
  previous_secret_expires_at: previousSecret?.expiresAt.getTime() ?? null,
  previous_secret_used_at: previousSecret?.lastUsedAt?.getTime() ?? null,
});
