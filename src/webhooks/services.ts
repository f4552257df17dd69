import { EventsService } from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import { IntegratorService } from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { OperatorService } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { PublicKeysService, SubscriptionsService } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { TestEventsService } from "#generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { CallersService } from "#generated/proto/gatehouse/workforce/v1/callers.ts";
import { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { type ChangesDeps, createChanges } from "#runtime/changes/change.ts";
import { queuedChanges } from "#runtime/changes/queued-changes.ts";
import type { Eraser } from "#runtime/erasure/erasures.ts";
import { findWaiting } from "#runtime/outbox/outbox.ts";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Loop } from "#runtime/process/loop.ts";
import type { Metrics } from "#runtime/process/metrics.ts";
import { type Carrier, type Registration, registration } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import { connectionRepository } from "./connections/connection-repository.ts";
import { bodyEraser } from "./deliveries/body-eraser.ts";
import { listDeliveries } from "./deliveries/deliveries-service.ts";
import { deliveryBodyRepository } from "./deliveries/delivery-body-repository.ts";
import { deliveryRepository } from "./deliveries/delivery-repository.ts";
import { formerRowsLoop } from "./deliveries/former-rows-loop.ts";
import { deliveryMoves } from "./deliveries/moves-service.ts";
import { newDeliveryRepository } from "./deliveries/new-delivery-repository.ts";
import { revealBody } from "./deliveries/reveal-body-service.ts";
import { subscriptionDeliveriesRepository } from "./deliveries/subscription-deliveries-repository.ts";
import { webhookSweepLoop } from "./deliveries/webhook-sweep-loop.ts";
import { composeDispatch } from "./dispatch-composition.ts";
import type { OwnListeners } from "./endpoints/own-listeners.ts";
import { eventRepository } from "./events/event-repository.ts";
import { listEvents } from "./events/events-service.ts";
import { eventExplanations, explainEvent } from "./events/explain-service.ts";
import { operationalNotices } from "./events/operational-notices.ts";
import { measureOutbox, relayLoop } from "./events/relay-loop.ts";
import { feedCursors } from "./feed/feed-cursor.ts";
import { feedRepository } from "./feed/feed-repository.ts";
import { eventFeed, readFeed } from "./feed/feed-service.ts";
import { feedWaiters } from "./feed/feed-waiters-service.ts";
import type { FindSigner } from "./feed/own-signer-service.ts";
import { asIntegrator } from "./integrator/integrator-call.ts";
import { sealingCursors } from "./integrator/own-cursors.ts";
import { ownFilters } from "./integrator/own-filters.ts";
import { integratorMethods } from "./integrator-composition.ts";
import { openedSecrets } from "./queue/opened-secrets.ts";
import { createPaces } from "./queue/paces.ts";
import type { RetryEngine } from "./queue/retry-engine.ts";
import { releaseDeliveries } from "./queue/suspended-deliveries-service.ts";
import { suspendedDeliveryRepository } from "./queue/suspended-delivery-repository.ts";
import { composeRecoveries } from "./recoveries/recoveries-composition.ts";
import { expiringSecretRepository } from "./secrets/expiring-secret-repository.ts";
import { expiringSecretsLoop } from "./secrets/expiring-secrets-loop.ts";
import type { WebhooksSettings } from "./settings.ts";
import { ownSubscriptionRepository } from "./subscriptions/own-subscription-repository.ts";
import { byOperator, operatorScope } from "./subscriptions/scope.ts";
import { subscriptionRepository } from "./subscriptions/subscription-repository.ts";
import { composeSubscriptions } from "./subscriptions-composition.ts";
import type { WebhooksTables } from "./tables.ts";
import { testSequences } from "./trials/test-event.ts";
import { createTestEvents } from "./trials/test-events-service.ts";
import { signTestMessages } from "./trials/test-messages-service.ts";
import { testEventAllowance, testMessageAllowance } from "./trials/trial-allowances.ts";

export { webhooksMigrations } from "./migrations/index.ts";
export { NUMBERS_ELSEWHERE } from "./numbers-elsewhere.ts";
export { webhooksRestored } from "./restored-composition.ts";
export { sealedOfSubscriptions } from "./subscriptions/sealed-columns.ts";
export { webhooksUpkeep } from "./upkeep.ts";

interface WebhooksServicesDeps extends ChangesDeps {
  /** By which rows are removed for good. */
  readonly sweepClock: Clock;
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
  /** How long the process has run, by a clock that is never set; by default this one. */
  readonly ranMs?: () => number;
  /** Where this installation listens itself; no endpoint may lead there. */
  readonly own?: OwnListeners;
}

