import {
  type InstanceIntegrationStanding,
  InstanceIntegrationState,
} from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import type { InstanceIntegrationId } from "#runtime/basis/ids.ts";
import type { OutboxEntry } from "#runtime/outbox/outbox.ts";
import type { Connection } from "../connections/connection.ts";

/**
 * The state of an instance integration in an internal outbox entry; `undefined` when the entry is about something else.
 */
export function toConnection({ eventType, entity, data }: OutboxEntry): Connection | undefined {
  if (eventType !== "instanceIntegration.standing") return undefined;
  const { state, revision } = data as unknown as InstanceIntegrationStanding;
  const known = lowerWordOf(InstanceIntegrationState, state);
  if (known === undefined) throw new Error(`An instance integration cannot be ${state}.`);
  return { instanceIntegrationId: entity.id as InstanceIntegrationId, state: known, revision };
}
