import {
  SecretKind as KindMessage,
  type ListSubscriptionsRequest,
  type SecretInfo as SecretMessage,
  SubscriptionState as StateMessage,
  type Subscription as SubscriptionMessage,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { lowerWordOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import type { FieldViolation } from "#runtime/basis/errors.ts";
import { optionalIdViolations } from "#runtime/basis/id-violation.ts";
import type { SecretInfo } from "../secrets/secret-repository.ts";
import type { SecretKind } from "../secrets/signing-secret.ts";
import { MASKED_VALUE } from "./extra-headers.ts";
import { type Subscription, shownState } from "./subscription.ts";
import { subscriptionTag } from "./subscription-tag.ts";

/** A subscription as it is shown: values of headers are masked, secrets have their numbers and times alone. */
export const toMessage = (subscription: Subscription, secrets: readonly SecretInfo[]): SubscriptionMessage => ({
  id: subscription.id,
  label: subscription.label,
  instanceIntegrationId: subscription.instanceIntegrationId,
  endpointUrl: subscription.endpointUrl,
  eventTypes: [...subscription.eventTypes],
  tenantIds: [...subscription.tenantIds],
  state: valueOfLower(StateMessage, shownState(subscription).state),
  stateReason: shownState(subscription).stateReason ?? null,
  createdAt: subscription.createdAt,
  description: subscription.description,
  extraHeaders: subscription.extraHeaderNames.map((name) => ({ name, value: null, maskedValue: MASKED_VALUE })),
  secrets: secrets.map(toSecretMessage),
  integrationId: subscription.integrationId,
  updatedAt: subscription.updatedAt,
  stateSince: subscription.stateSince,
  entityTag: subscriptionTag(subscription),
});

/** Which subscriptions a list is about, besides what the store is asked for. */
interface AskedSubscriptions {
  /** What is wrong with the filter's fields. */
  readonly violations: readonly FieldViolation[];
  /** `undefined` when every subscription fits. */
  readonly fits: ((subscription: Subscription) => boolean) | undefined;
}

/** Reads the filter of a list: states as they are shown, integration, tenant, and texts in label and endpoint. */
export function readSubscriptionFilter(request: ListSubscriptionsRequest): AskedSubscriptions {
  const { integrationId, tenantId, labelContains, endpointUrlContains } = request;
  const states = request.states.map((state) => lowerWordOf(StateMessage, state));
  const text = endpointUrlContains?.toLowerCase();
  const tests: ((subscription: Subscription) => boolean)[] = [];
  if (states.length > 0) tests.push((one) => states.includes(shownState(one).state));
  if (typeof integrationId === "string") tests.push((one) => one.integrationId === integrationId);
  if (typeof tenantId === "string") tests.push((one) => one.tenantIds.some((id) => id === tenantId));
  if (typeof labelContains === "string") tests.push(({ label }) => label.includes(labelContains));
  if (text !== undefined) tests.push(({ endpointUrl }) => endpointUrl.toLowerCase().includes(text));
  return {
    violations: [
      ...(states.includes(undefined) ? [{ field: "states", reason: "must be known states" }] : []),
      ...optionalIdViolations("integration", "integration_id", integrationId),
      ...optionalIdViolations("tenant", "tenant_id", tenantId),
    ],
    fits: tests.length === 0 ? undefined : (subscription) => tests.every((test) => test(subscription)),
  };
}

const toSecretMessage = ({ number, kind, createdAt, expiresAt, publicKey }: SecretInfo): SecretMessage => ({
  number,
  kind: valueOfLower(KindMessage, kind),
  createdAt,
  expiresAt: expiresAt ?? null,
  publicKey: publicKey ?? null,
});

/** `undefined` for a kind that this program does not know. */
export const toSecretKind = (kind: KindMessage): SecretKind | undefined =>
  kind === KindMessage.UNSPECIFIED ? "symmetric" : lowerWordOf(KindMessage, kind);
