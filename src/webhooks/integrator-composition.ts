import { randomCharacters } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { EventRepository } from "./events/event-repository.ts";
import { listOwnEvents } from "./events/events-service.ts";
import type { EventExplanations } from "./events/explain-service.ts";
import type { EventFeed } from "./feed/feed-service.ts";
import type { ScopedMethods } from "./integrator/integrator-call.ts";
import type { sealingCursors } from "./integrator/own-cursors.ts";
import { getOwnDelivery, listOwnDeliveries, type OwnDeliveriesDeps } from "./integrator/own-deliveries-service.ts";
import type { OwnFilters } from "./integrator/own-filters.ts";
import type { TestEvents } from "./trials/test-events-service.ts";

interface IntegratorParts {
  /** What can be done with subscriptions. */
  readonly subscriptions: {
    readonly create: ScopedMethods["createSubscription"];
    readonly list: ScopedMethods["listSubscriptions"];
    readonly get: ScopedMethods["getSubscription"];
    readonly update: ScopedMethods["updateSubscription"];
    readonly pause: ScopedMethods["pauseSubscription"];
    readonly resume: ScopedMethods["resumeSubscription"];
    readonly enable: ScopedMethods["enableSubscription"];
    readonly remove: ScopedMethods["deleteSubscription"];
    readonly ping: ScopedMethods["pingSubscription"];
    readonly rotateSecret: ScopedMethods["rotateSecret"];
    readonly revokeSecret: ScopedMethods["revokeSecret"];
  };
  /** What can be sent again. */
  readonly recoveries: Pick<
    ScopedMethods,
    | ("resendDelivery" | "startRecovery" | "startRecoveries" | "listRecoveries" | "getRecovery")
    | ("pauseRecovery" | "resumeRecovery" | "cancelRecovery")
  >;
  readonly feeds: EventFeed;
  readonly events: EventRepository;
  readonly filters: OwnFilters;
  readonly explanations: EventExplanations;
  readonly testEvents: TestEvents;
  readonly signTestMessages: ScopedMethods["signTestMessages"];
  readonly ownDeliveries: OwnDeliveriesDeps;
  readonly sealed: ReturnType<typeof sealingCursors>;
  readonly random: Random;
}

/** The methods of integrations: those of operators in an integration's scope, and five of their own. */
export const integratorMethods = ({
  subscriptions,
  recoveries,
  feeds,
  events,
  filters,
  explanations,
  testEvents,
  signTestMessages,
  ownDeliveries,
  sealed,
  random,
}: IntegratorParts): ScopedMethods => ({
  checkIntegrator: async () => ({}),
  listOwnDeliveries: sealed("deliveries", listOwnDeliveries(ownDeliveries)),
  getOwnDelivery: getOwnDelivery(ownDeliveries),
  createSubscription: (scope, request, call) =>
    subscriptions.create(scope, { ...request, label: newLabel(random) }, call),
  listSubscriptions: subscriptions.list,
  getSubscription: subscriptions.get,
  updateSubscription: subscriptions.update,
  pauseSubscription: subscriptions.pause,
  resumeSubscription: subscriptions.resume,
  enableSubscription: subscriptions.enable,
  deleteSubscription: subscriptions.remove,
  pingSubscription: subscriptions.ping,
  rotateSecret: subscriptions.rotateSecret,
  revokeSecret: subscriptions.revokeSecret,
  triggerTestEvent: (scope, request, call) => testEvents.trigger(scope, request, call),
  signTestMessages,
  readFeed: async (scope, { after, ...asked }, call) => ({
    page: await feeds.read(scope, { ...asked, after: after ?? undefined }, call.waiting),
  }),
  listOwnEvents: sealed("events", listOwnEvents({ events, filters })),
  explainEvent: async (scope, request) => ({ explanation: await explanations.explain(scope, request) }),
  ...recoveries,
  listRecoveries: sealed("recoveries", recoveries.listRecoveries),
});

/**
 * The label of a subscription that an integration makes. Labels are unique in an installation: one of the integration's
 * choice would reveal which labels others have (R-X301).
 */
const newLabel = (random: Random): string => `api-${randomCharacters(random, 16).toLowerCase()}`;
