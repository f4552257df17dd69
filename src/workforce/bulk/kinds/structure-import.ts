import type { OrganizationUnitId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import { unknownReference } from "../../failures.ts";
import { assertNoneErased } from "../../organization/erased-place.ts";
import type { OrganizationUnit } from "../../organization/organization.ts";
import { locationCreated, unitCreated, unitTypeCreated } from "../../organization/structure-event-wire.ts";
import type { LineOf } from "../lines/line.ts";
import { toLocationLine, toUnitLine, toUnitTypeLine } from "../lines/structure-lines.ts";
import { type ImportBatch, tenantNamed } from "./import-batch.ts";
import { byId, importRun, type Verdict } from "./import-run.ts";

export async function importUnitTypes(lines: readonly LineOf<"unitType">[], batch: ImportBatch): Promise<Verdict[]> {
  const { unitTypes } = batch.repositories;
  return importRun(lines, batch.at, {
    noun: "The unit type",
    stored: byId(await unitTypes.findAll(lines.map(({ id }) => id))),
    toLine: toUnitTypeLine,
    make: ({ id, tenantId, name }, createdAt) => ({ id, tenantId: tenantNamed(batch, tenantId).id, name, createdAt }),
    async create(created) {
      await unitTypes.createAll(created);
      touch(batch, created);
      await batch.emit(created.map((one) => unitTypeCreated(one, [], tenantNamed(batch, one.tenantId).instanceId)));
    },
  });
}

export async function importLocations(lines: readonly LineOf<"location">[], batch: ImportBatch): Promise<Verdict[]> {
  const { locations } = batch.repositories;
  return importRun(lines, batch.at, {
    noun: "The location",
    stored: byId(await locations.findAll(lines.map(({ id }) => id))),
    toLine: toLocationLine,
    make: ({ id, tenantId, name }, createdAt) => ({ id, tenantId: tenantNamed(batch, tenantId).id, name, createdAt }),
    async create(created) {
      await locations.createAll(created);
      touch(batch, created);
      await batch.emit(created.map((one) => locationCreated(one, tenantNamed(batch, one.tenantId).instanceId)));
    },
  });
}

export async function importUnits(lines: readonly LineOf<"unit">[], batch: ImportBatch): Promise<Verdict[]> {
  const { unitTypes, units } = batch.repositories;
  const parentIds = lines.map(({ parentUnitId }) => parentUnitId).filter((id) => id !== null);
  const unitTypeIds = [...new Set(lines.map(({ unitTypeId }) => unitTypeId))];
  const stored = byId(await units.findAll([...lines.map(({ id }) => id), ...parentIds]));
  const types = byId(await unitTypes.findAll(unitTypeIds));
  const erased = new Set<string>([
    ...(await units.listErased(parentIds)),
    ...(await unitTypes.listErased(unitTypeIds)),
  ]);
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
  return importRun(lines, batch.at, {
    noun: "The unit",
    stored,
    toLine: toUnitLine,
    make(line, createdAt) {
      const tenantId = tenantNamed(batch, line.tenantId).id;
      unitTypeOf(line.unitTypeId, tenantId);
      parentOf(line.parentUnitId, tenantId);
      return { ...line, createdAt };
    },
    admit({ unitTypeId, parentUnitId }) {
      assertNoneErased([unitTypeId, parentUnitId ?? ""], erased);
    },
    async create(created) {
      await units.createAll(created);
      touch(batch, created);
      const events = created.map((unit) => {
        const parent = parentOf(unit.parentUnitId, unit.tenantId);
        const place = {
          unit,
          unitType: unitTypeOf(unit.unitTypeId, unit.tenantId),
          parentUnit: parent && { id: parent.id, name: parent.name },
        };
        return unitCreated(place, tenantNamed(batch, unit.tenantId).instanceId);
      });
      await batch.emit(events);
    },
  });
}

function touch({ touched }: ImportBatch, created: readonly { readonly tenantId: TenantId }[]): void {
  for (const { tenantId } of created) touched.tenants.add(tenantId);
}
