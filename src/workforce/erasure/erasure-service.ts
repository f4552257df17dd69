import type {
  EraseRequest,
  EraseResponse,
  ErasureState,
  ErasureTarget,
  ReadErasureRequest,
  ReadErasureResponse,
} from "#generated/proto/gatehouse/workforce/v1/erasure.ts";
import { newId, type TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { erasureFinishedAt } from "#runtime/erasure/erasures.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { WorkforceTables } from "../tables.ts";
import type { WorkforceChange } from "../writes-service.ts";
import type { ErasablePlace, ErasedCounts, PersonSeat } from "./erasable.ts";
import { erasableRepository } from "./erasable-repository.ts";
import { erasingRepository } from "./erasing-repository.ts";
import {
  countsOf,
  type FoundTarget,
  findTarget,
  NOTHING,
  readTarget,
  type Target,
  unknownTarget,
} from "./erasure-target.ts";
import { append, type ErasingDeps, erasePerson, eraseSeats } from "./people-erasure-service.ts";
import { countTenant } from "./tenant-counts-service.ts";
import { type EraseDeps, eraseTenant } from "./tenant-erasure-service.ts";
import { redactedPlace } from "./tombstone.ts";

/** What an erasure would end, or how far it is. @throws NOT_FOUND, for example (person_not_found). */
export const readErasure =
  ({ db }: { readonly db: Database<WorkforceTables> }) =>
  async (request: ReadErasureRequest): Promise<ReadErasureResponse> => {
    const target = readTarget(request.target);
    const erasable = erasableRepository(db);
    const found = await findTarget(erasable, target);
    const { erasedAt, above } = found;
    const counts =
      target.kind === "tenant" && erasedAt === null ? await countTenant(erasable, target.id) : found.counts;
    const finishedAt = erasedAt === null ? undefined : await erasureFinishedAt(db, [target.id, ...above]);
    return { state: { ...toState(request.target, { counts, erasedAt }), finishedAt: finishedAt ?? null } };
  };

/**
 * Erases a person, user, worker, tenant, unit or unit type (R-X260). What was erased before stays as it is.
 * @throws NOT_FOUND, for example (person_not_found).
 */
export const erase =
  ({ db, changes, random }: EraseDeps) =>
  async (request: EraseRequest, { actor, requestId: given }: Call): Promise<EraseResponse> => {
    const target = readTarget(request.target);
    // By it `erasureFinishedAt` finds what one call erases. Without one of its own, it would be taken for part of others.
    const requestId = given === "" ? newId("request", random) : given;
    // Before it is locked, since that takes long for a large one.
    const ofTenant = target.kind === "tenant" ? await countTenant(erasableRepository(db), target.id) : NOTHING;
    return changes.run(
      async (change) => {
        const found = await lockTarget(change, target);
        if (found.erasedAt !== null) return change.unchanged({ state: toState(request.target, found) });
        const locked = new Set(found.tenantIds);
        const counts = await eraseTarget(change, target, locked, { by: { actor, requestId }, random, ofTenant });
        return change.ended({ state: toState(request.target, { counts, erasedAt: change.at }) });
      },
      // Of a tenant, all its places and logins change at once.
      { requestId, alone: target.kind === "tenant" },
    );
  };

const toState = (
  target: ErasureTarget | null,
  { counts, erasedAt }: Pick<FoundTarget, "counts" | "erasedAt">,
): ErasureState => ({ target, ...counts, erasedAt, finishedAt: null });

/** Locks the tenants of the target first, as every write does, and reads it then; `tenantIds` are those that are locked. */
async function lockTarget({ db }: WorkforceChange, target: Target): Promise<FoundTarget> {
  const erasable = erasableRepository(db);
  const { tenantIds } = await findTarget(erasable, target);
  await erasable.lockTenants(tenantIds);
  return { ...(await findTarget(erasable, target)), tenantIds };
}

/**
 * @param locked the tenants that are locked.
 * @param deps.ofTenant what ends with the target if it is a tenant.
 */
async function eraseTarget(
  change: WorkforceChange,
  target: Target,
  locked: ReadonlySet<TenantId>,
  { ofTenant, ...deps }: ErasingDeps & { readonly ofTenant: ErasedCounts },
): Promise<ErasedCounts> {
  switch (target.kind) {
    case "person": {
      const erased = await erasePerson(change, target.id, locked, deps);
      if (!erased) throw unknownTarget(target);
      return countsOf(erased);
    }
    case "user":
    case "worker": {
      const kind: PersonSeat["kind"] = target.kind === "user" ? "USER" : "WORKER";
      const seat = await erasableRepository(change.db).findSeat(kind, target.id);
      if (!seat) throw unknownTarget(target);
      return countsOf(await eraseSeats(change, seat.personId, [seat], deps));
    }
    case "tenant":
      await eraseTenant(change, target.id, deps.by, ofTenant);
      return ofTenant;
    default:
      return erasePlace(change, target, deps);
  }
}

/** A unit or a unit type; the specification has no event for that (R-G16). */
async function erasePlace(change: WorkforceChange, place: ErasablePlace, { by }: ErasingDeps): Promise<ErasedCounts> {
  const found = await erasableRepository(change.db).findPlace(place);
  if (!found) throw unknownTarget(place);
  const { tenantId } = found;
  await erasingRepository(change.db).erasePlace(place, change.at);
  await append(change, place.id, { people: [], tenantIds: [tenantId], redactions: [redactedPlace(place)] }, by);
  const written = { actor: by.actor, object: place.id, facts: { tenantId }, tenants: [tenantId] };
  await change.note(place.kind === "unit" ? "unit.erase" : "unitType.erase", written);
  return { ...NOTHING, ...(place.kind === "unit" ? { units: 1 } : { unitTypes: 1 }) };
}
