import { sql } from "kysely";
import type { AttemptOutcome, ClaimedAttempt } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { webhooksMigrations, webhooksRestored } from "../../../src/webhooks/services.ts";
import { subscriptionChangeRepository } from "../../../src/webhooks/subscriptions/subscription-change-repository.ts";
import { eventually } from "../../support/eventually.ts";
import { LOCK_WAITS } from "../../support/lock-waits.ts";
import { eachStore, inTransaction, onPostgres } from "../../support/stores.ts";
import {
  ACKNOWLEDGED,
  GONE,
  OutcomeClass,
  openKit,
  outcomeOf,
  settingsFor,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";

const HOUR = 60 * 60 * 1000;
const QUICK = { "webhook-attempt-delays": "1ms,1ms", "webhook-jitter": "0" };
const TO_MONITOR = { label: "monitor", eventTypes: ["subscription.*", "delivery.*"] };

eachStore((_, open) => {
  describe("what ended attempts mean for their subscription (R-E12, R-X311, R-X312)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open, { flags: QUICK });
    });

    /** Makes every attempt that is due end so, until nothing is due; of the monitor's, so many are acknowledged. */
    async function end(outcome: Partial<AttemptOutcome> = {}): Promise<readonly ClaimedAttempt[]> {
      const toMonitor: ClaimedAttempt[] = [];
      for (;;) {
        await kit.relay();
        kit.clock.step(1);
        const claimed = await kit.claim();
        if (claimed.length === 0) return toMonitor;
        for (const one of claimed) {
          const isOfMonitor = one.subscriptionLabel.startsWith("monitor");
          if (isOfMonitor) toMonitor.push(one);
          await kit.record(one, isOfMonitor ? ACKNOWLEDGED : outcome);
        }
      }
    }

    /** Exhausts deliveries of so many new events. */
    async function exhaust(count: number, outcome: Partial<AttemptOutcome> = {}): Promise<readonly ClaimedAttempt[]> {
      await kit.emit(...Array.from({ length: count }, () => ({})));
      return end(outcome);
    }

    const bodies = (claimed: readonly ClaimedAttempt[]) =>
      claimed.map(({ body }) => JSON.parse(Buffer.from(body).toString("utf8")));
    const typesOf = (claimed: readonly ClaimedAttempt[]) => claimed.map(({ eventType }) => eventType);
    const runs = () => kit.tables.selectFrom("webhooks_failing_runs").selectAll().execute();
    const stateOf = (id: string) =>
      kit.tables
        .selectFrom("webhooks_subscriptions")
        .select(["state", "state_reason"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();

    const moveTo = (subscriptionId: string, endpointUrl: string) =>
      kit.subscriptions.updateSubscription({
        ...{ subscriptionId, updateMask: ["endpoint_url"], endpointUrl, skipPing: true },
        ...{ eventTypes: [], tenantIds: [], description: "", extraHeaders: [] },
      });

    it("a run begins with the first delivery that is exhausted, and counts on up to ten", async () => {
      const { id } = await kit.subscribe({ label: "down" });
      await exhaust(1);
      const begun = await runs();
      const since = kit.clock.now().getTime() - 1;
      expect(begun).toEqual([{ subscription_id: id, since, warned_at: null, exhausted: 1 }]);
      kit.clock.step(HOUR);
      await exhaust(2);
      expect(await runs()).toEqual([{ subscription_id: id, since, warned_at: null, exhausted: 3 }]);
      for (let more = 0; more < 8; more++) await exhaust(1);
      expect(await runs()).toEqual([{ subscription_id: id, since, warned_at: null, exhausted: 10 }]);
    });

    it("a delivery that is sent again counts once in a run, whichever it is (R-X312)", async () => {
      await kit.subscribe({ label: "down" });
      await exhaust(1, ACKNOWLEDGED);
      kit.clock.step(HOUR);
      await exhaust(2);
      for (const { id } of await kit.deliveries())
        for (let again = 0; again < 3; again++) {
          await kit.operator.resendDelivery({ deliveryId: id });
          await end();
        }
      expect((await runs()).map(({ exhausted }) => exhausted)).toEqual([3]);
    });

    it("one acknowledgement ends it", async () => {
      await kit.subscribe({ label: "down" });
      await exhaust(2);
      await exhaust(1, ACKNOWLEDGED);
      expect(await runs()).toEqual([]);
    });

    it("an acknowledgement of the same report counts: no run begins", async () => {
      await kit.subscribe({ label: "down" });
      await kit.emit({}, {});
      await kit.relay();
      for (let attempt = 1; attempt < 3; attempt++) {
        for (const one of await kit.claim()) await kit.record(one);
        kit.clock.step(1);
      }
      const [first, second] = (await kit.claim()) as [ClaimedAttempt, ClaimedAttempt];
      const outcomes = [outcomeOf(first), outcomeOf(second, ACKNOWLEDGED)];
      await kit.dispatch.recordOutcomes({ outcomes });
      expect(await runs()).toEqual([]);
    });

    it("an outcome that is lost begins none: it says nothing of the endpoint", async () => {
      await kit.subscribe({ label: "silent" });
      await kit.emit();
      await kit.relay();
      // A claim finds the lease of the one before passed, and the delivery due again.
      for (let attempt = 0; attempt < 6; attempt++) {
        await kit.claim();
        kit.clock.step(HOUR);
      }
      expect((await kit.deliveries()).map(({ state, reason }) => [state, reason])).toEqual([["exhausted", "lost"]]);
      expect(await runs()).toEqual([]);
    });

    it("warns once after two and a half days, disables after five, and shows both with reasons (R-E12)", async () => {
      const { id } = await kit.subscribe({ label: "down" });
      await kit.subscribe(TO_MONITOR);
      const since = new Date(kit.clock.now().getTime() + 3);
      await exhaust(4);
      kit.clock.set(new Date(since.getTime() + 60 * HOUR));
      const warned = (await exhaust(2)).filter(({ eventType }) => eventType.startsWith("subscription."));
      expect(bodies(warned)).toEqual([
        expect.objectContaining({
          type: "subscription.failing",
          entity: { type: "subscription", id },
          data: expect.objectContaining({
            subscriptionId: id,
            label: "down",
            state: "active",
            stateReason: null,
            failingSince: since.toISOString(),
            disablesAt: new Date(since.getTime() + 120 * HOUR).toISOString(),
            disabledAt: null,
            links: { self: `/v1/webhooks/subscriptions/${id}` },
          }),
        }),
      ]);
      kit.clock.set(new Date(since.getTime() + 119 * HOUR));
      expect(typesOf(await exhaust(5))).toEqual(Array.from({ length: 5 }, () => "delivery.exhausted"));
      expect(await stateOf(id)).toEqual({ state: "active", state_reason: null });
      kit.clock.set(new Date(since.getTime() + 120 * HOUR));
      const ended = (await exhaust(1)).filter(({ eventType }) => eventType.startsWith("subscription."));
      expect(bodies(ended)).toEqual([
        expect.objectContaining({
          type: "subscription.disabled",
          data: expect.objectContaining({
            state: "disabled",
            stateReason: "failing",
            failingSince: since.toISOString(),
          }),
        }),
      ]);
      expect(await stateOf(id)).toEqual({ state: "disabled", state_reason: "failing" });
      expect(await runs()).toEqual([]);
      // What follows is kept as skipped, to be recovered.
      await exhaust(1);
      expect((await kit.deliveries()).at(-1)).toMatchObject({ state: "skipped", reason: "subscription_disabled" });
    });

    it("neither warns nor disables for too few deliveries", async () => {
      const { id } = await kit.subscribe({ label: "quiet" });
      await kit.subscribe(TO_MONITOR);
      for (let day = 0; day < 4; day++) {
        expect(typesOf(await exhaust(1))).toEqual(["delivery.exhausted"]);
        kit.clock.step(48 * HOUR);
      }
      expect((await stateOf(id)).state).toBe("active");
    });

    it("pings that fail are not among the deliveries that are counted (R-X271)", async () => {
      const { id } = await kit.subscribe({ label: "quiet" });
      await kit.subscribe(TO_MONITOR);
      await exhaust(1);
      for (let day = 0; day < 3; day++) {
        kit.clock.step(60 * HOUR);
        for (let ping = 0; ping < 4; ping++) {
          await kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 });
          await end();
        }
        expect(typesOf(await exhaust(1))).toEqual(["delivery.exhausted"]);
      }
      expect((await stateOf(id)).state).toBe("active");
    });

    it("an acknowledgement in five days of failures begins the count again", async () => {
      const { id } = await kit.subscribe({ label: "flaky" });
      await kit.subscribe(TO_MONITOR);
      await exhaust(20);
      kit.clock.step(59 * HOUR);
      await exhaust(1, ACKNOWLEDGED);
      kit.clock.step(2 * HOUR);
      await exhaust(1);
      kit.clock.step(59 * HOUR);
      expect(new Set(typesOf(await exhaust(9)))).toEqual(new Set(["delivery.exhausted"]));
      expect((await stateOf(id)).state).toBe("active");
    });

    it.each([
      ["began", 1, [] as readonly string[]],
      ["was warned", 9, ["subscription.failing"]],
    ])(
      "a run that %s while the clock was years ahead begins again by the right one (R-X373)",
      async (_, before, warned) => {
        const { id } = await kit.subscribe({ label: "down" });
        await kit.subscribe({ label: "monitor", eventTypes: ["subscription.*"] });
        const right = kit.clock.now();
        kit.clock.step(3 * 365 * 24 * HOUR);
        await exhaust(1);
        kit.clock.step(60 * HOUR);
        expect(typesOf(await exhaust(before - 1))).toEqual(warned);
        kit.clock.set(right);
        const types: string[] = [];
        for (let day = 0; day < 7; day++) {
          types.push(...typesOf(await exhaust(2)));
          kit.clock.step(24 * HOUR);
        }
        expect(types).toEqual(["subscription.failing", "subscription.disabled"]);
        expect(await stateOf(id)).toEqual({ state: "disabled", state_reason: "failing" });
      },
    );

    it("a run seems to be ahead to a clock that is behind, and goes on when it is set (R-X373)", async () => {
      await kit.subscribe({ label: "down" });
      await exhaust(3);
      const before = await runs();
      const [delivery] = await kit.deliveries();
      const started = webhooksKit(kit.opened, { clock: kit.clock, flags: QUICK, ranMs: 60_000 });
      kit.clock.set(new Date("2020-01-01T00:00:00Z"));
      await started.operator.resendDelivery({ deliveryId: delivery?.id ?? "" });
      await started.record(await started.claimOne());
      expect(await runs()).toEqual(before);
    });

    it("a restore ends a run: the endpoint may have acknowledged since the backup (R-X414)", async () => {
      const { id } = await kit.subscribe({ label: "recovered" });
      await exhaust(10);
      kit.clock.step(60 * HOUR);
      await exhaust(1);
      expect(await runs()).toMatchObject([{ warned_at: expect.any(Number), exhausted: 10 }]);
      // A backup of this moment is restored three days later.
      kit.clock.step(72 * HOUR);
      const { store, wake } = kit.opened;
      const restored = webhooksRestored({
        store,
        wake,
        clock: kit.clock,
        random: systemRandom,
        settings: settingsFor(),
      });
      await inTransaction(store.view(), (tx) => restored.suspendAll(tx, kit.clock.now()));
      await exhaust(1);
      expect((await stateOf(id)).state).toBe("active");
      expect(await runs()).toMatchObject([{ warned_at: null, exhausted: 1 }]);
    });

    it("a 410 disables at once, with the reason gone (R-E6, R-X313)", async () => {
      const { id } = await kit.subscribe({ label: "gone" });
      await kit.subscribe(TO_MONITOR);
      const told = await exhaust(1, GONE);
      expect(bodies(told).map(({ type, data }) => [type, data.reason ?? data.stateReason])).toEqual([
        ["delivery.exhausted", "gone"],
        ["subscription.disabled", "gone"],
      ]);
      expect(await stateOf(id)).toEqual({ state: "disabled", state_reason: "gone" });
    });

    it("a 410 of an endpoint that was replaced meanwhile disables nothing (R-X313)", async () => {
      const { id } = await kit.subscribe({ label: "moved" });
      const claimed = await kit.claimOne();
      await kit.tables
        .updateTable("webhooks_subscriptions")
        .set({ endpoint_url: "https://new.example/in" })
        .where("id", "=", id)
        .execute();
      await kit.record(claimed, GONE);
      expect(await stateOf(id)).toEqual({ state: "active", state_reason: null });
      expect(await runs()).toEqual([]);
    });

    it("what was under way when it was disabled begins no run", async () => {
      const { id } = await kit.subscribe({ label: "gone" });
      await kit.emit({}, {});
      await kit.relay();
      const [first, second] = (await kit.claim()) as [ClaimedAttempt, ClaimedAttempt];
      await kit.record(first, GONE);
      await kit.record(second, GONE);
      expect((await stateOf(id)).state).toBe("disabled");
      expect(await runs()).toEqual([]);
    });

    it("enabling it again is an event, which says when it was disabled (R-X313)", async () => {
      const { id } = await kit.subscribe({ label: "gone" });
      await kit.subscribe({ label: "monitor", eventTypes: ["subscription.enabled"] });
      await exhaust(1, GONE);
      await exhaust(2);
      const { subscription: disabled } = await kit.subscriptions.getSubscription({ subscriptionId: id });
      const { skipped } = await kit.subscriptions.enableSubscription({ subscriptionId: id });
      await kit.subscriptions.enableSubscription({ subscriptionId: id });
      // The one that was answered 410, and two that came after it.
      expect(skipped).toMatchObject({ count: 3 });
      const [told, ...more] = bodies(await end());
      expect(more).toEqual([]);
      expect(told).toMatchObject({
        type: "subscription.enabled",
        entity: { type: "subscription", id },
        data: { subscriptionId: id, state: "active", stateReason: null, failingSince: null },
      });
      const disabledAt = Date.parse(told.data.disabledAt);
      expect(disabledAt).toBe(disabled?.stateSince?.getTime());
      expect(skipped?.since?.getTime()).toBeLessThan(disabledAt);
    });

    it("neither pausing nor resuming is one", async () => {
      const { id } = await kit.subscribe({ label: "quiet" });
      await kit.subscribe({ label: "monitor", eventTypes: ["subscription.*"] });
      await kit.subscriptions.pauseSubscription({ subscriptionId: id });
      await kit.subscriptions.resumeSubscription({ subscriptionId: id });
      expect(await end()).toEqual([]);
    });

    it.each<[string, (id: string) => Promise<unknown>]>([
      ["a pause", (subscriptionId) => kit.subscriptions.pauseSubscription({ subscriptionId })],
      ["another endpoint", (subscriptionId) => moveTo(subscriptionId, "https://new.example/in")],
      ["the end of the subscription", (subscriptionId) => kit.subscriptions.deleteSubscription({ subscriptionId })],
    ])("%s ends a run (R-X312)", async (_what, change) => {
      const { id } = await kit.subscribe({ label: "down" });
      await exhaust(1);
      expect(await runs()).toHaveLength(1);
      await change(id);
      expect(await runs()).toEqual([]);
    });

    it("a late acknowledgement of the former endpoint leaves the new one's run (R-X312)", async () => {
      const { id } = await kit.subscribe({ label: "moved" });
      const late = await kit.claimOne();
      await moveTo(id, "https://new.example/in");
      await exhaust(1);
      expect(await runs()).toHaveLength(1);
      await kit.record(late, ACKNOWLEDGED);
      expect(await runs()).toHaveLength(1);
      await kit.record(await kit.claimOne(), ACKNOWLEDGED);
      expect(await runs()).toEqual([]);
    });

    it("another endpoint has not been slow", async () => {
      const { id } = await kit.subscribe({ label: "slow" });
      const slow = async () =>
        (await kit.tables.selectFrom("webhooks_subscriptions").select("slow").executeTakeFirstOrThrow()).slow;
      await kit.record(await kit.claimOne(), { class: OutcomeClass.TIMEOUT, httpStatus: null, durationMs: 15_000 });
      expect(await slow()).toBe(1);
      await moveTo(id, "https://hooks.example/in");
      expect(await slow()).toBe(1);
      await moveTo(id, "https://new.example/in");
      expect(await slow()).toBe(0);
    });

    it("a late answer of the former endpoint, or none, says nothing of the new one's pace (R-X306)", async () => {
      const silence = { class: OutcomeClass.TIMEOUT, httpStatus: null, durationMs: 15_000 };
      const { id } = await kit.subscribe({ label: "moved" });
      const slow = async () =>
        (await kit.tables.selectFrom("webhooks_subscriptions").select("slow").executeTakeFirstOrThrow()).slow;
      const silent = await kit.claimOne();
      const prompt = await kit.claimOne();
      await moveTo(id, "https://new.example/in");
      await kit.record(silent, silence);
      expect(await slow()).toBe(0);
      await kit.record(await kit.claimOne(), silence);
      expect(await slow()).toBe(1);
      await kit.record(prompt, ACKNOWLEDGED);
      expect(await slow()).toBe(1);
      await kit.record(await kit.claimOne(), ACKNOWLEDGED);
      expect(await slow()).toBe(0);
    });

    it("another description leaves it", async () => {
      const { id } = await kit.subscribe({ label: "down" });
      await exhaust(1);
      await kit.subscriptions.updateSubscription({
        ...{ subscriptionId: id, updateMask: ["description"], endpointUrl: "", skipPing: false },
        ...{ eventTypes: [], tenantIds: [], description: "Payroll", extraHeaders: [] },
      });
      expect(await runs()).toHaveLength(1);
    });

    it("several 410s at once disable once, and one event says so", async () => {
      await kit.subscribe({ label: "gone" });
      await kit.subscribe({ label: "monitor", eventTypes: ["subscription.disabled"] });
      await kit.emit({}, {}, {});
      await kit.relay();
      const claimed = await kit.claim();
      await Promise.all(claimed.map((one) => kit.record(one, GONE)));
      expect(typesOf(await end(GONE))).toEqual(["subscription.disabled"]);
      const audited = await kit.tables
        .selectFrom("webhooks_subscriptions")
        .select("state")
        .where("state", "=", "disabled")
        .execute();
      expect(audited).toHaveLength(1);
    });

    it("says which event a subscriber misses, and why", async () => {
      const { id } = await kit.subscribe({ label: "down" });
      await kit.subscribe(TO_MONITOR);
      const told = bodies(await exhaust(1));
      const [delivery] = (await kit.deliveries()).filter(({ subscriptionLabel }) => subscriptionLabel === "down");
      expect(told.map(({ data }) => data)).toEqual([
        {
          deliveryId: delivery?.id,
          subscriptionId: id,
          instanceIntegrationId: expect.stringMatching(/^installation_/),
          eventId: delivery?.eventId,
          eventType: "user.updated",
          clientId: expect.stringMatching(/^client_/),
          reason: "refused",
          httpStatus: 500,
          attempts: 3,
          createdAt: delivery?.createdAt?.toISOString(),
          links: { self: `/v1/webhooks/deliveries/${delivery?.id}` },
        },
      ]);
    });

    it("writes no delivery.exhausted while no subscription names it", async () => {
      await kit.subscribe({ label: "down" });
      await kit.subscribe({ label: "monitor", eventTypes: ["subscription.*"] });
      expect(await exhaust(3)).toEqual([]);
    });

    it("reveals nothing to another integration on the same instance (R-X310)", async () => {
      await kit.subscribe({ label: "down" });
      await kit.subscribe(TO_MONITOR);
      const { id } = await kit.subscribe({ ...TO_MONITOR, label: "monitor-foreign", eventTypes: ["subscription.*"] });
      await kit.tables
        .updateTable("webhooks_subscriptions")
        .set({ instance_integration_id: newId("instanceIntegration", systemRandom) })
        .where("id", "=", id)
        .execute();
      const told = await exhaust(1, GONE);
      expect(told.map(({ eventType, subscriptionLabel }) => [eventType, subscriptionLabel])).toEqual([
        ["delivery.exhausted", "monitor"],
        ["subscription.disabled", "monitor"],
      ]);
    });

    it("emits nothing of a delivery that was sent again (R-X311)", async () => {
      await kit.subscribe({ label: "down" });
      await kit.subscribe(TO_MONITOR);
      expect(typesOf(await exhaust(1))).toEqual(["delivery.exhausted"]);
      const down = async () =>
        (await kit.deliveries()).filter(({ subscriptionLabel }) => subscriptionLabel === "down").at(0);
      await kit.operator.resendDelivery({ deliveryId: (await down())?.id ?? "" });
      expect(await end()).toEqual([]);
      expect(await down()).toMatchObject({ state: "exhausted", attempts: Array(4).fill("refused") });
    });

    it("makes no loop: an operational event that is exhausted emits nothing (R-X311)", async () => {
      await kit.subscribe({ label: "down" });
      await kit.subscribe({ label: "also-down", eventTypes: ["*", "delivery.*", "subscription.*"] });
      await exhaust(1);
      const made = (await kit.deliveries()).map(({ subscriptionLabel, eventType, state }) => [
        subscriptionLabel,
        eventType,
        state,
      ]);
      expect(made.toSorted()).toEqual([
        ["also-down", "delivery.exhausted", "exhausted"],
        ["also-down", "delivery.exhausted", "exhausted"],
        ["also-down", "user.updated", "exhausted"],
        ["down", "user.updated", "exhausted"],
      ]);
    });

    it("reaches the subscription that it is about, as a skipped delivery when that is disabled", async () => {
      await kit.subscribe({ label: "own", eventTypes: ["*", "subscription.disabled"] });
      await exhaust(1, GONE);
      expect((await kit.deliveries()).map(({ eventType, state, reason }) => [eventType, state, reason])).toEqual([
        ["user.updated", "exhausted", "gone"],
        ["subscription.disabled", "skipped", "subscription_disabled"],
      ]);
    });
  });
});