/** Everything of webhooks that has a store: what operators, integrations and the worker call, and its loops. */
export function webhooksServices(given: WebhooksServicesDeps): {
  readonly registrations: readonly Registration[];
  readonly loops: readonly Loop[];
  readonly checks: readonly HealthCheck[];
  readonly erasers: readonly Eraser[];
  /** Gives out no attempt any more, and waits until those under way are reported, for so long at most (R-X416). */
  readonly leave: (ms: number) => Promise<void>;
} {
  const { store, clock, sweepClock, random, wake, sealer, log, metrics, connect, settings, version, retries, own } =
    given;
  const { ranMs = () => process.uptime() * 1_000 } = given;
  const db = store.view<WebhooksTables>();
  const changes = createChanges<WebhooksTables>({ store, clock, random, wake });
  const requested = queuedChanges(store, changes);
  const subscriptions = subscriptionRepository(db);
  const paces = createPaces({ timeoutMs: settings["webhook-timeout-ms"] });
  const isProven = (subscriptionId: string, origin: string): boolean =>
    paces.isProven({ subscriptionId, origin, slow: false });
  const deliveries = deliveryRepository(db, deliveryMoves);
  const newDeliveries = newDeliveryRepository(deliveryMoves, isProven);
  const events = eventRepository(db);
  const feed = feedRepository(db);
  const secrets = openedSecrets((sealed, row) => sealer.open(sealed, row), clock);
  const delaysMs = settings["webhook-attempt-delays"];
  measureOutbox(metrics, store, () => clock.now());

  // What the parts are put together of.
  const common = { db, changes, clock, random, wake, subscriptions, settings };
  const workforce = connect(ConnectionsService);
  const ownSubscriptions = ownSubscriptionRepository(db);
  const filters = ownFilters({ subscriptions: ownSubscriptions, workforce });
  const ofSubscriptions = composeSubscriptions({
    ...common,
    changes: requested,
    sealer,
    workforce,
    endpoints: {
      allowHttp: settings["webhook-allow-http"],
      allowedNetworks: settings["webhook-allowed-networks"],
      allowedPorts: settings["webhook-endpoint-ports"],
      own,
    },
    deliveries,
    newDeliveries,
    ofSubscription: subscriptionDeliveriesRepository(deliveryMoves),
  });
  const recoveries = composeRecoveries({ ...common, requested, moves: deliveryMoves, filters, ranMs });
  const dispatch = composeDispatch({ ...common, log, metrics, secrets, paces, recoveries, version, retries, ranMs });
  const findSigner: FindSigner = async (id, at) => (await subscriptions.listSigners(db, [id], at))[0];
  const feeds = eventFeed({
    feed,
    cursors: feedCursors(sealer),
    waiters: feedWaiters({ feed, wake }),
    findSigner,
    secrets,
    clock,
    log,
  });
  const explanations = eventExplanations({
    events,
    deliveries,
    findSubscription: (id) => subscriptions.find(db, id),
    findWaiting: (id) => findWaiting(db, id),
  });
  const allowance = testEventAllowance(clock);
  const sequenceAt = testSequences();
  const testEvents = createTestEvents({
    changes: requested,
    random,
    subscriptions,
    newDeliveries,
    delaysMs,
    allowance,
    sequenceAt,
  });

  return {
    registrations: [
      registration(OperatorService, {
        createSubscription: byOperator(ofSubscriptions.create),
        listSubscriptions: byOperator(ofSubscriptions.list),
        listDeliveries: listDeliveries({ deliveries }),
        revealBody: revealBody({ changes: requested, bodies: deliveryBodyRepository }),
        releaseDeliveries: releaseDeliveries({
          changes: requested,
          suspended: suspendedDeliveryRepository(db, deliveryMoves),
        }),
        resendDelivery: byOperator(recoveries.services.resendDelivery),
        startRecovery: byOperator(recoveries.services.startRecovery),
        startRecoveries: byOperator(recoveries.services.startRecoveries),
        listRecoveries: byOperator(recoveries.services.listRecoveries),
        getRecovery: byOperator(recoveries.services.getRecovery),
        pauseRecovery: byOperator(recoveries.services.pauseRecovery),
        resumeRecovery: byOperator(recoveries.services.resumeRecovery),
        cancelRecovery: byOperator(recoveries.services.cancelRecovery),
      }),
      registration(SubscriptionsService, {
        getSubscription: byOperator(ofSubscriptions.get),
        updateSubscription: byOperator(ofSubscriptions.update),
        pauseSubscription: byOperator(ofSubscriptions.pause),
        resumeSubscription: byOperator(ofSubscriptions.resume),
        enableSubscription: byOperator(ofSubscriptions.enable),
        deleteSubscription: byOperator(ofSubscriptions.remove),
        pingSubscription: byOperator(ofSubscriptions.ping),
        rotateSecret: byOperator(ofSubscriptions.rotateSecret),
        revokeSecret: byOperator(ofSubscriptions.revokeSecret),
      }),
      registration(PublicKeysService, { listPublicKeys: ofSubscriptions.listPublicKeys }),
      registration(TestEventsService, {
        triggerTestEvent: (request, call) => testEvents.trigger(operatorScope(call), request, call),
      }),
      registration(EventsService, {
        listEvents: listEvents({ events }),
        explainEvent: explainEvent(explanations),
        readFeed: readFeed(feeds),
      }),
      registration(
        IntegratorService,
        asIntegrator(
          connect(CallersService),
          integratorMethods({
            subscriptions: ofSubscriptions,
            recoveries: recoveries.services,
            feeds,
            events,
            filters,
            explanations,
            testEvents,
            signTestMessages: signTestMessages({
              changes: requested,
              random,
              clock,
              findSigner,
              findSubscription: (id) => subscriptions.find(db, id),
              secrets,
              allowance: testMessageAllowance(clock),
              sequenceAt,
              log,
            }),
            sealed: sealingCursors(sealer),
            ownDeliveries: {
              deliveries,
              subscriptions: ownSubscriptions,
              filters,
              couldMatch: (integrationId, eventId) =>
                events.isSeenBy({ integrationId, instanceIntegrationId: undefined }, eventId),
            },
            random,
          }),
        ),
      ),
      dispatch.registration,
    ],
    loops: [
      relayLoop({
        changes,
        random,
        subscriptions,
        connections: connectionRepository,
        newDeliveries,
        events,
        delaysMs,
        wake,
        takeWith: dispatch.takeWith,
        showOperational: operationalNotices(log, metrics),
      }),
      formerRowsLoop(changes, deliveryMoves),
      webhookSweepLoop({ db, clock, sweepClock, settings }),
      expiringSecretsLoop(changes, expiringSecretRepository),
      ...dispatch.loops,
    ],
    checks: dispatch.checks,
    erasers: [bodyEraser({ db, changes })],
    leave: dispatch.leave,
  };
}
