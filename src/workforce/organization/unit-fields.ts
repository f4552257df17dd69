import type { CreateUnitRequest } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { type FieldReader, LENGTHS } from "../request-fields.ts";
import type { OrganizationUnit } from "./organization.ts";

/** What an update of a unit may name. */
export const UNIT_PATHS = ["name", "unit_code", "description", "parent_unit_id"] as const;

type UnitMask = ReadonlySet<(typeof UNIT_PATHS)[number]>;

type UnitFields = Pick<OrganizationUnit, "name" | "unitCode" | "description" | "parentUnitId">;

/** Reads the fields that `mask` names; the others are not looked at and read as empty. */
export const readUnit = (
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
export const unitAfter = (before: OrganizationUnit, given: UnitFields, mask: UnitMask): OrganizationUnit => ({
  ...before,
  name: mask.has("name") ? given.name : before.name,
  unitCode: mask.has("unit_code") ? given.unitCode : before.unitCode,
  description: mask.has("description") ? given.description : before.description,
  parentUnitId: mask.has("parent_unit_id") ? given.parentUnitId : before.parentUnitId,
});
