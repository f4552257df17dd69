import type { Command } from "commander";
import { type Subscription, SubscriptionState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { SkippedMeanwhile } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { systemClock } from "#runtime/basis/clock.ts";
import { DAY_MS } from "#runtime/basis/durations.ts";
import { counted } from "#runtime/basis/text.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { eventTypeOption, repeated, texts, yesOption } from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { subscriptionId, tenantIds } from "../../input/references.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { type Advice, leadingTo, run } from "../../output/advice.ts";
import { EXIT } from "../../output/command-error.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { RECOVERY_DAYS_MAX } from "../deliveries/recovery-shown.ts";
import { pinged, pingedAfterwards } from "./pinged.ts";
import { readHeaders } from "./subscription-files.ts";
import { nextOf, SUBSCRIPTION, SUBSCRIPTION_FIELDS, shownSubscription } from "./subscription-shown.ts";

interface UpdateOptions {
  readonly endpointUrl?: string;
  readonly eventType?: readonly string[];
  readonly tenant?: readonly string[];
  readonly description?: string;
  readonly headersFile?: string;
  readonly skipPing?: boolean;
}

/** `gatehouse subscriptions update`, `pause`, `resume`, `enable`, `ping` and `delete` */
export function addSubscriptionChanges(noun: Command, verb: Verb): void {
  noun
    .command("update")
    .summary("change only the fields whose flags are given; a changed endpoint has to acknowledge a ping")
    .argument(...SUBSCRIPTION.argument)
    .option("--endpoint-url <url>", "address that events are posted to; an empty text makes it pull-only")
    .addOption(eventTypeOption("the complete new list; may be repeated").argParser(repeated))
    .option(
      "--tenant <id or name>",
      "the complete new list; may be repeated; an empty text means every tenant",
      repeated,
    )
    .option("--description <text>", "what it is for, without personal data")
    .option(
      "--headers-file <file>",
      "all extra headers, a line “Name: value” for each; a name alone keeps the value that it has",
    )
    .option("--skip-ping", "a changed endpoint is active at once")
    .action(verb<UpdateOptions>(update, SUBSCRIPTION_FIELDS));

  const ofOne = verbOfOne(noun, verb, SUBSCRIPTION);
  ofOne("pause", "skip its events until it is resumed; they can be recovered", async (asked, id) => {
    const answer = await asked.subscriptions.pauseSubscription({ subscriptionId: id }, asked.call);
    const after = present(answer.subscription);
    return shownSubscription(asked, after, {
      said: "The subscription is paused: its events are skipped until it is resumed.",
      next: run`gatehouse subscriptions resume ${after.label}`,
    });
  });
  ofOne("resume", "end a pause", async (asked, id) => {
    const { subscription, skipped } = await asked.subscriptions.resumeSubscription({ subscriptionId: id }, asked.call);
    return broughtBack(asked, present(subscription), skipped ?? undefined);
  });
  ofOne("enable", "enable a disabled subscription again", async (asked, id) => {
    const { subscription, skipped } = await asked.subscriptions.enableSubscription({ subscriptionId: id }, asked.call);
    return broughtBack(asked, present(subscription), skipped ?? undefined);
  });
  ofOne(
    "ping",
    "send a signed ping and show what comes back; exit code 1 when it is not acknowledged",
    async (asked, id) => {
      const ping = await pinged(asked, id);
      const words = { said: ping.said, next: nextOf(ping.subscription) };
      const outcome = await shownSubscription(asked, ping.subscription, words, ping);
      return ping.acknowledged ? outcome : { ...outcome, exitCode: EXIT.refused };
    },
  );

  ofOne<ConsentOptions>(
    "delete",
    "end a subscription for good; asks first, and cannot be undone",
    async (asked, subscriptionId, options) => {
      const request = { subscriptionId };
      const { label, id } = present((await asked.subscriptions.getSubscription(request, asked.call)).subscription);
      await confirmed(asked, options, {
        says: `This ends ${label} (${id}) for good: its secrets, and every delivery that waits. Deliveries that ended stay in the list.`,
        question: `Delete ${label}?`,
      });
      const was = present((await asked.subscriptions.deleteSubscription(request, asked.call)).subscription);
      return shownSubscription(asked, was, {
        said: "The subscription is deleted. This is what it was:",
        next: run`gatehouse subscriptions list`,
      });
    },
    yesOption(),
  );
}

async function update(asked: Asked, options: UpdateOptions, reference = "") {
  const given = {
    endpoint_url: options.endpointUrl,
    event_types: options.eventType,
    tenant_ids: options.tenant,
    description: options.description,
    extra_headers: options.headersFile,
  };
  const updateMask = chosenFields(given, SUBSCRIPTION_FIELDS);
  const request = {
    tenantIds: await tenantIds(asked, texts(options.tenant)),
    subscriptionId: await subscriptionId(asked, reference),
    updateMask,
    endpointUrl: options.endpointUrl ?? "",
    eventTypes: texts(options.eventType),
    description: options.description ?? "",
    extraHeaders: options.headersFile === undefined ? [] : await readHeaders(options.headersFile),
    skipPing: options.skipPing === true,
  };
  const after = present((await asked.subscriptions.updateSubscription(request, asked.call)).subscription);
  const awaits = after.state === SubscriptionState.PENDING && options.endpointUrl !== undefined;
  if (!awaits) return shownSubscription(asked, after, { said: "The subscription is changed." });
  const ping = await pingedAfterwards(asked, after);
  const next = ping.acknowledged ? {} : { next: run`gatehouse subscriptions ping ${after.label}` };
  return shownSubscription(
    asked,
    ping.subscription,
    { said: `The subscription is changed. ${ping.said}`, ...next },
    ping,
  );
}

/** After a pause or a disabling: what was missed, and how to get it. */
function broughtBack(asked: Asked, after: Subscription, skipped: SkippedMeanwhile | undefined) {
  const state =
    after.state === SubscriptionState.PENDING
      ? "The subscription is pending until its endpoint acknowledges the ping that was sent."
      : "The subscription is active.";
  const count = skipped?.count ?? 0;
  const since = skipped?.since ?? after.stateSince ?? after.createdAt;
  const missed = count === 0 ? "" : ` ${counted(count, "event")} since ${toShownInstant(since)} did not arrive.`;
  const isDone = count === 0 && after.state !== SubscriptionState.PENDING;
  const words = { said: `${state}${missed}`, ...(isDone ? {} : { next: recoveryOf(after, since) }) };
  return shownSubscription(asked, after, words, { json: { skipped: count } });
}

/** The command that sends again what was missed. To one that is pending nothing is sent yet. */
function recoveryOf({ state, label }: Subscription, since: Date | null): Advice {
  if (state === SubscriptionState.PENDING) return run`gatehouse subscriptions ping ${label}`;
  const longest = new Date((since ?? systemClock.now()).getTime() + RECOVERY_DAYS_MAX * DAY_MS);
  if (longest >= systemClock.now())
    return run`gatehouse recoveries start --subscription ${label} --since ${toJsonInstant(since)}`;
  return leadingTo(
    `for the first ${RECOVERY_DAYS_MAX} days, and then for each later part:`,
    run`gatehouse recoveries start --subscription ${label} --since ${toJsonInstant(since)} --until ${toJsonInstant(longest)}`,
  );
}
