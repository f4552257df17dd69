import { setImmediate as nextTurn } from "node:timers/promises";
import { newId, type TenantId } from "#runtime/basis/ids.ts";
import type { Loop } from "#runtime/basis/loop.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import { OUTBOX_CHANNEL, type OutboxEntry, takeFromOutbox } from "#runtime/outbox/outbox.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { DELIVERIES_CHANNEL, type NewDelivery } from "../deliveries/delivery.ts";
import type { DeliveryRepository } from "../deliveries/delivery-repository.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { eventBody } from "./envelope.ts";
import { wants } from "./matching.ts";

const ENTRIES_MAX = 100;
/** A transaction that makes more holds up every other writer of an embedded store. */
const DELIVERIES_AIMED_AT = 500;
/** How long a lost wake-up may go unnoticed. */
const LOOK_AGAIN_MS = 1_000;

export interface RelayDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly wake: Wake;
  readonly random: Random;
  readonly subscriptions: SubscriptionRepository;
  readonly deliveries: DeliveryRepository;
  /** The plan that new deliveries get (R-E6). */
  readonly delaysMs: readonly number[];
}

/**
 * Takes events from the outbox and makes one delivery per matching subscription, both in one transaction, so that neither exists without
 * the other (spec §6 rule 5). Several relays may run at once.
 */
export function relayLoop(deps: RelayDeps): Loop {
  return {
    name: "webhook-relay",
    async run(signal) {
      let limit = ENTRIES_MAX;
      while (!signal.aborted) {
        const ticket = deps.wake.ticket(OUTBOX_CHANNEL);
        const { entries, deliveries } = await deps.changes.run((change) => relay(deps, change, limit));
        if (entries < limit) await deps.wake.after(OUTBOX_CHANNEL, ticket, LOOK_AGAIN_MS, signal);
        // Requests get their turn between two batches of a backlog: an embedded store works synchronously.
        else await nextTurn();
        if (deliveries > 0) limit = entriesFor(deliveries / entries);
      }
    },
  };
}

const entriesFor = (deliveriesPerEntry: number): number =>
  Math.min(ENTRIES_MAX, Math.max(1, Math.floor(DELIVERIES_AIMED_AT / deliveriesPerEntry)));

async function relay(
  { subscriptions, deliveries, random, delaysMs }: RelayDeps,
  { db, at, wakeAfter }: Change<WebhooksTables>,
  limit: number,
): Promise<{ entries: number; deliveries: number }> {
  const entries = await takeFromOutbox(db, limit, at);
  if (entries.length === 0) return { entries: 0, deliveries: 0 };
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
  return { entries: entries.length, deliveries: made.length };

  /** Paused and disabled subscriptions get their rows too, so that they can be recovered (R-E9). */
  function toDelivery(subscription: Subscription, entry: OutboxEntry): NewDelivery {
    const active = subscription.state === "active";
    return {
      id: newId("delivery", random),
      eventId: entry.eventId,
      eventType: entry.eventType,
      occurredAt: entry.occurredAt,
      tenantId: (entry.tenantId ?? undefined) as TenantId | undefined,
      subscriptionId: subscription.id,
      endpointOrigin: new URL(subscription.endpointUrl).origin,
      state: active ? "pending" : "skipped",
      reason: active ? undefined : `subscription_${subscription.state}`,
      delaysMs,
      createdAt: at,
      dueAt: active ? at : undefined,
      body: eventBody(entry, subscription.instanceIntegrationId),
    };
  }
}
