import type { OrganizationUnit, UnitType } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { type OutcomeWords, one } from "../../output/outcome.ts";

export const shownUnit = (unit: OrganizationUnit, words: OutcomeWords) => one(toUnitJson(unit), unitFacts(unit), words);

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

export const unitColumns = (unitTypes: readonly UnitType[]) => {
  const typeNames = new Map(unitTypes.map(({ id, name }) => [id, name]));
  return [
    { heading: "name", cell: ({ unit, depth }: UnitRow) => `${"  ".repeat(depth)}${unit.name}` },
    { heading: "id", cell: ({ unit }: UnitRow) => unit.id },
    { heading: "unit type", cell: ({ unit }: UnitRow) => typeNames.get(unit.unitTypeId) },
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

const unitFacts = (unit: OrganizationUnit) =>
  [
    ["id", unit.id],
    ["name", unit.name],
    ["code", unit.unitCode ?? null],
    ["description", unit.description ?? null],
    ["unit type", unit.unitTypeId],
    ["parent", unit.parentUnitId ?? null],
    ["tenant", unit.tenantId],
    ["created", toShownInstant(unit.createdAt)],
  ] as const;
