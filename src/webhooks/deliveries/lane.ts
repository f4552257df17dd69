import { type RawBuilder, sql } from "kysely";

/**
 * Marks the lanes of subscriptions that were not known to answer promptly when their deliveries became ready. Origins
 * begin with `http`, which sorts before it in every collation, so that these lanes are a stretch of the index by
 * themselves.
 */
export const UNPROVEN_LANES = "unproven ";

/** The lane of a delivery that becomes ready. */
export const laneOf = (origin: string, isProven: boolean): string => (isProven ? origin : `${UNPROVEN_LANES}${origin}`);

/** The origin of a lane's endpoints. */
export const originOfLane = (lane: string): string =>
  lane.startsWith(UNPROVEN_LANES) ? lane.slice(UNPROVEN_LANES.length) : lane;

/** Both lanes of an origin. */
export const lanesOfOrigin = (origin: string): readonly string[] => [laneOf(origin, true), laneOf(origin, false)];

/** The lane of a delivery that waited for a retry, as an expression of its row: only who is slow is known there. */
export const laneOfWaiting = (): RawBuilder<unknown> => sql`
  coalesce((
    select ${sql.lit(UNPROVEN_LANES)} from webhooks_subscriptions as owner
    where owner.id = webhooks_queue.subscription_id and owner.slow = 1
  ), '') || endpoint_origin`;
