import { Webhook } from "standardwebhooks";
import type { FeedEvent } from "../../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import type { Erasure } from "../../../src/runtime/erasure/erasures.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { feedCursors } from "../../../src/webhooks/feed/feed-cursor.ts";
import { feedRepository } from "../../../src/webhooks/feed/feed-repository.ts";
import { eventFeed } from "../../../src/webhooks/feed/feed-service.ts";
import { feedWaiters } from "../../../src/webhooks/feed/feed-waiters-service.ts";
import { openedSecrets } from "../../../src/webhooks/queue/opened-secrets.ts";
import { integrationScope } from "../../../src/webhooks/subscriptions/scope.ts";
import { subscriptionRepository } from "../../../src/webhooks/subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { silentLog } from "../../support/silent-log.ts";
import { eachStore } from "../../support/stores.ts";
import {
  ACKNOWLEDGED,
  INTEGRATION_ID,
  MASTER_KEY,
  openKit,
  TENANT_ID,
  userUpdated,
  type WebhooksKit,
} from "../webhooks-kit.ts";
import { emitted, idsOf, readAll, readFeed } from "./feed-kit.ts";

const NEVER = new AbortController().signal;

const headersOf = ({ headers }: FeedEvent) => Object.fromEntries(headers.map(({ name, value }) => [name, value]));

