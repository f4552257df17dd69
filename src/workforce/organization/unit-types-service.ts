import {
  CreateUnitTypeRequest,
  CreateUnitTypeResponse,
  UpdateUnitTypeRequest,
  UpdateUnitTypeResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../refusals.ts";
import { repeatable } from "../repeatable.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import type { WorkforceTables } from "../tables.ts";
import { findAndLock, getAndLock } from "../tenants/belonging.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { makeUnits, parentsOf, readNewUnits } from "./new-units.ts";
import type { UnitType } from "./organization.ts";
import { unitCreated } from "./unit-event-wire.ts";
import { unitRepository } from "./unit-repository.ts";
import { unitTypeCreated } from "./unit-type-event-wire.ts";
import { unitTypeRepository } from "./unit-type-repository.ts";

export interface UnitTypesDeps {
  readonly changes: Changes<WorkforceTables>;
  readonly random: Random;
}

/**
 * Creates a unit type with its first units. Emits organization_unit_type.created with the units embedded, and organization_unit.created
 * for each of them (R-E1).
 * @throws NOT_FOUND (tenant_not_found, unit_not_found for a parent).
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
      async ({ db, at, emit, audit }) => {
        const [tenants, units] = [tenantRepository(db), unitRepository(db)];
        const { instanceId } = await getAndLock(tenants, tenantId);
        const parents = await units.listNames(parentsOf(planned), tenantId);
        const unitType: UnitType = { id: newId("unitType", random), tenantId, name, createdAt: at };
        const made = makeUnits(planned, unitType, parents, random);
        await unitTypeRepository(db).create(unitType);
        await units.create(...made.map(({ unit }) => unit));
        await tenants.raiseRevision(tenantId);
        await emit(unitTypeCreated(unitType, made, instanceId), ...made.map((one) => unitCreated(one, instanceId)));
        const facts = { tenantId, units: made.length };
        await audit({ actor: call.peer, action: "unitType.create", object: unitType.id, facts });
        return { unitType, units: made.map(({ unit }) => unit) };
      },
      repeatable(request, call, CreateUnitTypeRequest, CreateUnitTypeResponse),
    );
  };

/** Renames a unit type; nobody is told (R-G16). @throws NOT_FOUND (unit_type_not_found). */
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
      async ({ db, audit }) => {
        const [tenants, unitTypes] = [tenantRepository(db), unitTypeRepository(db)];
        const found = await findAndLock(tenants, unitTypes, unitTypeId);
        if (!found) throw unknownReference("unit_type", "unit_type_id", unitTypeId);
        const { tenant, one: before } = found;
        if (name === before.name) return { unitType: before };
        await unitTypes.rename(unitTypeId, name);
        await tenants.raiseRevision(tenant.id);
        const facts = { tenantId: tenant.id };
        await audit({ actor: call.peer, action: "unitType.update", object: unitTypeId, facts });
        return { unitType: { ...before, name } };
      },
      repeatable(request, call, UpdateUnitTypeRequest, UpdateUnitTypeResponse),
    );
  };
