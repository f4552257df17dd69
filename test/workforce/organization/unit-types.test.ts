import type { NewUnit } from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, there, type Workforce } from "../workforce-fixture.ts";
import { makePlaces, newUnit } from "./places-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
    await workforce.events();
  });

  const create = (units: NewUnit[], requestId = "") =>
    workforce.platform.createUnitType({ requestId, tenantId, name: "Équipe", units });
  const below = (index: number) => ({ parent: { $case: "parentIndex", value: index } as const });

  it("makes ids that follow those made before, like those of units and locations (R-D5)", async () => {
    const idsOf = ({ unitType, units, location }: Awaited<ReturnType<typeof makePlaces>>) => ({
      unitType: unitType.id,
      location: location.id,
      units: units.map(({ id }) => id),
    });
    const first = idsOf(await makePlaces(workforce, tenantId));
    const other = (await workforce.tenant(instanceId)).id;
    const second = idsOf(await makePlaces(workforce, other));
    expect([first.unitType, second.unitType].toSorted()).toEqual([first.unitType, second.unitType]);
    expect([first.location, second.location].toSorted()).toEqual([first.location, second.location]);
    const units = [...first.units.toSorted(), ...second.units.toSorted()];
    expect(units.toSorted()).toEqual(units);
    expect(units).toHaveLength(4);
    workforce.clock.step(1);
    const added = { requestId: "", tenantId: other, unitTypeId: second.unitType, name: "Mill", parentUnitId: null };
    const { unit } = await workforce.platform.createUnit(added);
    expect([...units, there(unit).id].toSorted()).toEqual([...units, there(unit).id]);
  });

  describe("CreateUnitType", () => {
    it("stores its first units, below earlier ones and below existing ones (R-E1)", async () => {
      const { unitIds } = await makePlaces(workforce, tenantId);
      const parent = { $case: "parentUnitId", value: unitIds[0] } as const;
      const { unitType, units } = await create([
        newUnit("Four à pain", { unitCode: "F-1", description: "Deux fours", parent }),
        newUnit("Levain", below(0)),
        newUnit("Étage"),
        newUnit("Seigle", below(1)),
      ]);
      const typeId = there(unitType).id;
      const [oven, sourdough] = units;
      expect(units).toMatchObject([
        {
          name: "Four à pain",
          unitCode: "F-1",
          description: "Deux fours",
          unitTypeId: typeId,
          parentUnitId: unitIds[0],
        },
        { name: "Levain", unitCode: null, description: null, parentUnitId: oven?.id },
        { name: "Étage", parentUnitId: null },
        { name: "Seigle", parentUnitId: sourdough?.id },
      ]);
      const structure = await workforce.platform.readStructure({ tenantId, after: null });
      expect(structure.unitTypes).toContainEqual(unitType);
      expect(structure.units).toEqual(expect.arrayContaining(units));
    });

    it("emits the type with its units, and each unit by itself (R-E1)", async () => {
      const { unitType, units } = await create([newUnit("Levain", { unitCode: "L" }), newUnit("Seigle", below(0))]);
      const [one, other] = units.map(({ id }) => id);
      const above = { id: one, name: "Levain" };
      expect(await workforce.events()).toMatchObject([
        {
          eventType: "organization_unit_type.created",
          entity: { id: there(unitType).id },
          data: {
            name: "Équipe",
            units: [
              { organizationUnitId: one, name: "Levain", unitCode: "L", description: null, parentUnit: null },
              { organizationUnitId: other, name: "Seigle", unitCode: null, parentUnit: above },
            ],
          },
        },
        { eventType: "organization_unit.created", entity: { id: one }, data: { parentUnit: null } },
        {
          eventType: "organization_unit.created",
          entity: { id: other },
          data: { parentUnit: above, unitType: { id: there(unitType).id, name: "Équipe" } },
        },
      ]);
    });

    it("emits a type without units with an empty list", async () => {
      await create([]);
      expect(await workforce.events()).toMatchObject([
        { eventType: "organization_unit_type.created", data: { units: [] } },
      ]);
    });

    it("accepts 500 units at once, and raises the revision once (R-G10)", async () => {
      const before = await workforce.revision("workforce_tenants", tenantId);
      const { units } = await create(Array.from({ length: 500 }, (__, index) => newUnit(`Unit ${index}`)));
      expect(units.map(({ name }) => name)).toEqual(Array.from({ length: 500 }, (__, index) => `Unit ${index}`));
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
      const told = await workforce.events();
      expect(told.map(({ entity }) => entity.id).slice(1)).toEqual(units.map(({ id }) => id));
    });

    it("makes everything once under one request id (R-G18)", async () => {
      const first = await create([newUnit("Levain")], "once");
      expect(await create([newUnit("Levain")], "once")).toEqual(first);
      expect(await workforce.events()).toHaveLength(2);
    });

    it("stores nothing when a parent is of another tenant", async () => {
      const { unitIds } = await makePlaces(workforce, (await workforce.tenant(instanceId)).id);
      await workforce.events();
      const parent = { $case: "parentUnitId", value: unitIds[0] } as const;
      expect(await refusal(create([newUnit("Levain"), newUnit("Seigle", { parent })]))).toMatchObject({
        code: "NOT_FOUND",
        reason: "unit_not_found",
        message: expect.stringContaining("units[1].parent_unit_id"),
      });
      expect(await workforce.events()).toEqual([]);
      expect(await workforce.platform.readStructure({ tenantId, after: null })).toEqual({
        unitTypes: [],
        units: [],
        locations: [],
        next: null,
      });
    });

    it("names every wrong field at once", async () => {
      const { violations } = await refusal(
        create([
          newUnit("Levain", below(0)),
          newUnit(" ", { unitCode: "x".repeat(65) }),
          newUnit("a", below(-1)),
          newUnit("b", { parent: { $case: "parentUnitId", value: "unit_" } }),
        ]),
      );
      expect(violations).toEqual([
        { field: "units[0].parent_index", reason: "must be the number of an earlier unit, counted from 0" },
        { field: "units[1].name", reason: "is missing" },
        { field: "units[1].unit_code", reason: "must have at most 64 characters" },
        { field: "units[2].parent_index", reason: "must be the number of an earlier unit, counted from 0" },
        { field: "units[3].parent_unit_id", reason: "must be unit_ followed by 21 letters or digits" },
      ]);
    });

    it.each([
      ["more than 500 units", 501, ""],
      ["more than an event should carry (R-X49)", 31, "x".repeat(2_000)],
    ])("refuses %s", async (__, length, description) => {
      const units = Array.from({ length }, () => newUnit("Unit", { description }));
      expect(await refusal(create(units))).toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field: "units", reason: expect.stringContaining("must have at most") }],
      });
    });
  });

  it("takes 60,000 characters in all, of which one may be two UTF-16 units (R-X49)", async () => {
    const units = (length: number) =>
      Array.from({ length }, () => newUnit("🥐", { description: "🥐".repeat(1_998), unitCode: "1" }));
    expect((await create(units(30))).units.length).toBe(30);
    expect(await refusal(create([...units(30), newUnit("1")]))).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  describe("UpdateUnitType", () => {
    const rename = (unitTypeId: string, name: string, updateMask = ["name"]) =>
      workforce.platform.updateUnitType({ requestId: "", unitTypeId, updateMask, name });

    it("renames and raises the revision, without an event (R-G16)", async () => {
      const [{ unitType: other }, { unitType }] = [await create([]), await create([])];
      await workforce.events();
      const before = await workforce.revision("workforce_tenants", tenantId);
      expect(await rename(there(unitType).id, "Ærlig 🥐")).toEqual({ unitType: { ...unitType, name: "Ærlig 🥐" } });
      const { unitTypes } = await workforce.platform.readStructure({ tenantId, after: null });
      expect(unitTypes.map(({ name }) => name).toSorted()).toEqual([other?.name, "Ærlig 🥐"].toSorted());
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
      await rename(there(unitType).id, " Ærlig 🥐 ");
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
      expect(await workforce.events()).toEqual([]);
    });

    it("refuses an unknown type, an empty name, and another field (S43)", async () => {
      const { unitType } = await create([]);
      const [id, unknown] = [there(unitType).id, "unittype_AAAAAAAAAAAAAAAAAAAAA"];
      expect(await refusal(rename(unknown, "x"))).toMatchObject({ code: "NOT_FOUND", reason: "unit_type_not_found" });
      expect(await refusal(rename(id, " "))).toMatchObject({ violations: [{ field: "name", reason: "is missing" }] });
      expect(await refusal(rename(id, "x", ["tenant_id"]))).toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: expect.arrayContaining([expect.objectContaining({ field: "update_mask" })]),
      });
    });
  });
});
