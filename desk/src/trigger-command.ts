import { CommandError, EXIT, type ExitCode } from "./command-error.ts";
import { readFlags } from "./flags.ts";
import { askPatiently, membersOf } from "./gateway/gateway.ts";
import { GATEWAY_FLAGS, GATEWAY_HELP, gatewayOf } from "./gateway/gateway-flags.ts";
import { chooseSubscriptions } from "./gateway/subscriptions.ts";
import { SAMPLE_TYPES } from "./sample-events.ts";
import { meantWord } from "./spelling.ts";
import { type Surroundings, shellWord } from "./terminal.ts";

export const TRIGGER_HELP = `Makes a test event for your own subscription: believable, of a type that you
choose, marked with "test": true in its signed body. It is sent and retried like
every event, and in the feed that listen reads.

Usage: <command> trigger <type> [flags]

Types:
${SAMPLE_TYPES.map((type) => `  ${type}`).join("\n")}

${GATEWAY_HELP}
  --json                 one JSON document`;

interface TestEvent {
  readonly eventId: string;
  readonly deliveryId: string;
  readonly skippedReason?: string;
}

function isTestEvent(body: unknown): boolean {
  const { eventId, deliveryId } = membersOf(body);
  return typeof eventId === "string" && typeof deliveryId === "string";
}

/** `trigger <type>` */
export async function triggerCommand(
  words: readonly string[],
  surroundings: Surroundings & { readonly command: string },
): Promise<ExitCode> {
  const { values, positionals } = readFlags(words, { ...GATEWAY_FLAGS, json: { type: "boolean", default: false } });
  const [type, ...more] = positionals;
  if (type === undefined || more.length > 0 || !SAMPLE_TYPES.includes(type)) {
    const problem =
      type === undefined || more.length > 0
        ? "Give one event type."
        : `There is no event type ${type}.${questionOf(type)}`;
    throw new CommandError(problem, { fix: `Types: ${SAMPLE_TYPES.join(", ")}` });
  }
  const gateway = await gatewayOf(values, surroundings);
  const [{ id, label }, ...others] = await chooseSubscriptions(gateway, values.subscription);
  if (others.length > 0)
    throw new CommandError("A test event is for one subscription.", { fix: "Give one --subscription." });
  const path = `/v1/webhooks/subscriptions/${id}/test-events`;
  const made = (await askPatiently(gateway, {
    method: "POST",
    path,
    body: { type },
    isExpected: isTestEvent,
  })) as TestEvent;
  surroundings.stdout.write(
    values.json
      ? `${JSON.stringify({ ...made, type, subscription: { id, label } })}\n`
      : shown(made, label, `${surroundings.command} listen${flagsAgain(values)}`),
  );
  return EXIT.ok;
}

function questionOf(type: string): string {
  const meant = meantWord(type, SAMPLE_TYPES);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}

interface GivenFlags {
  readonly gateway?: string | undefined;
  readonly "key-file"?: string | undefined;
  readonly subscription?: readonly string[] | undefined;
}

/** What said where the event is made, so that the next command finds the same. A key itself is not repeated. */
const flagsAgain = ({ gateway, "key-file": keyFile, subscription }: GivenFlags): string =>
  Object.entries({ gateway, "key-file": keyFile, subscription: subscription?.[0] })
    .map(([name, value]) => (value === undefined ? "" : ` --${name} ${shellWord(value)}`))
    .join("");

const shown = ({ eventId, deliveryId, skippedReason }: TestEvent, label: string, listen: string): string =>
  [
    eventId,
    skippedReason === undefined
      ? `It is being sent to ${label}, as ${deliveryId}, and is in the feed.`
      : `It is not sent to ${label} (${skippedReason}), but it is in the feed.`,
    `See it at your desk: ${listen} --forward-to http://localhost:3000/webhooks`,
    `See its attempts: GET /v1/webhooks/deliveries/${deliveryId}`,
    "",
  ].join("\n");
