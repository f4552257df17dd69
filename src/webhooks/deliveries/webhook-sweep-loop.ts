import { sql } from "kysely";
import type { Clock } from "#runtime/basis/clock.ts";
import { DAY_MS, MINUTE_MS } from "#runtime/basis/durations.ts";
import type { Database } from "#runtime/database/database.ts";
import { sweep } from "#runtime/database/sweeping.ts";
import { LONG_PASS_MS, type Loop, repeating } from "#runtime/process/loop.ts";
import type { WebhooksSettings } from "../settings.ts";
import type { WebhooksTables } from "../tables.ts";

const ENDED_RECOVERIES = { table: "webhooks_recoveries", key: "sequence", age: "ended_at" };
const IN_ORDER = { key: "sequence", age: "created_at", inOrder: true } as const;

interface SweepDeps {
  readonly db: Database<WebhooksTables>;
  readonly clock: Clock;
  /** By which rows are old; `clock` by default. */
  readonly sweepClock?: Clock;
  readonly settings: Pick<WebhooksSettings, "webhook-body-days" | "webhook-delivery-days">;
}

/**
 * Removes bodies, settled deliveries with their attempts, and events, once they are older than they are kept (R-X236),
 * then ended recoveries and deleted subscriptions (R-X277); and secrets that sign nothing any more (R-X273). What is
 * pending keeps both, and a delivery stays until a recovery has counted how it ended. Any number of services may do so at once.
 */
export function webhookSweepLoop({ db, clock, sweepClock = clock, settings }: SweepDeps): Loop {
  const deliveryDays = settings["webhook-delivery-days"];
  const bodyDays = Math.min(settings["webhook-body-days"], deliveryDays);
  const isPending = sql`exists (
    select 1 from webhooks_queue where webhooks_queue.sequence = webhooks_delivery_bodies.sequence
  )`;
  // How it ended is counted first (R-X281).
  const isUncounted = sql`exists (
    select 1 from webhooks_recovery_deliveries as resent
    where resent.delivery = webhooks_settled.sequence and resent.round is not null
  )`;
  // Written first, so that the feed never takes a removed body for one that was not there (R-X289).
  const beforeRemoval = (last: number) =>
    sql`
      insert into webhooks_feed (number, begins_after) values (1, ${last})
      on conflict (number) do update set begins_after = excluded.begins_after
        where webhooks_feed.begins_after < excluded.begins_after`.execute(db);
  const bodies = { table: "webhooks_delivery_bodies", ...IN_ORDER, keepMs: bodyDays * DAY_MS };
  const rules = [
    { ...bodies, unless: isPending, beforeRemoval },
    { table: "webhooks_settled", ...IN_ORDER, keepMs: deliveryDays * DAY_MS, unless: isUncounted },
    { table: "webhooks_events", ...IN_ORDER, age: "relayed_at", keepMs: deliveryDays * DAY_MS },
  ];
  return {
    name: "webhook-sweep",
    passMs: LONG_PASS_MS,
    run: repeating(MINUTE_MS, async (pass) => {
      for (const rule of rules) {
        const now = clock.now().getTime();
        const before = sweepClock.now().getTime() - rule.keepMs;
        await pass((late) => sweep(db, { ...rule, now }, before, late));
      }
      const endedBefore = sweepClock.now().getTime() - deliveryDays * DAY_MS;
      await pass((late) => sweep(db, ENDED_RECOVERIES, endedBefore, late));
      await pass((late) => sweep(db, DELETED, endedBefore, late));
      await pass(() => removeExpiredSecrets(db, sweepClock.now()));
      await pass(() => removeLeftResends(db));
    }),
  };
}

/** Subscriptions by when they were deleted; their last delivery was made before that. */
const DELETED = { table: "webhooks_subscriptions", key: "id", age: "deleted_at" } as const;

/** What was under way, and never ended, of recoveries that are gone by now: it would keep places (R-X282). */
async function removeLeftResends(db: Database<WebhooksTables>): Promise<void> {
  await sql`
    delete from webhooks_recovery_deliveries
    where recovery not in (select sequence from webhooks_recoveries)`.execute(db);
}

/** Few at any time, so one statement. */
async function removeExpiredSecrets(db: Database<WebhooksTables>, now: Date): Promise<void> {
  await db.deleteFrom("webhooks_signing_secrets").where("expires_at", "<=", now.getTime()).execute();
}
