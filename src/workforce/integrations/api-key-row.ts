import type { Selectable } from "kysely";
import type { ApiKeyId, IntegrationId } from "#runtime/basis/ids.ts";
import type { RateLimit } from "../rate-limits/rate-limit.ts";
import type { WorkforceTables } from "../tables.ts";
import type { KeyScope } from "./key-scope.ts";

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
  /** To the minute or so; null when it was never accepted. */
  readonly lastUsedAt: Date | null;
  /** Its own; null where the installation's holds (R-G12). */
  readonly rateLimit: RateLimit | null;
  /** Never empty. */
  readonly scopes: readonly KeyScope[];
}

export const toApiKey = (row: Selectable<WorkforceTables["workforce_api_keys"]>): ApiKey => ({
  id: row.id,
  integrationId: row.integration_id,
  label: row.label,
  createdAt: new Date(row.created_at),
  expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
  revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  rateLimit:
    row.rate_per_second === null || row.rate_burst === null
      ? null
      : { perSecond: row.rate_per_second, burst: row.rate_burst },
  scopes: JSON.parse(row.scopes) as KeyScope[],
});
