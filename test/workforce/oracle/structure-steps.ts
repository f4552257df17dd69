import { there } from "../workforce-fixture.ts";
import { byId, type Model, type ModelUnit, ofTenant } from "./model.ts";
import { locationEvent, unitCreated, unitTypeCreated, workerEvent } from "./model-events.ts";
import { type Meant, pick, withTenant } from "./stage.ts";

export const createUnitType = withTenant(({ workforce, model }, { picks, words, flags }, tenant) => {
  const name = `${words[0]} layer`;
  const above = flags[0] ? pick(ofTenant(model.units, tenant.id), picks[1]) : undefined;
  const first = { name: words[1] ?? "", unitCode: flags[1] ? "U-1" : null, description: null };
  const second = { name: words[2] ?? "", unitCode: null, description: flags[1] ? "below" : null };
  const units = [
    { ...first, parent: above === undefined ? null : ({ $case: "parentUnitId", value: above.id } as const) },
    { ...second, parent: { $case: "parentIndex", value: 0 } as const },
  ].slice(0, (picks[2] ?? 0) % 3);
  return {
    call: (requestId) => workforce.platform.createUnitType({ requestId, tenantId: tenant.id, name, units }),
    outcome: (answer: { unitType: { id: string }; units: readonly { id: string }[] }, at) => {
      const type = { id: answer.unitType.id, tenantId: tenant.id, name };
      model.unitTypes.push(type);
      const made = answer.units.map(({ id }, index): ModelUnit => {
        const { parent: _, ...fields } = there(units[index]);
        const parentId = index === 0 ? (above?.id ?? null) : there(answer.units[0]).id;
        return { id, tenantId: tenant.id, typeId: type.id, ...fields, parentId, createdAt: at };
      });
      model.units.push(...made);
      return [unitTypeCreated(model, type, made, at), ...made.map((unit) => unitCreated(model, unit))];
    },
  };
});

export const updateUnitType: Meant = ({ workforce, model }, { picks, words }) => {
  const type = pick(model.unitTypes, picks[0]);
  if (type === undefined) return undefined;
  const name = words[0] ?? "";
  return {
    call: (requestId) =>
      workforce.platform.updateUnitType({ requestId, unitTypeId: type.id, updateMask: ["name"], name }),
    outcome: () => {
      type.name = name;
      return [];
    },
  };
};

export const createUnit = withTenant(({ workforce, model }, { picks, words, flags }, tenant) => {
  const type = pick(ofTenant(model.unitTypes, tenant.id), picks[1]);
  if (type === undefined) return undefined;
  const parents = flags[1] ? model.units : ofTenant(model.units, tenant.id);
  const parent = flags[0] ? undefined : pick(parents, picks[2]);
  const fields = { name: words[0] ?? "", unitCode: words[1] ?? "", description: flags[2] ? (words[2] ?? "") : null };
  return {
    call: (requestId) =>
      workforce.platform.createUnit({
        requestId,
        tenantId: tenant.id,
        unitTypeId: type.id,
        ...fields,
        parentUnitId: parent?.id ?? null,
      }),
    outcome:
      parent !== undefined && parent.tenantId !== tenant.id
        ? "unit_not_found"
        : ({ unit }: { unit: { id: string } }, at) => {
            const ids = { id: unit.id, tenantId: tenant.id, typeId: type.id, parentId: parent?.id ?? null };
            const made: ModelUnit = { ...ids, ...fields, createdAt: at };
            model.units.push(made);
            return [unitCreated(model, made)];
          },
  };
});

export const updateUnit: Meant = ({ workforce, model }, { picks, words, flags }) => {
  const unit = pick(model.units, picks[0]);
  if (unit === undefined) return undefined;
  const parent = flags[0] ? undefined : pick(ofTenant(model.units, unit.tenantId), picks[1]);
  const updateMask = [...(flags[1] ? ["name"] : []), ...(flags[2] || !flags[1] ? ["parent_unit_id"] : [])];
  const moves = updateMask.includes("parent_unit_id");
  return {
    call: (requestId) =>
      workforce.platform.updateUnit({
        requestId,
        unitId: unit.id,
        updateMask,
        name: words[0] ?? "",
        unitCode: null,
        description: null,
        parentUnitId: parent?.id ?? null,
      }),
    outcome:
      moves && liesBelow(model, parent, unit)
        ? "unit_cycle"
        : () => {
            if (flags[1]) unit.name = words[0] ?? "";
            if (moves) unit.parentId = parent?.id ?? null;
            return [];
          },
  };
};

/** True when `one` is `other`, or somewhere below it. */
export function liesBelow(model: Model, one: ModelUnit | undefined, other: ModelUnit): boolean {
  if (one === undefined) return false;
  return one.id === other.id || (one.parentId !== null && liesBelow(model, byId(model.units, one.parentId), other));
}

export const createLocation = withTenant(({ workforce, model }, { words }, tenant) => {
  const name = words[0] ?? "";
  return {
    call: (requestId) => workforce.platform.createLocation({ requestId, tenantId: tenant.id, name }),
    outcome: ({ location }: { location: { id: string } }, at) => {
      const made = { id: location.id, tenantId: tenant.id, name, createdAt: at };
      model.locations.push(made);
      return [locationEvent(model, "organization_location.created", made)];
    },
  };
});

export const deleteLocation: Meant = ({ workforce, model }, { picks }) => {
  const location = pick(model.locations, picks[0]);
  if (location === undefined) return undefined;
  return {
    call: (requestId) => workforce.platform.deleteLocation({ requestId, locationId: location.id }),
    outcome: () => {
      model.locations.splice(model.locations.indexOf(location), 1);
      const placed = model.workers.filter(({ locationId }) => locationId === location.id);
      for (const worker of placed) worker.locationId = null;
      return [
        locationEvent(model, "organization_location.deleted", location),
        ...placed.map((worker) => workerEvent(model, "worker.updated", worker)),
      ];
    },
  };
};
