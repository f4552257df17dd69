import {
  type SecretInfo,
  SecretKind,
  type Subscription,
  SubscriptionState,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Asked } from "../../connection/verb.ts";
import { subscriptionId } from "../../input/references.ts";
import type { Subject } from "../../input/verb-of-one.ts";
import { type AdvisedCommand, run } from "../../output/advice.ts";
import type { Facts } from "../../output/card.ts";
import { enumWord } from "../../output/enum-word.ts";
import type { FieldFlags } from "../../output/failed-call.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { type OutcomeWords, one } from "../../output/outcome.ts";

/** The flags that carry the fields of a subscription. */
export const SUBSCRIPTION_FIELDS: FieldFlags = {
  subscription_id: "<subscription>",
  instance_integration_id: "--instance-integration",
  endpoint_url: "--endpoint-url",
  event_types: "--event-type",
  tenant_ids: "--tenant",
  description: "--description",
  extra_headers: "--headers-file",
  signing_secret: "--secret-file",
};

/** What verbs of one subscription take. */
export const SUBSCRIPTION: Subject = {
  argument: ["<subscription>", "its id (subscription_…) or label"],
  find: subscriptionId,
  fields: SUBSCRIPTION_FIELDS,
};

/** The state and why: `disabled (gone)`. */
export const subscriptionState = ({ state, stateReason }: Subscription): string => {
  const word = enumWord(SubscriptionState, state);
  return stateReason ? `${word} (${stateReason.replaceAll("_", " ")})` : word;
};

/** The command that comes next for a subscription in its state: what makes it active, else what it has been sent. */
export const nextOf = ({ state, label }: Subscription): AdvisedCommand => {
  const verb = MADE_ACTIVE_BY[state];
  return verb === undefined
    ? run`gatehouse deliveries list --subscription ${label}`
    : run`gatehouse subscriptions ${verb} ${label}`;
};

const MADE_ACTIVE_BY: Readonly<Partial<Record<SubscriptionState, string>>> = {
  [SubscriptionState.PENDING]: "ping",
  [SubscriptionState.PAUSED]: "resume",
  [SubscriptionState.DISABLED]: "enable",
};

/** `all`, or the names of its tenants. */
export const tenantsShown = ({ tenantIds }: Subscription, names: Names): string =>
  tenantIds.length === 0 ? "all" : tenantIds.map((id) => names.of(id) ?? id).join(", ");

/** Its address, or that it has none. */
export const endpointShown = ({ endpointUrl }: Subscription): string =>
  endpointUrl === "" ? "none: pull-only" : endpointUrl;

/** A subscription as `--json` shows it. */
export const toSubscriptionJson = (subscription: Subscription) => ({
  id: subscription.id,
  label: subscription.label,
  instanceIntegrationId: subscription.instanceIntegrationId,
  endpointUrl: subscription.endpointUrl,
  eventTypes: subscription.eventTypes,
  tenantIds: subscription.tenantIds,
  state: enumWord(SubscriptionState, subscription.state),
  stateReason: subscription.stateReason ?? null,
  stateSince: toJsonInstant(subscription.stateSince),
  description: subscription.description,
  extraHeaders: subscription.extraHeaders.map(({ name }) => name),
  secrets: subscription.secrets.map(toSecretJson),
  createdAt: toJsonInstant(subscription.createdAt),
  updatedAt: toJsonInstant(subscription.updatedAt),
});

/** A secret or key pair as `--json` shows it. */
export const toSecretJson = ({ number, kind, createdAt, expiresAt, publicKey }: SecretInfo) => ({
  number,
  signsAs: signsAs(kind),
  createdAt: toJsonInstant(createdAt),
  expiresAt: toJsonInstant(expiresAt),
  publicKey: publicKey ?? null,
});

/** The version of signatures that it makes. */
export const signsAs = (kind: SecretKind): "v1" | "v1a" => (kind === SecretKind.ASYMMETRIC ? "v1a" : "v1");

/** A subscription as people see it. */
const subscriptionFacts = (subscription: Subscription, names: Names): Facts => [
  ["id", subscription.id],
  ["label", subscription.label],
  ["description", subscription.description || undefined],
  ["instance integration", names.of(subscription.instanceIntegrationId)],
  ["endpoint", endpointShown(subscription)],
  ["events", subscription.eventTypes.join(" ")],
  ["tenants", tenantsShown(subscription, names)],
  ["extra headers", subscription.extraHeaders.map(({ name }) => name).join(", ") || undefined],
  ["state", subscriptionState(subscription)],
  ["since", toShownInstant(subscription.stateSince) ?? undefined],
  ["created", toShownInstant(subscription.createdAt)],
  ...subscription.secrets.map(secretFact),
];

const secretFact = ({ number, kind, expiresAt, publicKey }: SecretInfo): Facts[number] => [
  `${kind === SecretKind.ASYMMETRIC ? "key pair" : "secret"} ${number}`,
  `${publicKey ?? "shown once"}${expiresAt ? `, signs until ${toShownInstant(expiresAt)}` : ""}`,
];

/** A subscription with names instead of ids, and with its new secret where one was made. */
export async function shownSubscription(
  asked: Asked,
  subscription: Subscription,
  words: OutcomeWords = {},
  more: { readonly json?: object; readonly facts?: Facts } = {},
) {
  const names = await namesOf(asked, [subscription.instanceIntegrationId, ...subscription.tenantIds]);
  const facts = [...subscriptionFacts(subscription, names), ...(more.facts ?? [])];
  return one({ ...toSubscriptionJson(subscription), ...more.json }, facts, words);
}
