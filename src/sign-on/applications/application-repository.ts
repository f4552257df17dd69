import type { ApplicationId, InstanceId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { Scope } from "../claims/scopes.ts";
import type { ApplicationsTable, SignOnTables } from "../tables.ts";
import type { Application, ApplicationKind, ConsentPolicy, GrantType, RegisteredRedirectUri } from "./application.ts";

export interface ApplicationRepository {
  /** With its redirect URIs; a disabled one is not found. */
  find(id: string): Promise<Application | undefined>;
  /** Disabled ones too. */
  findAny(id: string): Promise<Application | undefined>;
  /** Oldest first, disabled ones too. */
  list(): Promise<readonly Application[]>;
  create(tx: Transaction<SignOnTables>, application: Application): Promise<void>;
}

export const applicationRepository = (db: Database<SignOnTables>): ApplicationRepository => {
  const byId = prepared(db, (value: ValueOf<{ id: string }>) =>
    db.selectFrom("sign_on_applications").selectAll().where("id", "=", value("id")),
  );
  const urisOf = prepared(db, (value: ValueOf<{ id: string }>) =>
    db.selectFrom("sign_on_redirect_uris").selectAll().where("application_id", "=", value("id")).orderBy("uri"),
  );
  const whole = async (row: ApplicationsTable) =>
    toApplication(row, (await urisOf.all({ id: row.id })).map(toRedirectUri));
  return {
    async find(id) {
      const row = await byId.first({ id });
      return row === undefined || row.disabled_at !== null ? undefined : whole(row);
    },
    async findAny(id) {
      const row = await byId.first({ id });
      return row === undefined ? undefined : whole(row);
    },
    async list() {
      const rows = await db
        .selectFrom("sign_on_applications")
        .selectAll()
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      const uris = await db.selectFrom("sign_on_redirect_uris").selectAll().orderBy("uri").execute();
      const byApplication = Map.groupBy(uris, (uri) => uri.application_id);
      return rows.map((row) => toApplication(row, (byApplication.get(row.id) ?? []).map(toRedirectUri)));
    },
    async create(tx, application) {
      const { lifetimes } = application;
      await tx
        .insertInto("sign_on_applications")
        .values({
          id: application.id,
          name: application.name,
          kind: application.kind,
          secret_digest: application.secretDigest ?? null,
          scopes: JSON.stringify(application.scopes),
          pkce_required: application.pkceRequired ? 1 : 0,
          consent_policy: application.consentPolicy,
          authorization_code_seconds: lifetimes.authorizationCodeSeconds,
          access_token_seconds: lifetimes.accessTokenSeconds,
          id_token_seconds: lifetimes.idTokenSeconds,
          refresh_token_idle_seconds: lifetimes.refreshTokenIdleSeconds,
          refresh_token_absolute_seconds: lifetimes.refreshTokenAbsoluteSeconds,
          created_at: application.createdAt.getTime(),
          grant_types: JSON.stringify(application.grantTypes),
          refresh_repeat_seconds: application.refreshRepeatSeconds,
          cors_origins: JSON.stringify(application.corsOrigins),
          post_logout_redirect_uris: JSON.stringify(application.postLogoutRedirectUris),
          previous_secret_digest: application.previousSecret?.digest ?? null,
          previous_secret_expires_at: application.previousSecret?.expiresAt.getTime() ?? null,
          updated_at: application.updatedAt.getTime(),
          disabled_at: application.disabledAt?.getTime() ?? null,
        })
        .execute();
      const uris = application.redirectUris.map(({ uri, instanceId }) => ({
        application_id: application.id,
        uri,
        instance_id: instanceId,
      }));
      await tx.insertInto("sign_on_redirect_uris").values(uris).execute();
    },
  };
};

const toRedirectUri = (row: { readonly uri: string; readonly instance_id: string }): RegisteredRedirectUri => ({
  uri: row.uri,
  instanceId: row.instance_id as InstanceId,
});

const toApplication = (row: ApplicationsTable, redirectUris: readonly RegisteredRedirectUri[]): Application => ({
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
}: ApplicationsTable): Application["previousSecret"] =>
  digest === null || expiresAt === null ? undefined : { digest, expiresAt: new Date(expiresAt) };
