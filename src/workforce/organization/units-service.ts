import {
  CreateUnitRequest,
  CreateUnitResponse,
  UpdateUnitRequest,
  UpdateUnitResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import { newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../refusals.ts";
import { repeatable } from "../repeatable.ts";
import { readWrite } from "../request-fields.ts";
import { isSame } from "../same.ts";
import type { WorkforceTables } from "../tables.ts";
import { findAndLock, getAndLock } from "../tenants/belonging.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import type { OrganizationUnit, UnitInPlace } from "./organization.ts";
import { unitCreated } from "./unit-event-wire.ts";
import { readUnit, UNIT_PATHS, unitAfter } from "./unit-fields.ts";
import { type UnitRepository, unitRepository } from "./unit-repository.ts";
import { unitTypeRepository } from "./unit-type-repository.ts";

export interface UnitsDeps {
  readonly changes: Changes<WorkforceTables>;
  readonly random: Random;
}

/** Creates a unit and emits organization_unit.created. @throws NOT_FOUND (tenant, unit type, unit for the parent). */
export const createUnit =
  ({ changes, random }: UnitsDeps) =>
  async (request: CreateUnitRequest, call: Call): Promise<CreateUnitResponse> => {
    const wanted = readWrite(request, (fields) => ({
      tenantId: fields.id("tenant_id", "tenant", request.tenantId),
      unitTypeId: fields.id("unit_type_id", "unitType", request.unitTypeId),
      ...readUnit(fields, request),
    }));
    const { tenantId, unitTypeId } = wanted;
    return changes.run(
      async ({ db, at, emit, audit }) => {
        const [tenants, units] = [tenantRepository(db), unitRepository(db)];
        const { instanceId } = await getAndLock(tenants, tenantId);
        const unitType = await unitTypeRepository(db).find(unitTypeId, tenantId);
        if (!unitType) throw unknownReference("unit_type", "unit_type_id", unitTypeId);
        const parentUnit = await getParent(units, wanted);
        const unit: OrganizationUnit = { id: newId("organizationUnit", random), ...wanted, createdAt: at };
        await units.create(unit);
        await tenants.raiseRevision(tenantId);
        await emit(unitCreated({ unit, unitType, parentUnit }, instanceId));
        await audit({ actor: call.peer, action: "unit.create", object: unit.id, facts: { tenantId } });
        return { unit };
      },
      repeatable(request, call, CreateUnitRequest, CreateUnitResponse),
    );
  };

/**
 * Changes the named fields of a unit; nobody is told (R-G16).
 * @throws NOT_FOUND (unit_not_found, also for the parent); FAILED_PRECONDITION (unit_cycle) when the unit would lie below itself.
 */
export const updateUnit =
  ({ changes }: UnitsDeps) =>
  async (request: UpdateUnitRequest, call: Call): Promise<UpdateUnitResponse> => {
    const { unitId, mask, given } = readWrite(request, (fields) => {
      const unitId = fields.id("unit_id", "organizationUnit", request.unitId);
      const mask = fields.mask(request.updateMask, UNIT_PATHS);
      return { unitId, mask, given: readUnit(fields, request, mask) };
    });
    return changes.run(
      async ({ db, audit }) => {
        const [tenants, units] = [tenantRepository(db), unitRepository(db)];
        const found = await findAndLock(tenants, units, unitId);
        if (!found) throw unknownReference("unit", "unit_id", unitId);
        const { tenant, one: before } = found;
        const unit = unitAfter(before, given, mask);
        if (isSame(unit, before)) return { unit };
        const parent = await getParent(units, unit);
        if (parent && (await units.isWithin(parent.id, unitId)))
          throw failedPrecondition(
            "unit_cycle",
            `${unitId} cannot lie below ${parent.id}, which is the unit itself or lies below it. Choose another parent_unit_id.`,
          );
        await units.replace(unit);
        await tenants.raiseRevision(tenant.id);
        const facts = { tenantId: tenant.id, fields: [...mask].join(" ") };
        await audit({ actor: call.peer, action: "unit.update", object: unitId, facts });
        return { unit };
      },
      repeatable(request, call, UpdateUnitRequest, UpdateUnitResponse),
    );
  };

/** The unit above, by id and name; null for none. @throws NOT_FOUND (unit_not_found) for one that the tenant does not have. */
async function getParent(
  units: UnitRepository,
  { tenantId, parentUnitId: id }: Pick<OrganizationUnit, "tenantId" | "parentUnitId">,
): Promise<UnitInPlace["parentUnit"]> {
  if (id === null) return null;
  const name = (await units.listNames([id], tenantId)).get(id);
  if (name === undefined) throw unknownReference("unit", "parent_unit_id", id);
  return { id, name };
}
