import type { Clock } from "#runtime/basis/clock.ts";
import type { Random } from "#runtime/basis/random.ts";
import { createChanges } from "#runtime/changes/change.ts";
import { type AnyTransaction, type Store, seenAs } from "#runtime/database/database.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { connectionRepository } from "./connections/connection-repository.ts";
import { deliveryMoves } from "./deliveries/moves-service.ts";
import { newDeliveryRepository } from "./deliveries/new-delivery-repository.ts";
import { eventRepository } from "./events/event-repository.ts";
import { relayAll } from "./events/relay-loop.ts";
import { suspendedDeliveryRepository } from "./queue/suspended-delivery-repository.ts";
import { recoveryRepository } from "./recoveries/recovery-repository.ts";
import type { WebhooksSettings } from "./settings.ts";
import { failingRunRepository } from "./subscriptions/failing-run-repository.ts";
import { subscriptionRepository } from "./subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "./tables.ts";

interface WebhooksRestoredDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly settings: Pick<WebhooksSettings, "webhook-attempt-delays">;
}

interface WebhooksRestored {
  /** Tables whose numbers are in the cursors of feeds. */
  readonly numberedForOthers: readonly string[];
  /** Makes the deliveries of every event that waits in the outbox. */
  prepare(): Promise<void>;
  /** Suspends all pending deliveries, pauses recoveries and ends runs of failures; returns how many deliveries. */
  suspendAll(tx: AnyTransaction, at: Date): Promise<number>;
}

/**
 * What a restore does to webhooks: makes the deliveries of every event that waits in the outbox, then suspends all
 * pending ones, since they may have been delivered after the backup (R-X248). Runs of failures end, since an endpoint may
 * have acknowledged after it (R-X414).
 */
export function webhooksRestored({ store, clock, random, wake, settings }: WebhooksRestoredDeps): WebhooksRestored {
  const db = store.view<WebhooksTables>();
  const relaying = {
    changes: createChanges<WebhooksTables>({ store, clock, random, wake }),
    random,
    subscriptions: subscriptionRepository(db),
    connections: connectionRepository,
    newDeliveries: newDeliveryRepository(deliveryMoves),
    events: eventRepository(db),
    delaysMs: settings["webhook-attempt-delays"],
  };
  return {
    numberedForOthers: ["webhooks_queue"],
    prepare: () => relayAll(relaying),
    async suspendAll(tx, at) {
      await recoveryRepository(db).pauseAll(seenAs(tx), "store_restored");
      await failingRunRepository.endAll(seenAs(tx));
      return suspendedDeliveryRepository(db, deliveryMoves).suspendAll(seenAs(tx), at);
    },
  };
}
