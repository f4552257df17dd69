import { sql } from "kysely";
import type { ClaimedAttempt } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { DELIVERIES_CHANNEL } from "../../../src/webhooks/deliveries/delivery.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { LOCK_WAITS } from "../../support/lock-waits.ts";
import { eachStore, onPostgres, type TestStore } from "../../support/stores.ts";
import {
  ACKNOWLEDGED,
  clientCreated,
  DeliveryState,
  INSTANCE_INTEGRATION_ID,
  OTHER_TENANT_ID,
  openKit,
  TENANT_ID,
  userUpdated,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";

eachStore((_, open) => {
  describe("the relay", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
    });

    it("makes one delivery per matching subscription (spec §6 rule 5, I2), due at once, with the plan of R-E6", async () => {
      const all = await kit.subscribe();
      kit.clock.step(1);
      const users = await kit.subscribe({ eventTypes: ["user.*"] });
      await kit.subscribe({ eventTypes: ["client.created"] });
      await kit.emit(userUpdated());
      await kit.relay();
      const deliveries = await kit.deliveries();
      expect(deliveries.map(({ subscriptionId, state, dueAt }) => ({ subscriptionId, state, dueAt }))).toEqual(
        [all.id, users.id].map((subscriptionId) => ({ subscriptionId, state: "pending", dueAt: kit.clock.now() })),
      );
      const rows = await kit.tables.selectFrom("webhooks_queue").select(["delays", "round", "attempts"]).execute();
      expect(rows).toEqual([1, 2].map(() => ({ delays: "[60000,3600000]", round: 1, attempts: 0 })));
    });

    it("freezes the bytes, text beyond ASCII included", async () => {
      await kit.subscribe();
      const names = 'Zoë 日本 \u{1f511} \u2028 \\u0000 \u0000 " \ud800';
      await kit.emit({ data: { ...userUpdated().data, lastName: names } });
      await kit.relay();
      const { body } = await kit.tables.selectFrom("webhooks_delivery_bodies").select("body").executeTakeFirstOrThrow();
      const [claimed] = await kit.claim();
      expect(claimed?.body.equals(body)).toBe(true);
      expect(JSON.parse(body.toString("utf8")).data.lastName).toBe(names);
    });

    it("omits tenants that a subscription does not list, and client.created for every list (R-E14)", async () => {
      await kit.subscribe({ label: "listed", tenantIds: [TENANT_ID] });
      await kit.emit(userUpdated(OTHER_TENANT_ID), clientCreated(TENANT_ID));
      await kit.relay();
      expect(await kit.deliveries()).toEqual([]);
      // The pipe is open: the next event of a listed tenant comes through.
      await kit.emit(userUpdated(TENANT_ID));
      await kit.relay();
      expect((await kit.deliveries()).map(({ eventType }) => eventType)).toEqual(["user.updated"]);
    });

    it("omits events from before the subscription", async () => {
      await kit.emit();
      kit.clock.step(1);
      await kit.subscribe();
      await kit.relay();
      expect(await kit.deliveries()).toEqual([]);
      await kit.emit();
      await kit.relay();
      expect(await kit.deliveries()).toHaveLength(1);
    });

    it.each([
      ["five seconds back after the subscription was made", -5_000],
      ["an hour behind, of another machine", -3_600_000],
    ])("loses no event to a clock: %s (R-X140)", async (_, ms) => {
      await kit.subscribe();
      const clock = standingClock();
      clock.set(new Date(kit.clock.now().getTime() + ms));
      const other = webhooksKit((await kit.opened.racers(2))[1] as TestStore, { clock });
      await other.emit();
      await other.relay();
      expect(await kit.deliveries()).toHaveLength(1);
    });

    it("sends no event from before the subscription, though a clock an hour ahead wrote it (R-X140)", async () => {
      const clock = standingClock();
      clock.set(new Date(kit.clock.now().getTime() + 3_600_000));
      await webhooksKit(kit.opened, { clock }).emit();
      await kit.subscribe();
      await kit.relay();
      expect(await kit.deliveries()).toEqual([]);
      await kit.emit();
      await kit.relay();
      expect(await kit.deliveries()).toHaveLength(1);
    });

    it.each(["paused", "disabled"])("records what a %s subscription misses (R-E9)", async (state) => {
      const { id } = await kit.subscribe();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state }).execute();
      await kit.emit();
      await kit.relay();
      expect(await kit.deliveries()).toMatchObject([
        { subscriptionId: id, state: "skipped", reason: `subscription_${state}`, dueAt: undefined },
      ]);
      expect(await kit.claim()).toEqual([]);
      const body = await kit.tables.selectFrom("webhooks_delivery_bodies").select("body").executeTakeFirstOrThrow();
      expect(JSON.parse(body.body.toString()).data.links.self).toContain(INSTANCE_INTEGRATION_ID);
    });

    it("makes one delivery when an entry comes twice", async () => {
      await kit.subscribe();
      await kit.emit();
      const { sequence: _, ...entry } = await kit.tables
        .selectFrom("outbox_entries")
        .selectAll()
        .executeTakeFirstOrThrow();
      const again = () => kit.tables.insertInto("outbox_entries").values(entry).execute();
      await kit.relay();
      await again();
      await kit.relay();
      expect(await kit.deliveries()).toHaveLength(1);
      const [claimed] = await kit.claim();
      await kit.record(claimed as ClaimedAttempt, ACKNOWLEDGED);
      await again();
      await kit.relay();
      expect(await kit.deliveries()).toHaveLength(1);
    });

    it("works through a backlog that is larger than a batch, each entry once", async () => {
      await kit.subscribe();
      await kit.emit(...Array.from({ length: 250 }, () => userUpdated()));
      await kit.relay();
      const events = (await kit.deliveries()).map(({ eventId }) => eventId);
      expect(new Set(events).size).toBe(250);
    });

    it("wakes the dispatcher that waits", async () => {
      await kit.subscribe();
      const waiting = kit.dispatch.claimDue({ limit: 1, waitMs: 10_000 }, { deadlineMs: 12_000 });
      const ticket = kit.opened.wake.ticket(DELIVERIES_CHANNEL);
      await kit.emit();
      await kit.relay();
      expect(kit.opened.wake.ticket(DELIVERIES_CHANNEL)).toBeGreaterThan(ticket);
      expect((await waiting).attempts).toHaveLength(1);
    });
  });

  it("several relays share the entries: each event is delivered once", async () => {
    const opened = await open([webhooksMigrations]);
    const first = webhooksKit(opened);
    await first.subscribe();
    await first.emit(...Array.from({ length: 300 }, () => userUpdated()));
    const racers = await opened.racers(3);
    await Promise.all(racers.map((racer) => webhooksKit(racer, { clock: first.clock }).relay()));
    const pending = () => first.operator.listDeliveries({ states: [DeliveryState.PENDING], limit: 500 });
    const { deliveries } = await eventually(pending, (page) => page.deliveries.length >= 300);
    expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(300);
    expect(deliveries).toHaveLength(300);
  });
});

onPostgres((open) => {
  it("a subscription is made after events that are being written, whatever their sequences (R-X140)", async () => {
    const kit = await openKit(open);
    const { store, wake } = await kit.opened.again();
    const changes = createChanges({ store, wake, clock: kit.clock, random: systemRandom });
    const written = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const writing = changes.run(async ({ emit }) => {
      await emit(userUpdated());
      written.resolve();
      await mayCommit.promise;
    });
    await written.promise;
    // Its sequence is higher, and it is committed first.
    await kit.emit();
    let isMade = false;
    const making = kit.subscribe().then(() => {
      isMade = true;
    });
    const waiting = () => sql.raw(`${LOCK_WAITS} and mode = 'ShareLock'`).execute(kit.tables);
    await eventually(waiting, ({ rows }) => rows.length > 0);
    const wasMade = isMade;
    mayCommit.resolve();
    await writing;
    await making;
    await kit.emit();
    await kit.relay();
    expect(wasMade).toBe(false);
    expect(await kit.deliveries()).toHaveLength(1);
  });
});
