import type { ClaimedAttempt, DeliveryRound } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import type { Call } from "../../../src/runtime/rpc/call.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { suspendedDeliveryRepository } from "../../../src/webhooks/queue/suspended-delivery-repository.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { auditEntries } from "../../support/audited.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore, inTransaction, onPostgres } from "../../support/stores.ts";
import {
  ACKNOWLEDGED,
  clientCreated,
  GONE,
  OutcomeClass,
  openKit,
  outcomeOf,
  TENANT_ID,
  userUpdated,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EXACT = { "webhook-jitter": "0" };
const WAITING = { kind: "STANDING_KIND_WAITING" };

onPostgres((open) => {
  it("attempts of rounds at one moment fill an origin's places once, over all workers (R-X305)", async () => {
    const opened = await open([webhooksMigrations]);
    const options = { flags: { ...EXACT, "webhook-concurrency-per-endpoint": "2" }, retries: "temporal" } as const;
    const kit = webhooksKit(opened, options);
    const rounds: DeliveryRound[] = [];
    for (const label of ["one", "two", "three", "four", "five", "six"]) {
      await kit.subscribe({ label, eventTypes: ["user.updated"] });
      await kit.emit();
      await kit.relay();
      for (let [claimed] = await kit.claim(1); claimed !== undefined; [claimed] = await kit.claim(1)) {
        rounds.push({ deliveryId: claimed.deliveryId, round: claimed.round });
        await kit.record(claimed);
      }
    }
    await kit.dispatch.claimHandOvers({ limit: 50, waitMs: 0 });
    await kit.dispatch.confirmHandOvers({ rounds });
    kit.clock.step(MINUTE);
    const racers = (await opened.racers(6)).map((racer) => webhooksKit(racer, { ...options, clock: kit.clock }));
    const answers = await Promise.all(
      racers.map(({ dispatch }, index) => dispatch.claimOne({ round: rounds[index] ?? null, now: false })),
    );
    expect(answers.map(({ standing }) => standing?.kind).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => "STANDING_KIND_CROWDED"),
      ...Array.from({ length: 2 }, () => "STANDING_KIND_UNDER_WAY"),
    ]);
  });
});

