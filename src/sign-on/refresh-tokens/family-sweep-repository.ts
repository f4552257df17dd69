import { setImmediate as nextTurn } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "#runtime/basis/durations.ts";
import type { Database } from "#runtime/database/database.ts";
import { SWEEP_BATCH } from "#runtime/database/sweeping.ts";
import { CODE_LIFE_MAX_MS } from "../authorization-codes/authorization-code.ts";
import type { SignOnTables } from "../tables.ts";
import { firstNumberAt } from "../token-numbers/family-number.ts";

/** How long a code that was not redeemed is kept; an operator can be asked about it. */
const CODE_KEPT_MS = DAY_MS;
/** How long a family is kept after its last refresh token has expired; no access token lives as long. */
const FAMILY_KEPT_MS = 48 * HOUR_MS;
/** How many batches one call walks over in which nothing is over. */
const FRUITLESS_BATCHES = 40;

interface FamilySweepRepository {
  /** Goes on from where the call before ended. */
  sweep(now: number, signal: AbortSignal): Promise<void>;
}

/**
 * Deletes codes that were never redeemed and families that are over, by ranges of their number, which is in the order
 * of time: no index serves it. Codes end within a day, so each range is searched for them once. Families end at any
 * time: a walk comes by all of them, a part at each call. Validity depends on neither (R-S9).
 */
export function familySweepRepository(db: Database<SignOnTables>): FamilySweepRepository {
  /** No code that was not redeemed has a lower number. */
  let codesFrom = 0;
  /** Where the walk goes on. */
  let walkFrom = 0;

  /** The number behind the next batch from `from` on, at most `before`; `undefined` where no family is left. */
  const batchEnd = async (from: number, before: number): Promise<number | undefined> => {
    const rows = await db
      .selectFrom("sign_on_families")
      .select("number")
      .where("number", ">=", from)
      .where("number", "<", before)
      .orderBy("number")
      .limit(SWEEP_BATCH)
      .execute();
    const last = rows.at(-1);
    return last && last.number + 1;
  };

  const removeCodes = async (now: number, signal: AbortSignal): Promise<void> => {
    const before = firstNumberAt(new Date(now - CODE_KEPT_MS - CODE_LIFE_MAX_MS));
    for (;;) {
      const end = signal.aborted ? undefined : await batchEnd(codesFrom, before);
      if (end === undefined) return;
      await db
        .deleteFrom("sign_on_families")
        .where("number", ">=", codesFrom)
        .where("number", "<", end)
        .where("generation", "=", 0)
        .where("expires_at", "<", now - CODE_KEPT_MS)
        .execute();
      codesFrom = end;
      await nextTurn();
    }
  };

  const walk = async (now: number, signal: AbortSignal): Promise<void> => {
    const over = now - FAMILY_KEPT_MS;
    for (let fruitless = 0; fruitless < FRUITLESS_BATCHES; ) {
      const end = signal.aborted ? undefined : await batchEnd(walkFrom, Number.MAX_SAFE_INTEGER);
      if (end === undefined) {
        walkFrom = 0;
        return;
      }
      const { numDeletedRows } = await db
        .deleteFrom("sign_on_families")
        .where("number", ">=", walkFrom)
        .where("number", "<", end)
        .where(({ eb, or, and }) =>
          or([
            and([eb("generation", ">", 0), eb("expires_at", "<", over)]),
            and([eb("generation", "=", 0), eb("expires_at", "<", now - CODE_KEPT_MS)]),
            eb("ends_at", "<", over),
          ]),
        )
        .executeTakeFirst();
      if (numDeletedRows === 0n) fruitless++;
      walkFrom = end;
      await nextTurn();
    }
  };

  return {
    async sweep(now, signal) {
      await removeCodes(now, signal);
      await walk(now, signal);
    },
  };
}
