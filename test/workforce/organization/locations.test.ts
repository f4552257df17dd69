import { eachStore } from "../../support/stores.ts";
import { type Gateway, startGateway } from "../gateway-fixture.ts";
import { openTenant, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";
import { makePlaces } from "./places-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
    await workforce.events();
  });

  const create = async (name: string) =>
    there((await workforce.platform.createLocation({ requestId: "", tenantId, name })).location);
  const remove = (locationId: string, requestId = "") => workforce.platform.deleteLocation({ requestId, locationId });
  const told = async () => (await workforce.events()).map(({ eventType, entity }) => [eventType, entity.id]);

  it("CreateLocation emits one event and raises the revision (R-E1, R-G10)", async () => {
    const before = await workforce.revision("workforce_tenants", tenantId);
    const location = await create("Ærø 🥐");
    expect(await workforce.events()).toMatchObject([
      {
        eventType: "organization_location.created",
        entity: { type: "organizationLocation", id: location.id },
        data: { organizationLocationId: location.id, clientId: tenantId, name: "Ærø 🥐" },
      },
    ]);
    expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
  });

  describe("DeleteLocation", () => {
    const address = { address1: "3 Mill Lane", city: "Rotterdam", isoCountryCode: "NL" };

    it("moves every worker out of it, ended or not, and emits one event for each (R-E2)", async () => {
      const { unitIds, locationId } = await makePlaces(workforce, tenantId);
      const stays = await create("Elsewhere");
      const place = { address, unitIds: [...unitIds], primaryUnitId: unitIds[1], locationId };
      const ended = await workforce.worker(tenantId, "ended@example.com", place);
      await workforce.platform.endWorker({ requestId: "", workerId: ended.id });
      const here = await workforce.worker(tenantId, "here@example.com", place);
      const other = await workforce.worker(tenantId, "other@example.com", { locationId: stays.id });
      await workforce.events();
      const before = await workforce.revision("workforce_tenants", tenantId);

      const answer = await remove(locationId);

      expect(answer).toMatchObject({ location: { id: locationId, name: "Quay Street" }, detachedWorkers: 2 });
      const [deletion, ...updates] = await workforce.events();
      expect(deletion).toMatchObject({
        eventType: "organization_location.deleted",
        entity: { type: "organizationLocation", id: locationId },
        data: { organizationLocationId: locationId, name: "Quay Street" },
      });
      expect(updates.map(({ eventType, entity }) => [eventType, entity.id]).toSorted()).toEqual(
        [ended.id, here.id].toSorted().map((id) => ["worker.updated", id]),
      );
      for (const { data } of updates)
        expect(data).toMatchObject({
          organizationLocation: null,
          location: { ...address, address2: null },
          organizationUnits: unitIds.map((id) => ({ id })),
          organizationUnit: { id: unitIds[1] },
        });
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
      const read = async (workerId: string) => there((await workforce.platform.readWorker({ workerId })).worker);
      expect(await read(here.id)).toEqual({ ...here, locationId: null });
      expect(await read(other.id)).toEqual(other);
    });

    it("is missing from every read afterwards (R-E2)", async () => {
      const { location, locationId } = await makePlaces(workforce, tenantId);
      const { id } = await workforce.worker(tenantId, "here@example.com", { locationId });
      const ended = await workforce.worker(tenantId, "ended@example.com", { locationId });
      await workforce.platform.endWorker({ requestId: "", workerId: ended.id });
      const { secret, connectionId } = await workforce.integration(instanceId);
      const gateway: Gateway = await startGateway(workforce.registrations);
      const base = `/instance-integrations/${connectionId}/clients/${tenantId}`;
      const paths = [
        `/v1${base}/organization-structure`,
        `/v1${base}/workers`,
        `/v2${base}/workers`,
        `/v2${base}/workers/${id}`,
        `/v2${base}/workers/${ended.id}`,
      ];
      const shown = async () => {
        const texts: string[] = [];
        for (const path of paths) texts.push((await gateway.get(path, secret)).text);
        return texts.map((text) => [text.includes(locationId), text.includes(location.name)]);
      };
      try {
        expect((await shown()).flat()).toContain(true);
        await remove(locationId);
        expect((await shown()).flat()).not.toContain(true);
      } finally {
        await gateway.stop();
      }
      expect((await workforce.platform.readStructure({ tenantId, after: null })).locations).toEqual([]);
    });

    it("of an empty one emits the deletion alone", async () => {
      const { id } = await create("Empty");
      await workforce.events();
      expect(await remove(id)).toMatchObject({ detachedWorkers: 0 });
      expect(await told()).toEqual([["organization_location.deleted", id]]);
    });

    it("emits one event for every one of many workers", async () => {
      const { id } = await create("Crowded");
      const { id: first } = await workforce.worker(tenantId, "a@example.com", { locationId: id });
      // One statement, since 1,200 calls would only make the test slow.
      await workforce.raw(`insert into workforce_workers (id, tenant_id, person_id, person_named, job_titles, location_id, created_at, ended_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1200)
        select 'worker_' || n, tenant_id, person_id, 1, '[]', location_id, n, 1 from numbers, workforce_workers where id = '${first}'`);
      await workforce.events();
      expect(await remove(id)).toMatchObject({ detachedWorkers: 1_201 });
      const events = [...(await workforce.events()), ...(await workforce.events())];
      expect(events.map(({ eventType }) => eventType).filter((type) => type === "worker.updated")).toHaveLength(1_201);
      expect(new Set(events.map(({ entity }) => entity.id)).size).toBe(1_202);
    });

    it("answers a repeated request id with the first answer; another request gets NOT_FOUND (R-G18)", async () => {
      const { id } = await create("Gone");
      const first = await remove(id, "once");
      expect(await remove(id, "once")).toEqual(first);
      expect(await refusal(remove(id))).toMatchObject({ code: "NOT_FOUND", reason: "location_not_found" });
    });

    it("happens once when many callers ask for it at the same time", async () => {
      const { id } = await create("Gone");
      await workforce.events();
      const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
      const outcomes = await Promise.allSettled(
        racers.map(({ platform }) => platform.deleteLocation({ requestId: "", locationId: id })),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await told()).toEqual([["organization_location.deleted", id]]);
    });
  });
});
