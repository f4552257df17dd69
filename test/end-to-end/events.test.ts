import { EVENT_TYPES, OPERATIONAL_EVENT_TYPES } from "../../generated/event-types.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { type ReceivedDelivery, startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { invitation, makeWorld, onboarding, present, type World } from "../support/world.ts";

const NO_ADDRESS = {
  address1: null,
  address2: null,
  city: null,
  isoCountryCode: null,
  postalCode: null,
  zoneCode: null,
};

/**
 * Each event type from its write over gRPC to a subscriber. The receiver verifies every signature with an independent library and holds
 * headers and body against the published contract (test/support/webhook-receiver.ts).
 */
describe("the nine events, from write to subscriber (spec §6, R-E1 to R-E4)", () => {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    let receiver: WebhookReceiver;
    const told = new Set<string>();

    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater, { carriage: "socket" });
      world = await makeWorld(gatehouse);
      receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      await subscribe(gatehouse, world, receiver);
    });

    /** The next so many deliveries, by event type and entity: order is not promised (spec §6 rule 2). */
    const arrivals = async (count: number): Promise<readonly ReceivedDelivery["event"][]> => {
      const events: ReceivedDelivery["event"][] = [];
      while (events.length < count) events.push((await receiver.next()).event);
      for (const { type } of events) told.add(type);
      return events.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    };

    /** What the subscriber reads when it follows the link with its key. */
    const follow = async (event: ReceivedDelivery["event"]): Promise<Record<string, unknown>> => {
      const self = await call(gatehouse.url, event.data.links.self, { headers: { "x-api-key": world.apiKey } });
      expect([event.data.links.self, self.status]).toEqual([event.data.links.self, 200]);
      return self.json();
    };

    const without = <T extends object>(value: T, ...names: readonly string[]) =>
      Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

    it("client.created: with nulls; the link leads to the client", async () => {
      const request = { requestId: "", instanceId: world.instanceId, name: "Ærlig Å/S 🥐", address: null };
      const tenantId = present((await gatehouse.platform.createTenant(request)).tenant).id;
      const [event] = await arrivals(1);
      expect(event).toMatchObject({ type: "client.created", entity: { type: "client", id: tenantId } });
      const links = { self: expect.stringContaining(world.instanceIntegrationId) };
      expect(event.data).toEqual({ clientId: tenantId, name: "Ærlig Å/S 🥐", address: NO_ADDRESS, links });
      expect(await follow(event)).toEqual({ id: tenantId, name: "Ærlig Å/S 🥐", location: NO_ADDRESS });
    });

    it("user.created and user.updated: the same shape, manager and role included; the link leads to the user", async () => {
      const owner = present(
        (
          await gatehouse.platform.inviteUser(
            invitation(world.tenantId, "aiko@harbour.example", { roleName: "Owner", signedInBefore: true }),
          )
        ).user,
      );
      const [created] = await arrivals(1);
      expect(created).toMatchObject({ type: "user.created", entity: { type: "user", id: owner.id } });
      expect(created.data).toMatchObject({
        userId: owner.id,
        status: "ACTIVE",
        manager: null,
        role: { name: "Owner" },
      });
      expect(await follow(created)).toEqual({ id: owner.id, ...without(created.data, "userId", "links") });

      const bare = { firstName: null, lastName: null };
      const { user } = await gatehouse.platform.inviteUser(invitation(world.tenantId, "no@name.example", bare));
      const [nameless] = await arrivals(1);
      expect(nameless.data).toMatchObject({
        userId: present(user).id,
        firstName: null,
        lastName: null,
        fullName: null,
        role: null,
        manager: { id: owner.id },
      });

      await gatehouse.platform.assignManager({ requestId: "", userId: present(user).id, managerId: null });
      const [updated] = await arrivals(1);
      expect(updated).toMatchObject({ type: "user.updated", entity: nameless.entity });
      expect(updated.data).toEqual({ ...nameless.data, manager: null });
      expect(await follow(updated)).toEqual({ id: present(user).id, ...without(updated.data, "userId", "links") });
    });

    it("organization_unit_type.created embeds its units, and each gets organization_unit.created (R-E1)", async () => {
      const answer = await gatehouse.platform.createUnitType({
        requestId: "",
        tenantId: world.tenantId,
        name: "Département",
        units: [
          { name: "Bäckerei", unitCode: "B-1", description: "Öfen", parent: null },
          { name: "日勤", unitCode: null, description: null, parent: { $case: "parentIndex", value: 0 } },
        ],
      });
      const [upper, lower] = answer.units;
      const [one, other, type] = await arrivals(3);
      const units = [one, other].toSorted((a) => (a.data.organizationUnitId === upper?.id ? -1 : 1));
      expect(type).toMatchObject({
        type: "organization_unit_type.created",
        entity: { type: "organizationUnitType", id: answer.unitType?.id },
      });
      const parentUnit = { id: upper?.id, name: "Bäckerei" };
      const embedded = [
        { organizationUnitId: upper?.id, name: "Bäckerei", unitCode: "B-1", description: "Öfen", parentUnit: null },
        { organizationUnitId: lower?.id, name: "日勤", unitCode: null, description: null, parentUnit },
      ];
      expect(type.data.units).toEqual(embedded);
      const unitType = { id: answer.unitType?.id, name: "Département" };
      expect(units.map(({ data }) => without(data, "clientId", "createdAt", "links"))).toEqual(
        embedded.map((unit) => ({ ...unit, unitType })),
      );
      const structure = await follow(type);
      expect(structure.unitsTypes).toContainEqual(unitType);
      expect((structure.units as { id: string }[]).map(({ id }) => id).sort()).toEqual([upper?.id, lower?.id].sort());
      expect(await follow(units[0])).toEqual(structure);
    });

    it("worker.onboarded and worker.updated; the link leads to version 2 of the worker, an ended one too (R-G16)", async () => {
      const { worker } = await gatehouse.platform.onboardWorker(onboarding(world.tenantId, "tomas@harbour.example"));
      const id = present(worker).id;
      const [onboarded] = await arrivals(1);
      expect(onboarded).toMatchObject({ type: "worker.onboarded", entity: { type: "worker", id } });
      expect(onboarded.data).toMatchObject({
        workerId: id,
        clientId: world.tenantId,
        jobTitles: [],
        phone: null,
        location: NO_ADDRESS,
        organizationUnits: [],
        organizationUnit: null,
        organizationLocation: null,
        endedAt: null,
      });
      const bare = (event: ReceivedDelivery["event"]) =>
        without(event.data, "workerId", "clientId", "createdAt", "links");
      expect(await follow(onboarded)).toEqual({ id, ...bare(onboarded) });

      await gatehouse.platform.endWorker({ requestId: "", workerId: id });
      const [ended] = await arrivals(1);
      expect(ended).toMatchObject({ type: "worker.updated", entity: { type: "worker", id } });
      expect(ended.data).toEqual({ ...onboarded.data, endedAt: expect.stringMatching(/^\d{4}-/) });
      expect(await follow(ended)).toEqual({ id, ...bare(ended) });
    });

    it("organization_location.created, then .deleted with one worker.updated per worker placed there (R-E2)", async () => {
      const request = { requestId: "", tenantId: world.tenantId, name: "Quayside" };
      const location = present((await gatehouse.platform.createLocation(request)).location);
      const [created] = await arrivals(1);
      expect(created).toMatchObject({
        type: "organization_location.created",
        entity: { type: "organizationLocation", id: location.id },
        data: { organizationLocationId: location.id, clientId: world.tenantId, name: "Quayside" },
      });
      expect((await follow(created)).locations).toEqual([{ id: location.id, name: "Quayside" }]);
      const address = { ...NO_ADDRESS, city: "Rotterdam" };
      const placed = onboarding(world.tenantId, "ines@harbour.example", { locationId: location.id, address });
      const workerId = present((await gatehouse.platform.onboardWorker(placed)).worker).id;
      const [onboarded] = await arrivals(1);
      expect(onboarded.data.organizationLocation).toEqual({ id: location.id, name: "Quayside" });

      await gatehouse.platform.deleteLocation({ requestId: "", locationId: location.id });

      const [deleted, detached] = await arrivals(2);
      expect(deleted).toMatchObject({ type: "organization_location.deleted", entity: created.entity });
      expect(deleted.data).toEqual(created.data);
      expect((await follow(deleted)).locations).toEqual([]);
      expect(detached).toMatchObject({ type: "worker.updated", entity: { type: "worker", id: workerId } });
      expect(detached.data).toEqual({ ...onboarded.data, organizationLocation: null });
      expect(await follow(detached)).toMatchObject({ organizationLocation: null, location: address });
    });

    it("cover every event type of the contract, except those about subscriptions themselves", () => {
      const operational: readonly string[] = OPERATIONAL_EVENT_TYPES;
      expect([...told].sort()).toEqual(EVENT_TYPES.filter((type) => !operational.includes(type)).sort());
    });
  });
});

const nameOf = ({ type, entity }: ReceivedDelivery["event"]): string => `${type} ${entity.id}`;
