import { sql } from "kysely";

/** What a claim sets: the lease, the next fence, and one attempt more, recorded with its start and endpoint. */
export const claimedAs = ({
  at,
  leaseUntil,
  name,
}: {
  readonly at: Date;
  readonly leaseUntil: Date;
  readonly name: string;
}) => sql`
  due_at = null, lane = null, retry_at = null, hand_over_at = null, lease_until = ${leaseUntil.getTime()},
  claim = ${name}, fence = fence + 1, attempts = attempts + 1, started_at = ${at.getTime()}, endpoint_url = (
    select endpoint_url from webhooks_subscriptions as subscription where subscription.id = webhooks_queue.subscription_id
  )`;

/** What the statement returns of each row: all of it, and the body that is sent. */
export const CLAIMED = sql`
  *, (
    select body from webhooks_delivery_bodies as kept where kept.sequence = webhooks_queue.sequence
  ) as body`;
