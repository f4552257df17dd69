import type { Clock } from "#runtime/basis/clock.ts";
import { DAY_MS } from "#runtime/basis/durations.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Database } from "#runtime/database/database.ts";
import { lockQueue } from "#runtime/database/lock-queue.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import type { DeliveryMoves } from "../deliveries/moves.ts";
import type { OwnFilters } from "../integrator/own-filters.ts";
import { isClockSet } from "../queue/far-instant.ts";
import type { WebhooksSettings } from "../settings.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { getRecovery, listRecoveries } from "./recoveries-service.ts";
import { changeRecovery } from "./recovery-changes-service.ts";
import { recoveryDeliveryRepository } from "./recovery-delivery-repository.ts";
import { recoveryLoop } from "./recovery-loop.ts";
import { recoveryRepository } from "./recovery-repository.ts";
import { resendRepository } from "./resend-repository.ts";
import { resendDelivery } from "./resend-service.ts";
import { startRecoveries, startRecovery } from "./start-recovery-service.ts";
import { placesOfRecoveries } from "./step-service.ts";
import { recoverySteps } from "./take-step-service.ts";

/** Each keeps the lock of all steps from its beginning. */
const STEPS_AT_ONCE = 1;

interface RecoveriesCompositionDeps {
  readonly db: Database<WebhooksTables>;
  readonly changes: Changes<WebhooksTables>;
  /** Those that operators and integrations ask for. */
  readonly requested: Changes<WebhooksTables>;
  readonly moves: Pick<DeliveryMoves, "moveFormer">;
  readonly subscriptions: Pick<SubscriptionRepository, "find" | "list">;
  readonly filters: OwnFilters;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly settings: Pick<
    WebhooksSettings,
    "webhook-concurrency-per-endpoint" | "webhook-delivery-days" | "webhook-recovery-share"
  >;
  readonly ranMs: () => number;
}

/** Resends of single deliveries, and stored jobs that send many again. */
export function composeRecoveries(given: RecoveriesCompositionDeps) {
  const { db, changes, requested, moves, subscriptions, filters, clock, random, wake, settings, ranMs } = given;
  const recoveries = recoveryRepository(db);
  const resends = resendRepository(moves);
  const perOrigin = placesOfRecoveries(settings);
  const keepMs = settings["webhook-delivery-days"] * DAY_MS;
  const recovered = recoveryDeliveryRepository;
  const inTurn = lockQueue(db, STEPS_AT_ONCE);
  const takeStep = recoverySteps({
    changes,
    inTurn,
    recoveries,
    recovered,
    resends,
    subscriptions,
    perOrigin,
    keepMs,
    isClockSet: () => isClockSet(ranMs()),
  });
  const changing = { changes: requested, recoveries, recovered, subscriptions };
  const starting = { changes: requested, recoveries, subscriptions, filters, clock, random };
  /** What is asked in a scope: an operator's, or an integration's. */
  const services = {
    resendDelivery: resendDelivery({ changes: requested, resends, subscriptions }),
    startRecovery: startRecovery(starting),
    startRecoveries: startRecoveries(starting),
    listRecoveries: listRecoveries({ recoveries, filters }),
    getRecovery: getRecovery({ recoveries }),
    pauseRecovery: changeRecovery(changing, "pause"),
    resumeRecovery: changeRecovery(changing, "resume"),
    cancelRecovery: changeRecovery(changing, "cancel"),
  };
  return {
    recoveries,
    takeStep,
    recovered,
    /** Takes the steps where the store is the retry engine. */
    loop: recoveryLoop({ name: "webhook-recoveries", list: recoveries.listActive, takeStep, wake }),
    /** Counts, where an engine outside the store takes them, what is under way of those that were cancelled. */
    endingsLoop: recoveryLoop({ name: "webhook-recovery-endings", list: recoveries.listEnding, takeStep, wake }),
    services,
  };
}
