import type { Clock } from "#runtime/basis/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#runtime/basis/durations.ts";
import type { Database } from "#runtime/database/database.ts";
import { inBatches, SWEEP_BATCH, sweep } from "#runtime/database/sweeping.ts";
import { LONG_PASS_MS, type Loop, repeating } from "#runtime/process/loop.ts";
import { familySweepRepository } from "./refresh-tokens/family-sweep-repository.ts";
import { SIGN_IN_KEPT_DAYS } from "./sign-ins/sign-in.ts";
import type { SignOnTables } from "./tables.ts";

/**
 * How long after its expiry each kind of row is deleted. Validity never depends on this (R-S9); it keeps the tables
 * from growing. Families and their codes have a sweep of their own; the codes and refresh tokens here are those of
 * before families had numbers, and their families are deleted after the refresh tokens that refer to them.
 */
export const SIGN_ON_SWEEPS = [
  { table: "sign_on_interactions", key: "id", age: "expires_at", keepMs: HOUR_MS },
  { table: "sign_on_logouts", key: "id", age: "expires_at", keepMs: HOUR_MS },
  { table: "sign_on_sessions", key: "digest", age: "expires_at", keepMs: HOUR_MS },
  // Kept while a person may still find the mail with the link, so that the page can say that the link has expired.
  { table: "sign_on_password_links", key: "digest", age: "expires_at", keepMs: 30 * DAY_MS },
  { table: "sign_on_authorization_codes", key: "digest", age: "expires_at", keepMs: DAY_MS },
  { table: "sign_on_refresh_tokens", key: "digest", age: "expires_at", keepMs: DAY_MS },
  { table: "sign_on_sign_ins", key: "id", age: "at", inOrder: true, keepMs: SIGN_IN_KEPT_DAYS * DAY_MS },
  { table: "sign_on_throttles", key: "subject", age: "clear_at", keepMs: HOUR_MS },
  // Without its row a token is valid again: one that expired by a clock that was ahead for a moment must still have it (R-X370).
  { table: "sign_on_revoked_access_tokens", key: "token_id", age: "expires_at", keepMs: 2 * DAY_MS },
] as const;

/** Deleted applications, after their last token families, which live for 400 days at most (R-S9, R-X200). */
const APPLICATIONS = { table: "sign_on_applications", key: "id", age: "deleted_at" } as const;
const APPLICATION_KEPT_MS = 410 * DAY_MS;

/**
 * Deletes rows that expired long ago, in small batches, so that no sweep blocks the writer for long.
 * @param sweepClock by which rows are old; `clock` by default.
 */
export function signOnSweepLoop(db: Database<SignOnTables>, clock: Clock, sweepClock = clock): Loop {
  const families = familySweepRepository(db);
  /** An earlier family that is past its end, once no refresh token refers to it. */
  const removeEarlierFamilies = async (before: number): Promise<number> => {
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
          .limit(SWEEP_BATCH),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
  /** What people consented to for an application that is deleted. */
  const removeConsents = async (): Promise<number> => {
    const { numDeletedRows } = await db
      .deleteFrom("sign_on_consents")
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("person_id", "application_id", "instance_id"),
          "in",
          selectFrom("sign_on_applications as application")
            .innerJoin("sign_on_consents as consent", "consent.application_id", "application.id")
            .select(["consent.person_id", "consent.application_id", "consent.instance_id"])
            .where("application.deleted_at", "is not", null)
            .limit(SWEEP_BATCH)
            .$asTuple("person_id", "application_id", "instance_id"),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
  return {
    name: "sign-on-sweep",
    passMs: LONG_PASS_MS,
    run: repeating(MINUTE_MS, async (pass) => {
      const now = clock.now().getTime();
      const asOf = sweepClock.now().getTime();
      await pass(async (until) => {
        for (const rule of SIGN_ON_SWEEPS) await sweep(db, { ...rule, now }, asOf - rule.keepMs, until);
        await families.sweep(asOf, until);
        await inBatches(until, () => removeEarlierFamilies(asOf - 48 * HOUR_MS));
        await inBatches(until, removeConsents);
        await sweep(db, APPLICATIONS, asOf - APPLICATION_KEPT_MS, until);
      });
    }),
  };
}
