import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { type ReceivedDelivery, startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld, onboarding, present, type World } from "../support/world.ts";

describe("what the platform tells, from its call to a subscriber that verifies signature and schema (spec §6)", () => {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    let receiver: WebhookReceiver;
    const ids = { unitType: "", unit: "", location: "", worker: "" };

    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse);
      receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      await subscribe(gatehouse, world, receiver);
    });

    /** Order is not guaranteed (spec §6 rule 2). */
    const next = async (count: number): Promise<ReadonlyMap<string, ReceivedDelivery["event"]>> => {
      const events = new Map<string, ReceivedDelivery["event"]>();
      while (events.size < count) {
        const { event } = await receiver.next();
        events.set(event.type, event);
      }
      return events;
    };
    const follow = async (event: ReceivedDelivery["event"]) => {
      const answer = await call(gatehouse.url, event.data.links.self, { headers: { "x-api-key": world.apiKey } });
      expect(answer.status).toBe(200);
      return answer.json<Record<string, unknown>>();
    };

    it("a unit type with its unit: organization_unit_type.created and organization_unit.created", async () => {
      const { unitType, units } = await gatehouse.platform.createUnitType({
        requestId: "",
        tenantId: world.tenantId,
        name: "Équipe",
        units: [{ name: "Four à pain", parent: null }],
      });
      ids.unitType = present(unitType).id;
      ids.unit = present(units[0]).id;
      const events = await next(2);
      expect(events.get("organization_unit_type.created")).toMatchObject({
        entity: { type: "organizationUnitType", id: ids.unitType },
        data: { units: [{ organizationUnitId: ids.unit, name: "Four à pain" }] },
      });
      const unitCreated = events.get("organization_unit.created");
      expect(unitCreated).toMatchObject({ entity: { id: ids.unit }, data: { unitType: { name: "Équipe" } } });
      expect(await follow(unitCreated)).toMatchObject({
        units: [{ id: ids.unit }],
        unitsTypes: [{ id: ids.unitType }],
      });
    });

    it("a location: organization_location.created", async () => {
      const { location } = await gatehouse.platform.createLocation({
        requestId: "",
        tenantId: world.tenantId,
        name: "Ærø",
      });
      ids.location = present(location).id;
      const event = (await next(1)).get("organization_location.created");
      expect(event).toMatchObject({ entity: { id: ids.location }, data: { name: "Ærø" } });
      expect(await follow(event)).toMatchObject({ locations: [{ id: ids.location, name: "Ærø" }] });
    });

    it("a worker: worker.onboarded", async () => {
      const request = onboarding(world.tenantId, "soren@harbour.example", {
        unitIds: [ids.unit],
        primaryUnitId: ids.unit,
        locationId: ids.location,
      });
      ids.worker = present((await gatehouse.platform.onboardWorker(request)).worker).id;
      const event = (await next(1)).get("worker.onboarded");
      expect(event).toMatchObject({
        entity: { id: ids.worker },
        data: { organizationUnit: { id: ids.unit }, organizationLocation: { id: ids.location } },
      });
      expect(await follow(event)).toMatchObject({ id: ids.worker, organizationLocation: { name: "Ærø" } });
    });

    it("a deleted location: organization_location.deleted, and worker.updated for who was there (R-E2)", async () => {
      await gatehouse.platform.deleteLocation({ requestId: "", locationId: ids.location });
      const events = await next(2);
      const deleted = events.get("organization_location.deleted");
      expect(deleted).toMatchObject({ entity: { id: ids.location }, data: { name: "Ærø" } });
      expect(await follow(deleted)).toMatchObject({ locations: [] });
      const updated = events.get("worker.updated");
      expect(updated).toMatchObject({ entity: { id: ids.worker }, data: { organizationLocation: null } });
      expect(await follow(updated)).toMatchObject({ id: ids.worker, organizationLocation: null });
    });

    it("an ended employment: worker.updated", async () => {
      await gatehouse.platform.endWorker({ requestId: "", workerId: ids.worker });
      const event = (await next(1)).get("worker.updated");
      expect(event).toMatchObject({ entity: { id: ids.worker }, data: { endedAt: expect.any(String) } });
      expect(await follow(event)).toMatchObject({ id: ids.worker, endedAt: event.data.endedAt });
    });
  });
});
