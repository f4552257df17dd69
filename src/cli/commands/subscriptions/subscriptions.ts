import type { Command } from "commander";
import { type Subscription, SubscriptionState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { type LowerEnumWord, lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { present } from "../../connection/answers.ts";
import { namesOf } from "../../connection/names.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { eventTypeOption, limitOption, noneOf, repeated, repeatedChoice, restOf } from "../../input/flags.ts";
import { instanceIntegrationId, integrationId, tenantId, tenantIds } from "../../input/references.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { many } from "../../output/outcome.ts";
import { pingedAfterwards } from "./pinged.ts";
import { addSubscriptionChanges } from "./subscription-changes.ts";
import { readHeaders, readSecret } from "./subscription-files.ts";
import { addSubscriptionSecrets, anotherSigningSecret } from "./subscription-secrets.ts";
import {
  endpointShown,
  nextOf,
  SUBSCRIPTION,
  SUBSCRIPTION_FIELDS,
  shownSubscription,
  subscriptionState,
  tenantsShown,
  toSubscriptionJson,
} from "./subscription-shown.ts";
import { addTestEvent } from "./test-event.ts";

interface CreateOptions {
  readonly label: string;
  readonly instanceIntegration: string;
  readonly integration?: string;
  readonly endpointUrl?: string;
  readonly pullOnly?: boolean;
  readonly eventType?: readonly string[];
  readonly tenant?: readonly string[];
  readonly description?: string;
  readonly headersFile?: string;
  readonly secretFile?: string;
  readonly asymmetric?: boolean;
  readonly skipPing?: boolean;
}

interface ListOptions {
  readonly label?: string;
  readonly state?: readonly LowerEnumWord<typeof SubscriptionState>[];
  readonly integration?: string;
  readonly tenant?: string;
  readonly endpoint?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** `gatehouse subscriptions …` */
export function addSubscriptions(program: Command, verb: Verb): void {
  const noun = program.command("subscriptions").summary("which events are sent to which endpoint");

  noun
    .command("create")
    .summary("create a subscription; its signing secret is shown this once")
    .description(
      "Creates a subscription; its signing secret is shown this once. A signed ping is sent at once, and the subscription is pending until its endpoint acknowledges it. An endpoint that checks signatures needs the secret before: then use --skip-ping, or `gatehouse subscriptions ping` later.",
    )
    .requiredOption("--label <slug>", "distinguishes it from others: a-z, 0-9 and hyphens, without personal data")
    .requiredOption(
      "--instance-integration <name>",
      "whose events are sent: id, “<integration> on <instance>”, or one of the two names",
    )
    .option("--integration <id or name>", "integration whose instance integration is meant")
    .option("--endpoint-url <url>", "address that events are posted to")
    .option("--pull-only", "no endpoint: events are read from the feed")
    .addOption(eventTypeOption("an exact type, user.* or *; may be repeated (default: *)").argParser(repeated))
    .option("--tenant <id or name>", "only events of this tenant (the wire's client); may be repeated", repeated)
    .option("--description <text>", "what it is for, without personal data")
    .option("--headers-file <file>", "headers that each delivery has besides ours, a line “Name: value” for each")
    .option("--secret-file <file>", "the receiver's own signing secret, whsec_…; without it one is made")
    .option("--asymmetric", "sign with a key pair too (v1a)")
    .option("--skip-ping", "active at once, without an acknowledged ping")
    .action(verb<CreateOptions>(create, SUBSCRIPTION_FIELDS));

  noun
    .command("list")
    .summary("list the subscriptions, oldest first, without their secrets")
    .option("--label <text>", "only those with this text in their label")
    .addOption(
      repeatedChoice(
        "--state <state>",
        `only those: ${lowerWordsOf(SubscriptionState).join(", ")}`,
        lowerWordsOf(SubscriptionState),
      ),
    )
    .option("--integration <id or name>", "only those of this integration")
    .option("--tenant <id or name>", "only those that name this tenant; one that names none gets the events of all")
    .option("--endpoint <text>", "only those with this text in their endpoint URL, as its host")
    .addOption(limitOption(500, "all"))
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(list, {
        label_contains: "--label",
        states: "--state",
        integration_id: "--integration",
        tenant_id: "--tenant",
        endpoint_url_contains: "--endpoint",
      }),
    );

  verbOfOne(noun, verb, SUBSCRIPTION)(
    "show",
    "show a subscription, its secrets by number and its public keys",
    async (asked, id) => {
      const answer = await asked.subscriptions.getSubscription({ subscriptionId: id }, asked.call);
      const shown = present(answer.subscription);
      return shownSubscription(asked, shown, { next: nextOf(shown) });
    },
  );

  addSubscriptionChanges(noun, verb);
  addTestEvent(noun, verb);
  addSubscriptionSecrets(noun, verb);
}

async function list(asked: Asked, { label, state, integration, tenant, endpoint, limit, cursor }: ListOptions) {
  const filter = { label, state, integration, tenant, endpoint };
  const { subscriptions, nextCursor } = await asked.webhooks.listSubscriptions(
    {
      labelContains: label ?? null,
      states: (state ?? []).map((word) => valueOfLower(SubscriptionState, word)),
      integrationId: integration === undefined ? null : await integrationId(asked, integration),
      tenantId: tenant === undefined ? null : await tenantId(asked, tenant),
      endpointUrlContains: endpoint ?? null,
      limit: limit ?? null,
      cursor: cursor ?? null,
    },
    asked.call,
  );
  const names = await namesOf(
    asked,
    subscriptions.flatMap(({ instanceIntegrationId: of, tenantIds }) => [of, ...tenantIds]),
  );
  const columns = [
    {
      heading: "label",
      cell: ({ label, description }: Subscription) => (description === "" ? label : `${label} (${description})`),
    },
    { heading: "id", cell: ({ id }: Subscription) => id },
    {
      heading: "instance integration",
      cell: ({ instanceIntegrationId: of }: Subscription) => names.of(of),
    },
    { heading: "state", cell: subscriptionState },
    { heading: "events", cell: ({ eventTypes }: Subscription) => eventTypes.join(" ") },
    { heading: "tenants", cell: (subscription: Subscription) => tenantsShown(subscription, names) },
    { heading: "endpoint", cell: endpointShown },
  ];
  const json = { subscriptions: subscriptions.map(toSubscriptionJson), nextCursor: nextCursor ?? null };
  const said = noneOf("subscriptions", { ...filter, from: cursor }, nextCursor);
  const make = run`gatehouse subscriptions create --label … --instance-integration … --endpoint-url …`;
  const isAll = cursor === undefined && Object.values(filter).every((value) => value === undefined);
  const all = run`gatehouse subscriptions list`;
  return many(json, subscriptions, columns, {
    ifNone: { said, next: isAll ? make : all },
    ...restOf("subscriptions list", { ...filter, limit }, nextCursor),
  });
}

async function create(asked: Asked, options: CreateOptions) {
  const { webhooks, call } = asked;
  const endpointUrl = endpointOf(options);
  const { subscription, signingSecret } = await webhooks.createSubscription(
    {
      tenantIds: await tenantIds(asked, options.tenant ?? []),
      label: options.label,
      instanceIntegrationId: await instanceIntegrationId(asked, options.instanceIntegration, options.integration),
      endpointUrl,
      eventTypes: [...(options.eventType ?? ["*"])],
      options: {
        description: options.description ?? "",
        extraHeaders: options.headersFile === undefined ? [] : await readHeaders(options.headersFile),
        pingFirst: endpointUrl !== "" && options.skipPing !== true,
        signingSecret: options.secretFile === undefined ? null : await readSecret(options.secretFile),
        asymmetric: options.asymmetric === true,
      },
    },
    call,
  );
  const made = present(subscription);
  const ping = made.state === SubscriptionState.PENDING ? await pingedAfterwards(asked, made) : undefined;
  const after = ping?.subscription ?? made;
  const state = ping?.said ?? "The subscription is active.";
  const secret = signingSecret === "" ? "" : " Its signing secret is shown this once: store it now, in a safe place.";
  const words = {
    said: `${state}${secret}${neverSent(made)}`,
    next:
      after.state === SubscriptionState.PENDING
        ? run`gatehouse subscriptions ping ${made.label}`
        : run`gatehouse deliveries list --subscription ${made.label}`,
    ...(signingSecret === "" ? {} : { ifUnread: anotherSigningSecret(made.id) }),
  };
  return shownSubscription(asked, after, words, {
    json: { signingSecret, ...ping?.json },
    facts: [...(signingSecret === "" ? [] : [["signing secret", signingSecret] as const]), ...(ping?.facts ?? [])],
  });
}

/** The endpoint; empty for a pull-only subscription. @throws CommandError when both flags are given, or neither. */
function endpointOf({ endpointUrl, pullOnly = false }: Pick<CreateOptions, "endpointUrl" | "pullOnly">): string {
  if ((endpointUrl === undefined) === pullOnly) return endpointUrl ?? "";
  throw commandError(EXIT.usage, {
    code: "USAGE",
    reason: "one_of_two_flags",
    message: "Either --endpoint-url or --pull-only must be given, and not both.",
  });
}

/** A warning, for a type that the filters exclude for good (R-E14). */
const neverSent = ({ eventTypes, tenantIds }: Subscription): string =>
  tenantIds.length > 0 && eventTypes.includes("client.created")
    ? " It will never get client.created: a new tenant is on no list yet. Make a subscription without --tenant for that type."
    : "";
