import type { InstanceIntegration } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present, toWireInstant, type Wire } from "../wire.ts";

/** An instance integration as the gateway shows it (spec §2.1). The wire's "applicationInstance" is our instance. */
export function toWireInstanceIntegration(one: InstanceIntegration): Wire["InstanceIntegration"] {
  const { id, name } = present(one.instance);
  return {
    id: one.id,
    applicationInstance: { id, instanceName: name },
    createdAt: toWireInstant(one.createdAt),
    updatedAt: toWireInstant(one.updatedAt),
  };
}
