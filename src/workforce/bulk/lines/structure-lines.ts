import type { OrganizationLocation, OrganizationUnit, UnitType } from "../../organization/organization.ts";
import { LENGTHS } from "../../request-fields.ts";
import { shown, type WrittenLine } from "./line-content.ts";
import type { LineFields } from "./line-fields.ts";

export const readUnitTypeLine = (fields: LineFields) => ({
  id: fields.id("id", "unitType"),
  tenantId: fields.id("tenantId", "tenant"),
  name: fields.text("name", LENGTHS.name),
  createdAt: fields.instant("createdAt"),
});

export const toUnitTypeLine = ({
  id,
  tenantId,
  name,
  createdAt,
}: UnitType): WrittenLine<ReturnType<typeof readUnitTypeLine>> => ({
  kind: "unitType",
  id,
  tenantId,
  name,
  createdAt,
});

export const readUnitLine = (fields: LineFields) => ({
  id: fields.id("id", "organizationUnit"),
  tenantId: fields.id("tenantId", "tenant"),
  unitTypeId: fields.id("unitTypeId", "unitType"),
  name: fields.text("name", LENGTHS.name),
  unitCode: fields.optionalText("unitCode", LENGTHS.unitCode),
  description: fields.optionalText("description", LENGTHS.description),
  parentUnitId: fields.optionalId("parentUnitId", "organizationUnit"),
  createdAt: fields.instant("createdAt"),
});

export const toUnitLine = (unit: OrganizationUnit): WrittenLine<ReturnType<typeof readUnitLine>> => ({
  kind: "unit",
  id: unit.id,
  tenantId: unit.tenantId,
  unitTypeId: unit.unitTypeId,
  name: unit.name,
  unitCode: shown(unit.unitCode),
  description: shown(unit.description),
  parentUnitId: shown(unit.parentUnitId),
  createdAt: unit.createdAt,
});

export const readLocationLine = (fields: LineFields) => ({
  id: fields.id("id", "organizationLocation"),
  tenantId: fields.id("tenantId", "tenant"),
  name: fields.text("name", LENGTHS.name),
  createdAt: fields.instant("createdAt"),
});

export const toLocationLine = ({
  id,
  tenantId,
  name,
  createdAt,
}: OrganizationLocation): WrittenLine<ReturnType<typeof readLocationLine>> => ({
  kind: "location",
  id,
  tenantId,
  name,
  createdAt,
});
