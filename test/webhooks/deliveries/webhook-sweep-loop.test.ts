import { SecretKind } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { Clock } from "../../../src/runtime/basis/clock.ts";
import { webhookSweepLoop } from "../../../src/webhooks/deliveries/webhook-sweep-loop.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { standingClock } from "../../support/clock.ts";
import { oneRound } from "../../support/one-round.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { driveUntilFull, exhaust, start } from "../recoveries/recovery-kit.ts";
import { ACKNOWLEDGED, openKit, userUpdated, type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

async function deliver(kit: WebhooksKit, count: number): Promise<void> {
  await kit.emit(...Array.from({ length: count }, () => userUpdated()));
  await kit.relay();
  for (let claimed = await kit.claim(); claimed.length > 0; claimed = await kit.claim()) {
    for (const one of claimed) await kit.record(one, ACKNOWLEDGED);
  }
}

const shown = async (kit: WebhooksKit) =>
  (await kit.deliveries()).map(({ state, bodyRemoved }) => `${state}${bodyRemoved ? ", body removed" : ""}`);

const countOf = async ({ store }: TestStore, table: keyof WebhooksTables) => {
  const { count } = await store
    .view<WebhooksTables>()
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

eachStore((_, open) => {
  describe("the age of webhooks' rows (R-X236)", () => {
    it("bodies go after 30 days and deliveries after 90; a delivery whose body is gone says so", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      await deliver(kit, 1);
      kit.clock.step(29 * DAY_MS);
      await deliver(kit, 1);
      const states: string[][] = [];
      for (const days of [0, 2, 58, 2, 30]) {
        kit.clock.step(days * DAY_MS);
        await kit.sweep();
        states.push(await shown(kit));
      }
      expect(states).toEqual([
        ["delivered", "delivered"],
        ["delivered, body removed", "delivered"],
        ["delivered, body removed", "delivered, body removed"],
        ["delivered, body removed"],
        [],
      ]);
    });

    it("a deleted subscription is listed by its deliveries for 90 days, and then gone itself (R-X277)", async () => {
      const kit = await openKit(open);
      const { id } = await kit.subscribe({ label: "marigold" });
      await deliver(kit, 1);
      await kit.subscriptions.deleteSubscription({ subscriptionId: id });
      const labels: (readonly string[])[] = [];
      const rows: number[] = [];
      for (const days of [89, 2]) {
        kit.clock.step(days * DAY_MS);
        await kit.sweep();
        labels.push((await kit.deliveries()).map(({ subscriptionLabel }) => subscriptionLabel));
        rows.push((await kit.tables.selectFrom("webhooks_subscriptions").select("id").execute()).length);
      }
      expect(labels).toEqual([["marigold"], []]);
      expect(rows).toEqual([1, 0]);
    });

    it("a secret that has expired is removed, and no other (R-X273)", async () => {
      const kit = await openKit(open);
      const { id } = await kit.subscribe();
      await kit.subscriptions.rotateSecret({ subscriptionId: id, kind: SecretKind.SYMMETRIC, overlapSeconds: 60 });
      const numbers: number[][] = [];
      for (const seconds of [59, 1]) {
        kit.clock.step(seconds * 1_000);
        await kit.sweep();
        const left = await kit.tables
          .selectFrom("webhooks_signing_secrets")
          .select("number")
          .orderBy("number")
          .execute();
        numbers.push(left.map(({ number }) => number));
      }
      expect(numbers).toEqual([[1, 2], [2]]);
    });

    it("what is pending keeps its body, however old it is, and is sent", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      await kit.emit();
      await kit.relay();
      kit.clock.step(400 * DAY_MS);
      await kit.sweep();
      expect(await shown(kit)).toEqual(["pending"]);
      const [claimed] = await kit.claim();
      expect(JSON.parse(String(claimed?.body))).toMatchObject({ id: claimed?.eventId });
    });

    it("bodies are kept no longer than their deliveries, by settings", async () => {
      const flags = { "webhook-body-days": "10", "webhook-delivery-days": "5" };
      const kit = await openKit(open, { flags });
      await kit.subscribe();
      await deliver(kit, 1);
      kit.clock.step(6 * DAY_MS);
      await kit.sweep();
      expect([
        await countOf(kit.opened, "webhooks_settled"),
        await countOf(kit.opened, "webhooks_delivery_bodies"),
      ]).toEqual([0, 0]);
    });

    it("where feeds begin goes forwards alone, also by a sweep that comes late (R-X289)", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      await deliver(kit, 1);
      await kit.tables.insertInto("webhooks_feed").values({ number: 1, begins_after: 1_000_000 }).execute();
      kit.clock.step(31 * DAY_MS);
      await kit.sweep();
      expect(await countOf(kit.opened, "webhooks_delivery_bodies")).toBe(0);
      expect(await kit.tables.selectFrom("webhooks_feed").select("begins_after").execute()).toEqual([
        { begins_after: 1_000_000 },
      ]);
    });

    it("what a recovery that is gone has left under way keeps no place, and nothing of another goes (R-X282)", async () => {
      const kit = await openKit(open);
      const { id } = await kit.subscribe();
      await exhaust(kit, 1);
      await start(kit, id);
      await driveUntilFull(kit);
      const recoveries = async () => {
        const rows = await kit.tables.selectFrom("webhooks_recovery_deliveries").select("recovery").execute();
        return rows.map(({ recovery }) => recovery);
      };
      const [present] = await recoveries();
      const left = { recovery: 1_000_000, delivery: 1_000_000, round: 2, endpoint_origin: "https://hooks.example" };
      await kit.tables.insertInto("webhooks_recovery_deliveries").values(left).execute();
      await kit.sweep();
      expect(await recoveries()).toEqual([present]);
    });

    it("a delivery that a paused recovery is to send once more goes with its age, like any other", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      await deliver(kit, 1);
      const { sequence } = await kit.tables.selectFrom("webhooks_settled").select("sequence").executeTakeFirstOrThrow();
      const again = { recovery: 1, delivery: sequence, round: null, endpoint_origin: "https://hooks.example" };
      await kit.tables.insertInto("webhooks_recovery_deliveries").values(again).execute();
      kit.clock.step(91 * DAY_MS);
      await kit.sweep();
      expect(await countOf(kit.opened, "webhooks_settled")).toBe(0);
    });

    const sweepAsOf = async (kit: WebhooksKit, sweepClock: Clock) => {
      const settings = { "webhook-body-days": 30, "webhook-delivery-days": 90 };
      const db = kit.opened.store.view<WebhooksTables>();
      await oneRound(webhookSweepLoop({ db, clock: kit.clock, sweepClock, settings }));
    };

    it("counts by the clock of the sweeps, however far that of this process is ahead (R-X249)", async () => {
      const kit = await openKit(open);
      const { id } = await kit.subscribe();
      await deliver(kit, 1);
      await kit.subscriptions.rotateSecret({ subscriptionId: id, kind: SecretKind.SYMMETRIC, overlapSeconds: 60 });
      await kit.operator.cancelRecovery({ recoveryId: await start(kit, id) });
      const gone = await kit.subscribe();
      await kit.subscriptions.deleteSubscription({ subscriptionId: gone.id });
      const tables = [
        "settled",
        "delivery_bodies",
        "events",
        "recoveries",
        "subscriptions",
        "signing_secrets",
      ] as const;
      const counts = () => Promise.all(tables.map((table) => countOf(kit.opened, `webhooks_${table}`)));
      const sweepClock = standingClock(kit.clock.now());
      const before = await counts();
      kit.clock.step(400 * DAY_MS);
      await sweepAsOf(kit, sweepClock);
      expect(await counts()).toEqual(before);
      sweepClock.step(91 * DAY_MS);
      await sweepAsOf(kit, sweepClock);
      expect([before, await counts()]).toEqual([
        [1, 1, 1, 1, 2, 2],
        [0, 0, 0, 0, 1, 1],
      ]);
    });

    it("takes none for one of the future that is none by the clock, though removing is behind (R-X392)", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      await deliver(kit, 3);
      const sweepClock = standingClock(kit.clock.now());
      const beginning = kit.clock.now().getTime();
      const settled = await kit.tables.selectFrom("webhooks_settled").select("sequence").orderBy("sequence").execute();
      const days = [0, 405, 100];
      for (const [index, { sequence }] of settled.entries())
        await kit.tables
          .updateTable("webhooks_settled")
          .set({ created_at: beginning + (days[index] ?? 0) * DAY_MS })
          .where("sequence", "=", sequence)
          .execute();
      kit.clock.step(411 * DAY_MS);
      // Ten days behind.
      sweepClock.step(401 * DAY_MS);
      await sweepAsOf(kit, sweepClock);
      expect(await countOf(kit.opened, "webhooks_settled")).toBe(2);
    });

    it("goes in batches, by several services at once, and leaves what is young", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      await deliver(kit, 1_100);
      kit.clock.step(91 * DAY_MS);
      await deliver(kit, 3);
      const racers = await kit.opened.racers(3);
      await Promise.all(racers.map((racer) => webhooksKit(racer, { clock: kit.clock }).sweep()));
      expect([
        await countOf(kit.opened, "webhooks_settled"),
        await countOf(kit.opened, "webhooks_delivery_bodies"),
      ]).toEqual([3, 3]);
    });
  });
});
