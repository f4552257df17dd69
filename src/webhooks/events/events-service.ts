import { EVENT_TYPES } from "#generated/event-types.ts";
import type {
  Event as EventMessage,
  ListEventsRequest,
  ListEventsResponse,
} from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import type { ListOwnEventsRequest, ListOwnEventsResponse } from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import { optionalIdViolations } from "#runtime/basis/id-violation.ts";
import { toCursor } from "../deliveries/cursor.ts";
import { patternProblem, typesOf } from "../deliveries/event-type-pattern.ts";
import { readListPart } from "../deliveries/list-part.ts";
import type { OwnFilters } from "../integrator/own-filters.ts";
import type { EventFilter, EventRepository, KeptEvent, SeenEvent } from "./event-repository.ts";

/**
 * Recent events, whether a subscription got them or not, newest first, a page at a time.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listEvents =
  ({ events }: { readonly events: EventRepository }) =>
  async (request: ListEventsRequest): Promise<ListEventsResponse> => {
    const { events: found, scannedTo } = await events.list(parseFilter(request));
    return {
      events: found.map(toEventMessage),
      nextCursor: scannedTo === undefined ? null : toCursor(scannedTo),
    };
  };

/**
 * Recent events that subscriptions of the integration could have matched, whether one did or not (R-X339). How many
 * deliveries each has is left out, since others' are among them.
 * @throws INVALID_ARGUMENT naming every wrong field at once; also for a filter by what is another integration's.
 */
export const listOwnEvents =
  ({ events, filters }: { readonly events: EventRepository; readonly filters: OwnFilters }) =>
  async (
    { integrationId }: { readonly integrationId: string },
    request: ListOwnEventsRequest,
  ): Promise<ListOwnEventsResponse> => {
    const filter = parseFilter(request, await filters.wrongIn(integrationId, request));
    const seenBy = { integrationId, instanceIntegrationId: request.instanceIntegrationId ?? undefined };
    const { events: found, scannedTo } = await events.list({ ...filter, seenBy });
    return {
      events: found.map((event) => toEventMessage({ ...event, deliveries: undefined })),
      nextCursor: scannedTo === undefined ? null : toCursor(scannedTo),
    };
  };

function parseFilter(
  request: ListEventsRequest & Partial<ListOwnEventsRequest>,
  found: readonly FieldViolation[] = [],
): EventFilter {
  const { eventType, tenantId, entityId, instanceIntegrationId } = request;
  const { before, limit, violations: ofPart } = readListPart(request);
  const violations: FieldViolation[] = [
    ...found,
    ...optionalIdViolations("instanceIntegration", "instance_integration_id", instanceIntegrationId),
    ...optionalIdViolations("tenant", "tenant_id", tenantId),
  ];
  const wrongType = typeof eventType === "string" ? patternProblem(eventType, EVENT_TYPES) : undefined;
  if (wrongType !== undefined) violations.push({ field: "event_type", reason: wrongType });
  violations.push(...ofPart);
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    eventTypes: typeof eventType === "string" ? typesOf(eventType, EVENT_TYPES) : undefined,
    tenantId: tenantId ?? undefined,
    entityId: entityId ?? undefined,
    before,
    limit,
  };
}

/** An event that waits in the outbox has no deliveries yet, not even none. */
export const toEventMessage = (
  event: Omit<KeptEvent, "deliveries"> &
    Partial<Pick<SeenEvent, "instanceIntegrationId">> & { readonly deliveries?: number | undefined },
): EventMessage => ({
  id: event.id,
  type: event.eventType,
  occurredAt: event.occurredAt,
  entityType: event.entityType,
  entityId: event.entityId,
  instanceId: event.instanceId,
  tenantId: event.tenantId,
  sequence: event.sequence,
  deliveries: event.deliveries ?? null,
  instanceIntegrationId: event.instanceIntegrationId ?? null,
});
