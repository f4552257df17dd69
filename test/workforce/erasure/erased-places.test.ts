import { ErasureService, type ErasureTarget } from "../../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { erasureMigrations } from "../../../src/runtime/erasure/erasures.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { patiently } from "../../support/patient-calls.ts";
import { eachStore } from "../../support/stores.ts";
import { bulkOver, idOf } from "../bulk/bulk-kit.ts";
import { makePlaces } from "../organization/places-fixture.ts";
import { refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

const REQUEST = { requestId: "" };

eachStore((_, open) => {
  let workforce: Workforce;
  let tenantId: string;
  let unitTypeId: string;
  let lasting: string;
  let erased: string;
  let below: string;
  let workerId: string;

  const erase = async (id: ErasureTarget["id"]) => {
    const { registrations } = workforce;
    const carrier = inProcessCarrier({
      peer: "platform",
      registrations,
      interceptors: quietBoundary(),
      hand: "encoded",
    });
    await patiently(carrier.connect(ErasureService)).erase({ target: { id } });
  };
  const structure = () => workforce.platform.readStructure({ tenantId, after: null });

  /** A unit that is erased, with a unit below it and a worker in it. */
  beforeEach(async () => {
    workforce = workforceOver(await open([erasureMigrations, workforceMigrations]));
    tenantId = (await workforce.tenant(await workforce.instance())).id;
    const places = await makePlaces(workforce, tenantId);
    unitTypeId = places.unitType.id;
    [lasting, erased] = places.unitIds;
    const { platform } = workforce;
    const request = { ...REQUEST, tenantId, unitTypeId, name: "Ovens", parentUnitId: erased };
    below = there((await platform.createUnit(request)).unit).id;
    workerId = (await workforce.worker(tenantId, "ines@example.com", { unitIds: [erased] })).id;
    await erase({ $case: "unitId", value: erased });
    await workforce.events();
  });

  describe("an erased unit gets nothing new (R-X365)", () => {
    const refused = (id: string) => ({
      code: "FAILED_PRECONDITION",
      reason: "erased",
      message: `${id} is erased for good. What is to be there again is created again.`,
    });
    const placed = { jobTitles: [], address: null, unitIds: [] };

    it.each<[string, (workforce: Workforce) => Promise<unknown>]>([
      [
        "a unit below it",
        ({ platform }) => platform.createUnit({ ...REQUEST, tenantId, unitTypeId, name: "Rye", parentUnitId: erased }),
      ],
      [
        "a unit below it that comes with its type",
        ({ platform }) => {
          const units = [{ name: "Rye", parent: { $case: "parentUnitId" as const, value: erased } }];
          return platform.createUnitType({ ...REQUEST, tenantId, name: "Team", units });
        },
      ],
      [
        "a unit that is moved below it",
        ({ platform }) =>
          platform.updateUnit({
            ...{ ...REQUEST, unitId: lasting, name: "" },
            updateMask: ["parent_unit_id"],
            parentUnitId: erased,
          }),
      ],
      ["a new worker", ({ worker }) => worker(tenantId, "tomas@example.com", { unitIds: [lasting, erased] })],
      [
        "a worker who was not placed there",
        async ({ platform, worker }) => {
          const { id } = await worker(tenantId, "tomas@example.com", { unitIds: [lasting] });
          await workforce.events();
          const updateMask = ["unit_ids"];
          return platform.updateWorker({ ...REQUEST, ...placed, workerId: id, updateMask, unitIds: [lasting, erased] });
        },
      ],
    ])("%s is refused, and nothing is written", async (__, call) => {
      const before = await structure();
      expect(await refusal(call(workforce))).toMatchObject(refused(erased));
      expect(await structure()).toEqual(before);
      expect(await workforce.events()).toEqual([]);
    });

    it("nor does an erased unit type", async () => {
      await erase({ $case: "unitTypeId", value: unitTypeId });
      const { platform } = workforce;
      const create = platform.createUnit({ ...REQUEST, tenantId, unitTypeId, name: "Rye" });
      expect(await refusal(create)).toMatchObject(refused(unitTypeId));
    });

    it("nor by an import, whose other lines are taken", async () => {
      const otherTypeId = idOf("unittype", "B");
      const unit = { kind: "unit", tenantId, unitTypeId, name: "Rye" };
      const person = { email: "tomas@example.com", firstName: "Tomas", lastName: "Lindqvist" };
      const worker = { kind: "worker", tenantId, ...person };
      const lines = [
        { kind: "unitType", id: otherTypeId, tenantId, name: "Team" },
        { ...unit, id: idOf("unit", "C"), parentUnitId: erased },
        { ...unit, id: idOf("unit", "D"), parentUnitId: below },
        { ...unit, id: idOf("unit", "E"), unitTypeId: otherTypeId },
        { ...worker, id: idOf("worker", "C"), unitIds: [erased] },
        { ...worker, id: idOf("worker", "D"), unitIds: [below] },
      ];
      expect(await bulkOver(workforce).imports(lines)).toMatchObject({
        created: 4,
        badLines: [2, 5].map((number) => ({ number, reason: refused(erased).message })),
      });
      await erase({ $case: "unitTypeId", value: otherTypeId });
      const late = { ...unit, id: idOf("unit", "F"), unitTypeId: otherTypeId };
      expect(await bulkOver(workforce).imports([late], { importId: "late" })).toMatchObject({
        badLines: [{ number: 1, reason: refused(otherTypeId).message }],
      });
    });
  });

  describe("what an erased unit had stays, and can change (R-X365)", () => {
    it("a unit below it is renamed, and moved away", async () => {
      const update = { ...REQUEST, unitId: below, name: "Night shift" };
      const renamed = await workforce.platform.updateUnit({
        ...{ ...update, updateMask: ["name", "parent_unit_id"] },
        parentUnitId: erased,
      });
      expect(renamed.unit).toMatchObject({ name: "Night shift", parentUnitId: erased });
      const moved = await workforce.platform.updateUnit({ ...update, updateMask: ["parent_unit_id"] });
      expect(moved.unit).toMatchObject({ parentUnitId: null });
    });

    it("a worker there changes otherwise, gets another unit beside it, and leaves it", async () => {
      const update = { ...REQUEST, workerId, jobTitles: ["Baker"], address: null };
      const change = async (updateMask: string[], unitIds: string[] = []) =>
        there((await workforce.platform.updateWorker({ ...update, updateMask, unitIds })).worker);
      expect(await change(["job_titles"])).toMatchObject({ jobTitles: ["Baker"], unitIds: [erased] });
      expect(await change(["unit_ids"], [lasting, erased])).toMatchObject({ unitIds: [lasting, erased] });
      expect(await change(["unit_ids"], [lasting])).toMatchObject({ unitIds: [lasting] });
      expect(await refusal(change(["unit_ids"], [lasting, erased]))).toMatchObject({ reason: "erased" });
    });

    it("an export's lines are unchanged where they came from, and whole elsewhere", async () => {
      const here = bulkOver(workforce);
      const lines = await here.exports();
      expect(await here.imports(lines)).toMatchObject({ unchanged: lines.length, bad: 0 });
      const empty = await open([erasureMigrations, workforceMigrations]);
      const elsewhere = bulkOver(workforceOver(empty, workforce.clock));
      expect(await elsewhere.imports(lines)).toMatchObject({ created: lines.length, bad: 0 });
      expect(await elsewhere.exports()).toEqual(lines);
    });
  });
});