eachStore((_, open) => {
  let kit: WebhooksKit;
  beforeEach(async () => {
    kit = await openKit(open, { flags: EXACT, retries: "temporal" });
  });

  const offered = async (limit = 50) => (await kit.dispatch.claimHandOvers({ limit, waitMs: 0 })).handOvers;

  /** A delivery whose first attempt was refused. */
  async function failedOnce(label = "marigold"): Promise<DeliveryRound> {
    await kit.subscribe({ label });
    const { deliveryId, round, ...claimed } = await kit.claimOne();
    await kit.record({ deliveryId, round, ...claimed });
    return { deliveryId, round };
  }

  /** Handed over and due. */
  async function driven(): Promise<DeliveryRound> {
    const round = await failedOnce();
    await offered();
    await kit.dispatch.confirmHandOvers({ rounds: [round] });
    kit.clock.step(MINUTE);
    return round;
  }

  const progress = async (round: DeliveryRound) => (await kit.dispatch.claimOne({ round, now: false })).standing;

  async function attempt(round: DeliveryRound, outcome = {}) {
    const { attempt: claimed } = await kit.dispatch.claimOne({ round, now: false });
    if (claimed === undefined || claimed === null) throw new Error("There was no attempt to make.");
    return (await kit.dispatch.recordOne({ outcome: outcomeOf(claimed, outcome) })).standing;
  }

  it("counts no attempt that was not sent, and lets the engine wait for the next (R-X142)", async () => {
    const round = await driven();
    const unsent = { class: OutcomeClass.NOT_SENT, httpStatus: null, pauseMs: 4_000 };
    for (let time = 0; time < 4; time++) {
      expect(await attempt(round, unsent)).toMatchObject({
        kind: "STANDING_KIND_WAITING",
        waitMs: 4_000,
        attempts: 1,
        lastOutcome: "refused",
      });
      // It is the engine's, and stays so.
      expect(await offered()).toEqual([]);
      expect(await kit.claim()).toEqual([]);
      kit.clock.step(4_000);
    }
    expect(await attempt(round, { class: OutcomeClass.ACKNOWLEDGED, httpStatus: 204 })).toMatchObject({
      kind: "STANDING_KIND_DELIVERED",
      attempts: 2,
    });
  });

  it("spends no attempt when the caller has gone before its answer; the engine asks again (R-X143)", async () => {
    const round = await driven();
    const claimOne = kit.registrations.flatMap(({ methods }) => methods.claimOne ?? [])[0];
    const leaving = { peer: "worker", signal: AbortSignal.abort(), waiting: new AbortController().signal };
    // By its name it was returned before anything was taken.
    await kit.dispatch.returnClaims({ claims: ["left"] });
    const claiming = claimOne?.({ round, now: false, claim: "left" }, leaving as unknown as Call);
    await expect(claiming).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await offered()).toEqual([]);
    expect(await kit.claim()).toEqual([]);
    const { attempt: claimed } = await kit.dispatch.claimOne({ round, now: false });
    expect(claimed).toMatchObject({ attemptNumber: 2 });
  });

  it("answers how a round ended whose delivery was sent again since, and makes no attempt of it (R-X280)", async () => {
    const round = await driven();
    await attempt(round);
    kit.clock.step(HOUR);
    await attempt(round);
    const { deliveryId } = await kit.operator.resendDelivery({ deliveryId: round.deliveryId });
    const exhausted = { kind: "STANDING_KIND_EXHAUSTED", attempts: 3, lastOutcome: "refused" };
    expect(await progress(round)).toMatchObject(exhausted);
    const [resent] = await kit.claim();
    expect(resent).toMatchObject({ deliveryId, round: 2, attemptNumber: 1 });
    expect((await kit.dispatch.cancelDelivery({ round })).standing).toMatchObject(exhausted);
    // A late outcome of that round is ignored.
    const late = outcomeOf({ ...round, attemptNumber: 3, fence: resent?.fence ?? 0 }, ACKNOWLEDGED);
    expect((await kit.dispatch.recordOne({ outcome: late })).standing).toMatchObject(exhausted);
    await kit.record(resent ?? (await kit.claimOne()), { httpStatus: 503 });
    // Of a resend nothing is handed over: it has one attempt.
    kit.clock.step(HOUR);
    expect(await offered()).toEqual([]);
    expect(await progress(round)).toMatchObject(exhausted);
    expect(await progress({ deliveryId, round: 2 })).toMatchObject({ kind: "STANDING_KIND_EXHAUSTED", attempts: 1 });
  });

  it("makes no attempt while a restored store suspends the delivery, asked for at once or not (R-X248)", async () => {
    const round = await driven();
    const { store } = kit.opened;
    const restored = suspendedDeliveryRepository(store.view(), deliveryMoves);
    await inTransaction(store.view<WebhooksTables>(), (tx) => restored.suspendAll(tx, kit.clock.now()));
    kit.clock.step(48 * HOUR);
    for (const now of [false, true])
      expect(await kit.dispatch.claimOne({ round, now })).toEqual({
        standing: expect.objectContaining({
          kind: "STANDING_KIND_SUSPENDED",
          waitMs: 10 * MINUTE,
          attempts: 1,
          reason: "store_restored",
        }),
      });
    await inTransaction(store.view<WebhooksTables>(), (tx) => restored.release(tx, kit.clock.now(), 10));
    expect(await attempt(round, ACKNOWLEDGED)).toMatchObject({ kind: "STANDING_KIND_DELIVERED" });
  });

  describe("handing deliveries over", () => {
    it("offers deliveries that failed once, with the fields for operators and nothing else (R-E15)", async () => {
      const round = await failedOnce();
      expect(await offered()).toEqual([
        {
          round,
          eventType: "user.updated",
          subscriptionId: expect.stringMatching(/^subscription_/),
          subscriptionLabel: "marigold",
          tenantId: TENANT_ID,
          standing: {
            kind: "STANDING_KIND_WAITING",
            waitMs: MINUTE,
            attempts: 1,
            attemptsMax: 3,
            lastOutcome: "refused",
            lastHttpStatus: 500,
            reason: undefined,
          },
        },
      ]);
    });

    it("offers no delivery that succeeds at once, so a healthy delivery costs no workflow", async () => {
      await kit.subscribe();
      await kit.record(await kit.claimOne(), ACKNOWLEDGED);
      expect(await offered()).toEqual([]);
    });

    it("keeps handed-over deliveries from the dispatcher, and shows when they are due", async () => {
      await failedOnce();
      const dueAt = new Date(kit.clock.now().getTime() + MINUTE);
      expect(await kit.deliveries()).toMatchObject([{ state: "pending", dueAt }]);
      kit.clock.step(48 * HOUR);
      expect(await kit.claim()).toEqual([]);
    });

    it("offers an unconfirmed delivery again after a minute, and a confirmed one never", async () => {
      const round = await failedOnce();
      await offered();
      kit.clock.step(MINUTE - 1);
      expect(await offered()).toEqual([]);
      kit.clock.step(1);
      expect(await offered()).toMatchObject([{ round }]);
      await kit.dispatch.confirmHandOvers({ rounds: [round] });
      kit.clock.step(48 * HOUR);
      expect(await offered()).toEqual([]);
    });

    it("lists handed-over deliveries page by page, and offers again what is returned", async () => {
      const rounds: DeliveryRound[] = [];
      for (const label of ["one", "two", "three"]) rounds.push(await failedOnce(label));
      await kit.dispatch.confirmHandOvers({ rounds: (await offered()).flatMap(({ round }) => round ?? []) });
      const first = await kit.dispatch.listHandedOver({ limit: 2 });
      const second = await kit.dispatch.listHandedOver({ limit: 2, cursor: first.nextCursor });
      expect(first.rounds.length).toBe(2);
      expect(new Set([...first.rounds, ...second.rounds].map(({ deliveryId }) => deliveryId))).toEqual(
        new Set(rounds.map(({ deliveryId }) => deliveryId)),
      );
      expect(second.nextCursor ?? undefined).toBeUndefined();
      expect((await kit.dispatch.listHandedOver({ limit: 3 })).nextCursor ?? undefined).toBeUndefined();
      expect(await kit.dispatch.returnHandOvers({ rounds: first.rounds })).toEqual({ returned: 2 });
      expect((await offered()).length).toBe(2);
    });

    it.each([
      ["claimHandOvers", { limit: 0, waitMs: 0 }],
      ["claimHandOvers", { limit: 51, waitMs: 0 }],
      ["claimHandOvers", { limit: 1, waitMs: 30_001 }],
      ["listHandedOver", { limit: 1_001 }],
      ["listHandedOver", { limit: 1, cursor: "none of ours" }],
    ] as const)("refuses %s %j", async (method, request) => {
      const call = kit.dispatch[method] as (given: object) => Promise<unknown>;
      await expect(call(request)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    });

    it("returns them to the store's own queue when no engine is configured any more", async () => {
      await failedOnce();
      const embedded = webhooksKit(kit.opened, { flags: EXACT, clock: kit.clock });
      kit.clock.step(MINUTE);
      const ending = new AbortController();
      const running = embedded.loops.find(({ name }) => name === "webhook-take-back")?.run(ending.signal);
      const claimed = await eventually(
        () => embedded.claim(),
        (attempts) => attempts.length > 0,
      );
      ending.abort();
      await running;
      expect(claimed).toMatchObject([{ attemptNumber: 2, fence: 2 }]);
    });
  });

  describe("driving one round", () => {
    it("waits its time, attempts twice more, and never a fourth time (R-E6, R-E8)", async () => {
      const round = await driven();
      kit.clock.step(-1);
      expect(await progress(round)).toMatchObject({ ...WAITING, waitMs: 1, attempts: 1 });
      kit.clock.step(1);
      expect(await attempt(round)).toMatchObject({ ...WAITING, waitMs: HOUR, attempts: 2, lastHttpStatus: 500 });
      kit.clock.step(HOUR);
      expect(await attempt(round)).toMatchObject({ kind: "STANDING_KIND_EXHAUSTED", attempts: 3, reason: "refused" });
      expect(await kit.dispatch.claimOne({ round, now: true })).toMatchObject({
        standing: { kind: "STANDING_KIND_EXHAUSTED" },
      });
      expect(await kit.deliveries()).toMatchObject([
        { state: "exhausted", reason: "refused", attempts: ["refused", "refused", "refused"] },
      ]);
    });

    it("delivers", async () => {
      const round = await driven();
      expect(await attempt(round, ACKNOWLEDGED)).toMatchObject({ kind: "STANDING_KIND_DELIVERED", attempts: 2 });
      expect(await progress(round)).toMatchObject({ kind: "STANDING_KIND_DELIVERED" });
    });

    it("makes an attempt early when an operator asks for it (R-X73)", async () => {
      const round = await driven();
      kit.clock.step(-MINUTE);
      expect((await kit.dispatch.claimOne({ round, now: false })).attempt ?? undefined).toBeUndefined();
      expect((await kit.dispatch.claimOne({ round, now: true })).attempt).toMatchObject({ attemptNumber: 2, fence: 2 });
    });

    it("makes one attempt for each that an operator asks for, though what asks is repeated (R-X73)", async () => {
      const round = await driven();
      kit.clock.step(-MINUTE);
      const asked = { round, now: true, askedAfter: 1 };
      const { attempt: second } = await kit.dispatch.claimOne(asked);
      await kit.dispatch.recordOne({ outcome: outcomeOf(second as ClaimedAttempt) });
      const { attempt: none, standing } = await kit.dispatch.claimOne(asked);
      expect([none ?? undefined, standing]).toMatchObject([undefined, { ...WAITING, attempts: 2 }]);
      expect((await kit.dispatch.claimOne({ ...asked, askedAfter: 2 })).attempt).toMatchObject({ attemptNumber: 3 });
    });

    it("makes no second attempt while one is under way, even when an operator asks for it", async () => {
      const round = await driven();
      await kit.dispatch.claimOne({ round, now: false });
      kit.clock.step(1_000);
      expect(await kit.dispatch.claimOne({ round, now: true })).toMatchObject({
        standing: { kind: "STANDING_KIND_UNDER_WAY", waitMs: MINUTE - 1_000, attempts: 2, lastOutcome: "in_flight" },
      });
    });

    it("counts an attempt without an outcome as spent, and returns the progress after it (R-E8)", async () => {
      const round = await driven();
      const { attempt: lost } = await kit.dispatch.claimOne({ round, now: false });
      kit.clock.step(MINUTE);
      expect(await progress(round)).toMatchObject({ ...WAITING, waitMs: HOUR, attempts: 2, lastOutcome: "lost" });
      const late = outcomeOf(lost ?? (undefined as never), ACKNOWLEDGED);
      expect((await kit.dispatch.recordOne({ outcome: late })).standing).toMatchObject({ ...WAITING, attempts: 2 });
      expect(await offered()).toEqual([]);
    });

    it("offers again what the dispatcher found lost, since the engine may be what was lost", async () => {
      const round = await driven();
      await kit.dispatch.claimOne({ round, now: false });
      kit.clock.step(MINUTE);
      await kit.claim();
      expect(await offered()).toMatchObject([{ round, standing: { ...WAITING, attempts: 2, lastOutcome: "lost" } }]);
    });

    it("honours Retry-After on 503 (R-E6)", async () => {
      const round = await driven();
      expect(await attempt(round, { httpStatus: 503, retryAfter: "7200" })).toMatchObject({ waitMs: 2 * HOUR });
    });

    it("ends at 410 and disables the subscription (R-E6)", async () => {
      const round = await driven();
      expect(await attempt(round, GONE)).toMatchObject({ kind: "STANDING_KIND_EXHAUSTED", reason: "gone" });
      const { subscriptions } = await kit.operator.listSubscriptions({ states: [] });
      expect(subscriptions).toMatchObject([{ state: "SUBSCRIPTION_STATE_DISABLED", stateReason: "gone" }]);
    });

    it("skips, without an attempt, a delivery whose subscription was paused meanwhile", async () => {
      const round = await driven();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      expect(await progress(round)).toMatchObject({ kind: "STANDING_KIND_SKIPPED", reason: "subscription_paused" });
      expect(await kit.deliveries()).toMatchObject([
        { state: "skipped", reason: "subscription_paused", attempts: ["refused"] },
      ]);
    });

    it("fails, and costs no attempt, while it cannot sign: that is our fault (R-X21)", async () => {
      const round = await driven();
      await kit.tables
        .updateTable("webhooks_signing_secrets")
        .set({ sealed: Buffer.alloc(80, 1) })
        .execute();
      await expect(kit.dispatch.claimOne({ round, now: false })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(await kit.deliveries()).toMatchObject([{ state: "pending", attempts: ["refused"] }]);
    });

    it("makes no attempt while the endpoint's host has no free place (R-X75)", async () => {
      const round = await driven();
      const narrow = webhooksKit(kit.opened, {
        clock: kit.clock,
        retries: "temporal",
        flags: { ...EXACT, "webhook-concurrency-per-endpoint": "1" },
      });
      await kit.claimOne();
      expect(await narrow.dispatch.claimOne({ round, now: false })).toMatchObject({
        standing: { kind: "STANDING_KIND_CROWDED", attempts: 1 },
      });
    });

    it("makes no attempt to a slow endpoint while slow ones have half of the host's places (R-X305)", async () => {
      const round = await driven();
      await kit.tables.updateTable("webhooks_subscriptions").set({ slow: 1 }).execute();
      const flags = { ...EXACT, "webhook-concurrency-per-endpoint": "2" };
      const narrow = webhooksKit(kit.opened, { clock: kit.clock, retries: "temporal", flags });
      const claimed = await kit.claimOne();
      expect(await narrow.dispatch.claimOne({ round, now: false })).toMatchObject({
        standing: { kind: "STANDING_KIND_CROWDED", attempts: 1, waitMs: 10_000 },
      });
      // A prompt one would find the other place.
      await kit.tables.updateTable("webhooks_subscriptions").set({ slow: 0 }).execute();
      expect(await narrow.dispatch.claimOne({ round, now: false })).toMatchObject({
        attempt: { attemptNumber: 2 },
      });
      await kit.record(claimed);
    });

    it("lets rounds that find no place ask again one after the other, and not all every ten seconds (R-X75)", async () => {
      await kit.subscribe({ label: "silent", eventTypes: ["user.updated"] });
      await kit.emit(...Array.from({ length: 13 }, () => userUpdated()));
      await kit.relay();
      const rounds: DeliveryRound[] = [];
      for (const claimed of await kit.claim()) {
        rounds.push({ deliveryId: claimed.deliveryId, round: claimed.round });
        await kit.record(claimed);
      }
      await kit.tables.updateTable("webhooks_subscriptions").set({ slow: 1 }).execute();
      await offered();
      await kit.dispatch.confirmHandOvers({ rounds });
      kit.clock.step(MINUTE);
      const flags = { ...EXACT, "webhook-concurrency-per-endpoint": "2" };
      const narrow = webhooksKit(kit.opened, { clock: kit.clock, retries: "temporal", flags });
      const [first, ...crowded] = rounds;
      expect(await narrow.dispatch.claimOne({ round: first ?? null, now: false })).toMatchObject({
        standing: { kind: "STANDING_KIND_UNDER_WAY" },
      });
      const beganAt = performance.now();
      const turns: number[] = [];
      const waits: number[] = [];
      for (const round of crowded) {
        const { standing } = await narrow.dispatch.claimOne({ round, now: false });
        expect(standing?.kind).toBe("STANDING_KIND_CROWDED");
        waits.push(standing?.waitMs ?? 0);
        turns.push(performance.now() - beganAt + (standing?.waitMs ?? 0));
      }
      expect(Math.max(...waits)).toBeLessThanOrEqual(10_000 + 250 * 12);
      // A turn is at least a quarter of a second behind the one before it, however long the calls themselves took.
      expect(turns.map((turn, index) => turn >= 10_000 + 250 * index)).toEqual(Array(12).fill(true));
    });

    it("makes an attempt beside the few places of a backlog of the same subscription (R-X338)", async () => {
      const round = await driven();
      const other = await kit.subscribe({ label: "other" });
      const QUICK = { ...ACKNOWLEDGED, durationMs: 3 };
      await kit.emit(...Array.from({ length: 200 }, () => userUpdated()));
      await kit.relay();
      for (const attempt of await kit.claim()) await kit.record(attempt, QUICK);
      const underWay = await kit.claim();
      const own = underWay.filter(({ subscriptionId }) => subscriptionId !== other.id);
      expect(own.length).toBe(8);
      expect(await kit.dispatch.claimOne({ round, now: false })).toMatchObject({ attempt: { attemptNumber: 2 } });
    });

    it("leaves new events of the subscription half of the places that it can use beside many retries (R-X338)", async () => {
      await kit.subscribe({ label: "busy", eventTypes: ["user.updated"] });
      await kit.subscribe({ label: "other", eventTypes: ["client.created"] });
      await kit.emit(...Array.from({ length: 40 }, () => userUpdated()));
      await kit.relay();
      const rounds: DeliveryRound[] = [];
      for (let claimed = await kit.claim(); claimed.length > 0; claimed = await kit.claim()) {
        for (const one of claimed) {
          rounds.push({ deliveryId: one.deliveryId, round: one.round });
          await kit.record(one, { durationMs: 3 });
        }
      }
      await offered();
      await kit.dispatch.confirmHandOvers({ rounds });
      kit.clock.step(MINUTE);
      const answers: (string | undefined)[] = [];
      for (const round of rounds) answers.push((await progress(round))?.kind);
      expect(answers).toEqual([
        ...Array(34).fill("STANDING_KIND_UNDER_WAY"),
        ...Array(6).fill("STANDING_KIND_CROWDED"),
      ]);
      // Somebody else's endpoint answers promptly, so the limit applies.
      await kit.emit(clientCreated(TENANT_ID));
      await kit.relay();
      for (const one of await kit.claim()) await kit.record(one, { ...ACKNOWLEDGED, durationMs: 3 });
      await kit.emit(...Array.from({ length: 20 }, () => userUpdated()));
      await kit.relay();
      expect((await kit.claim()).map(({ attemptNumber }) => attemptNumber)).toEqual([1, 1, 1, 1]);
      expect(await kit.claim()).toEqual([]);
    });

    it("makes no attempt that is unproven for a worker that has no place for one (R-X306)", async () => {
      const round = await driven();
      const proven = await kit.dispatch.claimOne({ round, now: false, provenOnly: true });
      // Its first attempt was a prompt refusal.
      expect(proven).toMatchObject({ attempt: { attemptNumber: 2, unproven: false } });
      await kit.dispatch.recordOne({
        outcome: outcomeOf(proven.attempt as ClaimedAttempt, { class: OutcomeClass.TIMEOUT, durationMs: 15_000 }),
      });
      kit.clock.step(2 * HOUR);
      expect(await kit.dispatch.claimOne({ round, now: false, provenOnly: true })).toMatchObject({
        standing: { kind: "STANDING_KIND_CROWDED", attempts: 2 },
      });
      expect(await kit.dispatch.claimOne({ round, now: false })).toMatchObject({
        attempt: { attemptNumber: 3, unproven: true },
      });
    });

    it.each([
      ["fifteen for each place that is free", { slow: 0, part: 15, waitMs: 2_000 }],
      ["four for each that is free for what is unproven", { slow: 1, part: 4, waitMs: 10_000 }],
    ])("makes no attempt for an integration that has %s of the Temporal worker's (R-X387)", async (_, given) => {
      const { slow, part, waitMs } = given;
      for (let number = 0; number < part + 2; number++) await kit.subscribe({ label: `number-${number}` });
      await kit.emit();
      await kit.relay();
      const rounds: DeliveryRound[] = [];
      const claimed = await kit.claim();
      for (const one of claimed) {
        rounds.push({ deliveryId: one.deliveryId, round: one.round });
        await kit.record(one);
      }
      const other = claimed.at(-1)?.subscriptionId ?? "";
      const integrationId = newId("integration", systemRandom);
      await kit.tables.updateTable("webhooks_subscriptions").set({ slow }).execute();
      await kit.tables
        .updateTable("webhooks_subscriptions")
        .set({ integration_id: integrationId })
        .where("id", "=", other)
        .execute();
      await offered();
      await kit.dispatch.confirmHandOvers({ rounds });
      // New events have places of their own.
      await kit.emit();
      await kit.relay();
      expect(await kit.claim()).toHaveLength(part + 2);
      kit.clock.step(MINUTE - 1_000);
      const kinds: (string | undefined)[] = [];
      for (const round of rounds) {
        const free = { freePlaces: slow === 1 ? 100 : 1, unprovenFreePlaces: slow };
        const { standing } = await kit.dispatch.claimOne({ round, now: true, ...free });
        kinds.push(`${standing?.kind} ${standing?.kind === "STANDING_KIND_CROWDED" ? standing.waitMs : ""}`);
      }
      expect(kinds).toEqual([
        ...Array(part).fill("STANDING_KIND_UNDER_WAY "),
        `STANDING_KIND_CROWDED ${waitMs}`,
        "STANDING_KIND_UNDER_WAY ",
      ]);
    });

    it.each([
      { freePlaces: 0, unprovenFreePlaces: 0 },
      { freePlaces: 1, unprovenFreePlaces: 2 },
    ])("refuses %j", async (free) => {
      const round = await driven();
      await expect(kit.dispatch.claimOne({ round, now: false, ...free })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
      });
    });

    it("cancels waiting deliveries, in the audit too, and leaves ended ones alone", async () => {
      const round = await driven();
      const { standing: cancelled } = await kit.dispatch.cancelDelivery({ round });
      expect(cancelled).toMatchObject({ kind: "STANDING_KIND_CANCELLED", reason: "operator" });
      expect(await kit.deliveries()).toMatchObject([{ state: "cancelled", reason: "operator", dueAt: undefined }]);
      expect(await progress(round)).toMatchObject({ kind: "STANDING_KIND_CANCELLED" });
      const { store } = kit.opened;
      const audit = await auditEntries(store, ["actor", "object", "facts"], { action: "delivery.cancel" });
      expect(audit).toEqual([{ actor: "worker", object: round.deliveryId, facts: '{"attempts":1}' }]);
      const other = await failedOnce("other");
      kit.clock.step(MINUTE);
      await attempt(other, ACKNOWLEDGED);
      expect(await kit.dispatch.cancelDelivery({ round: other })).toMatchObject({
        standing: { kind: "STANDING_KIND_DELIVERED" },
      });
    });

    it("a cancellation leaves an attempt under way alone", async () => {
      const round = await driven();
      await kit.dispatch.claimOne({ round, now: false });
      expect((await kit.dispatch.cancelDelivery({ round })).standing).toMatchObject({
        kind: "STANDING_KIND_UNDER_WAY",
      });
    });

    it("rejects another round and another delivery", async () => {
      const { deliveryId } = await driven();
      for (const round of [{ deliveryId, round: 2 }, { deliveryId: "delivery_none", round: 1 }, null])
        await expect(kit.dispatch.claimOne({ round, now: false })).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("gives one attempt to any number of workflows that ask at once", async () => {
      const round = await driven();
      const racers = (await kit.opened.racers(4)).map((racer) =>
        webhooksKit(racer, { clock: kit.clock, flags: EXACT, retries: "temporal" }),
      );
      const answers = await Promise.all(racers.map(({ dispatch }) => dispatch.claimOne({ round, now: true })));
      expect(answers.flatMap(({ attempt: claimed }) => claimed ?? []).length).toBe(1);
    });
  });
});
