import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { leaveNumbersOut } from "../../../src/runtime/upkeep/store-identity.ts";
import { parseCursor, toCursor } from "../../../src/webhooks/deliveries/cursor.ts";
import { deliveryRepository } from "../../../src/webhooks/deliveries/delivery-repository.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore } from "../../support/stores.ts";
import {
  ACKNOWLEDGED,
  clientCreated,
  DeliveryState,
  GONE,
  OTHER_TENANT_ID,
  openKit,
  userUpdated,
  type WebhooksKit,
} from "../webhooks-kit.ts";

eachStore((_, open) => {
  describe("ListDeliveries", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
    });

    async function pages(request: Partial<Parameters<WebhooksKit["operator"]["listDeliveries"]>[0]>) {
      const found: string[][] = [];
      let cursor: string | null | undefined;
      do {
        const page = await kit.operator.listDeliveries({ states: [], limit: 0, ...request, cursor });
        found.push(page.deliveries.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (typeof cursor === "string");
      return found;
    }

    it("pages newest first; rows that arrive meanwhile cause no gap and no repeat", async () => {
      await kit.subscribe();
      await kit.emit(...Array.from({ length: 5 }, () => userUpdated()));
      await kit.relay();
      const first = await kit.operator.listDeliveries({ states: [], limit: 2 });
      await kit.emit();
      await kit.relay();
      const rest = await kit.operator.listDeliveries({ states: [], limit: 500, cursor: first.nextCursor });
      const ids = [...first.deliveries, ...rest.deliveries].map(({ id }) => id);
      expect(ids).toHaveLength(5);
      expect(new Set(ids).size).toBe(5);
      expect((await pages({ limit: 2 })).map(({ length }) => length)).toEqual([2, 2, 2]);
      expect((await pages({ limit: 6 })).map(({ length }) => length)).toEqual([6]);
      expect((await pages({ limit: 1 })).flat()).toEqual((await pages({})).flat());
    });

    it("pages behind the numbers that a restore leaves out (R-X336)", async () => {
      await kit.subscribe();
      await kit.emit(userUpdated());
      await kit.relay();
      const changes = createChanges<unknown>({ ...kit.opened, clock: kit.clock, random: systemRandom });
      await changes.run(({ db }) => leaveNumbersOut(db, kit.clock.now(), ["webhooks_queue"]));
      await kit.emit(...Array.from({ length: 4 }, () => userUpdated()));
      await kit.relay();
      expect((await pages({ limit: 2 })).map(({ length }) => length)).toEqual([2, 2, 1]);
    });

    it("filters by subscription and states, alone and together", async () => {
      const one = await kit.subscribe({ label: "one", endpointUrl: "https://one.example/" });
      const two = await kit.subscribe({ label: "two", endpointUrl: "https://two.example/" });
      await kit.emit();
      await kit.relay();
      const claimed = await kit.claim();
      for (const attempt of claimed) await kit.record(attempt, attempt.subscriptionId === one.id ? ACKNOWLEDGED : GONE);
      await kit.emit();
      await kit.relay();
      const list = async (request: Parameters<typeof pages>[0]) => {
        const { deliveries } = await kit.operator.listDeliveries({ states: [], limit: 0, ...request });
        return deliveries
          .map(({ subscriptionLabel, state }) => `${subscriptionLabel} ${state.slice(15).toLowerCase()}`)
          .sort();
      };
      expect(await list({})).toEqual(["one delivered", "one pending", "two exhausted", "two skipped"]);
      expect(await list({ subscriptionId: two.id })).toEqual(["two exhausted", "two skipped"]);
      const states = [DeliveryState.PENDING, DeliveryState.SKIPPED];
      expect(await list({ states })).toEqual(["one pending", "two skipped"]);
      expect(await list({ states, subscriptionId: one.id })).toEqual(["one pending"]);
      expect(await list({ subscriptionId: newId("subscription", systemRandom) })).toEqual([]);
    });

    it("shows each attempt", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      kit.clock.step(5);
      await kit.record(claimed, { httpStatus: 502, durationMs: 5 });
      const { deliveries } = await kit.operator.listDeliveries({ states: [], limit: 0 });
      expect(deliveries[0]?.attempts).toEqual([
        {
          round: 1,
          attemptNumber: 1,
          startedAt: new Date(kit.clock.now().getTime() - 5),
          finishedAt: kit.clock.now(),
          outcome: "refused",
          httpStatus: 502,
          durationMs: 5,
          endpoint: "https://hooks.example/in",
          answer: null,
        },
      ]);
    });

    it("shows where an attempt went, without the query, and how the answer began, as plain text (R-X195)", async () => {
      await kit.subscribe({ endpointUrl: "https://hooks.example/in?token=secret" });
      const claimed = await kit.claimOne();
      const body = `<h1>\u001b[31mBad\r\n\tGateway</h1>${"ä".repeat(600)}`;
      const cut = Buffer.from(body).subarray(0, 1001);
      await kit.record(claimed, { httpStatus: 502, durationMs: 5, responseExcerpt: cut });
      const { deliveries } = await kit.operator.listDeliveries({ states: [], limit: 0 });
      const [attempt] = deliveries[0]?.attempts ?? [];
      expect(attempt?.endpoint).toBe("https://hooks.example/in");
      expect(attempt?.answer).toMatch(/^<h1> \[31mBad Gateway<\/h1>ä+$/);
      expect(attempt?.answer).toHaveLength(500);
    });

    it("cuts no character of an answer in half", async () => {
      await kit.subscribe();
      const body = Buffer.from(`${"a".repeat(499)}😀😀`);
      await kit.record(await kit.claimOne(), { httpStatus: 502, durationMs: 5, responseExcerpt: body });
      const { deliveries } = await kit.operator.listDeliveries({ states: [], limit: 0 });
      expect(deliveries[0]?.attempts[0]?.answer).toBe(`${"a".repeat(499)}😀`);
    });

    it("finds one delivery by its id, and those of one event, in other lists too", async () => {
      const one = await kit.subscribe({ label: "one" });
      await kit.subscribe({ label: "two" });
      await kit.emit(userUpdated(), userUpdated());
      await kit.relay();
      const [newest] = (await kit.operator.listDeliveries({ states: [], limit: 1 })).deliveries;
      const { id = "", eventId = "" } = newest ?? {};
      const list = async (request: Parameters<typeof pages>[0]) =>
        (await kit.operator.listDeliveries({ states: [], limit: 0, ...request })).deliveries;
      expect((await list({ deliveryId: id })).map((found) => found.id)).toEqual([id]);
      const ofEvent = await list({ eventId });
      expect(ofEvent.map((found) => found.eventId)).toEqual([eventId, eventId]);
      expect(ofEvent.map(({ subscriptionLabel }) => subscriptionLabel).sort()).toEqual(["one", "two"]);
      expect((await pages({ eventId, limit: 1 })).flat()).toEqual(ofEvent.map((found) => found.id));
      expect(await list({ eventId, subscriptionId: one.id })).toHaveLength(1);
      expect(await list({ eventId, states: [DeliveryState.DELIVERED] })).toEqual([]);
      expect(await list({ deliveryId: newId("delivery", systemRandom) })).toEqual([]);
    });

    it("filters by type, tenant and time, a page at a time", async () => {
      await kit.subscribe();
      const begun = kit.clock.now();
      await kit.emit(userUpdated(), clientCreated(), userUpdated(OTHER_TENANT_ID));
      await kit.relay();
      kit.clock.step(60_000);
      const later = kit.clock.now();
      await kit.emit(userUpdated());
      await kit.relay();
      const count = async (request: Parameters<typeof pages>[0]) =>
        (await pages({ ...request, limit: 1 })).flat().length;
      expect([
        await count({ eventType: "user.updated" }),
        await count({ tenantId: OTHER_TENANT_ID }),
        await count({ from: later }),
        await count({ to: later }),
        await count({ from: begun, to: later, eventType: "client.created" }),
        await count({ eventType: "worker.updated" }),
      ]).toEqual([3, 1, 1, 3, 1, 0]);
    });

    it("begins at the end of the time asked for, however many are younger", async () => {
      const { id } = await kit.subscribe();
      await kit.emit(userUpdated(), clientCreated());
      await kit.relay();
      kit.clock.step(60_000);
      const to = kit.clock.now();
      await kit.emit(...Array.from({ length: 510 }, () => userUpdated()));
      await kit.relay();
      kit.clock.step(2 * 60_000);
      await kit.emit(...Array.from({ length: 510 }, () => userUpdated()));
      await kit.relay();
      const { deliveries } = await kit.operator.listDeliveries({ states: [], limit: 0, to });
      expect(deliveries.map(({ eventType }) => eventType).sort()).toEqual(["client.created", "user.updated"]);
      for (const request of [
        { to, subscriptionId: id },
        { to, eventType: "client.created" },
      ]) {
        expect((await pages(request)).map(({ length }) => length)).toEqual(["eventType" in request ? 1 : 2]);
      }
      expect((await pages({ to: new Date(kit.clock.now().getTime() + 1), limit: 500 })).flat()).toHaveLength(1_022);
      expect(await pages({ to: new Date(0) })).toEqual([[]]);
      // A cursor of a list without that time leads there too.
      const { nextCursor } = await kit.operator.listDeliveries({ states: [], limit: 1 });
      const behind = await kit.operator.listDeliveries({ states: [], limit: 0, to, cursor: nextCursor });
      expect(behind.deliveries).toEqual(deliveries);
    });

    it("of many subscriptions are the newest of all of them, and few others are read (R-X298)", async () => {
      await kit.subscribe();
      await kit.multiply(40);
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      await kit.emit(...Array.from({ length: 30 }, () => userUpdated()));
      await kit.relay();
      const db = kit.opened.store.view<WebhooksTables>();
      const subscriptions = await kit.tables.selectFrom("webhooks_subscriptions").select("id").execute();
      const asked = jest.spyOn(db.getExecutor(), "executeQuery");
      const found = await deliveryRepository(db, deliveryMoves).list({
        ...{ subscriptionId: undefined, deliveryId: undefined, eventId: undefined, states: [], before: undefined },
        subscriptionIds: subscriptions.map(({ id }) => id),
        limit: 100,
      });
      const answers = await Promise.all(asked.mock.results.map(({ value }) => value as Promise<{ rows: unknown[] }>));
      asked.mockRestore();
      const last = await kit.tables
        .selectFrom("webhooks_settled")
        .select("sequence")
        .orderBy("sequence", "desc")
        .limit(100)
        .execute();
      expect(found.map(({ sequence }) => sequence)).toEqual(last.map(({ sequence }) => sequence));
      expect(answers.reduce((sum, { rows }) => sum + rows.length, 0)).toBeLessThan(400);
    });

    it("names every wrong field at once", async () => {
      const request = {
        subscriptionId: "x",
        deliveryId: "x",
        eventId: "x",
        tenantId: "x",
        from: new Date(1),
        to: new Date(0),
        states: [DeliveryState.UNSPECIFIED],
        limit: 501,
        cursor: "!",
      };
      const refused = await kit.operator.listDeliveries(request).catch((error) => error);
      expect(refused.violations.map(({ field }: { field: string }) => field)).toEqual([
        "subscription_id",
        "delivery_id",
        "event_id",
        "tenant_id",
        "states",
        "limit",
        "cursor",
        "from",
      ]);
    });
  });
});

describe("cursors", () => {
  it.each([1, 42, 999_999_999_999_999, Number.MAX_SAFE_INTEGER])("are decoded as they were encoded: %i", (sequence) => {
    expect(parseCursor(toCursor(sequence))).toBe(sequence);
  });

  it.each([
    "",
    "!",
    "0",
    "MA",
    toCursor(5).toLowerCase(),
    `${toCursor(12)}=`,
    Buffer.from("1;drop").toString("base64url"),
    toCursor(Number.MAX_SAFE_INTEGER + 1),
    toCursor(1e21),
  ])("of another form are refused: %j", (text) => {
    expect(parseCursor(text)).toBeUndefined();
  });
});
