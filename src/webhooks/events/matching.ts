import type { TakenEntry } from "#runtime/outbox/outbox.ts";
import { patternMatches } from "../deliveries/event-type-pattern.ts";
import { isOperational } from "../operational/operational-event.ts";
import type { Subscription } from "../subscriptions/subscription.ts";

/** No list of tenants can name a new one yet, so only subscriptions without a list get its creation (R-E14). */
const NEVER_WITH_A_TENANT_LIST = "client.created";

/** What matching compares of an event. */
export interface MatchedEvent extends Pick<TakenEntry, "eventType" | "instanceId" | "tenantId" | "sequence"> {
  /** Of an operational event: the instance integration whose subscription it is about. */
  readonly ownerId?: string | null;
}

export type RuleName = "connection" | "instance" | "age" | "event_type" | "owner" | "new_tenant" | "tenant";

/** One condition of matching, and what operators and integrators read about it. */
interface MatchingRule {
  readonly name: RuleName;
  readonly fits: (subscription: Subscription, event: MatchedEvent) => boolean;
  /** Why an event that does not fit was not sent. */
  readonly otherwise: (subscription: Subscription, event: MatchedEvent) => string;
}

/**
 * When a subscription gets an event: all of them must fit (R-E14). The outbox's order decides what is older than the
 * subscription, never two clocks (R-X140). The subscription's own state does not matter here: a paused one gets its
 * delivery, skipped. One whose instance integration is revoked gets none. Operational events are about subscriptions:
 * they reach those of the same instance integration alone, whatever their tenants (R-X310).
 */
export const MATCHING_RULES: readonly MatchingRule[] = [
  {
    name: "connection",
    fits: ({ connection }) => connection !== "revoked",
    otherwise: () => "The instance integration of the subscription is revoked.",
  },
  {
    name: "instance",
    fits: (subscription, event) => subscription.instanceId === event.instanceId,
    otherwise: () => "The event happened on another instance than the subscription's.",
  },
  {
    name: "age",
    fits: ({ eventsAfter }, { sequence }) => eventsAfter < sequence,
    otherwise: () => "The event happened before the subscription was made.",
  },
  {
    name: "event_type",
    fits: ({ eventTypes }, { eventType }) => eventTypes.some((pattern) => patternMatches(pattern, eventType)),
    otherwise: ({ eventTypes }, { eventType }) => {
      const sentence = `The subscription is for ${eventTypes.join(", ")}, and the event is ${eventType}.`;
      // Who reads that * is not for an event has to be told why (R-X310).
      if (!eventTypes.includes("*")) return sentence;
      return `${sentence} Operational events are not among *: a subscription gets them by their own type, or by ${groupOf(eventType)}.`;
    },
  },
  {
    name: "owner",
    fits: ({ instanceIntegrationId }, { eventType, ownerId }) =>
      !isOperational(eventType) || ownerId === instanceIntegrationId,
    otherwise: () => "The event is about a subscription of another instance integration.",
  },
  {
    name: "new_tenant",
    fits: ({ tenantIds }, { eventType }) => tenantIds.length === 0 || eventType !== NEVER_WITH_A_TENANT_LIST,
    otherwise: () =>
      `The subscription lists tenants, and no list can name a new one: ${NEVER_WITH_A_TENANT_LIST} goes to subscriptions without a list.`,
  },
  {
    name: "tenant",
    fits: ({ tenantIds }, { eventType, tenantId }) =>
      tenantIds.length === 0 ||
      isOperational(eventType) ||
      eventType === NEVER_WITH_A_TENANT_LIST ||
      tenantIds.some((listed) => listed === tenantId),
    otherwise: (_, { tenantId }) =>
      tenantId === null
        ? "The subscription lists tenants, and the event is of no tenant."
        : `The subscription lists tenants, and ${tenantId} is not among them.`,
  },
];

/** `recovery.*` of `recovery.finished`. */
const groupOf = (eventType: string): string => eventType.replace(/\..*$/, ".*");

/** True when the subscription gets the event. */
export const wants = (subscription: Subscription, event: MatchedEvent): boolean =>
  MATCHING_RULES.every(({ fits }) => fits(subscription, event));
