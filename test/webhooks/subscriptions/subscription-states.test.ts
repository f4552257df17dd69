import { SubscriptionState } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { DAY_MS } from "../../../src/runtime/basis/durations.ts";
import type { SubscriptionId } from "../../../src/runtime/basis/ids.ts";
import { subscriptionRepository } from "../../../src/webhooks/subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import { ACKNOWLEDGED, GONE, openKit, type WebhooksKit } from "../webhooks-kit.ts";
import { options } from "./subscription-requests.ts";

const { ACTIVE, PAUSED, DISABLED, PENDING } = SubscriptionState;

eachStore((_, open) => {
  describe("states of a subscription (R-X276)", () => {
    let kit: WebhooksKit;
    let subscriptionId: string;
    beforeEach(async () => {
      kit = await openKit(open);
      subscriptionId = (await kit.subscribe()).id;
    });

    const pause = async () => (await kit.subscriptions.pauseSubscription({ subscriptionId })).subscription?.state;
    const resume = () => kit.subscriptions.resumeSubscription({ subscriptionId });
    const enable = () => kit.subscriptions.enableSubscription({ subscriptionId });
    const disable = () => {
      const db = kit.opened.store.view<WebhooksTables>();
      const change = subscriptionRepository(db).disable;
      const one = { subscriptionId: subscriptionId as SubscriptionId, endpointUrl: "https://hooks.example/in" };
      return db.transaction().execute((tx) => change(tx, one, "gone", kit.clock.now()));
    };
    const state = async () => {
      const { subscription } = await kit.subscriptions.getSubscription({ subscriptionId });
      return [subscription?.state, subscription?.stateReason];
    };
    const event = async () => {
      await kit.emit();
      await kit.relay();
    };
    const outcomes = async () => (await kit.deliveries()).map(({ state, reason }) => [state, reason]);

    it("a paused one skips its events until it is resumed, which says how many and since when", async () => {
      expect(await pause()).toBe(PAUSED);
      const since = kit.clock.now();
      kit.clock.step(1_000);
      await event();
      await event();
      expect(await outcomes()).toEqual(Array(2).fill(["skipped", "subscription_paused"]));
      expect(await resume()).toMatchObject({ subscription: { state: ACTIVE }, skipped: { since, count: 2 } });
      await event();
      expect((await kit.claim()).map((claimed) => claimed.subscriptionId)).toEqual([subscriptionId]);
    });

    it("counts only what was skipped in the meantime", async () => {
      await pause();
      await event();
      await resume();
      kit.clock.step(1_000);
      await pause();
      await event();
      expect(await resume()).toMatchObject({ skipped: { count: 1 } });
    });

    it.each([
      ["before it", false],
      ["while the clock was ahead", true],
    ])(
      "a pause that a clock a year ahead has dated says what it skipped, last acknowledged %s (R-X373)",
      async (_, late) => {
        const YEAR_MS = 365 * DAY_MS;
        const acknowledge = async () => kit.record(await kit.claimOne(), ACKNOWLEDGED);
        if (!late) await acknowledge();
        kit.clock.step(YEAR_MS);
        if (late) await acknowledge();
        await pause();
        await event();
        kit.clock.step(60_000 - YEAR_MS);
        const since = kit.clock.now();
        await event();
        await event();
        expect(await resume()).toMatchObject({ subscription: { state: ACTIVE }, skipped: { since, count: 3 } });
      },
    );

    it.each([
      ["waited for a retry, when the subscription is resumed", undefined],
      ["was answered 410, when it is enabled (R-X313)", GONE],
    ])("a recovery from where it says begins with what %s", async (_, outcome) => {
      const made = kit.clock.now();
      const first = await kit.claimOne();
      kit.clock.step(1_000);
      await kit.record(first, outcome);
      kit.clock.step(1_000);
      await (outcome === undefined ? pause() : undefined);
      kit.clock.step(2 * 60_000);
      expect(await kit.claim()).toEqual([]);
      await event();
      const answer = await (outcome === undefined ? resume() : enable());
      expect(answer).toMatchObject({ subscription: { state: ACTIVE }, skipped: { since: made, count: 2 } });
    });

    it("pausing stops what waits for a retry too", async () => {
      await kit.record(await kit.claimOne());
      await pause();
      kit.clock.step(2 * 60_000);
      expect(await kit.claim()).toEqual([]);
      expect(await outcomes()).toEqual([["skipped", "subscription_paused"]]);
    });

    it("a disabled one is enabled, and neither paused nor resumed before", async () => {
      kit.clock.step(1_000);
      await disable();
      expect(await state()).toEqual([DISABLED, "gone"]);
      const { subscription } = await kit.subscriptions.getSubscription({ subscriptionId });
      expect([subscription?.stateSince, subscription?.updatedAt]).toEqual(Array(2).fill(kit.clock.now()));
      for (const act of [pause, resume])
        await expect(act()).rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "subscription_disabled" });
      await event();
      expect(await enable()).toMatchObject({
        subscription: { state: ACTIVE, stateReason: null },
        skipped: { count: 1 },
      });
      expect(await state()).toEqual([ACTIVE, null]);
    });

    const oneMore = async (outcome?: typeof ACKNOWLEDGED) => {
      kit.clock.step(60_000);
      const made = kit.clock.now();
      await event();
      for (let claimed = await kit.claim(); claimed[0] !== undefined; claimed = await kit.claim()) {
        await kit.record(claimed[0], outcome);
        kit.clock.step(2 * 3_600_000);
      }
      return made;
    };
    const acknowledgedPing = async () => {
      await kit.subscriptions.pingSubscription({ subscriptionId, waitMs: 0 });
      const claimed = await kit.claim();
      expect(claimed.map(({ eventType }) => eventType)).toEqual(["webhook.ping"]);
      for (const one of claimed) await kit.record(one, ACKNOWLEDGED);
      kit.clock.step(60_000);
    };

    it("a disabled one missed what was given up since its endpoint last acknowledged a delivery", async () => {
      await oneMore();
      await oneMore(ACKNOWLEDGED);
      const since = await oneMore();
      await oneMore();
      await disable();
      await event();
      expect((await outcomes()).map(([named]) => named)).toEqual([
        ...["exhausted", "delivered", "exhausted", "exhausted", "skipped"],
      ]);
      expect(await enable()).toMatchObject({ skipped: { since, count: 3 } });
    });

    it("a ping that is acknowledged while events fail, or while it is disabled, changes nothing of what it missed", async () => {
      await oneMore(ACKNOWLEDGED);
      const since = await oneMore();
      await acknowledgedPing();
      await oneMore();
      await disable();
      await event();
      await acknowledgedPing();
      expect(await enable()).toMatchObject({ skipped: { since, count: 3 } });
    });

    it("a disabled one missed all since its disabling, when an attempt that was under way is acknowledged after it", async () => {
      await event();
      const underWay = await kit.claimOne();
      kit.clock.step(1_000);
      await disable();
      const since = kit.clock.now();
      await event();
      kit.clock.step(60_000);
      await kit.record(underWay, ACKNOWLEDGED);
      expect(await enable()).toMatchObject({ skipped: { since, count: 1 } });
    });

    it("of more than a thousand that it missed, a recovery begins before the earliest", async () => {
      await oneMore(ACKNOWLEDGED);
      const first = await oneMore();
      const [row] = await kit.tables
        .selectFrom("webhooks_settled")
        .selectAll()
        .where("state", "=", "exhausted")
        .execute();
      const given = present(row);
      const later = Array.from({ length: 1_200 }, (_, index) => ({
        ...given,
        sequence: given.sequence + index + 1,
        id: `delivery_${String(index).padStart(21, "0")}`,
        event_id: `event_${String(index).padStart(21, "0")}`,
        created_at: given.created_at + index + 1,
        settled_at: given.settled_at + index + 1,
        // A ping that failed is none of them, and hides none.
        event_type: index === 1_199 ? "webhook.ping" : given.event_type,
      }));
      for (let at = 0; at < later.length; at += 100)
        await kit.tables
          .insertInto("webhooks_settled")
          .values(later.slice(at, at + 100) as never)
          .execute();
      kit.clock.step(60_000);
      await disable();
      const { skipped } = await enable();
      expect(skipped?.count).toBe(1_000);
      expect(skipped?.since?.getTime()).toBeLessThan(first.getTime());
    });

    it("what was there to be read from the feed was not missed", async () => {
      await disable();
      await event();
      await event();
      const [first] = await kit.tables.selectFrom("webhooks_settled").select("sequence").orderBy("sequence").execute();
      await kit.tables
        .updateTable("webhooks_settled")
        .set({ reason: "pull_only" })
        .where("sequence", "=", present(first).sequence)
        .execute();
      expect(await enable()).toMatchObject({ skipped: { count: 1 } });
    });

    it.each(["paused", "disabled"] as const)(
      "one that was %s for forty days has missed what a recovery can still be asked for",
      async (how) => {
        await oneMore(ACKNOWLEDGED);
        await (how === "paused" ? pause() : disable());
        await event();
        kit.clock.step(40 * 86_400_000);
        await event();
        const { skipped } = await (how === "paused" ? resume() : enable());
        const since = new Date(kit.clock.now().getTime() - 30 * 86_400_000);
        expect(skipped).toMatchObject({ since, count: 1 });
        kit.clock.step(3_600_000);
        const { recovery } = await kit.operator.startRecovery({
          ...{ subscriptionId, from: skipped?.since ?? null, states: [], eventTypes: [], tenantIds: [] },
        });
        expect(recovery?.from).toEqual(since);
      },
    );

    it("what changes nothing is no error, and leaves no entry", async () => {
      const actions = async () => (await kit.audit()).map(({ action }) => action);
      const before = await actions();
      expect(await resume()).toMatchObject({ subscription: { state: ACTIVE }, skipped: null });
      expect(await enable()).toMatchObject({ subscription: { state: ACTIVE }, skipped: null });
      await pause();
      expect(await pause()).toBe(PAUSED);
      expect(await enable()).toMatchObject({ subscription: { state: PAUSED }, skipped: null });
      expect(await actions()).toEqual([...before, "subscription.pause"]);
    });

    it("one that awaits a ping is pending after a pause and a disabling too", async () => {
      ({ id: subscriptionId } = await kit.subscribe(options({ pingFirst: true })));
      const ping = async () => {
        const [claimed] = (await kit.claim()).filter((one) => one.subscriptionId === subscriptionId);
        return claimed;
      };
      expect((await ping())?.eventType).toBe("webhook.ping");
      await pause();
      expect(await resume()).toMatchObject({ subscription: { state: PENDING } });
      await disable();
      expect(await enable()).toMatchObject({ subscription: { state: PENDING } });
      const second = await ping();
      if (second === undefined) throw new Error("No other ping was sent.");
      await kit.record(second, ACKNOWLEDGED);
      expect(await state()).toEqual([ACTIVE, null]);
    });

    it("a revoked instance integration ends all of it", async () => {
      await pause();
      await kit.setConnection("revoked", 2);
      for (const act of [pause, resume, enable])
        await expect(act()).rejects.toMatchObject({ reason: "instance_integration_revoked" });
    });
  });
});
