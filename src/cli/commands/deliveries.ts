import { type Command, Option } from "commander";
import { type Attempt, type Delivery, DeliveryState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { type LowerEnumWord, lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import type { Verb } from "../connection/verb.ts";
import { parseWholeNumber } from "../input/flags.ts";
import { enumWord } from "../output/enum-word.ts";
import { toJsonInstant, toShownInstant } from "../output/instant.ts";
import { many } from "../output/outcome.ts";
import { shellWord } from "../output/terminal-text.ts";

interface ListOptions {
  readonly subscription?: string;
  readonly state?: readonly LowerEnumWord<typeof DeliveryState>[];
  readonly limit?: number;
  readonly cursor?: string;
}

/** `gatehouse deliveries …` */
export function addDeliveries(program: Command, verb: Verb): void {
  program
    .command("deliveries")
    .summary("events sent to subscribers, with their attempts")
    .command("list")
    .summary("list deliveries, newest first")
    .option("--subscription <id>", "only those of one subscription")
    .addOption(
      new Option("--state <states...>", `only those: ${lowerWordsOf(DeliveryState).join(", ")}`).choices(
        lowerWordsOf(DeliveryState),
      ),
    )
    .option("--limit <n>", "how many, 1 to 500 (default: 50)", parseWholeNumber)
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(
        async ({ webhooks, call }, { subscription, state = [], limit = 0, cursor }) => {
          const { deliveries, nextCursor } = await webhooks.listDeliveries(
            {
              subscriptionId: subscription ?? null,
              states: state.map((word) => valueOfLower(DeliveryState, word)),
              limit,
              cursor: cursor ?? null,
            },
            call,
          );
          const json = { deliveries: deliveries.map(toDeliveryJson), nextCursor: nextCursor ?? null };
          return many(json, deliveries, COLUMNS, {
            ifNone: { said: "There are no such deliveries." },
            ...(nextCursor
              ? { next: `gatehouse deliveries list${again({ subscription, state, limit })} --cursor ${nextCursor}` }
              : {}),
          });
        },
        { subscription_id: "--subscription", states: "--state" },
      ),
    );
}

/** The same filter again, as flags. */
const again = ({
  subscription,
  state,
  limit,
}: {
  subscription: string | undefined;
  state: readonly LowerEnumWord<typeof DeliveryState>[];
  limit: number;
}) =>
  [
    subscription === undefined ? "" : ` --subscription ${shellWord(subscription)}`,
    state.length === 0 ? "" : ` --state ${state.join(" ")}`,
    limit === 0 ? "" : ` --limit ${limit}`,
  ].join("");

const COLUMNS = [
  { heading: "event", cell: ({ eventType }: Delivery) => eventType },
  { heading: "state", cell: (delivery: Delivery) => stateOf(delivery) },
  { heading: "last attempt", cell: ({ attempts }: Delivery) => shownAttempt(attempts.at(-1)) },
  { heading: "to", cell: ({ subscriptionLabel }: Delivery) => subscriptionLabel },
  { heading: "created", cell: ({ createdAt }: Delivery) => toShownInstant(createdAt) },
];

const stateOf = ({ state, reason, dueAt }: Delivery): string => {
  const word = enumWord(DeliveryState, state);
  if (dueAt) return `${word}, due ${toShownInstant(dueAt)}`;
  return reason ? `${word} (${reason})` : word;
};

/** `2: refused 500 in 13 ms` */
const shownAttempt = (attempt: Attempt | undefined): string | null => {
  if (attempt === undefined) return null;
  const { attemptNumber, outcome, httpStatus, durationMs } = attempt;
  const status = typeof httpStatus === "number" ? ` ${httpStatus}` : "";
  return `${attemptNumber}: ${outcome}${status}${typeof durationMs === "number" ? ` in ${durationMs} ms` : ""}`;
};

const toDeliveryJson = (delivery: Delivery) => ({
  id: delivery.id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  subscriptionId: delivery.subscriptionId,
  subscriptionLabel: delivery.subscriptionLabel,
  state: enumWord(DeliveryState, delivery.state),
  reason: delivery.reason ?? null,
  createdAt: toJsonInstant(delivery.createdAt),
  dueAt: toJsonInstant(delivery.dueAt),
  attempts: delivery.attempts.map(toAttemptJson),
});

const toAttemptJson = (attempt: Attempt) => ({
  round: attempt.round,
  attemptNumber: attempt.attemptNumber,
  startedAt: toJsonInstant(attempt.startedAt),
  finishedAt: toJsonInstant(attempt.finishedAt),
  outcome: attempt.outcome,
  httpStatus: attempt.httpStatus ?? null,
  durationMs: attempt.durationMs ?? null,
});
