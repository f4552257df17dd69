import type {
  ReadStructureResponse,
  UpdateUnitRequest,
} from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import type { PageStart } from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";
import { makePlaces } from "./places-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;
  let places: Awaited<ReturnType<typeof makePlaces>>;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
    places = await makePlaces(workforce, tenantId);
    await workforce.events();
  });

  const create = async (name: string, parentUnitId?: string) => {
    const request = { requestId: "", tenantId, unitTypeId: places.unitType.id, name, parentUnitId };
    return there((await workforce.platform.createUnit(request)).unit);
  };
  const update = async (unitId: string, updateMask: string[], more: Partial<UpdateUnitRequest> = {}) => {
    const request = { requestId: "", unitId, updateMask, name: "", ...more };
    return there((await workforce.platform.updateUnit(request)).unit);
  };
  const put = (unitId: string, parentUnitId: string | null) => update(unitId, ["parent_unit_id"], { parentUnitId });

  it("CreateUnit emits the unit with type and parent, once (spec §6.3)", async () => {
    const before = await workforce.revision("workforce_tenants", tenantId);
    const [bakery] = places.units;
    const unit = await create("Rye Ærlig", bakery?.id);
    expect(await workforce.events()).toMatchObject([
      {
        eventType: "organization_unit.created",
        entity: { type: "organizationUnit", id: unit.id },
        data: {
          organizationUnitId: unit.id,
          name: "Rye Ærlig",
          unitCode: null,
          description: null,
          unitType: { id: places.unitType.id, name: "Department" },
          parentUnit: { id: bakery?.id, name: "Bakery" },
        },
      },
    ]);
    expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
  });

  describe("UpdateUnit", () => {
    it("changes what the mask names and raises the revision, without an event (R-G16)", async () => {
      const unit = await create("Ovens", places.unitIds[0]);
      await workforce.events();
      const before = await workforce.revision("workforce_tenants", tenantId);
      const more = { unitCode: "O-1", description: "Två ugnar", name: "x".repeat(999), parentUnitId: "nonsense" };
      const after = await update(unit.id, ["unit_code", "description"], more);
      expect(after).toEqual({ ...unit, unitCode: "O-1", description: "Två ugnar" });
      expect((await workforce.platform.readStructure({ tenantId, after: null })).units).toContainEqual(after);
      expect(await update(unit.id, ["name", "unit_code"], { name: "Ugnar" })).toEqual({
        ...after,
        name: "Ugnar",
        unitCode: null,
      });
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 2);
      expect(await workforce.events()).toEqual([]);
    });

    it("writes nothing when every value is the present one (I9, R-X51)", async () => {
      const before = await workforce.revision("workforce_tenants", tenantId);
      expect(await update(places.unitIds[0], ["name", "parent_unit_id"], { name: "Bakery" })).toEqual(places.units[0]);
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before);
    });

    it("puts a unit below another, and back to the top", async () => {
      const [bakery, sales] = places.unitIds;
      expect(await put(sales, bakery)).toMatchObject({ parentUnitId: bakery });
      expect(await put(sales, null)).toMatchObject({ parentUnitId: null });
    });

    it("refuses a unit below itself, however deep", async () => {
      const [bakery] = places.unitIds;
      const ovens = await create("Ovens", bakery);
      const rye = await create("Rye", ovens.id);
      for (const parent of [bakery, ovens.id, rye.id])
        expect(await refusal(put(bakery, parent))).toMatchObject({
          code: "FAILED_PRECONDITION",
          reason: "unit_cycle",
          message: expect.stringContaining("Choose another parent_unit_id."),
        });
      expect(await put(rye.id, bakery)).toMatchObject({ parentUnitId: bakery });
    });

    it("of two changes at once that would put each unit below the other, one wins", async () => {
      const [bakery, sales] = places.unitIds;
      const racers = (await workforce.opened.racers(2)).map((one) => workforceOver(one, workforce.clock));
      const moves = [
        [bakery, sales],
        [sales, bakery],
      ] as const;
      const outcomes = await Promise.allSettled(
        moves.map(([unitId, parentUnitId], index) =>
          there(racers[index]).platform.updateUnit({
            requestId: "",
            unitId,
            updateMask: ["parent_unit_id"],
            name: "",
            parentUnitId,
          }),
        ),
      );
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      const { units } = await workforce.platform.readStructure({ tenantId, after: null });
      expect(units.filter(({ parentUnitId }) => parentUnitId === null)).toHaveLength(1);
    });

    it("refuses a parent of another tenant like an unknown one, and an unknown unit", async () => {
      const foreign = await makePlaces(workforce, (await workforce.tenant(instanceId)).id);
      const unknown = "unit_AAAAAAAAAAAAAAAAAAAAA";
      for (const parent of [foreign.unitIds[0], unknown])
        expect(await refusal(put(places.unitIds[0], parent))).toMatchObject({
          code: "NOT_FOUND",
          reason: "unit_not_found",
          message: expect.stringContaining("Correct parent_unit_id"),
        });
      expect(await refusal(put(unknown, null))).toMatchObject({ code: "NOT_FOUND", reason: "unit_not_found" });
    });

    it("refuses a mask that names something else (S43)", async () => {
      expect(await refusal(update(places.unitIds[0], ["unit_type_id"]))).toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: expect.arrayContaining([expect.objectContaining({ field: "update_mask" })]),
      });
    });
  });

  it("ReadStructure has pages of all kinds together, of 1000 entries unless asked otherwise (R-G9)", async () => {
    const { platform } = workforce;
    const whole = await platform.readStructure({ tenantId, after: null });
    const seen = { unitTypes: [] as unknown[], units: [] as unknown[], locations: [] as unknown[] };
    let after: PageStart | null = null;
    do {
      const page: ReadStructureResponse = await platform.readStructure({ tenantId, limit: 1, after });
      expect([...page.unitTypes, ...page.units, ...page.locations]).toHaveLength(1);
      seen.unitTypes.push(...page.unitTypes);
      seen.units.push(...page.units);
      seen.locations.push(...page.locations);
      after = page.next;
    } while (after !== null);
    expect({ ...seen, next: null }).toEqual(whole);
    await workforce.raw(
      `insert into workforce_units (id, tenant_id, unit_type_id, name, created_at)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1100)
       select 'unit_' || (1000 + n), '${tenantId}', '${whole.unitTypes[0]?.id}', 'Unit', 0 from numbers`,
    );
    const first = await platform.readStructure({ tenantId, after: null });
    expect([first.units.length, first.next?.id]).toEqual([1_000, "unit_2000"]);
    for (const limit of [0, 1_001])
      expect(await refusal(platform.readStructure({ tenantId, limit, after: null }))).toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [expect.objectContaining({ field: "limit" })],
      });
    const foreign = { createdAt: new Date(0), id: tenantId };
    expect((await refusal(platform.readStructure({ tenantId, after: foreign }))).violations).toMatchObject([
      { field: "after.id" },
    ]);
  });

  it("ReadStructure refuses an unknown tenant", async () => {
    const read = workforce.platform.readStructure({ tenantId: "client_AAAAAAAAAAAAAAAAAAAAA", after: null });
    expect(await refusal(read)).toMatchObject({ code: "NOT_FOUND", reason: "tenant_not_found" });
  });
});