eachStore((_, open) => {
  describe("the feed of a subscription", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
    });

    it("has the bodies that are posted, signed now: the independent verifier accepts them (R-X287)", async () => {
      const { id, secret } = await kit.subscribe();
      await emitted(kit, 1);
      const [claimed] = await kit.claim();
      kit.clock.step(60_000);
      const { events } = await readFeed(kit, id);
      expect(events).toHaveLength(1);
      const [event] = events as [FeedEvent];
      expect(event.body).toBe(claimed?.body.toString());
      expect(event).toMatchObject({ id: claimed?.eventId, type: "user.updated" });
      expect(headersOf(event)).toMatchObject({
        "content-type": "application/json",
        "webhook-timestamp": String(Math.floor(kit.clock.now().getTime() / 1000)),
      });
      const frozen = jest.spyOn(Date, "now").mockImplementation(() => kit.clock.now().getTime());
      expect(new Webhook(secret).verify(event.body, headersOf(event))).toMatchObject({ id: event.id });
      frozen.mockRestore();
    });

    it("has no pings, waiting or answered", async () => {
      const { id } = await kit.subscribe();
      await kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 });
      await emitted(kit, 1);
      const types = async () => (await readFeed(kit, id)).events.map(({ type }) => type);
      expect(await types()).toEqual(["user.updated"]);
      const claimed = await kit.claim();
      expect(claimed).toHaveLength(2);
      for (const one of claimed) await kit.record(one, ACKNOWLEDGED);
      expect(await types()).toEqual(["user.updated"]);
    });

    it("has every delivery once, whatever its state and the size of a page, in one order (R-X287)", async () => {
      const { id } = await kit.subscribe();
      await kit.subscribe();
      await emitted(kit, 3);
      for (const claimed of await kit.claim()) await kit.record(claimed, ACKNOWLEDGED);
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).where("id", "=", id).execute();
      await emitted(kit, 2);
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "active" }).execute();
      await emitted(kit, 2);
      const [claimed] = await kit.claim();
      if (claimed !== undefined) await kit.record(claimed);
      const all = await readAll(kit, id, 100);
      expect(all).toHaveLength(7);
      for (const limit of [1, 2, 3, 7]) expect(idsOf(await readAll(kit, id, limit))).toEqual(idsOf(all));
      const own = (await kit.deliveries()).filter(({ subscriptionId }) => subscriptionId === id);
      expect(own.map(({ eventId }) => eventId)).toEqual(idsOf(all));
    });

    it("goes on behind the cursor of any event, and from now on", async () => {
      const { id } = await kit.subscribe();
      await emitted(kit, 3);
      const { events, next } = await readFeed(kit, id);
      const { events: rest } = await readFeed(kit, id, { after: events[0]?.cursor ?? null });
      expect(idsOf(rest)).toEqual(idsOf(events.slice(1)));
      const { next: now, events: none } = await readFeed(kit, id, { after: "now" });
      expect(none).toEqual([]);
      await emitted(kit, 1);
      const behind = await readFeed(kit, id, { after: next });
      expect(behind.events).toHaveLength(1);
      expect(idsOf((await readFeed(kit, id, { after: now })).events)).toEqual(idsOf(behind.events));
    });

    it.each([
      ["another subscription's", (_: string, other: string) => other],
      ["altered", (own: string) => `${own.slice(0, -1)}${own.endsWith("A") ? "B" : "A"}`],
      ["cut", (own: string) => own.slice(0, -4)],
      ["with something behind it", (own: string) => `${own}=`],
      ["of lists", () => "NDI"],
      ["a number", () => "42"],
      ["empty", () => ""],
    ])("refuses a cursor that is %s (R-X288)", async (_name, spoil) => {
      const { id } = await kit.subscribe();
      const { id: otherId } = await kit.subscribe();
      await emitted(kit, 1);
      const after = spoil((await readFeed(kit, id)).next, (await readFeed(kit, otherId)).next);
      await expect(readFeed(kit, id, { after })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field: "after" }],
      });
    });

    it.each([
      [{ limit: 101 }, "limit"],
      [{ limit: -1 }, "limit"],
      [{ waitMs: 30_001 }, "wait_ms"],
      [{ waitMs: -1 }, "wait_ms"],
      [{ subscriptionId: "subscription_1" }, "subscription_id"],
    ])("refuses %j and names the field", async (request, field) => {
      const { id } = await kit.subscribe();
      await expect(readFeed(kit, id, request)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field }],
      });
    });

    it("does not find a subscription that does not exist", async () => {
      await expect(readFeed(kit, newId("subscription", systemRandom))).rejects.toMatchObject({
        code: "NOT_FOUND",
        reason: "subscription_not_found",
      });
    });

    it.each<["unconfigured" | "revoked", string]>([
      ["unconfigured", "instance_integration_not_configured"],
      ["revoked", "instance_integration_revoked"],
    ])("gives nothing while the instance integration is %s (R-X346)", async (state, reason) => {
      const { id } = await kit.subscribe();
      await emitted(kit, 1);
      await kit.setConnection(state);
      await expect(readFeed(kit, id)).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason,
      });
    });

    it("has what happened while the instance integration was unconfigured, once it is configured again (R-X287)", async () => {
      const { id } = await kit.subscribe();
      await kit.setConnection("unconfigured");
      await emitted(kit, 2);
      expect((await kit.deliveries()).map(({ state }) => state)).toEqual(["skipped", "skipped"]);
      await kit.tables.updateTable("webhooks_connections").set({ state: "configured", revision: 2 }).execute();
      expect(await readAll(kit, id, 100)).toHaveLength(2);
    });

    it("is not found outside the caller's scope, with the answer of one that does not exist (R-X287)", async () => {
      const db = kit.opened.store.view<WebhooksTables>();
      const feed = feedRepository(db);
      const sealer = createSealer([MASTER_KEY], systemRandom);
      const subscriptions = subscriptionRepository(db);
      const { read } = eventFeed({
        ...{ feed, cursors: feedCursors(sealer), clock: kit.clock, log: silentLog },
        waiters: feedWaiters({ feed, wake: kit.opened.wake }),
        findSigner: async (id, at) => (await subscriptions.listSigners(db, [id], at))[0],
        secrets: openedSecrets((sealed, row) => sealer.open(sealed, row), kit.clock),
      });
      const { id } = await kit.subscribe();
      await emitted(kit, 1);
      const question = { subscriptionId: id, after: undefined, limit: 0, waitMs: 0 };
      const own = await read(integrationScope(INTEGRATION_ID, "key"), question, NEVER);
      expect(own.events).toHaveLength(1);
      const foreign = read(integrationScope(newId("integration", systemRandom), "key"), question, NEVER);
      await expect(foreign).rejects.toMatchObject({ code: "NOT_FOUND", reason: "subscription_not_found" });
    });

    it("shows what is erased as it is posted from then on: without the names (R-X264)", async () => {
      const { id } = await kit.subscribe();
      const event = userUpdated();
      await kit.emit(event);
      await kit.relay();
      const erasure: Erasure = {
        ...{ sequence: 1, object: event.entity.id, actor: "platform", requestId: "req_1" },
        scope: {
          people: [],
          tenantIds: [TENANT_ID],
          redactions: [
            { id: event.entity.id, namedBy: ["userId"], members: { fullName: "Erased person" }, deep: false },
          ],
        },
      };
      for (const eraser of kit.erasers) await eraser.erase([erasure], NEVER);
      const { events } = await readFeed(kit, id);
      expect(JSON.parse(events[0]?.body ?? "").data).toMatchObject({ fullName: "Erased person" });
    });

    it("ends a page before it is larger than a message may be", async () => {
      const { id } = await kit.subscribe();
      const large = { ...userUpdated(), data: { text: "x".repeat(300_000) } };
      await kit.emit(large, large, large, large, large);
      await kit.relay();
      const first = await readFeed(kit, id);
      const second = await readFeed(kit, id, { after: first.next });
      expect([first, second].map(({ events, hasMore }) => [events.length, hasMore])).toEqual([
        [3, true],
        [2, false],
      ]);
    });

    it("has an event that is larger than a page alone on one, so that readers get past it", async () => {
      const { id } = await kit.subscribe();
      const sizes = [1_100_000, 10];
      await kit.emit(...sizes.map((size) => ({ ...userUpdated(), data: { text: "x".repeat(size) } })));
      await kit.relay();
      const first = await readFeed(kit, id);
      const second = await readFeed(kit, id, { after: first.next });
      expect([first, second].map(({ events, hasMore }) => [events.length, hasMore])).toEqual([
        [1, true],
        [1, false],
      ]);
    });
  });
});
