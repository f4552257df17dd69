import type { InstanceId } from "#runtime/basis/ids.ts";
import type { Wire } from "../wire.ts";
import type { OrganizationLocation } from "./organization.ts";
import { inStructure } from "./structure-event-wire.ts";

type LocationEventType =
  | Wire["OrganizationLocationCreatedEvent"]["type"]
  | Wire["OrganizationLocationDeletedEvent"]["type"];

/** organization_location.created with its snapshot (R-E1). */
export const locationCreated = (location: OrganizationLocation, instanceId: InstanceId) =>
  locationEvent("organization_location.created", location, instanceId);

/** organization_location.deleted, with the location as it was. The structure that it links to lists it no more (spec §6). */
export const locationDeleted = (location: OrganizationLocation, instanceId: InstanceId) =>
  locationEvent("organization_location.deleted", location, instanceId);

function locationEvent(eventType: LocationEventType, location: OrganizationLocation, instanceId: InstanceId) {
  const { id, tenantId, name, createdAt } = location;
  const data: Omit<Wire["OrganizationLocationSnapshot"], "links"> = {
    organizationLocationId: id,
    clientId: tenantId,
    name,
    createdAt: createdAt.toISOString(),
  };
  const entity = { type: "organizationLocation", id } satisfies Wire["OrganizationLocationEntity"];
  return { eventType, entity, data, ...inStructure(tenantId, instanceId) };
}
