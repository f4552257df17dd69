import { sql } from "kysely";
import type { ClaimedAttempt } from "../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Erasure } from "../../src/runtime/erasure/erasures.ts";
import type { Call } from "../../src/runtime/rpc/call.ts";
import { webhooksMigrations } from "../../src/webhooks/services.ts";
import { blocker, deadlocksOf, patientRacers, waitForLocks } from "../support/deadlocks.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { ACKNOWLEDGED, GONE, outcomeOf, TENANT_ID, type WebhooksKit, webhooksKit } from "./webhooks-kit.ts";

const SLOW = { durationMs: 9_000 } as const;
const NEVER = new AbortController().signal;

onPostgres((open) => {
  describe("transactions of several services that lock the same rows never wait for each other", () => {
    let observer: TestStore;
    let racers: readonly TestStore[];
    let kit: WebhooksKit;
    let other: WebhooksKit;
    beforeEach(async () => {
      observer = await open([webhooksMigrations]);
      // Plans as for a large table, with which rows come in the order in which they are named.
      await sql`
        do $$ begin
          execute format('alter database %I set enable_hashjoin = off', current_database());
          execute format('alter database %I set enable_mergejoin = off', current_database());
        end $$`.execute(observer.store.view());
      racers = await patientRacers(observer, 2);
      const [first, second] = racers as [TestStore, TestStore];
      kit = webhooksKit(first);
      other = webhooksKit(second, { clock: kit.clock });
    });

    const deadlocks = () => deadlocksOf([observer, ...racers]);

    /** Two subscriptions, in the order of their ids. */
    async function subscribeTwo(): Promise<readonly [string, string]> {
      const ids = [await kit.subscribe({ label: "one" }), await kit.subscribe({ label: "two" })].map(({ id }) => id);
      return ids.toSorted() as [string, string];
    }

    /** So many deliveries of each subscription, under way: of the first one, then of the second. */
    async function claimOfTwo([low, high]: readonly [string, string], count: number) {
      await kit.emit(...Array.from({ length: count }, () => ({})));
      await kit.relay();
      const claimed = await kit.claim();
      const all = await kit.deliveries();
      const of = (id: string) =>
        claimed.filter(
          ({ deliveryId }) => all.find((delivery) => delivery.id === deliveryId)?.subscriptionId === id,
        ) as [ClaimedAttempt, ClaimedAttempt];
      return { ofLow: of(low), ofHigh: of(high) };
    }

    it("a report that counts failures and makes an endpoint slow, and an operator's pause of its subscription (R-X312)", async () => {
      const [low, high] = await subscribeTwo();
      const { ofLow, ofHigh } = await claimOfTwo([low, high], 2);
      // Each attempt is the last one.
      await kit.tables.updateTable("webhooks_queue").set({ delays: "[]" }).execute();
      await kit.dispatch.recordOutcomes({ outcomes: [outcomeOf(ofLow[0]), outcomeOf(ofHigh[0])] });
      const blocked = await blocker(observer, (tx) =>
        sql`select * from webhooks_failing_runs where subscription_id = ${high} for update`.execute(tx),
      );
      const reporting = kit.dispatch.recordOutcomes({ outcomes: [outcomeOf(ofLow[1], SLOW), outcomeOf(ofHigh[1])] });
      await waitForLocks(observer, 1);
      const pausing = other.subscriptions.pauseSubscription({ subscriptionId: low });
      await waitForLocks(observer, 2);
      await blocked.end();
      await Promise.all([reporting, pausing]);
      const slow = kit.tables.selectFrom("webhooks_subscriptions").select(["state", "slow"]).where("id", "=", low);
      expect(await slow.execute()).toEqual([{ state: "paused", slow: 1 }]);
      expect(await deadlocks()).toBe(0);
    });

    it("two reports, each of which disables the subscription that the other makes slow (R-X306)", async () => {
      const [low, high] = await subscribeTwo();
      const { ofLow, ofHigh } = await claimOfTwo([low, high], 2);
      const blocked = await blocker(observer, (tx) => sql`lock table outbox_entries in share mode`.execute(tx));
      const reporting = [
        kit.dispatch.recordOutcomes({ outcomes: [outcomeOf(ofLow[0], SLOW), outcomeOf(ofHigh[0], GONE)] }),
        other.dispatch.recordOutcomes({ outcomes: [outcomeOf(ofLow[1], GONE), outcomeOf(ofHigh[1], SLOW)] }),
      ];
      await waitForLocks(observer, 2);
      await blocked.end();
      await Promise.all(reporting);
      expect(await deadlocks()).toBe(0);
    });

    it("two reports of pings that two endpoints acknowledge (R-X270)", async () => {
      const [low, high] = await subscribeTwo();
      const urlOf = (path: string) => ({
        ...{ endpointUrl: `https://hooks.example/${path}`, updateMask: ["endpoint_url"] },
        ...{ eventTypes: [], tenantIds: [], description: "", extraHeaders: [], skipPing: false },
      });
      /** The pings of these, in their order. */
      const pinged = async (path: string, ids: readonly string[]) => {
        const pings: ClaimedAttempt[] = [];
        for (const subscriptionId of ids) {
          await kit.subscriptions.updateSubscription({ subscriptionId, ...urlOf(`${path}-${subscriptionId}`) });
          pings.push(...(await kit.claim()));
        }
        return pings;
      };
      // Each endpoint is the same again when its first ping is answered.
      const first = await pinged("in", [low, high]);
      await pinged("elsewhere", [low, high]);
      const second = await pinged("in", [high, low]);
      const blocked = await blocker(observer, (tx) => sql`lock table audit_entries in share mode`.execute(tx));
      const acknowledge = (claimed: readonly ClaimedAttempt[]) => ({
        outcomes: claimed.map((one) => outcomeOf(one, ACKNOWLEDGED)),
      });
      const reporting = [
        kit.dispatch.recordOutcomes(acknowledge(first)),
        other.dispatch.recordOutcomes(acknowledge(second)),
      ];
      await waitForLocks(observer, 2);
      await blocked.end();
      await Promise.all(reporting);
      const states = kit.tables.selectFrom("webhooks_subscriptions").select("state");
      expect(await states.execute()).toEqual([{ state: "active" }, { state: "active" }]);
      expect(await deadlocks()).toBe(0);
    });

    it("two reports of the same attempts in another order, as after a deadline (R-E8)", async () => {
      await kit.subscribe();
      await kit.emit({}, {}, {});
      await kit.relay();
      const claimed = await kit.claim();
      const outcomes = claimed.map((one) => outcomeOf(one, ACKNOWLEDGED));
      const blocked = await blocker(observer, (tx) =>
        sql`select * from webhooks_queue where id = ${claimed[1]?.deliveryId} for update`.execute(tx),
      );
      const reporting = [
        kit.dispatch.recordOutcomes({ outcomes }),
        other.dispatch.recordOutcomes({ outcomes: outcomes.toReversed() }),
      ];
      await waitForLocks(observer, 2);
      await blocked.end();
      const recorded = (await Promise.all(reporting)).map((answer) => answer.recorded);
      expect(recorded.toSorted()).toEqual([0, 3]);
      expect(await deadlocks()).toBe(0);
    });

    it("two erasures at once of what was delivered meanwhile (R-X264)", async () => {
      await kit.subscribe();
      await kit.emit({}, {}, {});
      await kit.relay();
      const [first, second, third] = (await kit.claim()) as [ClaimedAttempt, ClaimedAttempt, ClaimedAttempt];
      await kit.record(first, ACKNOWLEDGED);
      await kit.record(second, ACKNOWLEDGED);
      const bodyOf = ({ deliveryId }: ClaimedAttempt) =>
        blocker(observer, (tx) =>
          sql`
            select * from webhooks_delivery_bodies where sequence = (
              select sequence from webhooks_queue where id = ${deliveryId}
              union all select sequence from webhooks_settled where id = ${deliveryId}
            ) for update`.execute(tx),
        );
      const blocked = [await bodyOf(third), await bodyOf(second)] as const;
      const everything = await erasureOfAll(kit);
      const eraseBy = ({ erasers }: WebhooksKit) =>
        Promise.all(erasers.map((eraser) => eraser.erase([everything], NEVER)));
      const before = eraseBy(kit);
      await waitForLocks(observer, 1);
      await kit.record(third, ACKNOWLEDGED);
      const after = eraseBy(other);
      await waitForLocks(observer, 2);
      for (const one of blocked) await one.end();
      await Promise.all([before, after]);
      expect(await deadlocks()).toBe(0);
    });

    it("a claim whose caller went away, and an erasure of what it took (R-X143)", async () => {
      const [, high] = await subscribeTwo();
      // Deliveries are numbered in the order of subscriptions, and claimed in that of lines, which is that of their ids.
      await sql`update webhooks_subscriptions set created_at = case id when ${high} then 1 else 2 end`.execute(
        kit.tables,
      );
      await kit.emit({}, {});
      await kit.relay();
      await sql`
        create function wait_here() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(4711); return new; end $$`.execute(kit.tables);
      await sql`
        create trigger wait_here before update on webhooks_queue
        for each row when (new.lease_until is null) execute function wait_here()`.execute(kit.tables);
      const blocked = await blocker(observer, (tx) => sql`select pg_advisory_xact_lock(4711)`.execute(tx));
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
      const claiming = claimDue?.({ limit: 4, waitMs: 0 }, leaving as unknown as Call);
      await waitForLocks(observer, 1);
      const everything = await erasureOfAll(kit);
      const erasing = Promise.all(other.erasers.map((eraser) => eraser.erase([everything], NEVER)));
      await waitForLocks(observer, 2);
      await blocked.end();
      expect(await claiming).toEqual({ attempts: [] });
      await erasing;
      expect(await kit.deliveries()).toMatchObject(Array(4).fill({ state: "pending", attempts: [] }));
      expect(await deadlocks()).toBe(0);
    });

    it("a report that is rolled back says nothing of the endpoint's pace (R-X306)", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      await sql`
        create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'as after a conflict' using errcode = '40001'; end $$`.execute(kit.tables);
      await sql`
        create constraint trigger refuse after insert on webhooks_settled deferrable initially deferred
        for each row execute function refuse()`.execute(kit.tables);
      await expect(kit.record(claimed, { ...ACKNOWLEDGED, durationMs: 1 })).rejects.toMatchObject({
        code: "UNAVAILABLE",
      });
      const next = await kit.claimOne();
      expect(next.unproven).toBe(true);
    });
  });
});

/** Of every user that an event is about. */
async function erasureOfAll({ tables }: WebhooksKit): Promise<Erasure> {
  const users = await tables.selectFrom("webhooks_events").select("entity_id").execute();
  const redactions = users.map(({ entity_id: id }) => ({
    ...{ id, namedBy: ["userId"], members: { email: "e@erased.invalid" }, deep: false },
  }));
  const scope = { people: [], tenantIds: [TENANT_ID], redactions };
  return { sequence: 1, object: "", actor: "platform", requestId: "req_1", scope };
}
