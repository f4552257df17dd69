import { operations } from "#generated/operations/gateway.ts";
import type { Tenant as TenantMessage } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { fillPath, toWireAddress, type Wire } from "../wire.ts";
import type { Tenant } from "./tenant.ts";

/** A tenant as the gateway shows it: the wire's client (spec §2.2, R-G4). */
export const toWireClient = ({ id, name, address }: TenantMessage): Wire["PlatformClient"] => ({
  id,
  name,
  location: toWireAddress(address),
});

/** client.created with its snapshot (spec §6.1); links to the client by id (R-G8), the receiver's own id is filled in later. */
export function clientCreated({ id, instanceId, name, address }: Tenant) {
  const data: Omit<Wire["ClientSnapshot"], "links"> = { clientId: id, name, address: toWireAddress(address) };
  return {
    eventType: "client.created" satisfies Wire["ClientCreatedEvent"]["type"],
    entity: { type: "client", id } satisfies Wire["ClientEntity"],
    instanceId,
    tenantId: id,
    data,
    selfPath: fillPath(operations.getClient.path, { clientId: id }),
  };
}
