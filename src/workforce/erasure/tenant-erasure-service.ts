import { setImmediate as nextTurn } from "node:timers/promises";
import { type PersonId, parseId, type TenantId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Database } from "#runtime/database/database.ts";
import type { Eraser } from "#runtime/erasure/erasures.ts";
import { personRepository } from "../people/person-repository.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Ended, WorkforceChange, WorkforceChanges } from "../writes-service.ts";
import type { ErasedCounts, SeatPlace } from "./erasable.ts";
import { erasableRepository } from "./erasable-repository.ts";
import { erasingRepository } from "./erasing-repository.ts";
import { type AskedBy, append, type ErasingDeps, eraseSeats } from "./people-erasure-service.ts";
import { redactedTenant } from "./tombstone.ts";

/** Seats that one transaction erases; each emits an event. */
const SEATS_AT_ONCE = 20;

/**
 * Erases a tenant's own name, address and structure. From then on it is not found; its seats follow in transactions of
 * bounded size. The tenant is locked and was not erased before. The audit log gets how many users and workers go with it.
 */
export async function eraseTenant(
  change: WorkforceChange,
  id: TenantId,
  by: AskedBy,
  { users, workers }: Pick<ErasedCounts, "users" | "workers">,
): Promise<void> {
  const tenant = (await erasableRepository(change.db).lockTenants([id])).get(id);
  if (tenant === undefined) throw new Error("A tenant that was just read is not there.");
  await erasingRepository(change.db).eraseTenant(id, change.at);
  await append(change, id, { people: [], tenantIds: [id], redactions: [redactedTenant(id)] }, by);
  const facts = { instanceId: tenant.instanceId, users, workers };
  await change.note("tenant.erase", { actor: by.actor, object: id, facts, instances: [tenant.instanceId] });
}

/** What erasing begins with. */
export interface EraseDeps {
  readonly db: Database<WorkforceTables>;
  readonly changes: WorkforceChanges;
  readonly random: Random;
}

/** Erases the seats of erased tenants, and the people who have no other (R-X263). */
export const tenantEraser = ({ db, changes, random }: EraseDeps): Eraser => ({
  async erase(erasures, signal) {
    for (const { object, actor, requestId } of erasures) {
      const tenantId = parseId("tenant", object);
      if (tenantId === undefined) continue;
      const deps = { by: { actor, requestId }, random, within: tenantId };
      for (const kind of ["USER", "WORKER"] as const) {
        let after: SeatPlace | undefined;
        while (!signal.aborted) {
          const seats = await erasableRepository(db).listSeatsOf(tenantId, kind, after, SEATS_AT_ONCE);
          after = seats.at(-1);
          const people = new Set(seats.flatMap(({ personId, isErased }) => (isErased ? [] : [personId])));
          if (people.size > 0)
            await changes.run((change) => eraseSeatsOf(change, tenantId, people, deps), { requestId });
          if (seats.length < SEATS_AT_ONCE) break;
          await nextTurn();
        }
      }
    }
    return signal.aborted ? "later" : "erased";
  },
});

async function eraseSeatsOf(
  change: WorkforceChange,
  tenantId: TenantId,
  people: ReadonlySet<PersonId>,
  deps: ErasingDeps,
): Promise<Ended<void>> {
  const erasable = erasableRepository(change.db);
  await erasable.lockTenants([tenantId]);
  // All at once and in one order, since another tenant's erasure may come to the same people in another one.
  await personRepository(change.db).lockAll({ id: [...people] });
  for (const personId of people) {
    const seats = (await erasable.listSeats(personId)).filter((seat) => seat.tenantId === tenantId);
    // Another process may have been faster: the person has given these seats away, and stays.
    if (seats.length > 0) await eraseSeats(change, personId, seats, deps);
  }
  return change.ended(undefined);
}
