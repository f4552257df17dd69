import type { Event, EventExplanation, FeedEvent, FeedPage } from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import type { TestMessage } from "#generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { toWireDelivery } from "./delivery-wire.ts";
import { optional, present, toInstant, type Wire } from "./wire.ts";

/** Names of rules that the contract says otherwise: a tenant is its client. */
const RULES: Readonly<Record<string, string>> = { tenant: "client", new_tenant: "new_client" };

/** A sentence of ours, which operators read too, in the contract's words. */
const inItsWords = (sentence: string): string => sentence.replaceAll(/\btenant(?=s?\b)/g, "client");

export function toWireExplanation(message: EventExplanation | null): Wire["EventExplanation"] {
  const { event, subscriptionId, rules, delivery, sentence } = present(message);
  const { id, type, occurredAt } = present(event);
  return {
    eventId: id,
    eventType: type,
    ...(occurredAt ? { occurredAt: toInstant(occurredAt) } : {}),
    subscriptionId,
    explanation: inItsWords(sentence),
    rules: rules.map((one) => ({
      rule: RULES[one.rule] ?? one.rule,
      fits: one.fits,
      explanation: inItsWords(one.sentence),
    })),
    ...optional("delivery", delivery && toWireDelivery(delivery)),
  };
}

export const toWireEvent = (event: Event): Wire["ListedEvent"] => ({
  id: event.id,
  type: event.type,
  occurredAt: toInstant(event.occurredAt),
  sequence: event.sequence,
  instanceIntegrationId: present(event.instanceIntegrationId),
  entity: { type: event.entityType, id: event.entityId },
  ...optional("clientId", event.tenantId),
});

export const toWireFeed = ({ events, next, hasMore }: FeedPage): Wire["FeedPage"] => ({
  data: events.map(toWireFeedEvent),
  next,
  hasMore,
});

const toWireFeedEvent = ({ id, type, occurredAt, cursor, headers, body }: FeedEvent): Wire["FeedEvent"] => ({
  id,
  type,
  occurredAt: toInstant(occurredAt),
  cursor,
  headers: toWireHeaders(headers),
  body,
});

export const toWireTestMessage = ({ id, type, body, signed }: TestMessage): Wire["TestMessage"] => ({
  id,
  type,
  body,
  signed: signed.map(({ headers }) => toWireHeaders(headers)),
});

const toWireHeaders = (headers: FeedEvent["headers"]): Wire["SignedHeaders"] =>
  Object.fromEntries(headers.map(({ name, value }) => [name, value])) as Wire["SignedHeaders"];
