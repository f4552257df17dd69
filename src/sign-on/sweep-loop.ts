import { sql } from "kysely";
import type { Clock } from "#runtime/basis/clock.ts";
import { type Loop, pause } from "#runtime/basis/loop.ts";
import type { Database } from "#runtime/database/database.ts";
import type { SignOnTables } from "./tables.ts";

const INTERVAL_MS = 60_000;
const BATCH = 500;
const HOUR_MS = 3_600_000;

/**
 * What goes how long after its expiry. Validity never depends on this (R-S9); it keeps the tables from growing. Codes outlive their ten
 * minutes by as long as a replay should still revoke what came from them; families go after the refresh tokens that point at them.
 */
const RULES = [
  { table: "sign_on_interactions", key: "id", keepMs: HOUR_MS },
  { table: "sign_on_sessions", key: "digest", keepMs: HOUR_MS },
  { table: "sign_on_authorization_codes", key: "digest", keepMs: 24 * HOUR_MS },
  { table: "sign_on_refresh_tokens", key: "digest", keepMs: 24 * HOUR_MS },
] as const;

/** Removes what expired long ago, in small batches, so that no sweep holds the writer for long. */
export function signOnSweepLoop(db: Database<SignOnTables>, clock: Clock): Loop {
  const remove = async (table: string, key: string, before: number): Promise<number> => {
    const doomed = sql`select ${sql.ref(key)} from ${sql.table(table)} where expires_at < ${before} order by expires_at limit ${BATCH}`;
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${doomed})`.execute(
      db,
    );
    return Number(numAffectedRows ?? 0n);
  };
  /** A family that is past its end, once no refresh token refers to it. */
  const removeFamilies = async (before: number): Promise<number> => {
    const { numDeletedRows } = await db
      .deleteFrom("sign_on_token_families")
      .where("id", "in", (select) =>
        select
          .selectFrom("sign_on_token_families as family")
          .select("family.id")
          .where("family.expires_at", "<", before)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("sign_on_refresh_tokens as token")
                  .select("token.digest")
                  .whereRef("token.family_id", "=", "family.id"),
              ),
            ),
          )
          .orderBy("family.expires_at")
          .limit(BATCH),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
  return {
    name: "sign-on-sweep",
    async run(signal) {
      while (!signal.aborted) {
        const now = clock.now().getTime();
        for (const { table, key, keepMs } of RULES) {
          while (!signal.aborted && (await remove(table, key, now - keepMs)) === BATCH);
        }
        while (!signal.aborted && (await removeFamilies(now - 48 * HOUR_MS)) === BATCH);
        await pause(INTERVAL_MS, signal);
      }
    },
  };
}
