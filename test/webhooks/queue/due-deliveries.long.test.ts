import { Webhook } from "standardwebhooks";
import type { ClaimedAttempt } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import type { Transaction } from "../../../src/runtime/database/database.ts";
import type { Call } from "../../../src/runtime/rpc/call.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { attemptsOfText } from "../../../src/webhooks/deliveries/attempt.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { linesRepository } from "../../../src/webhooks/queue/lines-repository.ts";
import { queueRepository } from "../../../src/webhooks/queue/queue-repository.ts";
import { formatSigningSecret, signingSecretRow } from "../../../src/webhooks/secrets/signing-secret.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { blocker } from "../../support/deadlocks.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore, inTransaction, onPostgres, type TestStore } from "../../support/stores.ts";
import {
  ACKNOWLEDGED,
  GONE,
  MASTER_KEY,
  OutcomeClass,
  openKit,
  outcomeOf,
  userUpdated,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EXACT = { "webhook-jitter": "0" };

eachStore((_, open) => {
  let kit: WebhooksKit;
  beforeEach(async () => {
    kit = await openKit(open, { flags: EXACT });
  });

  describe("ClaimDue", () => {
    it("returns url, signed headers and the frozen bytes; the independent verifier accepts them", async () => {
      const { secret, id } = await kit.subscribe({ label: "marigold" });
      const claimed = await kit.claimOne();
      expect(claimed).toMatchObject({
        fence: 1,
        round: 1,
        attemptNumber: 1,
        eventType: "user.updated",
        subscriptionId: id,
        subscriptionLabel: "marigold",
        endpointUrl: "https://hooks.example/in",
      });
      const headers = Object.fromEntries(claimed.headers.map(({ name, value }) => [name, value]));
      expect({ headers, body: claimed.body }).toMatchEventContract();
      expect(headers).toMatchObject({
        "user-agent": "Gatehouse/1.2.3",
        "webhook-id": claimed.eventId,
        "webhook-timestamp": String(Math.floor(kit.clock.now().getTime() / 1000)),
      });
      const frozen = jest.spyOn(Date, "now").mockImplementation(() => kit.clock.now().getTime());
      expect(new Webhook(secret).verify(claimed.body, headers)).toMatchObject({ id: claimed.eventId });
      frozen.mockRestore();
    });

    it("records the attempt before it is sent, with the subscription's URL at that time (R-E8, I3)", async () => {
      await kit.subscribe();
      await kit.claimOne();
      const rows = await kit.tables.selectFrom("webhooks_queue").selectAll().execute();
      expect(rows).toMatchObject([
        {
          round: 1,
          attempts: 1,
          made: "[]",
          started_at: kit.clock.now().getTime(),
          endpoint_url: "https://hooks.example/in",
        },
      ]);
      expect(await kit.deliveries()).toMatchObject([{ state: "pending", dueAt: undefined, attempts: ["in_flight"] }]);
    });

    it("returns each delivery once while the lease lasts", async () => {
      await kit.subscribe();
      await kit.claimOne();
      kit.clock.step(59_999);
      expect(await kit.claim()).toEqual([]);
    });

    it("keeps to the limit, oldest due first", async () => {
      await kit.subscribe();
      for (let step = 0; step < 3; step++) {
        await kit.emit();
        kit.clock.step(1);
        await kit.relay();
      }
      const all = (await kit.deliveries()).map(({ eventId }) => eventId);
      const first = await kit.claim(2);
      expect(first.map(({ eventId }) => eventId).sort()).toEqual(all.slice(0, 2).sort());
      expect((await kit.claim(2)).map(({ eventId }) => eventId)).toEqual(all.slice(2));
    });

    it("waits for the next due time and no longer", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      await kit.record(claimed);
      expect((await kit.dispatch.claimDue({ limit: 1, waitMs: 150 })).attempts).toEqual([]);
      kit.clock.step(MINUTE);
      expect((await kit.dispatch.claimDue({ limit: 1, waitMs: 10_000 })).attempts).toHaveLength(1);
    });

    it.each([
      { limit: 0, waitMs: 0 },
      { limit: 51, waitMs: 0 },
      { limit: 1, waitMs: -1 },
      { limit: 1, waitMs: 30_001 },
      { limit: 2, waitMs: 0, freePlaces: 1 },
      { limit: 2, waitMs: 0, freePlaces: 3, unprovenFreePlaces: 1 },
      { limit: 2, waitMs: 0, freePlaces: 3, unprovenFreePlaces: 4 },
    ])("refuses %j", async (request) => {
      await expect(kit.dispatch.claimDue(request)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    });

    it.each([
      { limit: 50, waitMs: 30_000 },
      { limit: 1, waitMs: 0, freePlaces: 1, unprovenFreePlaces: 1 },
    ])("takes %j", async (request) => {
      await kit.subscribe();
      await kit.emit(userUpdated());
      await kit.relay();
      expect((await kit.dispatch.claimDue(request)).attempts).toHaveLength(1);
    });

    it("signs with every secret that has not expired, the newest first (R-E5)", async () => {
      const { id, secret } = await kit.subscribe();
      const bytes = [2, 3].map((number) => Buffer.alloc(32, number));
      const expiries = [kit.clock.now().getTime(), null];
      for (const [index, plain] of bytes.entries()) {
        const number = index + 2;
        const sealed = createSealer([MASTER_KEY], systemRandom).seal(plain, signingSecretRow(id, number));
        const row = { subscription_id: id, number, sealed, created_at: 0, expires_at: expiries[index] ?? null };
        await kit.tables.insertInto("webhooks_signing_secrets").values(row).execute();
      }
      const claimed = await kit.claimOne();
      const headers = Object.fromEntries(claimed.headers.map(({ name, value }) => [name, value]));
      expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
      expect({ headers, body: claimed.body }).toMatchEventContract();
      const frozen = jest.spyOn(Date, "now").mockImplementation(() => kit.clock.now().getTime());
      for (const good of [secret, formatSigningSecret(Buffer.alloc(32, 3))])
        expect(() => new Webhook(good).verify(claimed.body, headers)).not.toThrow();
      const expired = formatSigningSecret(Buffer.alloc(32, 2));
      expect(() => new Webhook(expired).verify(claimed.body, headers)).toThrow(/No matching signature/);
      frozen.mockRestore();
    });

    it("skips deliveries of a subscription that was paused after the relay, without an attempt (R-X41)", async () => {
      await kit.subscribe();
      await kit.emit();
      await kit.relay();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      expect(await kit.claim()).toEqual([]);
      expect(await kit.deliveries()).toMatchObject([{ state: "skipped", reason: "subscription_paused", attempts: [] }]);
    });

    it("comes back when its time is over while all that is ready is skipped, the rest with the next calls", async () => {
      await kit.subscribe();
      await kit.emit(...Array.from({ length: 3 }, () => userUpdated()));
      await kit.relay();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      const skipped = [];
      for (let call = 0; call < 3; call++) {
        expect(await kit.claim(1)).toEqual([]);
        skipped.push((await kit.deliveries()).filter(({ state }) => state === "skipped").length);
      }
      expect(skipped).toEqual([1, 2, 3]);
    });

    it("postpones what it cannot sign, without an attempt, and returns the others", async () => {
      await kit.subscribe({ label: "whole" });
      const broken = await kit.subscribe({ label: "broken", endpointUrl: "https://broken.example/" });
      const secrets = () => kit.tables.updateTable("webhooks_signing_secrets").where("subscription_id", "=", broken.id);
      await secrets()
        .set({ sealed: Buffer.alloc(80, 1) })
        .execute();
      await kit.emit();
      await kit.relay();
      expect((await kit.claim()).map(({ subscriptionLabel }) => subscriptionLabel)).toEqual(["whole"]);
      const counted = await kit.metrics.getSingleMetric("gatehouse_webhook_secrets_unopened_total")?.get();
      expect(counted?.values[0]?.value).toBe(1);
      const held = (await kit.deliveries()).find(({ subscriptionId }) => subscriptionId === broken.id);
      expect(held).toMatchObject({
        state: "pending",
        attempts: [],
        dueAt: new Date(kit.clock.now().getTime() + MINUTE),
      });
      // Mended, it is sent as the first attempt that it is.
      const sealed = createSealer([MASTER_KEY], systemRandom).seal(Buffer.alloc(32, 1), signingSecretRow(broken.id, 1));
      await secrets().set({ sealed }).execute();
      kit.clock.step(MINUTE);
      const again = (await kit.claim()).filter(({ subscriptionId }) => subscriptionId === broken.id);
      expect(again).toMatchObject([{ attemptNumber: 1, fence: 2 }]);
    });

    it("returns nothing to a caller that went away while it waited", async () => {
      await kit.subscribe();
      const ending = new AbortController();
      const waiting = kit.dispatch.claimDue({ limit: 1, waitMs: 10_000 }, { signal: ending.signal });
      ending.abort();
      await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
      const claimed = await kit.claimOne();
      expect(claimed).toMatchObject({ attemptNumber: 1, fence: 1 });
    });

    it("takes back what it claimed for a caller that went away meanwhile: no attempt is spent", async () => {
      await kit.subscribe();
      await kit.emit();
      await kit.relay();
      let asked = 0;
      const leaving = {
        peer: "worker",
        signal: {
          get aborted() {
            return ++asked > 1;
          },
        },
      };
      const claimDue = kit.registrations.flatMap(({ methods }) => methods.claimDue ?? [])[0];
      expect(await claimDue?.({ limit: 1, waitMs: 0 }, leaving as unknown as Call)).toEqual({ attempts: [] });
      expect(await kit.deliveries()).toMatchObject([{ state: "pending", attempts: [], dueAt: kit.clock.now() }]);
      expect(await kit.claim()).toMatchObject([{ attemptNumber: 1, fence: 2 }]);
    });
  });

  describe("ReturnClaims (R-X143)", () => {
    const named = async (claim: string) => (await kit.dispatch.claimDue({ limit: 10, waitMs: 0, claim })).attempts;

    it("takes back a claim whose answer was lost: no attempt is spent, and a late outcome of it is ignored", async () => {
      await kit.subscribe();
      await kit.emit(userUpdated(), userUpdated());
      await kit.relay();
      const [late] = await named("unanswered");
      expect(await kit.dispatch.returnClaims({ claims: ["unknown", "unanswered"] })).toEqual({ returned: 2 });
      expect(await kit.deliveries()).toMatchObject([
        { state: "pending", attempts: [], dueAt: kit.clock.now() },
        { state: "pending", attempts: [], dueAt: kit.clock.now() },
      ]);
      const again = await named("answered");
      expect(again.map(({ attemptNumber, fence }) => [attemptNumber, fence])).toEqual([
        [1, 2],
        [1, 2],
      ]);
      expect(await kit.record(late as ClaimedAttempt, ACKNOWLEDGED)).toBe(0);
      expect(await kit.dispatch.returnClaims({ claims: ["unanswered"] })).toEqual({ returned: 0 });
      expect((await kit.deliveries()).map(({ attempts }) => attempts)).toEqual([["in_flight"], ["in_flight"]]);
    });

    it("leaves recorded attempts, lost ones, and those of claims without a name alone", async () => {
      await kit.subscribe();
      await kit.emit(userUpdated(), userUpdated());
      await kit.relay();
      const [recorded] = await kit.dispatch
        .claimDue({ limit: 1, waitMs: 0, claim: "one" })
        .then(({ attempts }) => attempts);
      await kit.record(recorded as ClaimedAttempt, ACKNOWLEDGED);
      await kit.claim();
      expect(await kit.dispatch.returnClaims({ claims: ["one"] })).toEqual({ returned: 0 });
      kit.clock.step(MINUTE);
      await kit.claim();
      expect((await kit.deliveries()).map(({ attempts }) => attempts)).toEqual([["acknowledged"], ["lost"]]);
    });

    it.each([[[""]], [["a b"]], [["x".repeat(65)]], [Array.from({ length: 101 }, (_, index) => String(index))]])(
      "refuses %j",
      async (claims) => {
        await expect(kit.dispatch.returnClaims({ claims })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      },
    );

    it("takes as many names as a worker gives back at once", async () => {
      const claims = Array.from({ length: 100 }, (_, index) => String(index));
      expect(await kit.dispatch.returnClaims({ claims })).toEqual({ returned: 0 });
    });
  });

  describe("RecordOutcomes", () => {
    it("counts no attempt that was not sent, however often; three real attempts remain (R-X142, R-E8)", async () => {
      await kit.subscribe();
      let claimed = await kit.claimOne();
      for (let time = 0; time < 5; time++) {
        const unsent = { class: OutcomeClass.NOT_SENT, httpStatus: null, pauseMs: 4_000 };
        expect(await kit.record(claimed, unsent)).toBe(1);
        expect(await kit.record(claimed, unsent)).toBe(0);
        const dueAt = new Date(kit.clock.now().getTime() + 4_000);
        expect(await kit.deliveries()).toMatchObject([{ state: "pending", attempts: [], dueAt }]);
        kit.clock.step(3_999);
        expect(await kit.claim()).toEqual([]);
        kit.clock.step(1);
        [claimed] = (await kit.claim()) as [ClaimedAttempt];
        expect(claimed).toMatchObject({ attemptNumber: 1, fence: time + 2 });
      }
      for (const waitMs of [MINUTE, HOUR]) {
        await kit.record(claimed);
        kit.clock.step(waitMs);
        [claimed] = (await kit.claim()) as [ClaimedAttempt];
      }
      await kit.record(claimed);
      kit.clock.step(48 * HOUR);
      expect(await kit.claim()).toEqual([]);
      expect(await kit.deliveries()).toMatchObject([
        { state: "exhausted", attempts: ["refused", "refused", "refused"] },
      ]);
    });

    it("delivers on acknowledgement", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      expect(await kit.record(claimed, ACKNOWLEDGED)).toBe(1);
      expect(await kit.deliveries()).toMatchObject([
        { state: "delivered", attempts: ["acknowledged"], dueAt: undefined },
      ]);
      kit.clock.step(2 * HOUR);
      expect(await kit.claim()).toEqual([]);
    });

    it("schedules three attempts and never a fourth (R-E6, R-E8), each signed again under the same id (I3, I5, W4)", async () => {
      await kit.subscribe();
      let claimed = await kit.claimOne();
      const seen = [claimed];
      for (const waitMs of [MINUTE, HOUR]) {
        kit.clock.step(500);
        await kit.record(claimed, { class: OutcomeClass.TIMEOUT, httpStatus: null });
        expect(await kit.deliveries()).toMatchObject([
          { state: "pending", dueAt: new Date(kit.clock.now().getTime() + waitMs) },
        ]);
        kit.clock.step(waitMs - 1);
        expect(await kit.claim()).toEqual([]);
        kit.clock.step(1);
        [claimed] = (await kit.claim()) as [typeof claimed];
        seen.push(claimed);
      }
      await kit.record(claimed);
      expect(await kit.deliveries()).toMatchObject([
        { state: "exhausted", reason: "refused", attempts: ["timeout", "timeout", "refused"] },
      ]);
      kit.clock.step(48 * HOUR);
      expect(await kit.claim()).toEqual([]);
      expect(seen.map(({ attemptNumber, fence }) => [attemptNumber, fence])).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
      const header = (name: string) => seen.map(({ headers }) => headers.find((one) => one.name === name)?.value);
      expect(new Set(header("webhook-id")).size).toBe(1);
      expect(new Set(header("webhook-timestamp")).size).toBe(3);
      expect(new Set(header("webhook-signature")).size).toBe(3);
      expect(new Set(seen.map(({ body }) => body.toString())).size).toBe(1);
    });

    it("counts an attempt without an outcome as spent, and continues (R-E8)", async () => {
      await kit.subscribe();
      const lost = await kit.claimOne();
      kit.clock.step(MINUTE);
      expect(await kit.claim()).toEqual([]);
      expect(await kit.deliveries()).toMatchObject([
        { state: "pending", attempts: ["lost"], dueAt: new Date(kit.clock.now().getTime() + MINUTE) },
      ]);
      // Too late, and ignored: also when it says that all was well.
      expect(await kit.record(lost, ACKNOWLEDGED)).toBe(0);
      kit.clock.step(MINUTE);
      const [second] = await kit.claim();
      expect(second).toMatchObject({ attemptNumber: 2, fence: 2 });
      expect(await kit.record(lost, ACKNOWLEDGED)).toBe(0);
      expect(await kit.deliveries()).toMatchObject([{ state: "pending", attempts: ["lost", "in_flight"] }]);
    });

    it("exhausts a delivery whose outcomes were all lost, after three attempts", async () => {
      await kit.subscribe();
      await kit.claimOne();
      for (const stepMs of [MINUTE, MINUTE, MINUTE, HOUR, MINUTE]) {
        kit.clock.step(stepMs);
        await kit.claim();
      }
      expect(await kit.deliveries()).toMatchObject([
        { state: "exhausted", reason: "lost", attempts: ["lost", "lost", "lost"] },
      ]);
      kit.clock.step(48 * HOUR);
      expect(await kit.claim()).toEqual([]);
    });

    it("accepts an outcome that comes after its lease, while no claim has found it lost", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      kit.clock.step(5 * MINUTE);
      expect(await kit.record(claimed, ACKNOWLEDGED)).toBe(1);
    });

    it("ignores outdated fencing numbers, rounds and attempt numbers, and unknown deliveries (F50)", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      const wrong = [{ fence: 0 }, { fence: 2 }, { round: 2 }, { attemptNumber: 2 }, { deliveryId: "delivery_none" }];
      for (const more of wrong) expect(await kit.record(claimed, { ...ACKNOWLEDGED, ...more })).toBe(0);
      expect(await kit.deliveries()).toMatchObject([{ state: "pending", attempts: ["in_flight"] }]);
      expect(await kit.record(claimed, ACKNOWLEDGED)).toBe(1);
      expect(await kit.record(claimed, ACKNOWLEDGED)).toBe(0);
    });

    it("schedules nothing for an outdated fencing number, though the delivery is under way", async () => {
      await kit.subscribe();
      await kit.claimOne();
      const { sequence } = await kit.tables.selectFrom("webhooks_queue").select("sequence").executeTakeFirstOrThrow();
      const endClaim = (fence: number) =>
        inTransaction(kit.opened.store.view<WebhooksTables>(), (tx) =>
          queueRepository(kit.opened.store.view(), deliveryMoves).endClaims(
            tx,
            [{ sequence, fence, state: "delivered" }],
            kit.clock.now(),
          ),
        );
      expect([...(await endClaim(0)), ...(await endClaim(2))]).toEqual([]);
      expect(await kit.deliveries()).toMatchObject([{ state: "pending" }]);
      expect([...(await endClaim(1))]).toEqual([sequence]);
    });

    it("exhausts a delivery when the endpoint is gone, disables its subscription, and audits that (R-E6)", async () => {
      const { id } = await kit.subscribe();
      await kit.emit(userUpdated(), userUpdated());
      await kit.relay();
      const claimed = await kit.claim();
      await kit.emit();
      await kit.relay();
      for (const one of claimed) await kit.record(one, GONE);
      const { subscriptions } = await kit.operator.listSubscriptions({ states: [] });
      expect(subscriptions).toMatchObject([{ id, state: "SUBSCRIPTION_STATE_DISABLED", stateReason: "gone" }]);
      expect(await kit.claim()).toEqual([]);
      expect(await kit.deliveries()).toMatchObject([
        { state: "exhausted", reason: "gone" },
        { state: "exhausted", reason: "gone" },
        { state: "skipped", reason: "subscription_disabled", attempts: [] },
      ]);
      const audit = await kit.audit();
      expect(audit.filter(({ action }) => action === "subscription.disable")).toEqual([
        { actor: "worker", action: "subscription.disable", object: id, facts: '{"reason":"gone"}' },
      ]);
    });

    it("honours Retry-After on 429 and 503 (R-E6)", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      await kit.record(claimed, { httpStatus: 429, retryAfter: "600" });
      expect(await kit.deliveries()).toMatchObject([{ dueAt: new Date(kit.clock.now().getTime() + 10 * MINUTE) }]);
    });

    it("keeps the answer: status, time, Retry-After, the first 4 KiB (S48)", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      const responseExcerpt = Buffer.alloc(5_000, 0xff);
      await kit.record(claimed, { httpStatus: 503, durationMs: 77, retryAfter: "soon\u0000", responseExcerpt });
      const { made } = await kit.tables.selectFrom("webhooks_queue").select("made").executeTakeFirstOrThrow();
      expect(attemptsOfText(made)).toMatchObject([
        {
          outcome: "refused",
          httpStatus: 503,
          durationMs: 77,
          retryAfter: undefined,
          finishedAt: kit.clock.now(),
          responseExcerpt: Buffer.alloc(4_096, 0xff),
        },
      ]);
    });

    it("records a batch of several deliveries and outcomes at once", async () => {
      await kit.subscribe();
      await kit.emit(...Array.from({ length: 5 }, () => userUpdated()));
      await kit.relay();
      const claimed = await kit.claim();
      const outcomes = claimed.map((one, index) => outcomeOf(one, index % 2 === 0 ? ACKNOWLEDGED : {}));
      expect(await kit.dispatch.recordOutcomes({ outcomes: [...outcomes, ...outcomes.slice(0, 1)] })).toEqual({
        recorded: 5,
      });
      const states = (await kit.deliveries()).map(({ state, attempts }) => `${state} ${attempts}`).sort();
      expect(states).toEqual([
        ...Array.from({ length: 3 }, () => "delivered acknowledged"),
        ...Array.from({ length: 2 }, () => "pending refused"),
      ]);
    });

    it.each(["before", "behind"])(
      "records the current outcome that comes %s an outdated one of its delivery",
      async (at) => {
        await kit.subscribe();
        const outdated = outcomeOf(await kit.claimOne(), { class: OutcomeClass.NOT_SENT });
        await kit.dispatch.recordOutcomes({ outcomes: [outdated] });
        const [claimed] = await kit.claim();
        const current = outcomeOf(claimed as ClaimedAttempt, ACKNOWLEDGED);
        const outcomes = at === "before" ? [current, outdated] : [outdated, current];
        expect(await kit.dispatch.recordOutcomes({ outcomes })).toEqual({ recorded: 1 });
        expect(await kit.deliveries()).toMatchObject([{ state: "delivered" }]);
      },
    );

    it("takes 500 outcomes, and refuses more", async () => {
      await kit.subscribe();
      const outcome = outcomeOf(await kit.claimOne(), ACKNOWLEDGED);
      const many = (length: number) => ({ outcomes: Array.from({ length }, () => outcome) });
      await expect(kit.dispatch.recordOutcomes(many(501))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(await kit.dispatch.recordOutcomes(many(500))).toEqual({ recorded: 1 });
    });

    it("refuses an outcome without a class", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      await expect(kit.record(claimed, { class: OutcomeClass.UNSPECIFIED })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
      });
    });
  });

  describe("races", () => {
    it("parallel claims never take one delivery twice", async () => {
      // Places enough for all 45, although some are left for others.
      const flags = { ...EXACT, "webhook-concurrency-per-endpoint": "100" };
      kit = webhooksKit(kit.opened, { clock: kit.clock, flags });
      await kit.subscribe();
      await kit.emit(...Array.from({ length: 45 }, () => userUpdated()));
      await kit.relay();
      const racers = (await kit.opened.racers(4)).map((racer) => webhooksKit(racer, { clock: kit.clock, flags }));
      const claims = await Promise.all(racers.flatMap((racer) => [racer.claim(10), racer.claim(10)]));
      const ids = claims.flat().map(({ deliveryId }) => deliveryId);
      expect(new Set(ids).size).toBe(ids.length);
      const rest = await eventually(
        async () => [...ids, ...(await kit.claim()).map(({ deliveryId }) => deliveryId)],
        (all) => all.length === 45,
      );
      expect(new Set(rest).size).toBe(45);
    });

    it("of several reports of one attempt one counts, also against a claim that finds its lease expired", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      kit.clock.step(MINUTE);
      const racers = (await kit.opened.racers(4)).map((racer) =>
        webhooksKit(racer, { clock: kit.clock, flags: EXACT }),
      );
      const [counts] = await Promise.all([
        Promise.all(racers.map((racer) => racer.record(claimed, ACKNOWLEDGED))),
        Promise.all(racers.map((racer) => racer.claim())),
      ]);
      const recorded = counts.reduce((sum, count) => sum + count, 0);
      const [delivery] = await kit.deliveries();
      expect([
        [1, "delivered", "acknowledged"],
        [0, "pending", "lost"],
      ]).toContainEqual([recorded, delivery?.state, delivery?.attempts.join()]);
    });
  });
});

onPostgres((open) => {
  it.each<[string, (tx: Transaction<WebhooksTables>) => Promise<unknown>]>([
    ["a claim", (tx) => linesRepository(tx).beginTaking(tx, { waits: true })],
    ["a retry by Temporal", (tx) => linesRepository(tx).countUnderWay(tx)],
  ])("claims wait five seconds for a process that hangs in the turn of %s (decision 0012)", async (_, take) => {
    const [opened, again] = (await (await open([webhooksMigrations])).racers(2)) as [TestStore, TestStore];
    const kit = webhooksKit(opened);
    await kit.subscribe();
    await kit.emit();
    await kit.relay();
    const hanging = await blocker(again, take);
    const claiming = kit.dispatch.claimDue({ limit: 1, waitMs: 0 }, { deadlineMs: 10_000 });
    await claiming.catch(() => undefined);
    await expect(hanging.end()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect((await claiming).attempts).toHaveLength(1);
  });
});
