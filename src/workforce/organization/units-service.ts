import {
  CreateUnitRequest,
  CreateUnitResponse,
  UpdateUnitRequest,
  UpdateUnitResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import { newTimedId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../failures.ts";
import { type FieldReader, LENGTHS, readWrite } from "../request-fields.ts";
import { isSame } from "../revisions.ts";
import { getAndLock, getWithTenant } from "../tenants/belonging.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { assertNotErased } from "./erased-place.ts";
import type { OrganizationUnit, UnitInPlace } from "./organization.ts";
import { unitTypeRepository } from "./organization-repository.ts";
import { unitCreated } from "./structure-event-wire.ts";
import { type UnitRepository, unitRepository } from "./unit-repository.ts";

interface UnitsDeps {
  readonly changes: WorkforceChanges;
  readonly random: Random;
}

/**
 * Creates a unit and emits organization_unit.created.
 * @throws NOT_FOUND (tenant, unit type, unit for the parent); FAILED_PRECONDITION (erased) for unit type or parent.
 */
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
      async ({ db, at, emit, wrote }) => {
        const [units, unitTypes] = [unitRepository(db), unitTypeRepository(db)];
        const { instanceId } = await getAndLock(tenantRepository(db), tenantId);
        const unitType = await unitTypes.find(unitTypeId, tenantId);
        if (!unitType) throw unknownReference("unit_type", "unit_type_id", unitTypeId);
        await assertNotErased(unitTypes, [unitTypeId]);
        const parentUnit = await getNewParent(units, wanted);
        const unit: OrganizationUnit = { id: newTimedId("organizationUnit", at, random), ...wanted, createdAt: at };
        await units.createAll([unit]);
        await emit(unitCreated({ unit, unitType, parentUnit }, instanceId));
        const written = { actor: call.actor, object: unit.id, facts: { tenantId }, tenants: [tenantId] };
        return wrote("unit.create", written, { unit });
      },
      repeatable(request, call, CreateUnitRequest, CreateUnitResponse),
    );
  };

/**
 * Changes the named fields of a unit; emits no event (R-G16).
 * @throws NOT_FOUND (unit_not_found, also for the parent); FAILED_PRECONDITION (unit_cycle) when the unit would lie
 * below itself, (erased) for the unit and for another parent.
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
      async ({ db, unchanged, wrote }) => {
        const units = unitRepository(db);
        const { tenant, one: before } = await getWithTenant(tenantRepository(db), units, "unit", unitId);
        await assertNotErased(units, [unitId]);
        const unit = unitAfter(before, given, mask);
        if (isSame(unit, before)) return unchanged({ unit });
        const parent = unit.parentUnitId === before.parentUnitId ? null : await getNewParent(units, unit);
        if (parent && (await units.isWithin(parent.id, unitId)))
          throw failedPrecondition(
            "unit_cycle",
            `${unitId} cannot lie below ${parent.id}, which is the unit itself or lies below it. Choose another parent_unit_id.`,
            { named: ["parent_unit_id"] },
          );
        await units.replace(unit);
        const facts = { tenantId: tenant.id, fields: [...mask].join(" ") };
        return wrote("unit.update", { actor: call.actor, object: unitId, facts, tenants: [tenant.id] }, { unit });
      },
      repeatable(request, call, UpdateUnitRequest, UpdateUnitResponse),
    );
  };

/**
 * The unit that is to be above, by id and name; null for none.
 * @throws NOT_FOUND (unit_not_found) for one that the tenant does not have; FAILED_PRECONDITION (erased).
 */
async function getNewParent(
  units: UnitRepository,
  { tenantId, parentUnitId: id }: Pick<OrganizationUnit, "tenantId" | "parentUnitId">,
): Promise<UnitInPlace["parentUnit"]> {
  if (id === null) return null;
  const name = (await units.listNames([id], tenantId)).get(id);
  if (name === undefined) throw unknownReference("unit", "parent_unit_id", id);
  await assertNotErased(units, [id]);
  return { id, name };
}

/** What an update of a unit may name. */
const UNIT_PATHS = ["name", "unit_code", "description", "parent_unit_id"] as const;

type UnitMask = ReadonlySet<(typeof UNIT_PATHS)[number]>;

type UnitFields = Pick<OrganizationUnit, "name" | "unitCode" | "description" | "parentUnitId">;

/** Reads the fields that `mask` names; the others are not looked at and read as empty. */
const readUnit = (
  fields: FieldReader,
  { name, unitCode, description, parentUnitId }: Pick<CreateUnitRequest, keyof UnitFields>,
  mask: UnitMask = new Set(UNIT_PATHS),
): UnitFields => ({
  name: mask.has("name") ? fields.text("name", name, LENGTHS.name) : "",
  unitCode: mask.has("unit_code") ? fields.optionalText("unit_code", unitCode, LENGTHS.unitCode) : null,
  description: mask.has("description") ? fields.optionalText("description", description, LENGTHS.description) : null,
  parentUnitId: mask.has("parent_unit_id")
    ? fields.optionalId("parent_unit_id", "organizationUnit", parentUnitId)
    : null,
});

/** The unit after an update that names `mask`. */
const unitAfter = (before: OrganizationUnit, given: UnitFields, mask: UnitMask): OrganizationUnit => ({
  ...before,
  name: mask.has("name") ? given.name : before.name,
  unitCode: mask.has("unit_code") ? given.unitCode : before.unitCode,
  description: mask.has("description") ? given.description : before.description,
  parentUnitId: mask.has("parent_unit_id") ? given.parentUnitId : before.parentUnitId,
});
