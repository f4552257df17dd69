import type { NewUnit } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newTimedId, type OrganizationUnitId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { hasAtMost } from "#runtime/basis/text.ts";
import { unknownReference } from "../failures.ts";
import { type FieldReader, LENGTHS } from "../request-fields.ts";
import type { OrganizationUnit, UnitInPlace, UnitType } from "./organization.ts";

const UNITS_MAX = 500;
/** Of all names, codes and descriptions: they travel in one event, which subscribers must be able to take (R-X49). */
const CHARACTERS_MAX = 60_000;

/** A unit that is asked for together with its type; `parent` is the id of a unit, or the number of an earlier one among these. */
interface PlannedUnit extends Pick<OrganizationUnit, "name" | "unitCode" | "description"> {
  readonly parent: OrganizationUnitId | number | null;
}

export function readNewUnits(fields: FieldReader, given: readonly NewUnit[]): PlannedUnit[] {
  fields.check(given.length <= UNITS_MAX, "units", `must have at most ${UNITS_MAX} entries`);
  const units = given.slice(0, UNITS_MAX).map((unit, index) => readNewUnit(fields, unit, index));
  const texts = units.flatMap(({ name, unitCode, description }) => [name, unitCode ?? "", description ?? ""]);
  fields.check(
    hasAtMost(texts.join(""), CHARACTERS_MAX),
    "units",
    `must have at most ${CHARACTERS_MAX} characters in all names, codes and descriptions together`,
  );
  return units;
}

function readNewUnit(
  fields: FieldReader,
  { name, unitCode, description, parent }: NewUnit,
  index: number,
): PlannedUnit {
  const field = `units[${index}]`;
  const texts = {
    name: fields.text(`${field}.name`, name, LENGTHS.name),
    unitCode: fields.optionalText(`${field}.unit_code`, unitCode, LENGTHS.unitCode),
    description: fields.optionalText(`${field}.description`, description, LENGTHS.description),
  };
  switch (parent?.$case) {
    case "parentUnitId":
      return { ...texts, parent: fields.optionalId(`${field}.parent_unit_id`, "organizationUnit", parent.value) };
    case "parentIndex": {
      const isEarlier = parent.value >= 0 && parent.value < index;
      fields.check(isEarlier, `${field}.parent_index`, "must be the number of an earlier unit, counted from 0");
      return { ...texts, parent: parent.value };
    }
    default:
      return { ...texts, parent: null };
  }
}

/** The ids among the parents; these units must be there already. */
export const parentsOf = (planned: readonly PlannedUnit[]): OrganizationUnitId[] => [
  ...new Set(planned.map(({ parent }) => parent).filter((parent) => typeof parent === "string")),
];

/**
 * Makes units of their plans, in the order of these.
 * @param names of the units that parents name by their ids.
 * @throws NOT_FOUND (unit_not_found) for a parent whose name is not known.
 */
export function makeUnits(
  planned: readonly PlannedUnit[],
  unitType: UnitType,
  names: ReadonlyMap<OrganizationUnitId, string>,
  random: Random,
): readonly UnitInPlace[] {
  const made: UnitInPlace[] = [];
  for (const [index, { parent, ...texts }] of planned.entries()) {
    const parentUnit = typeof parent === "number" ? earlier(made, parent) : byId(parent, names, index);
    const { tenantId, createdAt } = unitType;
    const parentUnitId = parentUnit?.id ?? null;
    const id = newTimedId("organizationUnit", createdAt, random);
    made.push({
      unit: { id, tenantId, unitTypeId: unitType.id, ...texts, parentUnitId, createdAt },
      unitType,
      parentUnit,
    });
  }
  return made;
}

function earlier(made: readonly UnitInPlace[], index: number): UnitInPlace["parentUnit"] {
  const unit = made[index]?.unit;
  return unit ? { id: unit.id, name: unit.name } : null;
}

function byId(
  id: OrganizationUnitId | null,
  names: ReadonlyMap<OrganizationUnitId, string>,
  index: number,
): UnitInPlace["parentUnit"] {
  if (id === null) return null;
  const name = names.get(id);
  if (name === undefined) throw unknownReference("unit", `units[${index}].parent_unit_id`, id);
  return { id, name };
}
