import type { EventType } from "#generated/event-types.ts";
import { TEST_EVENTS } from "#generated/test-events.ts";
import type { EventId, InstanceId } from "#runtime/basis/ids.ts";
import type { Reported } from "./envelope.ts";

interface Occurrence {
  readonly eventId: EventId;
  readonly occurredAt: Date;
  readonly instanceId: InstanceId;
}

/**
 * A test event: the first example of its type in the contract, as if it happened now. Its entity does not exist, and
 * every test event of one entity has the same id in it, so that a `user.updated` follows its `user.created`.
 */
export const testEvent = (eventType: EventType, occurrence: Occurrence): Reported => ({
  ...occurrence,
  ...TEST_EVENTS[eventType],
  eventType,
  // Not of the outbox, where it never was; rises like one.
  sequence: occurrence.occurredAt.getTime(),
  tenantId: null,
  isTest: true,
});
