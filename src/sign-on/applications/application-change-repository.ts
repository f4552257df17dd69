import type { ApplicationId } from "#runtime/basis/ids.ts";
import { locked, type Transaction } from "#runtime/database/database.ts";
import { byBytes } from "#runtime/database/rows.ts";
import type { SignOnTables } from "../tables.ts";
import type { Application, ApplicationFields, RegisteredRedirectUri } from "./application.ts";
import { toApplication, toFieldColumns, toRedirectUri, toSecretColumns } from "./application-row.ts";

export interface ApplicationChangeRepository {
  /** The application, locked for this transaction; disabled ones too, deleted ones not. */
  lock(tx: Transaction<SignOnTables>, id: string): Promise<Application | undefined>;
  replaceFields(tx: Transaction<SignOnTables>, id: ApplicationId, fields: ApplicationFields, at: Date): Promise<void>;
  replaceSecrets(
    tx: Transaction<SignOnTables>,
    id: ApplicationId,
    secrets: Pick<Application, "secretDigest" | "previousSecret">,
    at: Date,
  ): Promise<void>;
  addRedirectUri(
    tx: Transaction<SignOnTables>,
    id: ApplicationId,
    added: RegisteredRedirectUri,
    at: Date,
  ): Promise<void>;
  removeRedirectUri(tx: Transaction<SignOnTables>, id: ApplicationId, uri: string, at: Date): Promise<void>;
  /** Disables or enables it. Either way everything issued up to `at` becomes invalid. */
  replaceDisabledAt(
    tx: Transaction<SignOnTables>,
    id: ApplicationId,
    disabledAt: Date | undefined,
    at: Date,
  ): Promise<void>;
  /** Deletes it: everything issued to it becomes invalid; redirect URIs and origins are removed. */
  end(tx: Transaction<SignOnTables>, id: ApplicationId, at: Date): Promise<void>;
}

export const applicationChangeRepository = (): ApplicationChangeRepository => {
  const touch = (tx: Transaction<SignOnTables>, id: ApplicationId, at: Date) =>
    tx.updateTable("sign_on_applications").set({ updated_at: at.getTime() }).where("id", "=", id);
  return {
    async lock(tx, id) {
      const one = tx
        .selectFrom("sign_on_applications")
        .selectAll()
        .where("id", "=", id)
        .where("deleted_at", "is", null);
      const row = await locked(tx, one).executeTakeFirst();
      if (row === undefined) return undefined;
      const uris = tx.selectFrom("sign_on_redirect_uris").selectAll().where("application_id", "=", id);
      return toApplication(row, (await uris.orderBy(byBytes(tx, "uri")).execute()).map(toRedirectUri));
    },
    async replaceFields(tx, id, fields, at) {
      await touch(tx, id, at).set(toFieldColumns(fields)).execute();
    },
    async replaceSecrets(tx, id, secrets, at) {
      await touch(tx, id, at).set(toSecretColumns(secrets)).execute();
    },
    async addRedirectUri(tx, id, { uri, instanceId }, at) {
      await tx
        .insertInto("sign_on_redirect_uris")
        .values({ application_id: id, uri, instance_id: instanceId })
        .execute();
      await touch(tx, id, at).execute();
    },
    async removeRedirectUri(tx, id, uri, at) {
      await tx.deleteFrom("sign_on_redirect_uris").where("application_id", "=", id).where("uri", "=", uri).execute();
      await touch(tx, id, at).execute();
    },
    async replaceDisabledAt(tx, id, disabledAt, at) {
      await touch(tx, id, at)
        .set({ disabled_at: disabledAt?.getTime() ?? null, issues_void_until: at.getTime() })
        .execute();
    },
    async end(tx, id, at) {
      await touch(tx, id, at)
        .set({
          disabled_at: at.getTime(),
          issues_void_until: at.getTime(),
          deleted_at: at.getTime(),
          previous_secret_digest: null,
          previous_secret_expires_at: null,
          previous_secret_used_at: null,
          cors_origins: "[]",
          post_logout_redirect_uris: "[]",
        })
        .execute();
      await tx.deleteFrom("sign_on_redirect_uris").where("application_id", "=", id).execute();
    },
  };
};
