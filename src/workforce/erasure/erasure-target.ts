import type { ErasureTarget } from "#generated/proto/gatehouse/workforce/v1/erasure.ts";
import type { Failure } from "#runtime/basis/errors.ts";
import type { OrganizationUnitId, PersonId, TenantId, UnitTypeId, UserId, WorkerId } from "#runtime/basis/ids.ts";
import { unknownReference } from "../failures.ts";
import { readFields } from "../request-fields.ts";
import type { ErasedCounts, ErasedSeats, PersonSeat } from "./erasable.ts";
import type { ErasableRepository } from "./erasable-repository.ts";

/** What a request names. */
export type Target =
  | { readonly kind: "person"; readonly id: PersonId }
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "worker"; readonly id: WorkerId }
  | { readonly kind: "tenant"; readonly id: TenantId }
  | { readonly kind: "unit"; readonly id: OrganizationUnitId }
  | { readonly kind: "unitType"; readonly id: UnitTypeId };

/** @throws INVALID_ARGUMENT that names the field by its path, for an id of another form or a request without one. */
export function readTarget(target: ErasureTarget | null): Target {
  const id = target?.id;
  return readFields((fields): Target => {
    switch (id?.$case) {
      case "userId":
        return { kind: "user", id: fields.id("target.user_id", "user", id.value) };
      case "workerId":
        return { kind: "worker", id: fields.id("target.worker_id", "worker", id.value) };
      case "tenantId":
        return { kind: "tenant", id: fields.id("target.tenant_id", "tenant", id.value) };
      case "unitId":
        return { kind: "unit", id: fields.id("target.unit_id", "organizationUnit", id.value) };
      case "unitTypeId":
        return { kind: "unitType", id: fields.id("target.unit_type_id", "unitType", id.value) };
      case "personId":
        return { kind: "person", id: fields.id("target.person_id", "person", id.value) };
      default:
        fields.check(false, "target", "must name what is to be erased");
        return { kind: "person", id: "" as PersonId };
    }
  });
}

/** What there is of a target. */
export interface FoundTarget {
  /** What erasing it would end; nothing once it is erased. What ends with a tenant is counted apart (`countTenant`). */
  readonly counts: ErasedCounts;
  readonly erasedAt: Date | null;
  /** What it may have been erased with. */
  readonly above: readonly string[];
  /** The tenants that its erasure locks. */
  readonly tenantIds: readonly TenantId[];
}

export const NOTHING: ErasedCounts = { people: 0, users: 0, workers: 0, units: 0, unitTypes: 0, locations: 0 };

/** @throws NOT_FOUND, for example (person_not_found). */
export async function findTarget(erasable: ErasableRepository, target: Target): Promise<FoundTarget> {
  switch (target.kind) {
    case "person":
      return findPerson(erasable, target.id);
    case "user":
      return findSeat(erasable, "USER", target.id);
    case "worker":
      return findSeat(erasable, "WORKER", target.id);
    case "tenant": {
      const tenant = await erasable.findTenant(target.id);
      if (!tenant) throw unknownTarget(target);
      return { counts: NOTHING, erasedAt: tenant.erasedAt, above: [], tenantIds: [target.id] };
    }
    default: {
      const found = await erasable.findPlace(target);
      if (!found) throw unknownTarget(target);
      const { tenantId, erasedAt } = found;
      const one = target.kind === "unit" ? { units: 1 } : { unitTypes: 1 };
      const counts = { ...NOTHING, ...(erasedAt === null && one) };
      return { counts, erasedAt, above: [tenantId], tenantIds: [tenantId] };
    }
  }
}

async function findPerson(erasable: ErasableRepository, id: PersonId): Promise<FoundTarget> {
  const erasedAt = await erasable.personErasedAt(id);
  if (erasedAt === undefined) throw unknownTarget({ kind: "person", id });
  const seats = await erasable.listSeats(id);
  const tenantIds = [...new Set(seats.map(({ tenantId }) => tenantId))];
  const counts = erasedAt === null ? countsOf({ seats, isPersonErased: true }) : NOTHING;
  return { counts, erasedAt, above: tenantIds, tenantIds };
}

async function findSeat(
  erasable: ErasableRepository,
  kind: PersonSeat["kind"],
  id: UserId | WorkerId,
): Promise<FoundTarget> {
  const seat = await erasable.findSeat(kind, id);
  if (!seat) throw unknownTarget({ kind: kind === "USER" ? "user" : "worker", id });
  const { personId, tenantId } = seat;
  const tenant = await erasable.findTenant(tenantId);
  const erasedAt = (await erasable.personErasedAt(personId)) ?? tenant?.erasedAt ?? null;
  const isPersonErased = (await erasable.listSeats(personId)).length === 1;
  const counts = erasedAt === null ? countsOf({ seats: [seat], isPersonErased }) : NOTHING;
  return { counts, erasedAt, above: [personId, tenantId], tenantIds: [tenantId] };
}

export const countsOf = ({ seats, isPersonErased }: ErasedSeats): ErasedCounts => ({
  ...NOTHING,
  people: isPersonErased ? 1 : 0,
  users: seats.filter(({ kind }) => kind === "USER").length,
  workers: seats.filter(({ kind }) => kind === "WORKER").length,
});

const NOUNS = {
  person: "person",
  user: "user",
  worker: "worker",
  tenant: "tenant",
  unit: "unit",
  unitType: "unit_type",
};

/** What the request names is not there. */
export const unknownTarget = ({ kind, id }: { readonly kind: Target["kind"]; readonly id: string }): Failure =>
  unknownReference(NOUNS[kind], `${NOUNS[kind]}_id`, id);
