import { OPERATIONAL_EVENT_TYPES, type OperationalEventType } from "#generated/event-types.ts";
import type {
  DeliveryId,
  EventId,
  InstanceId,
  InstanceIntegrationId,
  SubscriptionId,
  TenantId,
} from "#runtime/basis/ids.ts";

/** An operational event as a change emits it: for the instance integration whose subscription it is about (R-X310). */
export interface NewOperationalEvent {
  readonly eventType: OperationalEventType;
  readonly entity: { readonly type: keyof typeof PLACES; readonly id: string };
  readonly instanceId: InstanceId;
  /** None: a list of tenants neither admits nor refuses it. */
  readonly tenantId: null;
  readonly data: Readonly<Record<string, unknown>>;
  /** Of the resource, in the integrators' API. */
  readonly selfPath: string;
}

/** In the words of the integrators' API. */
const PLACES = { subscription: "subscriptions", delivery: "deliveries", recovery: "recoveries" } as const;

/** Whose subscription an operational event is about. */
interface SubscriptionOwner {
  readonly subscriptionId: SubscriptionId;
  readonly instanceIntegrationId: InstanceIntegrationId;
  readonly instanceId: InstanceId;
}

/** What an event says of a subscription. */
interface SubscriptionFacts extends SubscriptionOwner {
  readonly label: string;
  readonly state: "pending" | "active" | "paused" | "disabled";
  readonly stateReason?: string | undefined;
  /** Since when every delivery that ended was exhausted. */
  readonly failingSince?: Date | undefined;
  /** When it is disabled at the earliest. */
  readonly disablesAt?: Date | undefined;
  /** When it was disabled, also where it is enabled again. */
  readonly disabledAt?: Date | undefined;
  readonly createdAt: Date;
}

/** What an event says of a delivery without an attempt left. */
interface ExhaustedFacts extends SubscriptionOwner {
  readonly deliveryId: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly tenantId: TenantId | undefined;
  /** How the last attempt ended. */
  readonly reason: string;
  readonly httpStatus: number | undefined;
  readonly attempts: number;
  readonly createdAt: Date;
}

/** What an event says of a secret: its number, never the secret. */
export interface SecretFacts extends SubscriptionOwner {
  readonly label: string;
  readonly number: number;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** What an event says of a recovery that has ended. */
interface RecoveryFacts extends SubscriptionOwner {
  readonly recoveryId: string;
  readonly state: "finished" | "cancelled";
  /** Deliveries that it found, and what became of them. */
  readonly matched: number;
  readonly acknowledged: number;
  readonly failed: number;
  readonly bodyRemoved: number;
  readonly createdAt: Date;
}

const TYPES: ReadonlySet<string> = new Set(OPERATIONAL_EVENT_TYPES);

/** True for an event about subscriptions and deliveries themselves. */
export const isOperational = (eventType: string): boolean => TYPES.has(eventType);

/** The instance integration whose subscription an operational event is about; null for every other event. */
export const ownerIdOf = ({
  eventType,
  data,
}: {
  readonly eventType: string;
  readonly data: Readonly<Record<string, unknown>>;
}): string | null => (isOperational(eventType) ? String(data.instanceIntegrationId) : null);

/** `subscription.failing`, `subscription.disabled`, `subscription.enabled`. */
export const subscriptionEvent = (
  eventType: Extract<OperationalEventType, `subscription.${string}`>,
  facts: SubscriptionFacts,
): NewOperationalEvent =>
  event(eventType, facts, {
    entity: { type: "subscription", id: facts.subscriptionId },
    data: {
      ...ownerOf(facts),
      label: facts.label,
      state: facts.state,
      stateReason: facts.stateReason ?? null,
      failingSince: wireTime(facts.failingSince),
      disablesAt: wireTime(facts.disablesAt),
      disabledAt: wireTime(facts.disabledAt),
      createdAt: wireTime(facts.createdAt),
    },
  });

/** `delivery.exhausted`. */
export const deliveryExhausted = (facts: ExhaustedFacts): NewOperationalEvent =>
  event("delivery.exhausted", facts, {
    entity: { type: "delivery", id: facts.deliveryId },
    data: {
      deliveryId: facts.deliveryId,
      ...ownerOf(facts),
      eventId: facts.eventId,
      eventType: facts.eventType,
      clientId: facts.tenantId ?? null,
      reason: facts.reason,
      httpStatus: facts.httpStatus ?? null,
      attempts: facts.attempts,
      createdAt: wireTime(facts.createdAt),
    },
  });

/** `secret.expiring`. */
export const secretExpiring = (facts: SecretFacts): NewOperationalEvent =>
  event("secret.expiring", facts, {
    entity: { type: "subscription", id: facts.subscriptionId },
    data: {
      ...ownerOf(facts),
      label: facts.label,
      number: facts.number,
      expiresAt: wireTime(facts.expiresAt),
      createdAt: wireTime(facts.createdAt),
    },
  });

/** `recovery.finished`. */
export const recoveryFinished = (facts: RecoveryFacts): NewOperationalEvent =>
  event("recovery.finished", facts, {
    entity: { type: "recovery", id: facts.recoveryId },
    data: {
      recoveryId: facts.recoveryId,
      ...ownerOf(facts),
      state: facts.state,
      matched: facts.matched,
      acknowledged: facts.acknowledged,
      failed: facts.failed,
      bodyRemoved: facts.bodyRemoved,
      createdAt: wireTime(facts.createdAt),
    },
  });

const event = (
  eventType: OperationalEventType,
  { instanceId }: SubscriptionOwner,
  { entity, data }: Pick<NewOperationalEvent, "entity" | "data">,
): NewOperationalEvent => ({
  eventType,
  entity,
  instanceId,
  tenantId: null,
  data,
  selfPath: `/v1/webhooks/${PLACES[entity.type]}/${entity.id}`,
});

const ownerOf = ({ subscriptionId, instanceIntegrationId }: SubscriptionOwner) => ({
  subscriptionId,
  instanceIntegrationId,
});

const wireTime = (instant: Date | undefined): string | null => instant?.toISOString() ?? null;
