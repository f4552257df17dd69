import type { Command } from "commander";
import { DeliveryState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import {
  RecoveredState,
  type Recovery,
  type RecoveryNotStarted,
  RecoveryState,
  type StartRecoveriesRequest,
  type StartRecoveriesResponse,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { type LowerEnumWord, lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { allIntegrations } from "../../connection/whole-lists.ts";
import {
  eventTypeOption,
  limitOption,
  noneOf,
  parseInstant,
  repeated,
  repeatedChoice,
  restOf,
} from "../../input/flags.ts";
import { integrationId as idOfIntegration, recoveryId, subscriptionId, tenantIds } from "../../input/references.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { leadingTo, run } from "../../output/advice.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { enumWord } from "../../output/enum-word.ts";
import { many, type Outcome, type OutcomeWords, one } from "../../output/outcome.ts";
import {
  RECOVERY_COLUMNS,
  RECOVERY_DAYS_MAX,
  recoveryFacts,
  STARTED_COLUMNS,
  toNotStartedJson,
  toRecoveryJson,
} from "./recovery-shown.ts";

interface StartOptions extends FilterOptions {
  readonly subscription: string;
}

interface StartAllOptions extends FilterOptions {
  readonly integration?: string;
}

/** Which deliveries are sent again. */
interface FilterOptions {
  readonly since: Date;
  readonly until?: Date;
  readonly state?: readonly LowerEnumWord<typeof RecoveredState>[];
  readonly eventType?: readonly string[];
  readonly tenant?: readonly string[];
}

interface ListOptions {
  readonly subscription?: string;
  readonly state?: readonly LowerEnumWord<typeof RecoveryState>[];
  readonly limit?: number;
  readonly cursor?: string;
}

/** `gatehouse recoveries …` */
export function addRecoveries(program: Command, verb: Verb): void {
  const noun = program.command("recoveries").summary("jobs that send again what was not delivered");

  filtered(noun.command("start"))
    .summary("send a subscription's failed and skipped deliveries of a time range again")
    .description(
      "Starts a job that sends again what was not delivered to a subscription: one attempt for each delivery, under the same webhook-id. It goes on when Gatehouse is restarted. What is still pending is sent by itself, and is no part of it.",
    )
    .requiredOption("--subscription <id or label>", "whose deliveries")
    .action(
      verb<StartOptions>(
        async (asked, options) => {
          const subscription = await subscriptionId(asked, options.subscription);
          const filter = await filterOf(asked, options);
          // Before it, since what it sends again is pending then.
          const isMoreUnderWay = await hasPending(asked, subscription);
          const { recovery } = await asked.webhooks.startRecovery(
            { subscriptionId: subscription, ...filter },
            asked.call,
          );
          return shown(recovery, ({ id }) => ({
            said: isMoreUnderWay ? `Started. ${PENDING_TOO}` : "Started.",
            next: run`gatehouse recoveries show ${id}`,
          }));
        },
        { subscription_id: "--subscription", ...FILTER_FLAGS },
      ),
    );

  filtered(noun.command("start-all"))
    .summary("send all subscriptions' failed and skipped deliveries of a time range again")
    .description(
      "Starts a job for each subscription that can be sent to and has no unfinished recovery, as “start” does for one. The others are listed with the reason.",
    )
    .option("--integration <id or name>", "only subscriptions of this integration")
    .action(
      verb<StartAllOptions>(
        async (asked, options) => {
          const { integration } = options;
          const integrationId = integration === undefined ? null : await idOfIntegration(asked, integration);
          const filter = { ...(await filterOf(asked, options)), integrationId };
          const parts = await startedOf(asked, filter);
          if (integrationId !== null && parts.started.length + parts.notStarted.length === 0)
            await assertIntegration(asked, integrationId);
          return startedOutcome(parts);
        },
        { integration_id: "--integration", ...FILTER_FLAGS },
      ),
    );

  noun
    .command("list")
    .summary("list recoveries, newest first")
    .option("--subscription <id or label>", "only those of one subscription")
    .addOption(
      repeatedChoice(
        "--state <state>",
        `only those: ${lowerWordsOf(RecoveryState).join(", ")}`,
        lowerWordsOf(RecoveryState),
      ),
    )
    .addOption(limitOption())
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(
        async (asked, { subscription, state, limit, cursor }) => {
          const { recoveries, nextCursor } = await asked.webhooks.listRecoveries(
            {
              subscriptionId: subscription === undefined ? null : await subscriptionId(asked, subscription),
              states: (state ?? []).map((word) => valueOfLower(RecoveryState, word)),
              limit: limit ?? 0,
              cursor: cursor ?? null,
            },
            asked.call,
          );
          const json = { recoveries: recoveries.map(toRecoveryJson), nextCursor: nextCursor ?? null };
          const next = restOf("recoveries list", { subscription, state, limit }, nextCursor);
          const said = noneOf("recoveries", { subscription, state, from: cursor }, nextCursor);
          return many(json, recoveries, RECOVERY_COLUMNS, { ifNone: { said, ...next }, ...next });
        },
        { subscription_id: "--subscription", states: "--state" },
      ),
    );

  const ofOne = verbOfOne(noun, verb, {
    argument: ["<recovery>", "its id (recovery_…), as “gatehouse recoveries list” shows it"],
    find: (_asked, given) => recoveryId(given),
    fields: { recovery_id: "<recovery>" },
  });

  ofOne("show", "show how far a recovery has come", async ({ webhooks, call }, id) => {
    const { recovery } = await webhooks.getRecovery({ recoveryId: id }, call);
    return shown(recovery, () => ({}));
  });
  ofOne("pause", "send nothing more until the recovery is resumed", async ({ webhooks, call }, id) => {
    const { recovery } = await webhooks.pauseRecovery({ recoveryId: id }, call);
    return shown(recovery, (now) => ({
      said: said(now, RecoveryState.PAUSED),
      next: run`gatehouse recoveries show ${id}`,
    }));
  });
  ofOne("resume", "let a paused recovery go on", async ({ webhooks, call }, id) => {
    const { recovery } = await webhooks.resumeRecovery({ recoveryId: id }, call);
    return shown(recovery, (now) => ({
      said: said(now, RecoveryState.RUNNING),
      next: run`gatehouse recoveries show ${id}`,
    }));
  });
  ofOne("cancel", "end a recovery; what is under way is still sent", async ({ webhooks, call }, id) => {
    const { recovery } = await webhooks.cancelRecovery({ recoveryId: id }, call);
    return shown(recovery, (now) => ({ said: said(now, RecoveryState.CANCELLED) }));
  });
}

const PENDING_TOO =
  "Other deliveries of the subscription are pending: they are sent by themselves, and are no part of it.";

/** Whether any delivery of the subscription waits for an attempt, of whatever time. */
async function hasPending({ webhooks, call }: Asked, subscription: string): Promise<boolean> {
  const request = { subscriptionId: subscription, states: [DeliveryState.PENDING], limit: 1 };
  return (await webhooks.listDeliveries(request, call)).deliveries.length > 0;
}

/** What became of each subscription, as far as it came. */
interface StartedParts {
  readonly started: readonly Recovery[];
  readonly notStarted: readonly RecoveryNotStarted[];
  /** What ended it before the last subscription. */
  readonly trouble?: unknown;
}

type AllFilter = Omit<StartRecoveriesRequest, "$type" | "cursor" | "to"> & { readonly to: Date | null };

/** Asks part by part. What was started before a failure is shown; a failure of the first part is thrown. */
async function startedOf({ webhooks, call }: Asked, filter: AllFilter): Promise<StartedParts> {
  const started: Recovery[] = [];
  const notStarted: RecoveryNotStarted[] = [];
  // The end of the first part is that of all.
  let to = filter.to;
  for (let cursor: string | null = null; ; ) {
    let part: StartRecoveriesResponse;
    try {
      part = await webhooks.startRecoveries({ ...filter, to, cursor }, call);
    } catch (trouble) {
      if (cursor === null) throw trouble;
      return { started, notStarted, trouble };
    }
    started.push(...part.recoveries);
    notStarted.push(...part.notStarted);
    to ??= started[0]?.to ?? null;
    cursor = part.nextCursor ?? null;
    if (cursor === null) return { started, notStarted };
  }
}

/** An id is not looked up before: one that there is not has no subscriptions either. @throws CommandError. */
async function assertIntegration(asked: Asked, id: string): Promise<void> {
  const integrations = await allIntegrations(asked);
  if (!integrations.some(({ integration }) => integration?.id === id))
    throw commandError(EXIT.refused, {
      code: "NOT_FOUND",
      reason: "integration_not_found",
      message: `There is no integration ${id}.`,
      fix: leadingTo("See what there is:", run`gatehouse integrations list`),
    });
}

function startedOutcome({ started, notStarted, trouble }: StartedParts): Outcome {
  // Without an endpoint there never is anything to send again.
  const shown = notStarted.filter(({ reason }) => reason !== "pull_only");
  const quiet = notStarted.length - shown.length;
  const counts = [
    `${started.length} started`,
    `${shown.length} not`,
    ...(quiet > 0 ? [`${quiet} without an endpoint`] : []),
  ].join(", ");
  const isComplete = trouble === undefined;
  const said = isComplete ? `${counts}.` : `${counts}. Then it failed: ${(trouble as Error).message} Ask again.`;
  const json = { started: started.map(toRecoveryJson), notStarted: notStarted.map(toNotStartedJson), isComplete };
  const outcome = many(json, [...started, ...shown], STARTED_COLUMNS, {
    ifNone: { said: quiet > 0 ? said : "There are no subscriptions." },
    said,
    ...(started.length > 0 && { next: run`gatehouse recoveries list --state running --state paused` }),
  });
  return isComplete ? outcome : { ...outcome, exitCode: EXIT.refused };
}

/** Adds the flags that say which deliveries. */
const filtered = (command: Command): Command =>
  command
    .requiredOption(
      "--since <date>",
      `made from this date or instant on, at most ${RECOVERY_DAYS_MAX} days before --until`,
      parseInstant,
    )
    .option("--until <date>", "made before this date or instant (default: now)", parseInstant)
    .addOption(
      repeatedChoice(
        "--state <state>",
        `only those: ${lowerWordsOf(RecoveredState).join(", ")}`,
        lowerWordsOf(RecoveredState),
      ),
    )
    .addOption(eventTypeOption("only events of this type; may be repeated").argParser(repeated))
    .option("--tenant <id or name>", "only events of this tenant (the wire's client); may be repeated", repeated);

const FILTER_FLAGS = {
  from: "--since",
  to: "--until",
  states: "--state",
  event_types: "--event-type",
  tenant_ids: "--tenant",
};

async function filterOf(asked: Asked, { since, until, state = [], eventType = [], tenant = [] }: FilterOptions) {
  return {
    from: since,
    to: until ?? null,
    states: state.map((word) => valueOfLower(RecoveredState, word)),
    eventTypes: [...eventType],
    tenantIds: await tenantIds(asked, tenant),
  };
}

function shown(answer: Recovery | null | undefined, words: (recovery: Recovery) => OutcomeWords): Outcome {
  const recovery = present(answer);
  return one(toRecoveryJson(recovery), recoveryFacts(recovery), words(recovery));
}

/** What became of it; one that has ended stays as it is. */
const said = ({ state }: Recovery, wanted: RecoveryState): string =>
  state === wanted ? `It is ${enumWord(RecoveryState, state)}.` : `It is ${enumWord(RecoveryState, state)} already.`;
