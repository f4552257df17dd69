import type { OrganizationUnitId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import { locationCreated } from "../../organization/location-event-wire.ts";
import type { OrganizationUnit } from "../../organization/organization.ts";
import { unitCreated } from "../../organization/unit-event-wire.ts";
import { unitTypeCreated } from "../../organization/unit-type-event-wire.ts";
import { unknownReference } from "../../refusals.ts";
import { getTenant, type ImportContext } from "../import-context.ts";
import type { Verdict } from "../import-position.ts";
import { byId, importRun } from "../import-run.ts";
import type { LineOf } from "../line.ts";
import { toLocationLine, toUnitLine, toUnitTypeLine } from "../lines/structure-lines.ts";

export async function importUnitTypes(
  lines: readonly LineOf<"unitType">[],
  context: ImportContext,
): Promise<Verdict[]> {
  const { unitTypes } = context.many.structure;
  return importRun(lines, context.at, {
    noun: "The unit type",
    stored: byId(await unitTypes.findAll(lines.map(({ id }) => id))),
    toLine: toUnitTypeLine,
    make: ({ id, tenantId, name }, createdAt) => ({ id, tenantId: getTenant(context, tenantId).id, name, createdAt }),
    async create(created) {
      await unitTypes.createAll(created);
      touch(context, created);
      await context.emit(created.map((one) => unitTypeCreated(one, [], getTenant(context, one.tenantId).instanceId)));
    },
  });
}

export async function importLocations(
  lines: readonly LineOf<"location">[],
  context: ImportContext,
): Promise<Verdict[]> {
  const { locations } = context.many.structure;
  return importRun(lines, context.at, {
    noun: "The location",
    stored: byId(await locations.findAll(lines.map(({ id }) => id))),
    toLine: toLocationLine,
    make: ({ id, tenantId, name }, createdAt) => ({ id, tenantId: getTenant(context, tenantId).id, name, createdAt }),
    async create(created) {
      await locations.createAll(created);
      touch(context, created);
      await context.emit(created.map((one) => locationCreated(one, getTenant(context, one.tenantId).instanceId)));
    },
  });
}

export async function importUnits(lines: readonly LineOf<"unit">[], context: ImportContext): Promise<Verdict[]> {
  const { unitTypes, units } = context.many.structure;
  const parentIds = lines.map(({ parentUnitId }) => parentUnitId).filter((id) => id !== null);
  const stored = byId(await units.findAll([...lines.map(({ id }) => id), ...parentIds]));
  const types = byId(await unitTypes.findAll([...new Set(lines.map(({ unitTypeId }) => unitTypeId))]));
  const unitTypeOf = (id: UnitTypeId, tenantId: TenantId) => {
    const type = types.get(id);
    if (type?.tenantId !== tenantId) throw unknownReference("unit_type", "unitTypeId", id);
    return type;
  };
  const parentOf = (id: OrganizationUnitId | null, tenantId: TenantId): OrganizationUnit | null => {
    const parent = id === null ? null : stored.get(id);
    if (parent === undefined || (parent !== null && parent.tenantId !== tenantId))
      throw unknownReference("unit", "parentUnitId", id ?? "");
    return parent;
  };
  return importRun(lines, context.at, {
    noun: "The unit",
    stored,
    toLine: toUnitLine,
    make(line, createdAt) {
      const tenantId = getTenant(context, line.tenantId).id;
      unitTypeOf(line.unitTypeId, tenantId);
      parentOf(line.parentUnitId, tenantId);
      return { ...line, createdAt };
    },
    async create(created) {
      await units.createAll(created);
      touch(context, created);
      const events = created.map((unit) => {
        const parent = parentOf(unit.parentUnitId, unit.tenantId);
        const place = {
          unit,
          unitType: unitTypeOf(unit.unitTypeId, unit.tenantId),
          parentUnit: parent && { id: parent.id, name: parent.name },
        };
        return unitCreated(place, getTenant(context, unit.tenantId).instanceId);
      });
      await context.emit(events);
    },
  });
}

function touch({ touched }: ImportContext, created: readonly { readonly tenantId: TenantId }[]): void {
  for (const { tenantId } of created) touched.tenants.add(tenantId);
}