onPostgres((open) => {
  it.each<[string, string, (kit: WebhooksKit, id: string, other: ClaimedAttempt) => Promise<unknown>]>([
    ["acknowledges another delivery", "active", (kit, _, other) => kit.record(other, ACKNOWLEDGED)],
    ["is paused", "paused", (kit, id) => kit.subscriptions.pauseSubscription({ subscriptionId: id })],
  ])("one that %s while it is about to be disabled for failing stays %s (R-X312)", async (_, stays, happens) => {
    const [opened, again] = await (await open([webhooksMigrations])).racers(2);
    const kit = webhooksKit(opened as never, { flags: QUICK });
    const other = webhooksKit(again as never, { flags: QUICK, clock: kit.clock });
    const { id } = await kit.subscribe({ label: "down" });
    await kit.subscribe(TO_MONITOR);
    await kit.emit(...Array.from({ length: 11 }, () => ({})));
    await kit.relay();
    let claimed = await kit.claim();
    for (let attempt = 1; attempt < 3; attempt++) {
      for (const one of claimed) await kit.record(one);
      kit.clock.step(1);
      claimed = await kit.claim();
    }
    const [last, acknowledged, ...exhausted] = claimed as [ClaimedAttempt, ClaimedAttempt, ...ClaimedAttempt[]];
    for (const one of exhausted) await kit.record(one);
    const since = kit.clock.now().getTime() - 130 * HOUR;
    await kit.tables.updateTable("webhooks_failing_runs").set({ since, warned_at: since }).execute();

    // The report that disables has read the run, and waits to write its event.
    const happened = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const locking = other.tables.transaction().execute(async (tx) => {
      await sql`lock table outbox_entries in share mode`.execute(tx);
      isLocked.resolve();
      await happened.promise;
    });
    await isLocked.promise;
    const recording = kit.record(last);
    const waiting = () => sql.raw(LOCK_WAITS).execute(other.tables);
    await eventually(waiting, ({ rows }) => rows.length > 0);
    await happens(other, id, acknowledged);
    happened.resolve();
    await Promise.all([locking, recording]);

    const { state } = await kit.tables
      .selectFrom("webhooks_subscriptions")
      .select("state")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(state).toBe(stays);
    expect((await kit.audit()).map(({ action }) => action)).not.toContain("subscription.disable");
  });

  it("a run that would begin while its subscription is being deleted leaves nothing (R-X312)", async () => {
    const [opened, again] = await (await open([webhooksMigrations])).racers(2);
    const kit = webhooksKit(opened as never, { flags: { ...QUICK, "webhook-attempt-delays": "1ms" } });
    const other = webhooksKit(again as never, { clock: kit.clock });
    const { id } = await kit.subscribe();
    await kit.record(await kit.claimOne());
    kit.clock.step(1);
    const [last] = (await kit.claim()) as [ClaimedAttempt];

    const recording = Promise.withResolvers<unknown>();
    await other.tables.transaction().execute(async (tx) => {
      const subscription = await subscriptionChangeRepository.lock(tx as never, id);
      await subscriptionChangeRepository.end(tx as never, subscription as never, kit.clock.now());
      const recorded = kit.record(last);
      recording.resolve(recorded);
      const waiting = () => sql.raw(LOCK_WAITS).execute(tx);
      await Promise.race([recorded, eventually(waiting, ({ rows }) => rows.length > 0)]);
    });
    await recording.promise;
    expect(await kit.deliveries()).toMatchObject([{ state: "exhausted" }]);
    expect(await kit.tables.selectFrom("webhooks_failing_runs").selectAll().execute()).toEqual([]);
  });

  it("two reports that end runs of the same subscriptions and count on never wait for each other (R-X312)", async () => {
    const [opened, again] = await (await open([webhooksMigrations])).racers(2);
    const kit = webhooksKit(opened as never, { flags: QUICK });
    const other = webhooksKit(again as never, { flags: QUICK, clock: kit.clock });
    const ids = [await kit.subscribe({ label: "one" }), await kit.subscribe({ label: "two" })].map(({ id }) => id);
    const [low, high] = ids.toSorted();
    await kit.emit({}, {});
    for (let attempt = 1; attempt <= 3; attempt++) {
      await kit.relay();
      for (const claimed of await kit.claim()) await kit.record(claimed);
      kit.clock.step(1);
    }
    const all = await kit.deliveries();
    const ofEach = (subscriptionId = "") => all.filter((one) => one.subscriptionId === subscriptionId);
    for (let round = 0; round < 30; round++) {
      // A new round of each delivery, which its next failure exhausts.
      const since = kit.clock.now().getTime();
      await kit.tables.deleteFrom("webhooks_failing_runs").execute();
      for (const id of ids)
        await kit.tables
          .insertInto("webhooks_failing_runs")
          .values({ subscription_id: id, since, warned_at: null, exhausted: 0 })
          .execute();
      for (const { id } of all) await kit.operator.resendDelivery({ deliveryId: id });
      const claimed = await kit.claim();
      const [lowFirst, lowSecond, highFirst, highSecond] = [...ofEach(low), ...ofEach(high)].map(({ id }) =>
        claimed.find(({ deliveryId }) => deliveryId === id),
      ) as [ClaimedAttempt, ClaimedAttempt, ClaimedAttempt, ClaimedAttempt];
      await Promise.all([
        kit.dispatch.recordOutcomes({ outcomes: [outcomeOf(highFirst, ACKNOWLEDGED), outcomeOf(lowFirst)] }),
        other.dispatch.recordOutcomes({ outcomes: [outcomeOf(lowSecond), outcomeOf(highSecond)] }),
      ]);
      kit.clock.step(1);
    }
    const { rows } = await sql<{ readonly deadlocks: string }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(kit.tables);
    expect(rows.map(({ deadlocks }) => Number(deadlocks))).toEqual([0]);
  });
});
