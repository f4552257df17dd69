import type { TakenEntry } from "#runtime/outbox/outbox.ts";
import { ownerIdOf } from "../operational/operational-event.ts";
import type { KeptEvent } from "./event-repository.ts";

/** What is kept of an entry of the outbox once it is relayed; it has no deliveries while it waits, not even none. */
export const keptEventOf = (entry: TakenEntry): Omit<KeptEvent, "deliveries"> => ({
  sequence: entry.sequence,
  id: entry.eventId,
  eventType: entry.eventType,
  occurredAt: entry.occurredAt,
  entityType: entry.entity.type,
  entityId: entry.entity.id,
  instanceId: entry.instanceId,
  tenantId: entry.tenantId,
  ownerId: ownerIdOf(entry),
});
