import type {
  SignTestMessagesRequest,
  SignTestMessagesResponse,
  TestMessage,
  WantedTestMessage,
} from "#generated/proto/gatehouse/webhooks/v1/test_events.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import { idViolations } from "#runtime/basis/id-violation.ts";
import { newTimedId, parseId, type SubscriptionId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { type FindSigner, JSON_CONTENT, keysOf, signerFor } from "../feed/own-signer-service.ts";
import type { OpenedSecrets } from "../queue/opened-secrets.ts";
import { standardHeaders } from "../queue/signature.ts";
import { type MinuteAllowance, takeOrRefuse } from "../subscriptions/minute-allowance.ts";
import { PING } from "../subscriptions/ping.ts";
import type { Scope } from "../subscriptions/scope.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { visibleSubscription } from "../subscriptions/subscription-refusals.ts";
import type { WebhooksTables } from "../tables.ts";
import type { TestSequences } from "./test-event.ts";
import { NEW_ID_KINDS, newIds, testMessageBody } from "./test-message.ts";

const TEST_MESSAGES = { reason: "too_many_test_messages", what: "test messages", done: "signed" };
const MESSAGES_MAX = 100;
const INSTANTS_MAX = 4;
const SECONDS_AGO_MAX = 24 * 60 * 60;
const SECONDS_FROM_NOW_MAX = 10 * 60;
const TYPE = /^[a-z_]+(\.[a-z_]+)+$/;
const TYPE_LENGTH_MAX = 100;

interface TestMessagesDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly random: Random;
  readonly clock: Clock;
  readonly findSigner: FindSigner;
  readonly findSubscription: (id: SubscriptionId) => Promise<Subscription | undefined>;
  readonly secrets: OpenedSecrets;
  /** Messages of one integration. */
  readonly allowance: MinuteAllowance;
  readonly sequenceAt: TestSequences;
  readonly log: Log;
}

/**
 * Signs test messages of a subscription as its endpoint would get them, and gives them as data (R-X362).
 * @throws INVALID_ARGUMENT naming every wrong field; NOT_FOUND (subscription_not_found) outside the scope too;
 * FAILED_PRECONDITION (instance_integration_not_configured, instance_integration_revoked); RESOURCE_EXHAUSTED
 * (too_many_test_messages) with the seconds to wait; UNAVAILABLE (secret_unopened), before anything is counted or noted.
 */
export const signTestMessages =
  (deps: TestMessagesDeps) =>
  async (
    scope: Scope,
    request: SignTestMessagesRequest,
    { requestId }: Pick<Call, "requestId">,
  ): Promise<SignTestMessagesResponse> => {
    const { random, clock, sequenceAt } = deps;
    const subscriptionId = check(request);
    const signer = await signerFor(deps, scope, subscriptionId);
    const found = await deps.findSubscription(subscriptionId);
    const subscription = visibleSubscription(scope, found, subscriptionId);
    const keys = keysOf(deps, signer);
    takeOrRefuse(deps.allowance, subscription.integrationId, TEST_MESSAGES, request.messages.length);
    const facts = { messages: request.messages.length };
    await deps.changes.run(
      ({ audit }) =>
        audit({ actor: scope.actor, action: "subscription.signTestMessages", object: subscriptionId, facts }),
      { requestId },
    );
    const now = clock.now();
    const withNewIds = newIds(random);
    const made = (wanted: WantedTestMessage): TestMessage => {
      const ago = wanted.occurredSecondsAgo;
      const occurredAt = new Date(now.getTime() - ago * 1_000);
      const id = newTimedId("event", now, random);
      const sequence = ago === 0 ? sequenceAt(now) : occurredAt.getTime();
      const occurrence = { eventId: id, sequence, occurredAt, of: subscription };
      const body = testMessageBody(wanted, occurrence, (text) => withNewIds(text, wanted.newIds));
      const seconds = wanted.signedSecondsFromNow.length === 0 ? [0] : wanted.signedSecondsFromNow;
      const signed = seconds.map((fromNow) => {
        const timestamp = Math.floor(now.getTime() / 1_000) + fromNow;
        return { headers: [JSON_CONTENT, ...standardHeaders(keys, { id, timestamp, body: Buffer.from(body) })] };
      });
      return { id, type: wanted.type, body, signed };
    };
    return { messages: request.messages.map(made) };
  };

/** @throws INVALID_ARGUMENT naming every wrong field. */
function check({ subscriptionId, messages }: SignTestMessagesRequest): SubscriptionId {
  const violations: FieldViolation[] = idViolations("subscription", "subscription_id", subscriptionId);
  if (messages.length === 0 || messages.length > MESSAGES_MAX)
    violations.push({ field: "messages", reason: `must be 1 to ${MESSAGES_MAX}` });
  for (const [index, message] of messages.slice(0, MESSAGES_MAX).entries()) {
    for (const [field, reason] of wrongIn(message)) violations.push({ field: `messages[${index}].${field}`, reason });
  }
  const id = parseId("subscription", subscriptionId);
  if (violations.length > 0 || id === undefined) throw invalidArgument(violations);
  return id;
}

function* wrongIn(wanted: WantedTestMessage): Generator<readonly [field: string, reason: string]> {
  const { type, newIds: kinds, occurredSecondsAgo: ago, signedSecondsFromNow: instants } = wanted;
  if (type.length > TYPE_LENGTH_MAX || !TYPE.test(type) || type === PING)
    yield ["type", `must be an event type, or look like one, and not ${PING}`];
  for (const [index, kind] of kinds.entries())
    if (!NEW_ID_KINDS.some((known) => known === kind))
      yield [`new_ids[${index}]`, `must be one of ${NEW_ID_KINDS.join(", ")}`];
  if (!(ago >= 0 && ago <= SECONDS_AGO_MAX)) yield ["occurred_seconds_ago", `must be 0 to ${SECONDS_AGO_MAX}`];
  if (instants.length > INSTANTS_MAX) yield ["signed_seconds_from_now", `must be at most ${INSTANTS_MAX}`];
  for (const [index, seconds] of instants.entries())
    if (Math.abs(seconds) > SECONDS_FROM_NOW_MAX)
      yield [`signed_seconds_from_now[${index}]`, `must be ${-SECONDS_FROM_NOW_MAX} to ${SECONDS_FROM_NOW_MAX}`];
}
