import type { Command } from "commander";
import type { Asked, Verb } from "../../connection/verb.ts";
import { eventTypeOption } from "../../input/flags.ts";
import { subscriptionId } from "../../input/references.ts";
import { run } from "../../output/advice.ts";
import { one } from "../../output/outcome.ts";
import { SUBSCRIPTION, SUBSCRIPTION_FIELDS } from "./subscription-shown.ts";

interface TestOptions {
  readonly eventType?: string;
}

/** `gatehouse subscriptions test` (R-X317) */
export function addTestEvent(noun: Command, verb: Verb): void {
  noun
    .command("test")
    .summary("send it a test event: believable, marked as a test, signed and retried like every event")
    .argument(...SUBSCRIPTION.argument)
    .addOption(eventTypeOption("an exact type that it asks for (default: user.updated)"))
    .action(verb<TestOptions>(test, { ...SUBSCRIPTION_FIELDS, event_type: "--event-type" }));
}

async function test(asked: Asked, { eventType = "user.updated" }: TestOptions, given = "") {
  const request = { subscriptionId: await subscriptionId(asked, given), eventType };
  const { eventId, deliveryId, blockedReason } = await asked.testEvents.triggerTestEvent(request, asked.call);
  const skippedReason = blockedReason ?? null;
  const said =
    skippedReason === null
      ? "The test event is being sent, and is in the feed."
      : `The test event is not sent (${skippedReason.replaceAll("_", " ")}), but it is in the feed.`;
  const facts = [
    ["event", `${eventType} (${eventId})`],
    ["delivery", deliveryId],
  ] as const;
  return one({ ...request, eventId, deliveryId, skippedReason }, facts, {
    said,
    next: run`gatehouse deliveries show ${deliveryId}`,
  });
}
