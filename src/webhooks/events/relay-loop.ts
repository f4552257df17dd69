import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type InstanceIntegrationStanding,
  InstanceIntegrationState,
} from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { type InstanceIntegrationId, newId, type TenantId } from "#runtime/basis/ids.ts";
import { type Loop, withoutDeadline } from "#runtime/basis/loop.ts";
import { Gauge, type Metrics } from "#runtime/basis/metrics.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import {
  OUTBOX_CHANNEL,
  type OutboxEntry,
  type OutboxTables,
  type TakenEntry,
  takeFromOutbox,
} from "#runtime/outbox/outbox.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import type { Connection } from "../connections/connection.ts";
import type { ConnectionRepository } from "../connections/connection-repository.ts";
import { DELIVERIES_CHANNEL, type NewDelivery } from "../deliveries/delivery.ts";
import type { DeliveryRepository } from "../deliveries/delivery-repository.ts";
import { blockedBy } from "../subscriptions/may-send.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { eventBody } from "./envelope.ts";
import { wants } from "./matching.ts";

const ENTRIES_MAX = 100;
/** A transaction that makes more keeps every other writer of an embedded store waiting. */
const DELIVERIES_AIMED_AT = 500;
/** How long a lost wake-up may go unnoticed. */
const LOOK_AGAIN_MS = 1_000;

interface RelayDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly wake: Wake;
  readonly random: Random;
  readonly subscriptions: SubscriptionRepository;
  readonly connections: ConnectionRepository;
  readonly deliveries: DeliveryRepository;
  /** The plan that new deliveries get (R-E6). */
  readonly delaysMs: readonly number[];
}

/**
 * Takes events from the outbox and makes one delivery per matching subscription, both in one transaction, so that
 * neither exists without the other (spec §6 rule 5). Several relays may run at once.
 */
export function relayLoop(deps: RelayDeps): Loop {
  return {
    name: "webhook-relay",
    async run(signal, round = withoutDeadline(signal)) {
      let limit = ENTRIES_MAX;
      while (!signal.aborted) {
        const ticket = deps.wake.ticket(OUTBOX_CHANNEL);
        const { entries, deliveries } = await round(() => deps.changes.run((change) => relay(deps, change, limit)));
        if (entries < limit) await deps.wake.after(OUTBOX_CHANNEL, ticket, LOOK_AGAIN_MS, signal);
        // Requests get their turn between two batches of a backlog: an embedded store works synchronously.
        else await nextTurn();
        if (deliveries > 0) limit = entriesFor(deliveries / entries);
      }
    },
  };
}

/** Relays what is in the outbox now, for a store that no other program uses. */
export async function relayAll(deps: Omit<RelayDeps, "wake">): Promise<void> {
  while ((await deps.changes.run((change) => relay(deps, change, ENTRIES_MAX))).entries === ENTRIES_MAX);
}

const entriesFor = (deliveriesPerEntry: number): number =>
  Math.min(ENTRIES_MAX, Math.max(1, Math.floor(DELIVERIES_AIMED_AT / deliveriesPerEntry)));

/**
 * Internal entries take effect in their order among the events: each event meets its subscriptions as they are by then
 * (R-E14).
 */
async function relay(
  deps: Omit<RelayDeps, "wake">,
  change: Change<WebhooksTables>,
  limit: number,
): Promise<{ entries: number; deliveries: number }> {
  const entries = await takeFromOutbox(change.db, limit, change.at);
  let made = 0;
  for (let from = 0; from < entries.length; ) {
    const next = entries.findIndex(({ internal }, index) => index >= from && internal === true);
    const events = entries.slice(from, next < 0 ? entries.length : next);
    made += await fanOut(deps, change, events);
    const internal = entries[from + events.length];
    if (internal !== undefined) await recordConnection(deps, change, internal);
    from += events.length + 1;
  }
  return { entries: entries.length, deliveries: made };
}

/** Ignores internal entries that belong to other domains. */
async function recordConnection(
  { connections }: Pick<RelayDeps, "connections">,
  { db }: Change<WebhooksTables>,
  entry: OutboxEntry,
): Promise<void> {
  const connection = toConnection(entry);
  if (connection !== undefined) await connections.record(db, connection);
}

/** Makes the deliveries of events; returns how many. */
async function fanOut(
  { subscriptions, deliveries, random, delaysMs }: Omit<RelayDeps, "wake">,
  { db, at, wakeAfter }: Change<WebhooksTables>,
  entries: readonly TakenEntry[],
): Promise<number> {
  if (entries.length === 0) return 0;
  const instanceIds = [...new Set(entries.map(({ instanceId }) => instanceId))];
  const receivers = Map.groupBy(
    await subscriptions.listByInstances(db, instanceIds),
    ({ instanceId }): string => instanceId,
  );
  const made = entries.flatMap((entry) =>
    (receivers.get(entry.instanceId) ?? [])
      .filter((subscription) => wants(subscription, entry))
      .map((subscription) => toDelivery(subscription, entry)),
  );
  await deliveries.create(db, made);
  if (made.some(({ dueAt }) => dueAt !== undefined)) wakeAfter(DELIVERIES_CHANNEL);
  return made.length;

  /** What must not be sent gets its row too, so that it can be recovered (R-E9). */
  function toDelivery(subscription: Subscription, entry: OutboxEntry): NewDelivery {
    const blocked = blockedBy(subscription);
    return {
      id: newId("delivery", random),
      eventId: entry.eventId,
      eventType: entry.eventType,
      occurredAt: entry.occurredAt,
      tenantId: (entry.tenantId ?? undefined) as TenantId | undefined,
      subscriptionId: subscription.id,
      endpointOrigin: new URL(subscription.endpointUrl).origin,
      state: blocked?.state ?? "pending",
      reason: blocked?.reason,
      delaysMs,
      createdAt: at,
      dueAt: blocked === undefined ? at : undefined,
      body: eventBody(entry, subscription.instanceIntegrationId),
    };
  }
}

/** How far the relay is behind. */
export function measureOutbox(metrics: Metrics, store: Store, now: () => Date): void {
  const db = store.view<OutboxTables>();
  new Gauge({
    name: "gatehouse_outbox_oldest_pending_seconds",
    help: "Age of the oldest event that is not relayed yet; 0 when all are.",
    registers: [metrics],
    async collect() {
      const oldest = await db
        .selectFrom("outbox_entries")
        .select("occurred_at")
        .where("relayed_at", "is", null)
        .orderBy("sequence")
        .limit(1)
        .executeTakeFirst();
      this.set(oldest === undefined ? 0 : Math.max(0, (now().getTime() - oldest.occurred_at) / 1000));
    },
  });
}

/**
 * The state of an instance integration in an internal outbox entry; `undefined` when the entry is about something else.
 */
export function toConnection({ eventType, entity, data }: OutboxEntry): Connection | undefined {
  if (eventType !== "instanceIntegration.standing") return undefined;
  const { state, revision } = data as unknown as InstanceIntegrationStanding;
  const known = lowerWordOf(InstanceIntegrationState, state);
  if (known === undefined) throw new Error(`An instance integration cannot be ${state}.`);
  return { instanceIntegrationId: entity.id as InstanceIntegrationId, state: known, revision };
}
