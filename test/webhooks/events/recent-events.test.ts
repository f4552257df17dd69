import type { Event, ListEventsRequest } from "../../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { leaveNumbersOut } from "../../../src/runtime/upkeep/store-identity.ts";
import { eachStore } from "../../support/stores.ts";
import { eventsOf } from "../feed/feed-kit.ts";
import { clientCreated, OTHER_TENANT_ID, openKit, TENANT_ID, userUpdated, type WebhooksKit } from "../webhooks-kit.ts";

eachStore((_, open) => {
  describe("recent events (R-X292)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
    });

    const list = (request: Partial<ListEventsRequest> = {}) => eventsOf(kit).listEvents({ limit: 0, ...request });

    it("has each with the number of its deliveries, newest first, whether it matched or not", async () => {
      await kit.subscribe({ eventTypes: ["client.created"] });
      await kit.subscribe({ label: "all" });
      await kit.emit(clientCreated(TENANT_ID));
      await kit.emit(userUpdated());
      await kit.relay();
      const { events } = await list();
      expect(events.map(({ type, deliveries, tenantId }) => [type, deliveries, tenantId])).toEqual([
        ["user.updated", 1, TENANT_ID],
        ["client.created", 2, TENANT_ID],
      ]);
    });

    it("adds up the deliveries of an event that is relayed in several transactions", async () => {
      await kit.subscribe();
      await kit.multiply(1_203);
      await kit.emit();
      await kit.relay();
      expect((await list()).events.map(({ deliveries }) => deliveries)).toEqual([1_203]);
    });

    it("filters by type, tenant and entity, a page at a time", async () => {
      const user = userUpdated(OTHER_TENANT_ID);
      await kit.emit(userUpdated(), user, clientCreated(OTHER_TENANT_ID), userUpdated(), user);
      await kit.relay();
      const found = async (request: Partial<ListEventsRequest>) => {
        const all: Event[] = [];
        for (let cursor: string | null = null; ; ) {
          const { events, nextCursor } = await list({ ...request, cursor, limit: 1 });
          all.push(...events);
          if (!nextCursor) return all.length;
          cursor = nextCursor;
        }
      };
      expect([
        await found({}),
        await found({ eventType: "user.updated" }),
        await found({ tenantId: OTHER_TENANT_ID }),
        await found({ entityId: user.entity.id }),
        await found({ entityId: user.entity.id, tenantId: TENANT_ID }),
      ]).toEqual([5, 4, 3, 2, 0]);
    });

    it("has no next page behind one that the last event fills", async () => {
      await kit.emit(userUpdated(), clientCreated(), userUpdated());
      await kit.relay();
      const next = async (request: Partial<ListEventsRequest>) => (await list(request)).nextCursor ?? undefined;
      const ofUsers = { eventType: "user.updated" };
      expect(await next({ limit: 3 })).toBeUndefined();
      expect(await next({ ...ofUsers, limit: 2 })).toBeUndefined();
      expect(await next({ ...ofUsers, limit: 1, cursor: await next({ ...ofUsers, limit: 1 }) })).toBeUndefined();
    });

    it("goes on behind the numbers that a restore leaves out (R-X336)", async () => {
      const changes = createChanges<unknown>({ ...kit.opened, clock: kit.clock, random: systemRandom });
      await changes.run(({ db }) => leaveNumbersOut(db, kit.clock.now(), []));
      await kit.emit(userUpdated(), userUpdated());
      await kit.relay();
      const first = await list({ limit: 1 });
      const second = await list({ limit: 1, cursor: first.nextCursor });
      expect(new Set([...first.events, ...second.events].map(({ id }) => id)).size).toBe(2);
    });

    it("names every wrong field", async () => {
      await expect(list({ limit: 501, cursor: "x", tenantId: "client_1" })).rejects.toMatchObject({
        violations: [{ field: "tenant_id" }, { field: "limit" }, { field: "cursor" }],
      });
    });

    it("keeps them as long as deliveries", async () => {
      await kit.emit();
      await kit.relay();
      kit.clock.step(91 * 24 * 60 * 60 * 1000);
      await kit.sweep();
      expect((await list()).events).toEqual([]);
    });
  });
});
