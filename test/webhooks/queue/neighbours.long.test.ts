import fc from "fast-check";
import type { ClaimedAttempt } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { eachStore } from "../../support/stores.ts";
import {
  ACKNOWLEDGED,
  clientCreated,
  OutcomeClass,
  openKit,
  outcomeOf,
  userUpdated,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";

const SILENT = { class: OutcomeClass.TIMEOUT, httpStatus: null, durationMs: 15_000 };
const HOST = "https://shared.example";
/** No retry comes into the way. */
const FLAGS = { "webhook-attempt-delays": "24h", "webhook-jitter": "0" };

eachStore((_, open) => {
  describe("a neighbour's trouble", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open, { flags: FLAGS });
    });

    /** The neighbour gets what the other does not want, so that each has events of its own. */
    const subscribeBoth = async () => {
      const busy = await kit.subscribe({ endpointUrl: `${HOST}/busy`, eventTypes: ["user.updated"] });
      const quiet = await kit.subscribe({ endpointUrl: `${HOST}/quiet`, eventTypes: ["client.created"] });
      return { busy: busy.id, quiet: quiet.id };
    };
    const emit = async (count: number, event: () => ReturnType<typeof userUpdated>) => {
      for (let left = count; left > 0; left -= 500)
        await kit.emit(...Array.from({ length: Math.min(left, 500) }, () => event()));
      await kit.relay();
    };
    const report = (attempts: readonly ClaimedAttempt[], outcome: Parameters<typeof outcomeOf>[1]) =>
      attempts.length === 0
        ? undefined
        : kit.dispatch.recordOutcomes({ outcomes: attempts.map((one) => outcomeOf(one, outcome)) });
    const of = (id: string) => (one: ClaimedAttempt) => one.subscriptionId === id;
    const claim = async (unprovenLimit: number, limit = 50, by = kit) =>
      (await by.dispatch.claimDue({ limit, unprovenLimit, waitMs: 0 })).attempts;

    it("with 2,000 events waiting at the same host: each new event is in the next claim (R-X305)", async () => {
      const { quiet } = await subscribeBoth();
      await emit(2_000, userUpdated);
      let underWay = [...(await kit.claim())];
      expect(underWay.length).toBe(40);
      for (let turn = 0; turn < 5; turn++) {
        await emit(1, clientCreated);
        const claimed = await kit.claim();
        expect(claimed.filter(of(quiet)).length).toBe(1);
        await report([...underWay, ...claimed], ACKNOWLEDGED);
        underWay = [...(await kit.claim())];
      }
    });

    it("whose endpoint answers at once has few places beside others, and all of them when it is alone (R-X338)", async () => {
      const { busy, quiet } = await subscribeBoth();
      const QUICK = { ...ACKNOWLEDGED, durationMs: 3 };
      await emit(500, userUpdated);
      await emit(1, clientCreated);
      const first = await kit.claim();
      await report(first.filter(of(busy)), QUICK);
      const alone = await kit.claim();
      expect(alone.filter(of(busy)).length).toBe(40);
      await report([...first.filter(of(quiet)), ...alone], QUICK);
      const beside = await kit.claim();
      expect(beside.filter(of(busy)).length).toBe(8);
      kit.clock.step(10_001);
      await report(beside, QUICK);
      expect((await kit.claim()).length).toBe(40);
    });

    it("that stops answering with 600 events: 191 of another are claimed in as few claims as its places need (R-X305)", async () => {
      const { busy, quiet } = await subscribeBoth();
      await emit(600, userUpdated);
      await emit(191, clientCreated);
      const silent: ClaimedAttempt[] = [];
      const delivered: ClaimedAttempt[] = [];
      let claims = 0;
      const claimOnce = async () => {
        claims++;
        const claimed = await kit.claim();
        silent.push(...claimed.filter(of(busy)));
        const answered = claimed.filter(of(quiet));
        await report(answered, ACKNOWLEDGED);
        delivered.push(...answered);
      };
      while (delivered.length < 191 && claims < 40) await claimOnce();
      expect(delivered.length).toBe(191);
      expect(silent.length).toBeLessThanOrEqual(40);
      // From now on it is known to be slow, and has half of the places.
      await report(silent.splice(0), SILENT);
      claims = 0;
      await emit(191, clientCreated);
      while (delivered.length < 382 && claims < 40) await claimOnce();
      expect(delivered.length).toBe(382);
      expect(silent.length).toBeLessThanOrEqual(25);
      expect(claims).toBeLessThanOrEqual(16);
    });

    it("that stopped answering is known after a restart, and has all places again after a prompt answer (R-X306)", async () => {
      const { busy } = await subscribeBoth();
      await emit(100, userUpdated);
      await report((await kit.claim()).slice(0, 1), SILENT);
      const later = webhooksKit(kit.opened, { flags: FLAGS, clock: kit.clock });
      const slowOf = async () => {
        const rows = await kit.tables.selectFrom("webhooks_subscriptions").select(["id", "slow"]).execute();
        return rows.find(({ id }) => id === busy)?.slow;
      };
      expect(await slowOf()).toBe(1);
      // 39 are under way: more than a slow one may have.
      expect(await claim(50, 50, later)).toEqual([]);
      const all = (await kit.tables.selectFrom("webhooks_queue").selectAll().execute()).filter(
        ({ lease_until }) => lease_until !== null,
      );
      const outcomes = all.map(({ id, fence, round, attempts }) =>
        outcomeOf({ deliveryId: id, fence, round, attemptNumber: attempts }, ACKNOWLEDGED),
      );
      await later.dispatch.recordOutcomes({ outcomes });
      expect(await slowOf()).toBe(0);
      // What became ready before waits beside the unproven, and needs none of their places.
      const claimed = await claim(1, 50, later);
      expect([claimed.length, claimed.filter(({ unproven }) => unproven === true).length]).toEqual([40, 0]);
    });

    it("that never answers leaves the places of proven endpoints alone, however many such neighbours there are (R-X306)", async () => {
      const { id } = await kit.subscribe({ endpointUrl: "https://healthy.example/", eventTypes: ["*"] });
      await kit.claimOne().then((first) => report([first], ACKNOWLEDGED));
      await kit.multiply(350);
      const copies = await kit.tables.selectFrom("webhooks_subscriptions").select("id").where("id", "<>", id).execute();
      for (const [index, copy] of copies.entries()) {
        // Some are known to be slow, of the others nothing is known.
        const change = { endpoint_url: `https://a${index}.example/`, slow: index % 2 };
        await kit.tables.updateTable("webhooks_subscriptions").set(change).where("id", "=", copy.id).execute();
      }
      await emit(1, userUpdated);
      const claimed = await claim(0);
      expect(claimed.map(({ subscriptionId, unproven }) => [subscriptionId, unproven])).toEqual([[id, false]]);
      expect(await claim(0)).toEqual([]);
    });

    it("an attempt says whether its endpoint is unproven (R-X306)", async () => {
      await kit.subscribe();
      const flags: unknown[] = [];
      for (const outcome of [ACKNOWLEDGED, ACKNOWLEDGED, SILENT, ACKNOWLEDGED, ACKNOWLEDGED]) {
        const claimed = await kit.claimOne();
        flags.push(claimed.unproven);
        await report([claimed], outcome);
      }
      expect(flags).toEqual([true, false, false, true, false]);
    });

    it.each([
      [-1, 10],
      [11, 10],
    ])("refuses %i unproven ones of %i", async (unprovenLimit, limit) => {
      await expect(claim(unprovenLimit, limit)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    });

    it("whatever others do: a subscription with work is claimed within as many claims as there are subscriptions (R-X305)", async () => {
      const hosts = ["https://a.example", "https://b.example", "https://c.example"];
      const ids: string[] = [];
      for (let index = 0; index < 9; index++) {
        const { id } = await kit.subscribe({ endpointUrl: `${hosts[index % 3]}/${index}` });
        ids.push(id);
      }
      const silent = new Set(ids.filter((_, index) => index % 4 === 0));
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 12, maxLength: 20 }),
          fc.array(fc.nat(), { maxLength: 12 }),
          async (limits, lateness) => {
            await emit(5, userUpdated);
            const since = new Map(ids.map((id) => [id, 0]));
            let underWay: ClaimedAttempt[] = [];
            for (const [turn, limit] of limits.entries()) {
              const claimed = await kit.claim(limit);
              underWay.push(...claimed);
              const waiting = await kit.tables
                .selectFrom("webhooks_queue")
                .select("subscription_id")
                .where("lane", "is not", null)
                .execute();
              for (const id of ids) {
                const isServed = claimed.some(of(id)) || underWay.some(of(id));
                const isWaiting = waiting.some(({ subscription_id }) => subscription_id === id);
                since.set(id, isServed || !isWaiting ? 0 : (since.get(id) ?? 0) + 1);
                expect(since.get(id)).toBeLessThanOrEqual(ids.length);
              }
              const late = (lateness[turn] ?? 0) % 3;
              const ending = underWay.slice(0, Math.max(0, underWay.length - late));
              underWay = underWay.slice(ending.length);
              await report(
                ending.filter(({ subscriptionId }) => silent.has(subscriptionId)),
                SILENT,
              );
              await report(
                ending.filter(({ subscriptionId }) => !silent.has(subscriptionId)),
                ACKNOWLEDGED,
              );
            }
            await report(underWay, ACKNOWLEDGED);
          },
        ),
        { numRuns: 6 },
      );
    });
  });
});
