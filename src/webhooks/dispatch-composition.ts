import { DispatchService } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Database } from "#runtime/database/database.ts";
import { lockQueue } from "#runtime/database/lock-queue.ts";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Loop } from "#runtime/process/loop.ts";
import type { Metrics } from "#runtime/process/metrics.ts";
import { type Registration, registration } from "#runtime/rpc/call.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { DELIVERIES_CHANNEL } from "./deliveries/delivery.ts";
import { deliveryMoves } from "./deliveries/moves-service.ts";
import { deliveryMetrics } from "./queue/delivery-metrics.ts";
import { claimDue, createDueClaims, recordOutcomes, returnClaims } from "./queue/due-deliveries-service.ts";
import { isClockSet } from "./queue/far-instant.ts";
import { farInstantRepository } from "./queue/far-instant-repository.ts";
import { farInstantsLoop } from "./queue/far-instants-loop.ts";
import { givenAttempts } from "./queue/given-attempts-service.ts";
import { createLanes } from "./queue/lanes-service.ts";
import { linesRepository } from "./queue/lines-repository.ts";
import type { OpenedSecrets } from "./queue/opened-secrets.ts";
import type { Paces } from "./queue/paces.ts";
import { queueRepository } from "./queue/queue-repository.ts";
import { embeddedRetryEngine, outsideRetryEngine, type RetryEngine } from "./queue/retry-engine.ts";
import type { RecoveryDeliveryRepository } from "./recoveries/recovery-delivery-repository.ts";
import type { RecoveryRepository } from "./recoveries/recovery-repository.ts";
import type { TakeRecoveryStep } from "./recoveries/take-step-service.ts";
import type { WebhooksSettings } from "./settings.ts";
import { failingRunRepository } from "./subscriptions/failing-run-repository.ts";
import { subscriptionChangeRepository } from "./subscriptions/subscription-change-repository.ts";
import type { SubscriptionRepository } from "./subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "./tables.ts";
import { createCrowdedWaits } from "./temporal/crowded-waits.ts";
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

/** Claims of rounds: one that waits for a delivery which another process keeps leaves the turn to others. */
const ROUNDS_AT_ONCE = 3;

interface DispatchCompositionDeps {
  readonly db: Database<WebhooksTables>;
  readonly changes: Changes<WebhooksTables>;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly subscriptions: SubscriptionRepository;
  readonly secrets: OpenedSecrets;
  readonly paces: Paces;
  readonly recoveries: {
    readonly recoveries: RecoveryRepository;
    readonly recovered: RecoveryDeliveryRepository;
    readonly takeStep: TakeRecoveryStep;
    /** Takes the steps where the store is the retry engine. */
    readonly loop: Loop;
    /** Takes where it is not those that no engine takes. */
    readonly endingsLoop: Loop;
  };
  readonly settings: Pick<WebhooksSettings, "webhook-jitter" | "webhook-lease-ms" | "webhook-concurrency-per-endpoint">;
  readonly version: string;
  readonly retries: RetryEngine["name"];
  readonly ranMs: () => number;
}

interface DispatchComposition {
  readonly registration: Registration;
  readonly loops: readonly Loop[];
  readonly checks: readonly HealthCheck[];
  /** For what makes deliveries that are due. */
  readonly takeWith: ReturnType<typeof createDueClaims>["takeWith"];
  /** Gives out no attempt any more, and waits until those under way are reported, for so long at most (R-X416). */
  readonly leave: (ms: number) => Promise<void>;
}

/** What the worker asks for: attempts and their outcomes, deliveries for the retry engine, recoveries for workflows. */
export function composeDispatch(given: DispatchCompositionDeps): DispatchComposition {
  const { db, changes, clock, random, wake, log, metrics, subscriptions, secrets, paces, settings, retries } = given;
  const { ranMs } = given;
  const { recoveries, recovered, takeStep, loop: recoveryLoop, endingsLoop } = given.recoveries;
  const queue = queueRepository(db, deliveryMoves);
  const lines = linesRepository(db, { countsRetries: retries === "temporal" });
  const handOvers = handOverRepository(db, deliveryMoves);
  const retryEngine = retries === "temporal" ? outsideRetryEngine : embeddedRetryEngine;
  const leaseMs = settings["webhook-lease-ms"];
  const perOrigin = settings["webhook-concurrency-per-endpoint"];
  const lanes = createLanes({ queue, lines, paces, leaseMs, perOrigin });
  const now = () => clock.now();
  measureHandOvers(metrics, handOvers, now);
  const watch = handOverWatch({ handOvers, clock, log });

  // What recording an outcome takes: a claim records some as well, of attempts whose leases have passed.
  const recording = {
    random,
    jitter: settings["webhook-jitter"],
    queue,
    subscriptions,
    subscriptionChanges: subscriptionChangeRepository,
    failingRuns: failingRunRepository,
    isClockSet: () => isClockSet(ranMs()),
    retryEngine,
    paces,
    metrics: deliveryMetrics(metrics, lines, now),
  };
  const claiming = { ...recording, changes, clock, secrets, log, userAgent: `Gatehouse/${given.version}` };
  const waitingClaims = createDueClaims({ ...claiming, lanes });
  const attempts = givenAttempts({ leaseMs, now: ranMs, wakeClaims: () => wake.signal(DELIVERIES_CHANNEL) });

  return {
    registration: registration(DispatchService, {
      ...attempts.watched({
        claimDue: claimDue({ ...claiming, lanes, wake, waitingClaims, isLeaving: attempts.isLeaving }),
        recordOutcomes: recordOutcomes({ ...recording, changes, clock }),
        returnClaims: returnClaims({ changes, queue, retryEngine }),
        claimOne: claimOne({
          ...claiming,
          inTurn: lockQueue(db, ROUNDS_AT_ONCE),
          lines,
          handOvers,
          leaseMs,
          perOrigin,
          crowdedWaits: createCrowdedWaits(),
        }),
        recordOne: recordOne({ ...recording, changes, clock, handOvers }),
      }),
      claimHandOvers: claimHandOvers({ changes, handOvers, clock, wake, watch }),
      confirmHandOvers: confirmHandOvers({ changes, handOvers }),
      cancelDelivery: cancelDelivery({ changes, handOvers }),
      listHandedOver: listHandedOver({ handOvers }),
      returnHandOvers: returnHandOvers({ changes, handOvers }),
      claimRecoveries: claimRecoveries({ changes, recoveries, clock, wake }),
      advanceRecovery: advanceRecovery({ changes, recoveries, recovered, subscriptions, takeStep, clock, wake }),
      changeRecovery: changeRecoveryRun({ changes, recoveries, recovered, subscriptions }),
    }),
    loops: [
      farInstantsLoop({ changes, farInstants: farInstantRepository, log, ranMs }),
      ...(retries === "embedded" ? [takeBackLoop(changes, handOvers), recoveryLoop] : [watch.loop, endingsLoop]),
    ],
    checks: retries === "embedded" ? [] : [watch.check],
    takeWith: waitingClaims.takeWith,
    leave: attempts.leave,
  };
}
