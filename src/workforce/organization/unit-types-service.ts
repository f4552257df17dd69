import {
  CreateUnitTypeRequest,
  CreateUnitTypeResponse,
  UpdateUnitTypeRequest,
  UpdateUnitTypeResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newTimedId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import { getAndLock, getWithTenant } from "../tenants/belonging.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { assertNotErased } from "./erased-place.ts";
import { makeUnits, parentsOf, readNewUnits } from "./new-units.ts";
import type { UnitType } from "./organization.ts";
import { unitTypeRepository } from "./organization-repository.ts";
import { unitCreated, unitTypeCreated } from "./structure-event-wire.ts";
import { unitRepository } from "./unit-repository.ts";

interface UnitTypesDeps {
  readonly changes: WorkforceChanges;
  readonly random: Random;
}

/**
 * Creates a unit type with its first units. Emits organization_unit_type.created with the units embedded, and
 * organization_unit.created
 * for each of them (R-E1).
 * @throws NOT_FOUND (tenant_not_found, unit_not_found for a parent); FAILED_PRECONDITION (erased) for a parent.
 */
export const createUnitType =
  ({ changes, random }: UnitTypesDeps) =>
  async (request: CreateUnitTypeRequest, call: Call): Promise<CreateUnitTypeResponse> => {
    const { tenantId, name, planned } = readWrite(request, (fields) => ({
      tenantId: fields.id("tenant_id", "tenant", request.tenantId),
      name: fields.text("name", request.name, LENGTHS.name),
      planned: readNewUnits(fields, request.units),
    }));
    return changes.run(
      async ({ db, at, emit, wrote }) => {
        const units = unitRepository(db);
        const { instanceId } = await getAndLock(tenantRepository(db), tenantId);
        const parentIds = parentsOf(planned);
        const parents = await units.listNames(parentIds, tenantId);
        const unitType: UnitType = { id: newTimedId("unitType", at, random), tenantId, name, createdAt: at };
        const made = makeUnits(planned, unitType, parents, random);
        await assertNotErased(units, parentIds);
        await unitTypeRepository(db).createAll([unitType]);
        await units.createAll(made.map(({ unit }) => unit));
        await emit(unitTypeCreated(unitType, made, instanceId), ...made.map((one) => unitCreated(one, instanceId)));
        const facts = { tenantId, units: made.length };
        const written = { actor: call.actor, object: unitType.id, facts, tenants: [tenantId] };
        return wrote("unitType.create", written, { unitType, units: made.map(({ unit }) => unit) });
      },
      repeatable(request, call, CreateUnitTypeRequest, CreateUnitTypeResponse),
    );
  };

/** Renames a unit type; emits no event (R-G16). @throws NOT_FOUND (unit_type_not_found); FAILED_PRECONDITION (erased). */
export const updateUnitType =
  ({ changes }: UnitTypesDeps) =>
  async (request: UpdateUnitTypeRequest, call: Call): Promise<UpdateUnitTypeResponse> => {
    const { unitTypeId, name } = readWrite(request, (fields) => {
      fields.mask(request.updateMask, ["name"]);
      return {
        unitTypeId: fields.id("unit_type_id", "unitType", request.unitTypeId),
        name: fields.text("name", request.name, LENGTHS.name),
      };
    });
    return changes.run(
      async ({ db, unchanged, wrote }) => {
        const unitTypes = unitTypeRepository(db);
        const { tenant, one: before } = await getWithTenant(tenantRepository(db), unitTypes, "unit_type", unitTypeId);
        await assertNotErased(unitTypes, [unitTypeId]);
        if (name === before.name) return unchanged({ unitType: before });
        await unitTypes.rename(unitTypeId, name);
        const facts = { tenantId: tenant.id };
        const written = { actor: call.actor, object: unitTypeId, facts, tenants: [tenant.id] };
        return wrote("unitType.update", written, { unitType: { ...before, name } });
      },
      repeatable(request, call, UpdateUnitTypeRequest, UpdateUnitTypeResponse),
    );
  };
