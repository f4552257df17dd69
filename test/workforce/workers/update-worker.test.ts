import type { UpdateWorkerRequest } from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { eachStore } from "../../support/stores.ts";
import { makePlaces } from "../organization/places-fixture.ts";
import { openTenant, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;
  let places: Awaited<ReturnType<typeof makePlaces>>;
  let workerId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
    places = await makePlaces(workforce, tenantId);
    const { id } = await workforce.worker(tenantId, "ines@example.com", {
      jobTitles: ["Baker"],
      phone: "+31 10 555 0142",
      address: { address1: "3 Mill Lane", city: "Rotterdam", isoCountryCode: "NL" },
      unitIds: [...places.unitIds],
      primaryUnitId: places.unitIds[0],
      locationId: places.locationId,
    });
    workerId = id;
    await workforce.events();
  });

  const request = (updateMask: readonly string[], more: Partial<UpdateWorkerRequest> = {}): UpdateWorkerRequest => ({
    requestId: "",
    workerId,
    updateMask: [...updateMask],
    jobTitles: [],
    address: null,
    unitIds: [],
    ...more,
  });
  const update = async (updateMask: readonly string[], more: Partial<UpdateWorkerRequest> = {}) =>
    there((await workforce.platform.updateWorker(request(updateMask, more))).worker);
  const read = async () => there((await workforce.platform.readWorker({ workerId })).worker);
  const revision = () => workforce.revision("workforce_tenants", tenantId);

  it("UpdateWorker returns the stored state, raises the revision once and emits once (I9, R-G10)", async () => {
    const before = await revision();
    const worker = await update(["job_titles", "phone"], { jobTitles: ["Baker", " Første hjælper 🥐 "] });
    expect(worker).toMatchObject({ jobTitles: ["Baker", "Første hjælper 🥐"], phone: null });
    expect(await read()).toEqual(worker);
    expect(await revision()).toBe(before + 1);
    expect(await workforce.events()).toMatchObject([
      { eventType: "worker.updated", entity: { id: workerId }, tenantId, data: { jobTitles: worker.jobTitles } },
    ]);
  });

  it("UpdateWorker changes what the mask names, and ignores the rest", async () => {
    const wrong = { jobTitles: ["", ""], phone: "0".repeat(99), unitIds: ["nonsense"], locationId: "nonsense" };
    const address = { address1: "x".repeat(999), isoCountryCode: "nowhere", city: "Dordrecht" };
    const before = await read();
    const worker = await update(["address.city"], { ...wrong, address });
    expect(worker).toEqual({ ...before, address: { ...before.address, city: "Dordrecht" } });
  });

  it("UpdateWorker replaces an address as a whole; parts that are absent become unknown", async () => {
    const { address } = await update(["address"], { address: { city: "Ærø", isoCountryCode: "dk" } });
    expect(address).toEqual({
      address1: null,
      address2: null,
      city: "Ærø",
      isoCountryCode: "DK",
      postalCode: null,
      zoneCode: null,
    });
  });

  it.each([
    [
      "keeps the primary unit while the worker belongs to it (R-X50)",
      (one: string, other: string) => [other, one],
      true,
    ],
    ["drops the primary unit when the worker leaves it (R-X50)", (_one: string, other: string) => [other], false],
    ["leaves a worker without units", () => [], false],
  ])("UpdateWorker %s", async (_title, unitsOf, isKept) => {
    const [one, other] = places.unitIds;
    const unitIds: string[] = unitsOf(one, other);
    const worker = await update(["unit_ids"], { unitIds });
    expect(worker).toMatchObject({ unitIds, primaryUnitId: isKept ? one : null, locationId: places.locationId });
    expect(await read()).toEqual(worker);
  });

  it("UpdateWorker sets another primary unit, or none, among the worker's units", async () => {
    const [, other] = places.unitIds;
    expect(await update(["primary_unit_id"], { primaryUnitId: other })).toMatchObject({
      unitIds: places.unitIds,
      primaryUnitId: other,
    });
    expect(await update(["primary_unit_id"])).toMatchObject({ unitIds: places.unitIds, primaryUnitId: null });
  });

  it("UpdateWorker refuses a primary unit that the worker does not have", async () => {
    const [one, other] = places.unitIds;
    const refusals = [
      update(["primary_unit_id"], { primaryUnitId: "unit_AAAAAAAAAAAAAAAAAAAAA" }),
      update(["unit_ids", "primary_unit_id"], { unitIds: [one], primaryUnitId: other }),
    ].map(refusal);
    for (const refused of refusals)
      expect(await refused).toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field: "primary_unit_id", reason: "must be one of the worker's units" }],
      });
  });

  it("UpdateWorker refuses units and locations of another tenant like unknown ones", async () => {
    const foreign = await makePlaces(workforce, (await workforce.tenant(instanceId)).id);
    await workforce.events();
    expect(await refusal(update(["unit_ids"], { unitIds: [foreign.unitIds[0]] }))).toMatchObject({
      code: "NOT_FOUND",
      reason: "unit_not_found",
    });
    expect(await refusal(update(["location_id"], { locationId: foreign.locationId }))).toMatchObject({
      code: "NOT_FOUND",
      reason: "location_not_found",
    });
    expect(await workforce.events()).toEqual([]);
  });

  it("UpdateWorker neither writes nor emits anything when every value is the present one (I9, R-X51)", async () => {
    const [before, worker] = [await revision(), await read()];
    const { jobTitles, phone, address, unitIds, primaryUnitId, locationId } = worker;
    const same = { jobTitles, phone: ` ${phone} `, address, unitIds, primaryUnitId, locationId };
    const mask = ["job_titles", "phone", "address", "unit_ids", "primary_unit_id", "location_id"];
    expect(await update(mask, same)).toEqual(worker);
    expect(await revision()).toBe(before);
    expect(await workforce.events()).toEqual([]);
  });

  it("UpdateWorker emits once when many ask for the same change at the same time", async () => {
    const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
    await Promise.all(racers.map(({ platform }) => platform.updateWorker(request(["phone"], { phone: "+31 1" }))));
    expect((await workforce.events()).map(({ eventType }) => eventType)).toEqual(["worker.updated"]);
  });

  it("UpdateWorker answers a repeated request id with the first answer, without another event (R-G18)", async () => {
    const again = { requestId: "once", phone: "+31 2" };
    expect(await update(["phone"], again)).toEqual(await update(["phone"], again));
    expect(await workforce.events()).toHaveLength(1);
  });

  it.each([
    ["an empty mask", [], "must name at least one of"],
    ["a field that cannot change", ["job_titles", "tenant_id"], "may name only"],
    ["a part that no address has", ["address.planet"], "may name only"],
  ])("UpdateWorker refuses %s (S43)", async (_title, mask, reason) => {
    const { code, violations } = await refusal(update(mask));
    expect(code).toBe("INVALID_ARGUMENT");
    expect(violations).toContainEqual({ field: "update_mask", reason: expect.stringContaining(reason) });
  });

  it("UpdateWorker answers NOT_FOUND for an unknown worker", async () => {
    const unknown = "worker_AAAAAAAAAAAAAAAAAAAAA";
    const refusals = [
      update(["phone"], { workerId: unknown }),
      workforce.platform.endWorker({ requestId: "", workerId: unknown }),
      workforce.platform.readWorker({ workerId: unknown }),
    ].map(refusal);
    for (const refused of refusals)
      expect(await refused).toMatchObject({ code: "NOT_FOUND", reason: "worker_not_found" });
  });
});
