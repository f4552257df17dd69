import { DispatchService } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { EventsService } from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import { IntegratorService } from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { OperatorService } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { PublicKeysService, SubscriptionsService } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { TestEventsService } from "#generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { CallersService } from "#generated/proto/gatehouse/workforce/v1/callers.ts";
import { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { HealthCheck } from "#runtime/basis/lifecycle.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Loop } from "#runtime/basis/loop.ts";
import type { Metrics } from "#runtime/basis/metrics.ts";
import type { Random } from "#runtime/basis/random.ts";
import { createChanges } from "#runtime/changes/change.ts";
import { type AnyTransaction, type Store, seenAs } from "#runtime/database/database.ts";
import type { MigrationSet } from "#runtime/database/migrations.ts";
import type { Eraser } from "#runtime/erasure/erasures.ts";
import { findWaiting } from "#runtime/outbox/outbox.ts";
import { type Carrier, type Registration, registration } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { connectionRepository } from "./connections/connection-repository.ts";
import { bodyEraser } from "./deliveries/body-eraser.ts";
import { listDeliveries } from "./deliveries/deliveries-service.ts";
import { deliveryRepository } from "./deliveries/delivery-repository.ts";
import { formerRepository } from "./deliveries/former-repository.ts";
import { formerRowsLoop } from "./deliveries/former-rows-loop.ts";
import type { DeliveryMoves } from "./deliveries/moves.ts";
import { ownSubscriptionRepository } from "./deliveries/own-subscription-repository.ts";
import { settledRepository } from "./deliveries/settled-repository.ts";
import { subscriptionDeliveriesRepository } from "./deliveries/subscription-deliveries-repository.ts";
import { webhookSweepLoop } from "./deliveries/webhook-sweep-loop.ts";
import type { OwnListeners } from "./endpoints/own-listeners.ts";
import { eventRepository } from "./events/event-repository.ts";
import { listEvents } from "./events/events-service.ts";
import { eventExplanations, explainEvent } from "./events/explain-service.ts";
import { operationalNotices } from "./events/operational-notices.ts";
import { measureOutbox, relayAll, relayLoop } from "./events/relay-loop.ts";
import { testEventAllowance } from "./events/test-event-allowance.ts";
import { createTestEvents } from "./events/test-events-service.ts";
import { feedCursors } from "./feed/feed-cursor.ts";
import { feedRepository } from "./feed/feed-repository.ts";
import { eventFeed, readFeed } from "./feed/feed-service.ts";
import { feedWaiters } from "./feed/feed-waiters-service.ts";
import { asIntegrator } from "./integrator/integrator-call.ts";
import { integratorMethods } from "./integrator-composition.ts";
import { firstTables } from "./migrations/0001-first-tables.ts";
import { connections } from "./migrations/0002-connections.ts";
import { handOver } from "./migrations/0003-hand-over.ts";
import { orderByTheStore } from "./migrations/0004-order-by-the-store.ts";
import { returnedClaims } from "./migrations/0005-returned-claims.ts";
import { queueAndSettled } from "./migrations/0006-queue-and-settled.ts";
import { livesOfSubscriptions } from "./migrations/0007-lives-of-subscriptions.ts";
import { recoveries as recoveriesMigration } from "./migrations/0008-recoveries.ts";
import { eventsAndFeed } from "./migrations/0009-events-and-feed.ts";
import { turns } from "./migrations/0010-turns.ts";
import { failingRuns } from "./migrations/0011-failing-runs.ts";
import { deliveryMetrics } from "./queue/delivery-metrics.ts";
import { claimDue, recordOutcomes, returnClaims } from "./queue/dispatch-service.ts";
import { createLanes } from "./queue/lanes-service.ts";
import { linesRepository } from "./queue/lines-repository.ts";
import { openedSecrets } from "./queue/opened-secrets.ts";
import { createPaces } from "./queue/paces.ts";
import { queueRepository } from "./queue/queue-repository.ts";
import { embeddedRetryEngine, outsideRetryEngine, type RetryEngine } from "./queue/retry-engine.ts";
import { releaseDeliveries } from "./queue/suspended-deliveries-service.ts";
import { suspendedDeliveryRepository } from "./queue/suspended-delivery-repository.ts";
import { composeRecoveries } from "./recoveries/recoveries-composition.ts";
import { recoveryRepository } from "./recoveries/recovery-repository.ts";
import type { WebhooksSettings } from "./settings.ts";
import { subscriptionLives } from "./subscription-lives-composition.ts";
import { expiringSecretRepository } from "./subscriptions/expiring-secret-repository.ts";
import { expiringSecretsLoop } from "./subscriptions/expiring-secrets-loop.ts";
import { failingRunRepository } from "./subscriptions/failing-run-repository.ts";
import { byOperator, operatorScope } from "./subscriptions/scope.ts";
import { subscriptionChangeRepository } from "./subscriptions/subscription-change-repository.ts";
import { subscriptionRepository } from "./subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "./tables.ts";
import { handOverRepository } from "./temporal/hand-over-repository.ts";
import { handOverWatch, measureHandOvers } from "./temporal/hand-over-watch.ts";
import {
  claimHandOvers,
  confirmHandOvers,
  listHandedOver,
  returnHandOvers,
  takeBackLoop,
} from "./temporal/hand-overs-service.ts";
import { advanceRecovery, changeRecoveryRun, claimRecoveries } from "./temporal/recovery-runs-service.ts";
import { cancelDelivery, claimOne, recordOne } from "./temporal/round-service.ts";

export { webhooksUpkeep } from "./upkeep.ts";

export const webhooksMigrations: MigrationSet = {
  owner: "webhooks",
  migrations: [
    firstTables,
    connections,
    handOver,
    orderByTheStore,
    returnedClaims,
    queueAndSettled,
    livesOfSubscriptions,
    recoveriesMigration,
    eventsAndFeed,
    turns,
    failingRuns,
  ],
};

const MOVES: DeliveryMoves = { ...settledRepository, ...formerRepository };

interface WebhooksServicesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly metrics: Metrics;
  /** To workforce, as the peer `services`. */
  readonly connect: Carrier["connect"];
  readonly settings: WebhooksSettings;
  /** Of this program, for the User-Agent of deliveries (R-E13). */
  readonly version: string;
  /** What waits for the second and the third attempt: the store itself, or Temporal by way of the worker. */
  readonly retries: RetryEngine["name"];
  /** Where this installation listens itself; no endpoint may lead there. */
  readonly own?: OwnListeners;
}

