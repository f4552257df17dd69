import { type Command, InvalidArgumentError, Option } from "commander";
import { EVENT_TYPES, type EventType } from "#generated/event-types.ts";
import type { Event, EventExplanation } from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import { isAnyId } from "#runtime/basis/ids.ts";
import { present, untilFound } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { LISTED_DEFAULT, limitOption, noneOf, restOf } from "../../input/flags.ts";
import { eventId, subscriptionId, tenantId } from "../../input/references.ts";
import type { Facts } from "../../output/card.ts";
import { toJsonInstant, toShownInstant, toShownSecond } from "../../output/instant.ts";
import { many, one } from "../../output/outcome.ts";
import { deliveryFacts, toDeliveryJson } from "./delivery-shown.ts";

interface ListOptions {
  readonly type?: EventType;
  readonly tenant?: string;
  readonly entity?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** A filter with few matches looks through 200,000 events: one reading looks at 2,000. */
const READINGS_MAX = 100;

/** `gatehouse events …` */
export function addEvents(program: Command, verb: Verb): void {
  const noun = program.command("events").summary("what happened, and why a subscription got it or did not");

  noun
    .command("list")
    .summary("list recent events, newest first, whether a subscription got them or not")
    .addOption(new Option("--type <type>", "only those of this type, like user.updated").choices(EVENT_TYPES))
    .option("--tenant <id or name>", "only those of this tenant (the wire's client)")
    .option("--entity <id>", "only those about this user, worker, unit, …", parseEntityId)
    .addOption(limitOption())
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(
        async (asked, { type, tenant, entity, limit, cursor }) => {
          const filter = {
            eventType: type ?? null,
            tenantId: tenant === undefined ? null : await tenantId(asked, tenant),
            entityId: entity ?? null,
          };
          const wanted = { limit: limit ?? LISTED_DEFAULT, cursor, readings: READINGS_MAX };
          const { entries: events, nextCursor } = await untilFound(wanted, async (limitOfPart, after) => {
            const part = await asked.events.listEvents({ ...filter, limit: limitOfPart, cursor: after }, asked.call);
            return { entries: part.events, nextCursor: part.nextCursor ?? null };
          });
          const json = { events: events.map(toEventJson), nextCursor };
          const next = restOf("events list", { type, tenant, entity, limit }, nextCursor);
          const said = noneOf("events", { type, tenant, entity, from: cursor }, nextCursor);
          return many(json, events, COLUMNS, { ifNone: { said, ...next }, ...next });
        },
        { tenant_id: "--tenant" },
      ),
    );

  noun
    .command("explain")
    .summary("say why a subscription got an event, or did not")
    .argument("<event>", "its id (event_…), as “gatehouse events list” or the header webhook-id shows it")
    .requiredOption("--subscription <id or label>", "the subscription")
    .action(
      verb<{ subscription: string }>(
        async (asked, { subscription }, given = "") => {
          const request = { eventId: await eventId(given), subscriptionId: await subscriptionId(asked, subscription) };
          const { explanation } = await asked.events.explainEvent(request, asked.call);
          const explained = present(explanation);
          return one(toExplanationJson(explained), explanationFacts(explained), { said: explained.sentence });
        },
        { event_id: "<event>", subscription_id: "--subscription" },
      ),
    );
}

/** @throws InvalidArgumentError for a name or an address, which would only find that there are no such events. */
function parseEntityId(text: string): string {
  if (!isAnyId(text))
    throw new InvalidArgumentError("It must be an id, for example user_ followed by 21 letters or digits.");
  return text;
}

const COLUMNS = [
  { heading: "event", cell: ({ type }: Event) => type },
  { heading: "about", cell: ({ entityId }: Event) => entityId },
  { heading: "deliveries", cell: ({ deliveries }: Event) => String(deliveries ?? "") },
  { heading: "happened", cell: ({ occurredAt }: Event) => toShownInstant(occurredAt) },
  { heading: "id", cell: ({ id }: Event) => id },
];

/** The delivery where there is one; else each rule, and whether it fits. */
const explanationFacts = ({
  event,
  subscriptionLabel,
  subscriptionId: id,
  rules,
  delivery,
}: EventExplanation): Facts =>
  delivery
    ? deliveryFacts(delivery)
    : [
        ["event", `${event?.type} (${event?.id})`],
        ["about", event?.entityId],
        ["happened", toShownSecond(event?.occurredAt)],
        ["subscription", `${subscriptionLabel} (${id})`],
        ...rules.map(
          ({ rule, fits, sentence }) => [rule.replaceAll("_", " "), `${fits ? "yes" : "NO"}: ${sentence}`] as const,
        ),
      ];

const toExplanationJson = ({ event, subscriptionLabel, rules, delivery, ...rest }: EventExplanation) => ({
  event: event && toEventJson(event),
  subscriptionId: rest.subscriptionId,
  subscriptionLabel,
  sentence: rest.sentence,
  rules: rules.map(({ rule, fits, sentence }) => ({ rule, fits, sentence })),
  delivery: delivery ? toDeliveryJson(delivery) : null,
});

const toEventJson = (event: Event) => ({
  id: event.id,
  type: event.type,
  occurredAt: toJsonInstant(event.occurredAt),
  entityType: event.entityType,
  entityId: event.entityId,
  instanceId: event.instanceId,
  tenantId: event.tenantId ?? null,
  sequence: event.sequence,
  deliveries: event.deliveries ?? null,
});
