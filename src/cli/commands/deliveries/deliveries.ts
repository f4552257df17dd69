import { type Command, Option } from "commander";
import { SENT_TYPES } from "#generated/event-types.ts";
import { type Delivery, DeliveryState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { type LowerEnumWord, lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { notFound } from "#runtime/basis/errors.ts";
import { counted } from "#runtime/basis/text.ts";
import { untilFound } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import {
  LISTED_DEFAULT,
  limitOption,
  noneOf,
  parseInstant,
  repeatedChoice,
  restOf,
  yesOption,
} from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { deliveryId, eventId, subscriptionId, tenantId } from "../../input/references.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { type AdvisedCommand, leadingTo, run } from "../../output/advice.ts";
import { many, one } from "../../output/outcome.ts";
import { plainLines } from "../../output/terminal-text.ts";
import { COLUMNS, deliveryFacts, toDeliveryJson } from "./delivery-shown.ts";

interface ListOptions {
  readonly subscription?: string;
  readonly event?: string;
  readonly state?: readonly LowerEnumWord<typeof DeliveryState>[];
  readonly type?: string;
  readonly tenant?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit?: number;
  readonly cursor?: string;
}

/** A filter with few matches looks through 200,000 deliveries: one reading looks at 500. */
const READINGS_MAX = 400;

/** `gatehouse deliveries …` */
export function addDeliveries(program: Command, verb: Verb): void {
  const noun = program.command("deliveries").summary("events sent to subscribers, with their attempts");

  noun
    .command("list")
    .summary("list deliveries, newest first")
    .option("--subscription <id or label>", "only those of one subscription")
    .option("--event <id>", "only those of one event (event_…)")
    .addOption(
      repeatedChoice(
        "--state <state>",
        `only those: ${lowerWordsOf(DeliveryState).join(", ")}`,
        lowerWordsOf(DeliveryState),
      ),
    )
    .addOption(new Option("--type <type>", "only events of this type, like user.updated").choices(SENT_TYPES))
    .option("--tenant <id or name>", "only events of this tenant (the wire's client)")
    .option("--since <date>", "made from this date or instant on", parseInstant)
    .option("--until <date>", "made before this date or instant", parseInstant)
    .addOption(limitOption())
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(
        async (asked, options) => {
          const { subscription, event, state = [], type, tenant, since, until, limit, cursor } = options;
          const asksFor = {
            subscriptionId: subscription === undefined ? null : await subscriptionId(asked, subscription),
            eventId: event === undefined ? null : await eventId(event),
            eventType: type ?? null,
            tenantId: tenant === undefined ? null : await tenantId(asked, tenant),
            from: since ?? null,
            to: until ?? null,
            states: state.map((word) => valueOfLower(DeliveryState, word)),
          };
          const wanted = { limit: limit ?? LISTED_DEFAULT, cursor, readings: READINGS_MAX };
          const { entries: deliveries, nextCursor } = await untilFound(wanted, async (limitOfPart, after) => {
            const part = await asked.webhooks.listDeliveries(
              { ...asksFor, limit: limitOfPart, cursor: after },
              asked.call,
            );
            return { entries: part.deliveries, nextCursor: part.nextCursor ?? null };
          });
          const json = { deliveries: deliveries.map(toDeliveryJson), nextCursor };
          const next = nextStep(deliveries, options, nextCursor);
          const filter = { subscription, event, state: options.state, type, tenant, since, until, from: cursor };
          const said = noneOf("deliveries", filter, nextCursor);
          return many(json, deliveries, COLUMNS, { ifNone: { said, next: EVENTS, ...next }, ...next });
        },
        {
          subscription_id: "--subscription",
          event_id: "--event",
          states: "--state",
          tenant_id: "--tenant",
          from: "--since",
          to: "--until",
        },
      ),
    );

  const ofOne = verbOfOne(noun, verb, {
    argument: ["<delivery>", "its id (delivery_…), as “gatehouse deliveries list” shows it"],
    find: (_asked, given) => deliveryId(given),
    fields: { delivery_id: "<delivery>" },
  });

  ofOne(
    "show",
    "show a delivery with its attempts: where each went, and what was answered",
    async ({ webhooks, call }, id) => {
      const { deliveries } = await webhooks.listDeliveries({ deliveryId: id, states: [], limit: 1 }, call);
      const [delivery] = deliveries;
      if (delivery === undefined) throw notFound("delivery_not_found", `There is no delivery ${id}.`);
      return one(toDeliveryJson(delivery), deliveryFacts(delivery));
    },
  );

  ofOne("reveal", "print the body of a delivery, with the names in it", async ({ webhooks, call }, given) => {
    const { deliveryId: id, eventType, body } = await webhooks.revealBody({ deliveryId: given }, call);
    const event: unknown = JSON.parse(body.toString("utf8"));
    return {
      json: { id, eventType, body: event },
      text: () => `${plainLines(JSON.stringify(event, null, 2))}\n`,
      said: "That is what the receiver gets. The audit log has that it was looked at.",
    };
  }).description(
    "Prints the body of a delivery, which has names and addresses of people: the audit log says who looked. What was sent is kept for a month (webhook-body-days).",
  );

  ofOne(
    "resend",
    "send a delivery once more whose attempts have ended, whether it arrived or not",
    async ({ webhooks, call }, given) => {
      const { deliveryId: id, round } = await webhooks.resendDelivery({ deliveryId: given }, call);
      const facts = [["id", id] as const, ["round", String(round)] as const];
      return one({ id, round }, facts, { said: "It is sent once more.", next: run`gatehouse deliveries show ${id}` });
    },
  ).description(
    "Sends a settled delivery once more: one attempt, with the same webhook-id and body, a new timestamp and a new signature. A receiver that ignores repeats by webhook-id sees nothing twice. A pending one is not sent sooner: “gatehouse deliveries show” says when its next attempt is.",
  );

  noun
    .command("release")
    .summary("send the deliveries that a restored store suspends")
    .description(
      "Sends the deliveries that a restored store suspends, oldest first. What a receiver got after the backup it gets again, under the same webhook-id.",
    )
    .option("--cancel", "cancel them instead of sending them; asks first")
    .addOption(yesOption())
    .action(
      verb<{ cancel?: boolean } & ConsentOptions>(async (asked, options) => {
        const { webhooks, call } = asked;
        const { cancel = false } = options;
        if (cancel)
          await confirmed(asked, options, {
            says: "This cancels every suspended delivery for good: receivers get none of these events, but they are in the feed as long as bodies are kept.",
            question: "Cancel them?",
          });
        let count = 0;
        for (;;) {
          const { released, left } = await webhooks.releaseDeliveries({ cancel }, call);
          count += released;
          if (left === 0) break;
        }
        const done = cancel ? "cancelled" : "released";
        return {
          json: { [done]: count },
          text: () => "",
          said:
            count === 0
              ? "No deliveries are suspended."
              : `${counted(count, "delivery is", "deliveries are")} ${done}.`,
          next: run`gatehouse deliveries list`,
        };
      }),
    );
}

/** An event has no delivery where no subscription matched: that is asked about there. */
const EVENTS = leadingTo("what happened, whether a subscription got it or not:", run`gatehouse events list`);

/** An attempt that is under way may still be acknowledged. */
const NOT_FAILED: ReadonlySet<string> = new Set(["acknowledged", "in_flight"]);

/** The rest of the list; at its end the delivery that failed last. */
function nextStep(
  deliveries: readonly Delivery[],
  options: ListOptions,
  cursor: string | null | undefined,
): { readonly next?: AdvisedCommand } {
  const { subscription, event, state, type, tenant, since, until, limit } = options;
  const again = { subscription, event, state, type, tenant, since, until, limit };
  if (cursor) return restOf("deliveries list", again, cursor);
  const failed = deliveries.find(({ attempts }) => attempts.some(({ outcome }) => !NOT_FAILED.has(outcome)));
  return failed === undefined ? {} : { next: run`gatehouse deliveries show ${failed.id}` };
}
