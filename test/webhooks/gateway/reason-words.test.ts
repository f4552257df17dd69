import gatewayContract from "../../../generated/contracts/gateway.json" with { type: "json" };
import eventsContract from "../../../generated/contracts/webhooks.asyncapi.json" with { type: "json" };
import { OutcomeClass } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import type { ConnectionState } from "../../../src/webhooks/connections/connection.ts";
import type { Delivery, EndedAttempt } from "../../../src/webhooks/deliveries/delivery.ts";
import { BLOCKED_REASONS, DELIVERY_REASONS } from "../../../src/webhooks/deliveries/delivery-reason.ts";
import { FAILED_OUTCOMES, toOutcome } from "../../../src/webhooks/deliveries/outcome.ts";
import { afterAttempt } from "../../../src/webhooks/queue/attempt-schedule.ts";
import { RECOVERY_REASONS } from "../../../src/webhooks/recoveries/recovery-reason.ts";
import { blockedBy, DELETED } from "../../../src/webhooks/subscriptions/may-send.ts";
import { integrationScope, operatorScope } from "../../../src/webhooks/subscriptions/scope.ts";
import { STATE_REASONS } from "../../../src/webhooks/subscriptions/state-reason.ts";
import type { Subscription, SubscriptionState } from "../../../src/webhooks/subscriptions/subscription.ts";
import { toMessage } from "../../../src/webhooks/subscriptions/subscription-message.ts";
import { INTEGRATION_ID } from "../webhooks-kit.ts";

const NOW = new Date("2026-06-30T08:00:00.000Z");
const STATES: readonly SubscriptionState[] = ["pending", "active", "paused", "disabled"];
const CONNECTIONS: readonly ConnectionState[] = ["configured", "unconfigured", "revoked"];

/** Subscriptions in every state that they can have. */
const SUBSCRIPTIONS = STATES.flatMap((state) =>
  CONNECTIONS.flatMap((connection) =>
    ["https://hooks.example/", ""].map((endpointUrl) => ({ state, connection, endpointUrl })),
  ),
);

/** Why nothing is sent to one of them. */
const BLOCKED = SUBSCRIPTIONS.flatMap((one) => blockedBy(one)?.reason ?? []);

const OUTCOMES: readonly EndedAttempt["outcome"][] = [
  ...Object.values(OutcomeClass).flatMap((one) => toOutcome(one) ?? []),
  "lost",
];

/** Why a delivery is exhausted, after an only attempt that ended in each way. */
const EXHAUSTED = OUTCOMES.flatMap((outcome) => {
  const delivery: Pick<Delivery, "attempts" | "delaysMs"> = { attempts: 1, delaysMs: [] };
  const next = afterAttempt({ outcome, delivery: delivery as Delivery }, NOW, { random: systemRandom, jitter: 0 });
  return next.kind === "exhausted" ? next.reason : [];
});

/** Why a subscription is shown as disabled: as it is stored, or by its instance integration. */
const SHOWN = (["gone", "failing", undefined] as const).flatMap((stateReason) =>
  SUBSCRIPTIONS.flatMap((one) => {
    const lists = { eventTypes: [], tenantIds: [], extraHeaderNames: [] };
    const stored: Partial<Subscription> = {
      ...{ ...one, ...lists, stateReason },
      ...{ stateSince: NOW, createdAt: NOW, updatedAt: NOW },
    };
    return toMessage(stored as Subscription, []).stateReason ?? [];
  }),
);

const ASKING = [operatorScope({ actor: "operator" }), integrationScope(INTEGRATION_ID, "main")].map(({ kind }) => kind);

const REST = gatewayContract.components.schemas;
const EVENTS = eventsContract.components.schemas;

interface Listing {
  readonly "x-extensible-enum": readonly string[];
  readonly description: string;
}

const unique = (words: readonly string[]): readonly string[] => [...new Set(words)].toSorted();

describe("why something was not sent (R-E8, R-X296)", () => {
  it.each<[string, Listing, readonly string[]]>([
    ["a delivery", REST.Delivery.properties.reason, DELIVERY_REASONS],
    ["a subscription", REST.Subscription.properties.stateReason, STATE_REASONS],
    ["a recovery", REST.Recovery.properties.reason, RECOVERY_REASONS],
    ["a test event", REST.TestEvent.properties.skippedReason, BLOCKED_REASONS],
    ["an event about a delivery", EVENTS.DeliverySnapshot.properties.reason, FAILED_OUTCOMES],
    ["an event about a subscription", EVENTS.SubscriptionSnapshot.properties.stateReason, ["gone", "failing"]],
  ])("is said of %s in words that the contract lists, each with its meaning", (_, listing, words) => {
    const { description, "x-extensible-enum": listed } = listing;
    expect(listed.toSorted()).toEqual(unique(words));
    expect(listed.filter((word) => !description.includes(`\`${word}\``))).toEqual([]);
  });

  // The words that stand here as texts are brought about in resend, rounds, recoveries.long and backup-and-restore.long.
  it.each<[string, readonly string[], readonly string[]]>([
    [
      "a delivery",
      DELIVERY_REASONS,
      [...BLOCKED, DELETED.reason, ...EXHAUSTED, "body_removed", "operator", "store_restored"],
    ],
    ["a subscription", STATE_REASONS, SHOWN],
    ["a recovery", RECOVERY_REASONS, [...BLOCKED, DELETED.reason, ...ASKING, "endpoint_failing", "store_restored"]],
    ["a test event", BLOCKED_REASONS, BLOCKED],
    ["an event about a delivery", FAILED_OUTCOMES, EXHAUSTED],
  ])("of %s is each of the listed words, and no other", (_, listed, brought) => {
    expect(unique(brought)).toEqual(unique(listed));
  });
});
