import { sql } from "kysely";
import type { ApiKeyId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { runFor } from "#runtime/database/deadlines.ts";
import type { WorkforceTables } from "../tables.ts";
import type { RateLimit } from "./rate-limit.ts";
import { type Bucket, CLOCKS_DIFFER_MAX_MS, REQUEST } from "./token-bucket.ts";

/** The buckets that several processes draw from. PostgreSQL only: an embedded store has one process. */
export interface RateBucketRepository {
  /** Refills the key's bucket and draws up to `wanted` requests, in one statement; the same rule as `token-bucket.ts`. */
  draw(
    key: ApiKeyId,
    limit: RateLimit,
    now: number,
    wanted: number,
  ): Promise<{ readonly bucket: Bucket; readonly granted: number }>;
}

interface DrawnRow {
  readonly drawn: number;
  readonly refilled_at: number;
  readonly granted: number;
}

export const rateBucketRepository = (db: Database<WorkforceTables>): RateBucketRepository => ({
  async draw(key, { perSecond, burst }, now, wanted) {
    const most = Math.min(wanted, burst);
    const at = sql`cast(${now} as bigint)`;
    const refilled = sql`case
      when bucket.refilled_at >= ${at} then bucket.drawn
      else greatest(0, bucket.drawn - (${at} - bucket.refilled_at) * ${perSecond}) end`;
    const granted = sql`greatest(0, least(${most}, (cast(${burst} as bigint) * ${REQUEST} - (${refilled})) / ${REQUEST}))`;
    const drawing = sql<DrawnRow>`
      insert into workforce_rate_buckets as bucket (api_key_id, drawn, refilled_at, granted)
      values (${key}, cast(${most} as bigint) * ${REQUEST}, ${at}, ${most})
      on conflict (api_key_id) do update set
        drawn = (${refilled}) + ${granted} * ${REQUEST},
        granted = ${granted},
        refilled_at = case when bucket.refilled_at - ${at} > ${CLOCKS_DIFFER_MAX_MS} then ${at}
          else greatest(bucket.refilled_at, ${at}) end
      returning drawn, refilled_at, granted`;
    const { rows } = await runFor("unlogged", () => drawing.execute(db));
    const [row] = rows;
    if (row === undefined) throw new Error("A statement that always returns a row returned none.");
    return { bucket: { drawn: row.drawn, at: row.refilled_at }, granted: row.granted };
  },
});
