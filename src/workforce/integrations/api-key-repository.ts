import type { Selectable } from "kysely";
import type { ApiKeyId, IntegrationId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { WorkforceTables } from "../tables.ts";
import type { ApiKeyProof } from "./api-key.ts";

/** An API key as it is remembered: never the key itself (R-G11). */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly integrationId: IntegrationId;
  /** For the operator's eyes. */
  readonly label: string;
  readonly createdAt: Date;
  /** From this instant on it is refused. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface ApiKeyRepository {
  find(id: ApiKeyId): Promise<ApiKey | undefined>;
  /** With the digest of the whole key; at most one key has the look-up part. */
  findByLookUp(lookUp: string): Promise<{ readonly apiKey: ApiKey; readonly digest: Buffer } | undefined>;
  /** By creation time, then id. */
  listByIntegration(integrationId: IntegrationId): Promise<ApiKey[]>;
  create(apiKey: ApiKey, proof: ApiKeyProof): Promise<void>;
  /** False when it is revoked already, or does not exist. */
  revoke(id: ApiKeyId, at: Date): Promise<boolean>;
}

export const apiKeyRepository = (db: Database<WorkforceTables>): ApiKeyRepository => {
  const apiKeys = () => db.selectFrom("workforce_api_keys").selectAll();
  // Where no key has the look-up part, the next one is read in its place, behind the last one the first: a row costs microseconds, and
  // by them a caller could tell an unknown key from a revoked one (R-G2).
  const byLookUp = prepared(db, (value: ValueOf<{ lookUp: string }>) =>
    apiKeys().where("look_up", "=", ({ fn, selectFrom }) =>
      fn.coalesce(
        selectFrom("workforce_api_keys as next")
          .select(({ fn: { min } }) => min("next.look_up").as("first"))
          .where("next.look_up", ">=", value("lookUp")),
        selectFrom("workforce_api_keys as any").select(({ fn: { min } }) => min("any.look_up").as("first")),
      ),
    ),
  );
  return {
    async find(id) {
      const row = await apiKeys().where("id", "=", id).executeTakeFirst();
      return row && toApiKey(row);
    },

    async findByLookUp(lookUp) {
      const row = await byLookUp.first({ lookUp });
      const read = row && { apiKey: toApiKey(row), digest: row.digest };
      return row?.look_up === lookUp ? read : undefined;
    },

    async listByIntegration(integrationId) {
      const rows = await apiKeys()
        .where("integration_id", "=", integrationId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toApiKey);
    },

    async create({ id, integrationId, label, createdAt, expiresAt }, { lookUp, digest }) {
      await db
        .insertInto("workforce_api_keys")
        .values({
          id,
          integration_id: integrationId,
          label,
          look_up: lookUp,
          digest,
          created_at: createdAt.getTime(),
          expires_at: expiresAt?.getTime() ?? null,
          revoked_at: null,
        })
        .execute();
    },

    async revoke(id, at) {
      const { numUpdatedRows } = await db
        .updateTable("workforce_api_keys")
        .set({ revoked_at: at.getTime() })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
};

const toApiKey = (row: Selectable<WorkforceTables["workforce_api_keys"]>): ApiKey => ({
  id: row.id,
  integrationId: row.integration_id,
  label: row.label,
  createdAt: new Date(row.created_at),
  expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
  revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
});
