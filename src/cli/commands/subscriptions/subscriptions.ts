import type { Command } from "commander";
import { type Subscription, SubscriptionState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { present } from "../connection/answers.ts";
import { type Names, namesOf } from "../connection/names.ts";
import type { Verb } from "../connection/verb.ts";
import { repeated } from "../input/flags.ts";
import { instanceIntegrationId, tenantId } from "../input/references.ts";
import { enumWord } from "../output/enum-word.ts";
import { toJsonInstant, toShownInstant } from "../output/instant.ts";
import { many, one } from "../output/outcome.ts";

interface CreateOptions {
  readonly label: string;
  readonly instanceIntegration: string;
  readonly integration?: string;
  readonly endpointUrl: string;
  readonly eventType?: readonly string[];
  readonly tenant?: readonly string[];
}

/** `gatehouse subscriptions …` */
export function addSubscriptions(program: Command, verb: Verb): void {
  const noun = program.command("subscriptions").summary("which events are sent to which endpoint");

  noun
    .command("create")
    .summary("create a subscription; its signing secret is shown this once")
    .requiredOption("--label <slug>", "distinguishes it from others: a-z, 0-9 and hyphens, without personal data")
    .requiredOption(
      "--instance-integration <name>",
      "whose events are sent: id, “<integration> on <instance>”, or one of the two names",
    )
    .option("--integration <id or name>", "integration whose instance integration is meant")
    .requiredOption("--endpoint-url <url>", "address that events are posted to")
    .option("--event-type <type>", "an exact type, user.* or *; may be repeated (default: *)", repeated)
    .option("--tenant <id or name>", "only events of this tenant (the wire's client); may be repeated", repeated)
    .action(
      verb<CreateOptions>(
        async (asked, options) => {
          const { webhooks, call } = asked;
          const tenantIds: string[] = [];
          for (const tenant of options.tenant ?? []) tenantIds.push(await tenantId(asked, tenant));
          const { subscription, signingSecret } = await webhooks.createSubscription(
            {
              label: options.label,
              instanceIntegrationId: await instanceIntegrationId(
                asked,
                options.instanceIntegration,
                options.integration,
              ),
              endpointUrl: options.endpointUrl,
              eventTypes: [...(options.eventType ?? ["*"])],
              tenantIds,
            },
            call,
          );
          const made = present(subscription);
          const names = await namesOf(asked, [made.instanceIntegrationId, ...made.tenantIds]);
          const facts = [...subscriptionFacts(made, names), ["signing secret", signingSecret]] as const;
          return one({ ...toSubscriptionJson(made), signingSecret }, facts, {
            said: `The subscription is active. Its signing secret is shown this once: store it now, in a safe place.${neverSent(made)}`,
            next: `gatehouse deliveries list --subscription ${made.label}`,
          });
        },
        {
          instance_integration_id: "--instance-integration",
          endpoint_url: "--endpoint-url",
          event_types: "--event-type",
          tenant_ids: "--tenant",
        },
      ),
    );

  noun
    .command("list")
    .summary("list the subscriptions, oldest first, without their secrets")
    .action(
      verb(async (asked) => {
        const { subscriptions } = await asked.webhooks.listSubscriptions({}, asked.call);
        const names = await namesOf(
          asked,
          subscriptions.flatMap(({ instanceIntegrationId: of, tenantIds }) => [of, ...tenantIds]),
        );
        const columns = [
          { heading: "label", cell: ({ label }: Subscription) => label },
          { heading: "id", cell: ({ id }: Subscription) => id },
          {
            heading: "instance integration",
            cell: ({ instanceIntegrationId: of }: Subscription) => names.of(of),
          },
          { heading: "state", cell: stateOf },
          { heading: "events", cell: ({ eventTypes }: Subscription) => eventTypes.join(" ") },
          { heading: "tenants", cell: (subscription: Subscription) => tenantsShown(subscription, names) },
          { heading: "endpoint", cell: ({ endpointUrl }: Subscription) => endpointUrl },
        ];
        return many({ subscriptions: subscriptions.map(toSubscriptionJson) }, subscriptions, columns, {
          ifNone: {
            said: "There are no subscriptions yet.",
            next: "gatehouse subscriptions create --label … --instance-integration … --endpoint-url …",
          },
        });
      }),
    );
}

/** A warning, for a type that the filters exclude for good (R-E14). */
const neverSent = ({ eventTypes, tenantIds }: Subscription): string =>
  tenantIds.length > 0 && eventTypes.includes("client.created")
    ? " It will never get client.created: a new tenant is on no list yet. Make a subscription without --tenant for that type."
    : "";

const stateOf = ({ state, stateReason }: Subscription): string => {
  const word = enumWord(SubscriptionState, state);
  return stateReason ? `${word} (${stateReason})` : word;
};

const tenantsShown = ({ tenantIds }: Subscription, names: Names): string =>
  tenantIds.length === 0 ? "all" : tenantIds.map((id) => names.of(id) ?? id).join(", ");

const toSubscriptionJson = (subscription: Subscription) => ({
  id: subscription.id,
  label: subscription.label,
  instanceIntegrationId: subscription.instanceIntegrationId,
  endpointUrl: subscription.endpointUrl,
  eventTypes: subscription.eventTypes,
  tenantIds: subscription.tenantIds,
  state: enumWord(SubscriptionState, subscription.state),
  stateReason: subscription.stateReason ?? null,
  createdAt: toJsonInstant(subscription.createdAt),
});

const subscriptionFacts = (subscription: Subscription, names: Names) =>
  [
    ["id", subscription.id],
    ["label", subscription.label],
    ["instance integration", names.of(subscription.instanceIntegrationId)],
    ["endpoint", subscription.endpointUrl],
    ["events", subscription.eventTypes.join(" ")],
    ["tenants", tenantsShown(subscription, names)],
    ["state", stateOf(subscription)],
    ["created", toShownInstant(subscription.createdAt)],
  ] as const;
