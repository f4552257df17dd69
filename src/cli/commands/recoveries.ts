import { type Command, Option } from "commander";
import { RecoveredState, type Recovery, RecoveryState } from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { type LowerEnumWord, lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { present } from "../connection/answers.ts";
import type { Asked, Verb } from "../connection/verb.ts";
import { flagsAgain, limitOption, parseInstant, repeated } from "../input/flags.ts";
import { recoveryId, subscriptionId, tenantId } from "../input/references.ts";
import { enumWord } from "../output/enum-word.ts";
import { many, type Outcome, type OutcomeWords, one } from "../output/outcome.ts";
import { RECOVERY_COLUMNS, recoveryFacts, toRecoveryJson } from "./recovery-shown.ts";

interface StartOptions {
  readonly subscription: string;
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

  noun
    .command("start")
    .summary("send a subscription's failed and skipped deliveries of a time again")
    .description(
      "Starts a job that sends again what was not delivered to a subscription: one attempt for each delivery, under the same webhook-id. It goes on when Gatehouse is restarted.",
    )
    .requiredOption("--subscription <id or label>", "whose deliveries")
    .requiredOption("--since <date>", "made from this date or instant on, at most 31 days before --until", parseInstant)
    .option("--until <date>", "made before this date or instant (default: now)", parseInstant)
    .addOption(
      new Option("--state <states...>", `only those: ${lowerWordsOf(RecoveredState).join(", ")}`).choices(
        lowerWordsOf(RecoveredState),
      ),
    )
    .option("--event-type <type>", "only events of this type; may be repeated", repeated)
    .option("--tenant <id or name>", "only events of this tenant (the wire's client); may be repeated", repeated)
    .action(
      verb<StartOptions>(
        async (asked, options) => {
          const tenantIds: string[] = [];
          for (const tenant of options.tenant ?? []) tenantIds.push(await tenantId(asked, tenant));
          const { recovery } = await asked.webhooks.startRecovery(
            {
              subscriptionId: await subscriptionId(asked, options.subscription),
              from: options.since,
              to: options.until ?? null,
              states: (options.state ?? []).map((word) => valueOfLower(RecoveredState, word)),
              eventTypes: [...(options.eventType ?? [])],
              tenantIds,
            },
            asked.call,
          );
          return shown(recovery, ({ id }) => ({ said: "Started.", next: `gatehouse recoveries show ${id}` }));
        },
        {
          subscription_id: "--subscription",
          from: "--since",
          to: "--until",
          states: "--state",
          event_types: "--event-type",
          tenant_ids: "--tenant",
        },
      ),
    );

  noun
    .command("list")
    .summary("list recoveries, newest first")
    .option("--subscription <id or label>", "only those of one subscription")
    .addOption(
      new Option("--state <states...>", `only those: ${lowerWordsOf(RecoveryState).join(", ")}`).choices(
        lowerWordsOf(RecoveryState),
      ),
    )
    .addOption(limitOption())
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(
        async (asked, { subscription, state = [], limit, cursor }) => {
          const { recoveries, nextCursor } = await asked.webhooks.listRecoveries(
            {
              subscriptionId: subscription === undefined ? null : await subscriptionId(asked, subscription),
              states: state.map((word) => valueOfLower(RecoveryState, word)),
              limit: limit ?? 0,
              cursor: cursor ?? null,
            },
            asked.call,
          );
          const json = { recoveries: recoveries.map(toRecoveryJson), nextCursor: nextCursor ?? null };
          return many(json, recoveries, RECOVERY_COLUMNS, {
            ifNone: { said: "There are no such recoveries." },
            ...(nextCursor && {
              next: `gatehouse recoveries list${flagsAgain({ subscription, state, limit, cursor: nextCursor })}`,
            }),
          });
        },
        { subscription_id: "--subscription", states: "--state" },
      ),
    );

  const ofOne = (name: string, summary: string, call: (asked: Asked, id: string) => Promise<Outcome>) =>
    noun
      .command(name)
      .summary(summary)
      .argument("<recovery>", "its id (recovery_…), as “gatehouse recoveries list” shows it")
      .action(
        verb<object>(async (asked, _options, given = "") => call(asked, await recoveryId(given)), {
          recovery_id: "<recovery>",
        }),
      );

  ofOne("show", "show how far a recovery has come", async ({ webhooks, call }, id) => {
    const { recovery } = await webhooks.getRecovery({ recoveryId: id }, call);
    return shown(recovery, () => ({}));
  });
  ofOne("pause", "send nothing more until the recovery is resumed", async ({ webhooks, call }, id) => {
    const { recovery } = await webhooks.pauseRecovery({ recoveryId: id }, call);
    return shown(recovery, (now) => ({
      said: said(now, RecoveryState.PAUSED),
      next: `gatehouse recoveries show ${id}`,
    }));
  });
  ofOne("resume", "let a paused recovery go on", async ({ webhooks, call }, id) => {
    const { recovery } = await webhooks.resumeRecovery({ recoveryId: id }, call);
    return shown(recovery, (now) => ({
      said: said(now, RecoveryState.RUNNING),
      next: `gatehouse recoveries show ${id}`,
    }));
  });
  ofOne("cancel", "end a recovery; what is under way is still sent", async ({ webhooks, call }, id) => {
    const { recovery } = await webhooks.cancelRecovery({ recoveryId: id }, call);
    return shown(recovery, (now) => ({ said: said(now, RecoveryState.CANCELLED) }));
  });
}

function shown(answer: Recovery | null | undefined, words: (recovery: Recovery) => OutcomeWords): Outcome {
  const recovery = present(answer);
  return one(toRecoveryJson(recovery), recoveryFacts(recovery), words(recovery));
}

/** What became of it; one that is over stays as it is. */
const said = ({ state }: Recovery, wanted: RecoveryState): string =>
  state === wanted ? `It is ${enumWord(RecoveryState, state)}.` : `It is ${enumWord(RecoveryState, state)} already.`;
