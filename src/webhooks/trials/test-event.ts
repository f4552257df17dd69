import type { EventType } from "#generated/event-types.ts";
import { TEST_EVENTS } from "#generated/test-events.ts";
import type { EventId, InstanceId } from "#runtime/basis/ids.ts";
import type { Reported } from "../events/envelope.ts";

interface Occurrence {
  readonly eventId: EventId;
  readonly sequence: number;
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
  tenantId: null,
  isTest: true,
});

/** The sequence of a test event that is made now. */
export type TestSequences = (at: Date) => number;

/**
 * The sequences of one process's test events: not of the outbox, where they never were, but rising like those. The time
 * in milliseconds, or the next number while that was given (R-X293).
 */
export function testSequences(): TestSequences {
  let last = 0;
  return (at) => {
    last = Math.max(last + 1, at.getTime());
    return last;
  };
}