/** Everything of webhooks that has a store: what operators and the dispatcher call, and the relay. */
export function webhooksServices({
  store,
  clock,
  random,
  wake,
  sealer,
  log,
  metrics,
  connect,
  settings,
  version,
  retries,
  own,
}: WebhooksServicesDeps): {
  readonly registrations: readonly Registration[];
  readonly loops: readonly Loop[];
  readonly checks: readonly HealthCheck[];
  readonly erasers: readonly Eraser[];
} {
  const db = store.view<WebhooksTables>();
  const changes = createChanges<WebhooksTables>({ store, clock, random, wake });
  const subscriptions = subscriptionRepository(db);
  const paces = createPaces({ timeoutMs: settings["webhook-timeout-ms"] });
  const deliveries = deliveryRepository(db, MOVES, (subscriptionId) => paces.isProven({ subscriptionId, slow: false }));
  const events = eventRepository(db);
  const feed = feedRepository(db);
  const queue = queueRepository(db, MOVES);
  const lines = linesRepository(db);
  const handOvers = handOverRepository(db, MOVES);
  const retryEngine = retries === "temporal" ? outsideRetryEngine : embeddedRetryEngine;
  const leaseMs = settings["webhook-lease-ms"];
  const perOrigin = settings["webhook-concurrency-per-endpoint"];
  const now = () => clock.now();
  measureOutbox(metrics, store, now);
  measureHandOvers(metrics, handOvers, now);
  const watch = handOverWatch({ handOvers, clock, log });
  const recoveries = composeRecoveries({ db, changes, moves: MOVES, subscriptions, clock, random, wake, settings });

  // What the methods of one subject are given.
  const recording = {
    changes,
    clock,
    random,
    jitter: settings["webhook-jitter"],
    queue,
    subscriptions,
    subscriptionChanges: subscriptionChangeRepository,
    failingRuns: failingRunRepository,
    retryEngine,
    paces,
    metrics: deliveryMetrics(metrics, lines, now),
  };
  const secrets = openedSecrets((sealed, row) => sealer.open(sealed, row), clock);
  const signing = { ...recording, secrets, log, userAgent: `Gatehouse/${version}` };
  const endpoints = {
    allowHttp: settings["webhook-allow-http"],
    allowedNetworks: settings["webhook-allowed-networks"],
    allowedPorts: settings["webhook-endpoint-ports"],
    own,
  };
  const eventFeeds = eventFeed({
    feed,
    cursors: feedCursors(sealer),
    waiters: feedWaiters({ feed, wake }),
    findSigner: async (id, at) => (await subscriptions.listSigners(db, [id], at))[0],
    secrets,
    clock,
  });
  const explanations = eventExplanations({
    ...{ events, deliveries },
    findSubscription: (id) => subscriptions.find(db, id),
    findWaiting: (id) => findWaiting(db, id),
  });
  const workforce = connect(ConnectionsService);
  const delaysMs = settings["webhook-attempt-delays"];
  const recoveryRuns = {
    changes,
    subscriptions,
    clock,
    wake,
    recoveries: recoveries.recoveries,
    takeStep: recoveries.takeStep,
  };
  const lives = subscriptionLives({
    ...{ db, changes, clock, random, wake, sealer, workforce, endpoints, subscriptions, deliveries },
    ofSubscription: subscriptionDeliveriesRepository(MOVES),
  });

  const relaying = { changes, random, subscriptions, connections: connectionRepository, deliveries, events, delaysMs };
  const allowance = testEventAllowance(clock);
  const testEvents = createTestEvents({ changes, random, subscriptions, deliveries, delaysMs, allowance });

  return {
    registrations: [
      registration(OperatorService, {
        createSubscription: byOperator(lives.create),
        listSubscriptions: byOperator(lives.list),
        listDeliveries: listDeliveries({ deliveries }),
        releaseDeliveries: releaseDeliveries({ changes, suspended: suspendedDeliveryRepository(db, MOVES) }),
        ...recoveries.operator,
      }),
      registration(SubscriptionsService, {
        getSubscription: byOperator(lives.get),
        updateSubscription: byOperator(lives.update),
        pauseSubscription: byOperator(lives.pause),
        resumeSubscription: byOperator(lives.resume),
        enableSubscription: byOperator(lives.enable),
        deleteSubscription: byOperator(lives.remove),
        pingSubscription: byOperator(lives.ping),
        rotateSecret: byOperator(lives.rotateSecret),
        revokeSecret: byOperator(lives.revokeSecret),
      }),
      registration(PublicKeysService, { listPublicKeys: lives.listPublicKeys }),
      registration(TestEventsService, {
        triggerTestEvent: (request, call) => testEvents.trigger(operatorScope(call), request, call),
      }),
      registration(EventsService, {
        listEvents: listEvents({ events }),
        explainEvent: explainEvent(explanations),
        readFeed: readFeed(eventFeeds),
      }),
      registration(
        IntegratorService,
        asIntegrator(
          connect(CallersService),
          integratorMethods({
            ...{ lives, recoveries: recoveries.services, feeds: eventFeeds, explanations, testEvents, random },
            ownDeliveries: { deliveries, subscriptions: ownSubscriptionRepository(db) },
          }),
        ),
      ),
      registration(DispatchService, {
        claimDue: claimDue({
          ...signing,
          lanes: createLanes({ queue, lines, paces, leaseMs, perOrigin }),
          wake,
        }),
        recordOutcomes: recordOutcomes(recording),
        returnClaims: returnClaims({ changes, queue, retryEngine }),
        claimHandOvers: claimHandOvers({ changes, handOvers, clock, wake, watch }),
        confirmHandOvers: confirmHandOvers({ changes, handOvers }),
        claimOne: claimOne({ ...signing, lines, handOvers, leaseMs, perOrigin }),
        recordOne: recordOne({ ...recording, handOvers }),
        cancelDelivery: cancelDelivery({ changes, handOvers }),
        listHandedOver: listHandedOver({ handOvers }),
        returnHandOvers: returnHandOvers({ changes, handOvers }),
        claimRecoveries: claimRecoveries(recoveryRuns),
        advanceRecovery: advanceRecovery(recoveryRuns),
        changeRecovery: changeRecoveryRun(recoveryRuns),
      }),
    ],
    loops: [
      relayLoop({ ...relaying, wake, showOperational: operationalNotices(log, metrics) }),
      formerRowsLoop(changes, MOVES),
      webhookSweepLoop({ db, clock, settings }),
      expiringSecretsLoop(changes, expiringSecretRepository),
      ...(retries === "embedded" ? [takeBackLoop(changes, handOvers), recoveries.loop] : [watch.loop]),
    ],
    checks: retries === "embedded" ? [] : [watch.check],
    erasers: [bodyEraser({ db, changes })],
  };
}

