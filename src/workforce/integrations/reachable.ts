import { missing } from "../failures.ts";
import type { Reach, ReachableInstance, ReachableTenant, ReachedConnection } from "./reach.ts";

/**
 * The instance behind an instance integration of the caller's.
 * @throws NOT_FOUND "Instance integration not found", a foreign one included, or "… not configured" (spec §7.4, R-G3, R-G5).
 */
export const getReachableInstance = (reach: Reach): ReachableInstance => getConnection(reach).instance;

/**
 * The tenant of the connected instance, if the caller may see it.
 * @throws NOT_FOUND "Instance integration not found", a foreign one included, or "… not configured", or for the tenant, in this order
 * (spec §7.4, R-G3, R-G5).
 */
export function getReachableTenant(reach: Reach): ReachableTenant {
  const { tenant } = getConnection(reach);
  if (!tenant) throw missing("tenant_not_found");
  return tenant;
}

/** Checks that what was reached before is reached now (R-X427). @throws NOT_FOUND as the two above. */
export function assertStillReached(before: Reach, now: Reach): void {
  if (before.connection?.tenant !== undefined) getReachableTenant(now);
  else if (before.connection?.configured === true) getReachableInstance(now);
}

function getConnection({ connection }: Reach): ReachedConnection {
  if (!connection) throw missing("instance_integration_not_found");
  if (!connection.configured) throw missing("instance_integration_not_configured");
  return connection;
}
