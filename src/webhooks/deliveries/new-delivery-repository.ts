import { sql } from "kysely";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import { isOneOf, rowsOf } from "#runtime/database/rows.ts";
import type { WebhooksTables } from "../tables.ts";
import type { NewDelivery } from "./delivery.ts";
import { laneOf } from "./lane.ts";
import type { DeliveryMoves } from "./moves.ts";

/** More rows in one statement save nothing and make a large parameter. */
const ROWS_PER_STATEMENT = 250;

export interface NewDeliveryRepository {
  /** With their bodies. One that exists already (same event and subscription) is left as it is. */
  create(tx: Transaction<WebhooksTables>, deliveries: readonly NewDelivery[]): Promise<void>;
}

/** Whether a subscription is known to answer promptly. */
type IsProven = (subscriptionId: SubscriptionId, endpointOrigin: string) => boolean;

export const newDeliveryRepository = (
  { settleRows }: Pick<DeliveryMoves, "settleRows">,
  isProven: IsProven = () => false,
): NewDeliveryRepository => ({
  async create(tx, deliveries) {
    for (let start = 0; start < deliveries.length; start += ROWS_PER_STATEMENT) {
      const made = await insert(tx, deliveries.slice(start, start + ROWS_PER_STATEMENT), isProven);
      const blocked = made.flatMap(({ sequence, state, reason }) =>
        // What must not be sent needs nothing more.
        state === "pending" ? [] : [{ sequence, fence: 0, state, reason, attempts: 0 as const }],
      );
      const [first] = made;
      if (first !== undefined) await settleRows(tx, blocked, { at: first.createdAt, underWay: false });
    }
  },
});

interface MadeDelivery extends NewDelivery {
  readonly sequence: number;
}

/** Returns those that did not exist. */
async function insert(
  tx: Transaction<WebhooksTables>,
  deliveries: readonly NewDelivery[],
  isProven: IsProven,
): Promise<readonly MadeDelivery[]> {
  const rows = deliveries.map(({ body: _, delaysMs, occurredAt, createdAt, dueAt, ...delivery }) => ({
    ...delivery,
    delays: JSON.stringify(delaysMs),
    occurredAt: occurredAt.getTime(),
    createdAt: createdAt.getTime(),
    dueAt: dueAt?.getTime(),
    // What is due at once is ready at once.
    lane:
      dueAt === undefined
        ? undefined
        : laneOf(delivery.endpointOrigin, isProven(delivery.subscriptionId, delivery.endpointOrigin)),
  }));
  const events = [...new Set(deliveries.map(({ eventId }) => eventId))];
  // What is settled of the events is read once: looked for by each row, an event with n receivers would cost n². By
  // “not in” SQLite would walk through the list for each row, in case there is a null.
  const made = await sql<{ readonly sequence: number; readonly id: string }>`
    insert into webhooks_queue (id, event_id, event_type, occurred_at, subscription_id, tenant_id, endpoint_origin, round,
      attempts, delays, created_at, fence, made, due_at, lane, claim)
    select given.value ->> 'id', given.value ->> 'eventId', given.value ->> 'eventType',
      cast(given.value ->> 'occurredAt' as bigint), given.value ->> 'subscriptionId', given.value ->> 'tenantId',
      given.value ->> 'endpointOrigin', 1, 0, given.value ->> 'delays', cast(given.value ->> 'createdAt' as bigint), 0,
      '[]', cast(given.value ->> 'dueAt' as bigint), given.value ->> 'lane', ''
    from ${rowsOf(tx, rows)} where ((given.value ->> 'eventId', given.value ->> 'subscriptionId') in (
      select event_id, subscription_id from webhooks_settled where ${isOneOf(tx, "event_id", events)}
    )) is not true
    on conflict (subscription_id, event_id) do nothing
    returning sequence, id`.execute(tx);
  const sequences = new Map(made.rows.map(({ id, sequence }) => [id, sequence]));
  const created = deliveries.flatMap((delivery): MadeDelivery[] => {
    const sequence = sequences.get(delivery.id);
    return sequence === undefined ? [] : [{ ...delivery, sequence }];
  });
  const bytes = isSqlite(tx)
    ? sql`cast(given.value ->> 'body' as blob)`
    : sql`convert_to(given.value ->> 'body', 'UTF8')`;
  const bodies = created.map(({ sequence, createdAt, body }) => ({ sequence, createdAt: createdAt.getTime(), body }));
  await sql`
    insert into webhooks_delivery_bodies (sequence, created_at, body)
    select cast(given.value ->> 'sequence' as bigint), cast(given.value ->> 'createdAt' as bigint), ${bytes}
    from ${rowsOf(tx, bodies)}`.execute(tx);
  return created;
}
