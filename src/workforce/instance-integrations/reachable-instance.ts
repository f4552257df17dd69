import { type InstanceId, parseId } from "#runtime/basis/ids.ts";
import type { Caller } from "../integrations/caller.ts";
import { missing } from "../refusals.ts";
import type { InstanceIntegrationRepository } from "./instance-integration-repository.ts";

/** The instance that the caller may read. Whoever has one has passed the checks of `getConnection`. */
export interface Connection {
  readonly instanceId: InstanceId;
  /** Of the instance (R-G10). */
  readonly revision: number;
}

/**
 * The instance behind an instance integration of the caller's.
 * @throws NOT_FOUND "Instance integration not found", a foreign one included, or "… not configured" (spec §7.4, R-G3, R-G5).
 */
export async function getConnection(
  { connections }: { readonly connections: InstanceIntegrationRepository },
  instanceIntegrationId: string,
  caller: Caller,
): Promise<Connection> {
  const id = parseId("instanceIntegration", instanceIntegrationId);
  const found = id && (await connections.findOfIntegration(id, caller.integrationId));
  if (!found) throw missing("instance_integration_not_found");
  if (!found.configured) throw missing("instance_integration_not_configured");
  return { instanceId: found.instance.id, revision: found.instanceRevision };
}
