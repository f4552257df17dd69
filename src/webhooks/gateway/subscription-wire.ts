import {
  type ExtraHeader,
  type SecretInfo,
  SecretKind,
  type Subscription,
  SubscriptionState,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { SkippedMeanwhile } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { optional, present, toInstant, type Wire } from "./wire.ts";

export function toWireSubscription(message: Subscription | null): Wire["Subscription"] {
  const subscription = present(message);
  return {
    id: subscription.id,
    label: subscription.label,
    description: subscription.description,
    instanceIntegrationId: subscription.instanceIntegrationId,
    ...optional("endpointUrl", subscription.endpointUrl),
    eventTypes: [...subscription.eventTypes],
    clientIds: [...subscription.tenantIds],
    state: present(lowerWordOf(SubscriptionState, subscription.state)),
    ...optional("stateReason", subscription.stateReason),
    stateSince: toInstant(subscription.stateSince),
    extraHeaders: subscription.extraHeaders.map(({ name, maskedValue }) => ({ name, maskedValue })),
    createdAt: toInstant(subscription.createdAt),
    updatedAt: toInstant(subscription.updatedAt),
  };
}

export const toWireSecret = ({ number, kind, createdAt, expiresAt, publicKey }: SecretInfo): Wire["SigningSecret"] => ({
  number,
  kind: present(lowerWordOf(SecretKind, kind)),
  createdAt: toInstant(createdAt),
  ...(expiresAt ? { expiresAt: toInstant(expiresAt) } : {}),
  ...optional("publicKey", publicKey),
});

export const toWireResumed = (
  subscription: Subscription | null,
  skipped: SkippedMeanwhile | null | undefined,
): Wire["ResumedSubscription"] => ({
  subscription: toWireSubscription(subscription),
  ...(skipped ? { skipped: { since: toInstant(skipped.since), count: skipped.count } } : {}),
});

export const toExtraHeaders = (given: readonly Wire["GivenHeader"][] = []): ExtraHeader[] =>
  given.map(({ name, value }) => ({ name, value: value ?? null, maskedValue: "" }));
