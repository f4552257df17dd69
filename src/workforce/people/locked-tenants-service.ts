import type { TenantId } from "#runtime/basis/ids.ts";
import { BeginAgain } from "#runtime/changes/change.ts";

/**
 * Tenants are locked before people (docs/architecture.md, "Rows are locked in one order"). A person who got a seat after
 * the tenants were listed has one that is not locked; locked now, it could make two transactions wait for each other. The
 * change is repeated instead, and lists that tenant too.
 * @param tenantIds of the person, read while the person is locked.
 */
export function assertLocked(tenantIds: readonly TenantId[], locked: ReadonlySet<TenantId>): void {
  if (tenantIds.some((id) => !locked.has(id)))
    throw new BeginAgain("The person has got a seat in another tenant while the tenants were locked.");
}
