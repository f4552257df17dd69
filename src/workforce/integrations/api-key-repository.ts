import { sql } from "kysely";
import type { ApiKeyId, IntegrationId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { pageOf } from "#runtime/database/page-rows.ts";
import { rowsOf } from "#runtime/database/rows.ts";
import { type LimitedPage, toPageValues } from "../page.ts";
import type { WorkforceTables } from "../tables.ts";
import { type ApiKeyProof, digestsMatch } from "./api-key.ts";
import { type ApiKey, toApiKey } from "./api-key-row.ts";

/** Which keys are listed; all without it. */
export interface ApiKeyFilter {
  readonly integrationId?: IntegrationId;
  /** Those that are accepted at `from`, and not any more at `until`. */
  readonly expiring?: { readonly from: Date; readonly until: Date };
}

export interface ApiKeyRepository {
  find(id: ApiKeyId): Promise<ApiKey | undefined>;
  /** The one key with this public part and this digest. */
  findByProof(proof: ApiKeyProof): Promise<ApiKey | undefined>;
  /** By creation time, then id: one more than the page has, if there are more. */
  list(filter: ApiKeyFilter, page: LimitedPage<ApiKeyId>): Promise<ApiKey[]>;
  create(apiKey: ApiKey, proof: ApiKeyProof): Promise<void>;
  /** False when it is revoked already, or does not exist. */
  revoke(id: ApiKeyId, at: Date): Promise<boolean>;
  /** Notes when keys were last accepted, in one statement. A later time that is there already stays. */
  recordUses(uses: ReadonlyMap<ApiKeyId, Date>): Promise<void>;
}

export const apiKeyRepository = (db: Database<WorkforceTables>): ApiKeyRepository => {
  const apiKeys = () => db.selectFrom("workforce_api_keys").selectAll();
  return {
    async find(id) {
      const row = await apiKeys().where("id", "=", id).executeTakeFirst();
      return row && toApiKey(row);
    },

    async findByProof({ lookUp, digest }) {
      const row = await apiKeys().where("look_up", "=", lookUp).executeTakeFirst();
      return row && digestsMatch(row.digest, digest) ? toApiKey(row) : undefined;
    },

    async list({ integrationId, expiring }, page) {
      const values = toPageValues(page);
      const all = pageOf(apiKeys(), (name) => values[name]);
      const ofOwner = integrationId === undefined ? all : all.where("integration_id", "=", integrationId);
      const wanted =
        expiring === undefined
          ? ofOwner
          : ofOwner
              .where("revoked_at", "is", null)
              .where("expires_at", ">", expiring.from.getTime())
              .where("expires_at", "<=", expiring.until.getTime());
      return (await wanted.execute()).map(toApiKey);
    },

    async create({ id, integrationId, label, createdAt, expiresAt, rateLimit, scopes }, { lookUp, digest }) {
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
          rate_per_second: rateLimit?.perSecond ?? null,
          rate_burst: rateLimit?.burst ?? null,
          last_used_at: null,
          scopes: JSON.stringify(scopes),
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

    async recordUses(uses) {
      const rows = [...uses].map(([id, at]) => ({ id, at: at.getTime() }));
      await sql`
        update workforce_api_keys set last_used_at = cast(given.value ->> 'at' as bigint) from ${rowsOf(db, rows)}
        where id = given.value ->> 'id' and (last_used_at is null or last_used_at < cast(given.value ->> 'at' as bigint))
      `.execute(db);
    },
  };
};
