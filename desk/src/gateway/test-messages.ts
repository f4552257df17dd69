import { membersOf, type Problem } from "./gateway.ts";

/** A message that is asked for, as the contract has it. */
export interface WantedMessage {
  /** An event type, or one that there is not. */
  readonly type: string;
  /** Kinds of ids that are new, and the same in all messages that are made together. */
  readonly newIds?: readonly string[];
  readonly occurredSecondsAgo?: number;
  readonly unknownMember?: boolean;
  readonly layout?: "compact" | "spread";
  /** The instants that it is signed for, in seconds from now; now unless given. */
  readonly signedSecondsFromNow?: readonly number[];
}

/** A message as an endpoint would get it. */
interface SignedMessage {
  readonly id: string;
  readonly type: string;
  /** The exact text that is signed. */
  readonly body: string;
  /** The headers for each instant. */
  readonly signed: readonly Readonly<Record<string, string>>[];
}

export interface SignedMessages {
  readonly data: readonly SignedMessage[];
}

const areSigned = (count: number) => (body: unknown) => {
  const { data } = membersOf(body);
  return Array.isArray(data) && data.length === count && data.every(isSigned);
};

function isSigned(one: unknown): boolean {
  const { id, type, body, signed } = membersOf(one);
  const texts = [
    id,
    type,
    body,
    ...(Array.isArray(signed) ? signed.flatMap((each) => Object.values(membersOf(each))) : [0]),
  ];
  return texts.every((text) => typeof text === "string");
}

/** What the gateway is asked, to sign messages of a subscription; a hundred at most. */
export const testMessagesRequest = (subscriptionId: string, messages: readonly WantedMessage[]) => ({
  method: "POST" as const,
  path: `/v1/webhooks/subscriptions/${subscriptionId}/test-messages`,
  body: { messages },
  changes: false,
  // The allowance is one of each minute.
  longestWaitMs: 60_000,
  fixOf: olderGateway,
  isExpected: areSigned(messages.length),
});

/** What a gateway that does not know the operation means. */
export const olderGateway = ({ code }: Pick<Problem, "code">): string | undefined =>
  ["not_found", "method_not_allowed"].includes(code)
    ? "This Gatehouse is older and signs no test messages: update it, or give the signing secret (--secret-file, WEBHOOK_SECRET)."
    : undefined;
