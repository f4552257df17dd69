import type { OrganizationUnit, PageStart, UnitType } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { type Names, namesIn, namesOf } from "../../connection/names.ts";
import type { Asked } from "../../connection/verb.ts";
import { allPages } from "../../connection/whole-lists.ts";
import { tenantId } from "../../input/references.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { type OutcomeWords, one } from "../../output/outcome.ts";

/** A unit with the names of its type, of the unit above it, and of the tenant. */
export const shownUnit = async (asked: Asked, unit: OrganizationUnit, words: OutcomeWords) =>
  one(
    toUnitJson(unit),
    unitFacts(unit, await namesOf(asked, [unit.unitTypeId, unit.parentUnitId, unit.tenantId])),
    words,
  );

/** Unit types, units and locations of a tenant given by id or name. */
export async function structureOf(asked: Asked, tenant: string) {
  const id = await tenantId(asked, tenant);
  const pages = await allPages(
    (after: PageStart | null) => asked.platform.readStructure({ tenantId: id, after }, asked.call),
    (page) => [page],
  );
  return {
    unitTypes: pages.flatMap(({ unitTypes }) => unitTypes),
    units: pages.flatMap(({ units }) => units),
    locations: pages.flatMap(({ locations }) => locations),
  };
}

/** A unit in a list with its depth in the structure. */
export interface UnitRow {
  readonly unit: OrganizationUnit;
  /** 0 for a top-level unit. */
  readonly depth: number;
}

/** Each unit before those below it; siblings in the given order. */
export function asTree(units: readonly OrganizationUnit[]): readonly UnitRow[] {
  const below = Map.groupBy(units, ({ parentUnitId }) => parentUnitId ?? null);
  const rowsOf = (parentId: string | null, depth: number): readonly UnitRow[] =>
    (below.get(parentId) ?? []).flatMap((unit) => [{ unit, depth }, ...rowsOf(unit.id, depth + 1)]);
  return rowsOf(null, 0);
}

export const unitColumns = (unitTypes: readonly UnitType[], shows: Asked["shows"]) => {
  const typeNames = namesIn(new Map(unitTypes.map(({ id, name }) => [id, name])), shows);
  return [
    { heading: "name", cell: ({ unit, depth }: UnitRow) => `${"  ".repeat(depth)}${unit.name}` },
    { heading: "id", cell: ({ unit }: UnitRow) => unit.id },
    { heading: "unit type", cell: ({ unit }: UnitRow) => typeNames.of(unit.unitTypeId) },
    { heading: "code", cell: ({ unit }: UnitRow) => unit.unitCode },
  ];
};

export const toUnitJson = (unit: OrganizationUnit) => ({
  id: unit.id,
  tenantId: unit.tenantId,
  unitTypeId: unit.unitTypeId,
  name: unit.name,
  unitCode: unit.unitCode ?? null,
  description: unit.description ?? null,
  parentUnitId: unit.parentUnitId ?? null,
  createdAt: toJsonInstant(unit.createdAt),
});

const unitFacts = (unit: OrganizationUnit, names: Names) =>
  [
    ["id", unit.id],
    ["name", unit.name],
    ["code", unit.unitCode ?? null],
    ["description", unit.description ?? null],
    ["unit type", names.of(unit.unitTypeId)],
    ["parent", names.of(unit.parentUnitId)],
    ["tenant", names.of(unit.tenantId)],
    ["created", toShownInstant(unit.createdAt)],
  ] as const;