/**
 * What a restore does to webhooks: makes the deliveries of every event that waits in the outbox, then suspends all
 * pending ones, since they may have been delivered after the backup (R-X248).
 */
export function webhooksRestored({
  store,
  clock,
  random,
  wake,
  settings,
}: Pick<WebhooksServicesDeps, "store" | "clock" | "random" | "wake" | "settings">): {
  /** Tables whose numbers are in the cursors of feeds. */
  readonly numberedForOthers: readonly string[];
  prepare(): Promise<void>;
  suspendAll(tx: AnyTransaction, at: Date): Promise<number>;
} {
  const db = store.view<WebhooksTables>();
  const changes = createChanges<WebhooksTables>({ store, clock, random, wake });
  const relaying = {
    ...{ changes, random, subscriptions: subscriptionRepository(db), connections: connectionRepository },
    ...{
      deliveries: deliveryRepository(db, MOVES),
      events: eventRepository(db),
      delaysMs: settings["webhook-attempt-delays"],
    },
  };
  return {
    numberedForOthers: ["webhooks_queue"],
    prepare: () => relayAll(relaying),
    async suspendAll(tx, at) {
      await recoveryRepository(db).pauseAll(seenAs(tx), "store_restored");
      return suspendedDeliveryRepository(db, MOVES).suspendAll(seenAs(tx), at);
    },
  };
}
