import type { PersonId, TenantId } from "#runtime/basis/ids.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import type { WorkforceChange } from "../writes-service.ts";
import { assertLocked } from "./locked-tenants-service.ts";
import { seatRepository } from "./seat-repository.ts";

/** Emits what is to be emitted about one kind of seat that the person has in a tenant; the tenant is locked. */
export type EmitSeatsChanged = (change: WorkforceChange, personId: PersonId, tenant: Tenant) => Promise<void>;

/**
 * Emits that e-mail address or names of a person have changed, wherever they have a seat (R-D2). To be called once the change is written,
 * with the person and its tenants locked; a change that has not locked all of them is repeated.
 * @param locked the tenants that the change has locked before the person.
 * @returns the tenants that show the person, whose revisions are to be raised: deleted users and reports of the person show it too.
 */
export type EmitPersonChanged = (
  change: WorkforceChange,
  personId: PersonId,
  locked: ReadonlySet<TenantId>,
) => Promise<readonly TenantId[]>;

/** @param kinds what each kind of seat emits: users and workers know their own events. */
export const emittingPersonChanged =
  (...kinds: readonly EmitSeatsChanged[]): EmitPersonChanged =>
  async (change, personId, locked) => {
    const tenantIds = await seatRepository(change.db).listTenants([personId]);
    assertLocked(tenantIds, locked);
    // One that was erased while its lock was waited for shows nobody any more, and is not found.
    const shown = await tenantRepository(change.db).lockAll(tenantIds);
    for (const tenant of shown) for (const emitSeats of kinds) await emitSeats(change, personId, tenant);
    return shown.map(({ id }) => id);
  };
