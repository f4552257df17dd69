import { RecoveredState, RecoveryState } from "../../../generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { webhooksRestored } from "../../../src/webhooks/services.ts";
import { eachStore, inTransaction } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import {
  ACKNOWLEDGED,
  clientCreated,
  GONE,
  OTHER_TENANT_ID,
  openKit,
  settingsFor,
  TENANT_ID,
  userUpdated,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";
import { answerAll, auditOf, drive, driveUntilFull, exhaust, HOUR_MS, shown, start } from "./recovery-kit.ts";

/** Places of recoveries at one origin, as the settings are by default: a fifth of fifty. */
const PLACES = 10;
const YEAR_MS = 365 * 24 * HOUR_MS;

eachStore((_, open) => {
  describe("recoveries (R-E10)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
    });

    async function setState(id: string, state: string) {
      await kit.tables.updateTable("webhooks_subscriptions").set({ state }).where("id", "=", id).execute();
      kit.clock.step(1_000);
    }

    /** Drives and acknowledges until nothing is due any more; returns the events that were sent. */
    async function finish(outcome: Parameters<WebhooksKit["record"]>[1] = ACKNOWLEDGED) {
      const events: string[] = [];
      for (let sent = -1; sent !== events.length; ) {
        sent = events.length;
        await driveUntilFull(kit);
        events.push(...(await answerAll(kit, outcome)));
      }
      await drive(kit);
      return events;
    }

    it("sends again what was exhausted or skipped, each once, and nothing else (R-X281)", async () => {
      const { id } = await kit.subscribe({ label: "one", endpointUrl: "https://one.example/" });
      await kit.subscribe({ label: "two", endpointUrl: "https://two.example/" });
      await exhaust(kit, 3);
      await setState(id, "paused");
      await kit.emit(userUpdated());
      await kit.relay();
      await setState(id, "active");
      await kit.record(await kit.claimOne(), ACKNOWLEDGED);
      await answerAll(kit);
      const owed = (await kit.deliveries()).filter(
        ({ subscriptionId, state }) => subscriptionId === id && state !== "delivered",
      );
      const recovery = await start(kit, id);
      expect((await finish()).toSorted()).toEqual(owed.map(({ eventId }) => eventId).toSorted());
      expect(await shown(kit, recovery)).toEqual({
        state: "finished",
        matched: 4,
        sent: 4,
        acknowledged: 4,
        failed: 0,
      });
      const states = (await kit.deliveries()).map(({ subscriptionLabel, state }) => `${subscriptionLabel} ${state}`);
      expect(states.filter((state) => state === "one delivered")).toHaveLength(5);
      expect(states.filter((state) => state === "two exhausted")).toHaveLength(3);
      // There is nothing left to do.
      expect(await finish()).toEqual([]);
    });

    it.each([
      ["states", { states: [RecoveredState.SKIPPED] }, ["skipped"]],
      ["types", { eventTypes: ["client.created"] }, ["client"]],
      ["tenants", { tenantIds: [OTHER_TENANT_ID] }, ["other"]],
      [
        "all of these",
        { states: [RecoveredState.EXHAUSTED], eventTypes: ["user.updated"], tenantIds: [TENANT_ID] },
        ["user"],
      ],
      ["none", {}, ["client", "other", "skipped", "user"]],
    ])("is about some deliveries only: %s", async (__, more, expected) => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 1);
      await exhaust(kit, 1, () => userUpdated(OTHER_TENANT_ID));
      await exhaust(kit, 1, () => clientCreated());
      await setState(id, "paused");
      await kit.emit(userUpdated());
      await kit.relay();
      await setState(id, "active");
      const names = new Map(
        (await kit.deliveries()).map(({ eventId }, index) => [eventId, ["user", "other", "client", "skipped"][index]]),
      );
      await start(kit, id, more);
      expect((await finish()).map((eventId) => names.get(eventId)).toSorted()).toEqual(expected);
    });

    it("is about deliveries that were made from the first instant on, until before the last", async () => {
      const { id } = await kit.subscribe();
      const at: Date[] = [];
      for (let count = 0; count < 3; count++) {
        at.push(kit.clock.now());
        await exhaust(kit, 1);
      }
      const events = (await kit.deliveries()).map(({ eventId }) => eventId);
      await start(kit, id, { from: present(at[1]), to: present(at[2]) });
      expect(await finish()).toEqual([events[1]]);
    });

    it("is about deliveries that had ended when it was started: what ends later is looked at by who follows it", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 1);
      const [ended] = (await kit.deliveries()).map(({ eventId }) => eventId);
      await kit.emit(userUpdated());
      await kit.relay();
      kit.clock.step(1);
      const recovery = await start(kit, id);
      kit.clock.step(1);
      for (let attempt = 0; attempt < 3; attempt++) {
        await answerAll(kit, {});
        kit.clock.step(2 * HOUR_MS);
      }
      expect((await kit.deliveries()).map(({ state }) => state)).toEqual(["exhausted", "exhausted"]);
      expect(await finish()).toEqual([ended]);
      expect(await shown(kit, recovery)).toMatchObject({ state: "finished", matched: 1, sent: 1 });
    });

    it("has a share of the places of an endpoint's host, and the longest waiting goes first (R-X282)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 3 * PLACES);
      const events = (await kit.deliveries()).map(({ eventId }) => eventId);
      const recovery = await start(kit, id);
      await driveUntilFull(kit);
      expect(await shown(kit, recovery)).toMatchObject({ state: "running", matched: 3 * PLACES, sent: PLACES });
      // Of live deliveries of the same host none waits behind more than these.
      await kit.emit();
      await kit.relay();
      const claimed = await kit.claim();
      expect(claimed).toHaveLength(PLACES + 1);
      const resent = claimed.filter(({ round }) => round === 2);
      expect(resent.map(({ eventId }) => eventId).toSorted()).toEqual(events.slice(0, PLACES).toSorted());
      await kit.record(present(resent[0]), ACKNOWLEDGED);
      await drive(kit);
      expect(await shown(kit, recovery)).toMatchObject({ sent: PLACES + 1, acknowledged: 1 });
      for (const one of claimed) await kit.record(one, ACKNOWLEDGED);
      await finish();
      expect(await shown(kit, recovery)).toMatchObject({ state: "finished", acknowledged: 3 * PLACES });
    });

    it("of several at one host share those places (R-X282)", async () => {
      const { id } = await kit.subscribe({ label: "one" });
      const other = await kit.subscribe({ label: "two" });
      await exhaust(kit, PLACES);
      await start(kit, id);
      await start(kit, other.id);
      await driveUntilFull(kit);
      expect(await kit.claim()).toHaveLength(PLACES);
    });

    it("is not finished while what was skipped for it waits for places that another one has (R-X282)", async () => {
      const { id } = await kit.subscribe({ label: "one" });
      const other = await kit.subscribe({ label: "two" });
      await exhaust(kit, PLACES);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await setState(id, "paused");
      expect(await kit.claim()).toEqual([]);
      await driveUntilFull(kit);
      await start(kit, other.id);
      await driveUntilFull(kit);
      await setState(id, "active");
      await kit.operator.resumeRecovery({ recoveryId });
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "running", matched: PLACES, sent: 0 });
      expect(await finish()).toHaveLength(2 * PLACES);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "finished", sent: PLACES, acknowledged: PLACES });
    });

    it("pauses, resumes and is cancelled: what is under way ends, and is counted", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2 * PLACES);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await kit.operator.pauseRecovery({ recoveryId });
      expect(await answerAll(kit)).toHaveLength(PLACES);
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "paused", reason: "operator", acknowledged: PLACES });
      expect(await kit.claim()).toEqual([]);
      await kit.operator.resumeRecovery({ recoveryId });
      await driveUntilFull(kit);
      expect(await kit.claim(3)).toHaveLength(3);
      await kit.operator.cancelRecovery({ recoveryId });
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "cancelled", reason: "operator", sent: 2 * PLACES });
      await expect(kit.operator.resumeRecovery({ recoveryId })).rejects.toMatchObject({ reason: "recovery_cancelled" });
      for (const again of [kit.operator.pauseRecovery, kit.operator.cancelRecovery])
        expect((await again({ recoveryId })).recovery).toMatchObject({ state: RecoveryState.CANCELLED });
    });

    it("says of a cancelled one, once its instance integration is revoked, that no other one would help", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 1);
      const recoveryId = await start(kit, id);
      await kit.operator.cancelRecovery({ recoveryId });
      await kit.setConnection("revoked");
      await expect(kit.operator.resumeRecovery({ recoveryId })).rejects.toMatchObject({
        reason: "instance_integration_revoked",
      });
    });

    it("counts what was under way when it was cancelled, as it ends (R-X343)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2 * PLACES);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      const [first, second, ...others] = await kit.claim();
      await kit.record(present(first), ACKNOWLEDGED);
      const { recovery } = await kit.operator.cancelRecovery({ recoveryId });
      // What had ended by then is counted by then.
      expect(recovery?.progress).toMatchObject({ sent: PLACES, acknowledged: 1, failed: 0 });
      await kit.record(present(second), {});
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "cancelled", acknowledged: 1, failed: 1 });
      for (const one of others) await kit.record(one, ACKNOWLEDGED);
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toEqual({
        ...{ state: "cancelled", reason: "operator", matched: 2 * PLACES },
        ...{ sent: PLACES, acknowledged: PLACES - 1, failed: 1 },
      });
      expect(await kit.claim()).toEqual([]);
      expect(await kit.tables.selectFrom("webhooks_recovery_deliveries").selectAll().execute()).toEqual([]);
    });

    it("counts as not sent what was skipped after it was cancelled (R-X343)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 3);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await kit.operator.cancelRecovery({ recoveryId });
      await setState(id, "paused");
      expect(await kit.claim()).toEqual([]);
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "cancelled", sent: 0, acknowledged: 0, failed: 0 });
      expect(await kit.tables.selectFrom("webhooks_recovery_deliveries").selectAll().execute()).toEqual([]);
    });

    it("counts as not sent what was skipped for it and sent again by others before it looks (R-X284)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await setState(id, "paused");
      expect(await kit.claim()).toEqual([]);
      await setState(id, "active");
      const [first, second] = await kit.deliveries();
      for (const one of [first, second]) await kit.operator.resendDelivery({ deliveryId: present(one).id });
      await kit.record(present((await kit.claim(1))[0]), ACKNOWLEDGED);
      await driveUntilFull(kit);
      await answerAll(kit, {});
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toEqual({
        ...{ state: "finished", matched: 0, sent: 0, acknowledged: 0, failed: 0 },
      });
    });

    it("leaves nothing out that another one had under way when it was cancelled, and counts it for both", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2 * PLACES);
      const first = await start(kit, id);
      await driveUntilFull(kit);
      await kit.operator.cancelRecovery({ recoveryId: first });
      expect(await answerAll(kit, {})).toHaveLength(PLACES);
      // Started before those ends are counted.
      const second = await start(kit, id);
      const uncounted = kit.tables.selectFrom("webhooks_recovery_deliveries").select("delivery");
      expect(await uncounted.execute()).toHaveLength(PLACES);
      expect(await finish()).toHaveLength(2 * PLACES);
      expect(await shown(kit, first)).toMatchObject({ state: "cancelled", sent: PLACES, failed: PLACES });
      expect(await shown(kit, second)).toMatchObject({ state: "finished", acknowledged: 2 * PLACES, failed: 0 });
    });

    it("can be started once more when it was cancelled, and sends what is left", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2 * PLACES);
      const first = await start(kit, id);
      await driveUntilFull(kit);
      await kit.operator.cancelRecovery({ recoveryId: first });
      expect(await answerAll(kit)).toHaveLength(PLACES);
      const second = await start(kit, id);
      expect(await finish()).toHaveLength(PLACES);
      expect(await shown(kit, second)).toMatchObject({ state: "finished", matched: PLACES, acknowledged: PLACES });
    });

    it("counts a delivery whose body is no longer kept, and does not send it (R-X283)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 3);
      const { sequence } = await kit.tables
        .selectFrom("webhooks_settled")
        .select("sequence")
        .orderBy("sequence")
        .limit(1)
        .executeTakeFirstOrThrow();
      await kit.tables.deleteFrom("webhooks_delivery_bodies").where("sequence", "=", sequence).execute();
      const recovery = await start(kit, id);
      expect(await finish()).toHaveLength(2);
      expect(await shown(kit, recovery)).toEqual({
        ...{ state: "finished", matched: 3, sent: 2, acknowledged: 2, failed: 0, bodyRemoved: 1 },
      });
    });

    it("counts with them one whose body becomes too old between its resend and its attempt (R-X283)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 3);
      const recovery = await start(kit, id);
      await driveUntilFull(kit);
      const queued = await kit.tables
        .selectFrom("webhooks_queue")
        .select("sequence")
        .orderBy("sequence")
        .limit(1)
        .executeTakeFirstOrThrow();
      await kit.tables.deleteFrom("webhooks_delivery_bodies").where("sequence", "=", queued.sequence).execute();
      expect(await finish()).toHaveLength(2);
      expect(await shown(kit, recovery)).toEqual({
        ...{ state: "finished", matched: 3, sent: 2, acknowledged: 2, failed: 0, bodyRemoved: 1 },
      });
    });

    it("pauses itself when the endpoint fails all the time, before every delivery has failed once more (R-X284)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 4 * PLACES);
      const recoveryId = await start(kit, id);
      expect(await finish({})).toHaveLength(2 * PLACES);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "paused", reason: "endpoint_failing", failed: 20 });
      await kit.operator.resumeRecovery({ recoveryId });
      expect(await finish()).toHaveLength(2 * PLACES);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "finished", acknowledged: 20, failed: 20 });
    });

    it("stays paused for its subscription, however often the endpoint has failed by then (R-X284)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2 * PLACES);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      expect(await answerAll(kit, {})).toHaveLength(PLACES);
      await driveUntilFull(kit);
      const underWay = await kit.claim();
      await setState(id, "paused");
      await drive(kit);
      for (const one of underWay) await kit.record(one, {});
      await drive(kit);
      const reason = "subscription_paused";
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "paused", reason, failed: 2 * PLACES });
    });

    it("goes on when processes that had its attempts under way were killed: a lost outcome says nothing of the endpoint (R-X284)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 4 * PLACES);
      const recoveryId = await start(kit, id);
      for (let killed = 0; killed < 2; killed++) {
        await driveUntilFull(kit);
        expect(await kit.claim()).toHaveLength(PLACES);
        kit.clock.step(HOUR_MS);
        expect(await kit.claim()).toEqual([]);
      }
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "running", failed: 2 * PLACES });
      expect(await finish()).toHaveLength(2 * PLACES);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "finished", acknowledged: 20, failed: 20 });
    });

    it("pauses when its subscription is disabled meanwhile, and sends later what was skipped for it (R-X284)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2 * PLACES);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      const claimed = await kit.claim(2);
      await kit.record(present(claimed[0]), ACKNOWLEDGED);
      await kit.record(present(claimed[1]), GONE);
      expect(await kit.claim()).toEqual([]);
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toEqual({
        ...{ state: "paused", reason: "subscription_disabled", matched: 2 * PLACES },
        ...{ sent: 2, acknowledged: 1, failed: 1 },
      });
      await expect(kit.operator.resumeRecovery({ recoveryId })).rejects.toMatchObject({
        reason: "subscription_disabled",
      });
      await setState(id, "active");
      await kit.operator.resumeRecovery({ recoveryId });
      expect(await finish()).toHaveLength(2 * PLACES - 2);
      expect(await shown(kit, recoveryId)).toEqual({
        ...{ state: "finished", matched: 2 * PLACES, sent: 2 * PLACES, acknowledged: 2 * PLACES - 1, failed: 1 },
      });
    });

    it("is cancelled when its subscription is deleted in the middle, and so is what waited (R-X284)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2 * PLACES);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      const [first] = await kit.claim(1);
      await kit.tables.deleteFrom("webhooks_signing_secrets").where("subscription_id", "=", id).execute();
      await kit.tables.deleteFrom("webhooks_subscriptions").where("id", "=", id).execute();
      expect(await kit.claim()).toEqual([]);
      // What had left already is recorded as it ended.
      expect(await kit.record(present(first), ACKNOWLEDGED)).toBe(1);
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toEqual({
        ...{ state: "cancelled", reason: "subscription_deleted", matched: 2 * PLACES },
        ...{ sent: 1, acknowledged: 1, failed: 0 },
      });
      expect(await kit.tables.selectFrom("webhooks_queue").select("id").execute()).toEqual([]);
      expect(await kit.tables.selectFrom("webhooks_recovery_deliveries").selectAll().execute()).toEqual([]);
    });

    it("is cancelled when its subscription is deleted, or its instance integration revoked, while it is paused (R-X284)", async () => {
      const { id } = await kit.subscribe({ label: "one" });
      const other = await kit.subscribe({ label: "two" });
      await exhaust(kit, 1);
      const [recoveryId, ofOther] = [await start(kit, id), await start(kit, other.id)];
      for (const paused of [recoveryId, ofOther]) await kit.operator.pauseRecovery({ recoveryId: paused });
      await kit.subscriptions.deleteSubscription({ subscriptionId: id });
      await drive(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "cancelled", reason: "subscription_deleted" });
      expect(await shown(kit, ofOther)).toMatchObject({ state: "paused" });
      await kit.setConnection("revoked");
      await drive(kit);
      expect(await shown(kit, ofOther)).toMatchObject({ state: "cancelled", reason: "instance_integration_revoked" });
    });

    it("does not send again what was skipped, once its body is gone (R-X283)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await setState(id, "paused");
      expect(await kit.claim()).toEqual([]);
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "paused", reason: "subscription_paused", sent: 0 });
      await kit.tables.deleteFrom("webhooks_delivery_bodies").execute();
      await setState(id, "active");
      await kit.operator.resumeRecovery({ recoveryId });
      await finish();
      expect(await shown(kit, recoveryId)).toEqual({
        ...{ state: "finished", matched: 2, sent: 0, acknowledged: 0, failed: 0, bodyRemoved: 2 },
      });
      expect((await kit.deliveries()).map(({ state, reason }) => [state, reason])).toEqual([
        ["skipped", "subscription_paused"],
        ["skipped", "subscription_paused"],
      ]);
    });

    it("goes on in a process that begins in the middle, as if nothing had been (R-X281)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 3 * PLACES);
      const recovery = await start(kit, id);
      await driveUntilFull(kit);
      const before = await answerAll(kit);
      kit = webhooksKit(kit.opened, { clock: kit.clock });
      const after = await finish();
      expect(new Set([...before, ...after]).size).toBe(3 * PLACES);
      expect(before.length + after.length).toBe(3 * PLACES);
      expect(await shown(kit, recovery)).toMatchObject({ state: "finished", acknowledged: 3 * PLACES });
    });

    it("sends each delivery once when several processes drive it at the same time", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 4 * PLACES);
      const recovery = await start(kit, id);
      const racers = (await kit.opened.racers(3)).map((racer) => webhooksKit(racer, { clock: kit.clock }));
      const events: string[] = [];
      for (let turn = 0; turn < 12; turn++) {
        await Promise.all(racers.map(drive));
        events.push(...(await answerAll(kit)));
      }
      expect(new Set(events).size).toBe(4 * PLACES);
      expect(events).toHaveLength(4 * PLACES);
      await drive(kit);
      expect(await shown(kit, recovery)).toMatchObject({ state: "finished", acknowledged: 4 * PLACES });
    });

    it("omits what was sent again in the meantime", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, PLACES + 1);
      const recovery = await start(kit, id);
      await driveUntilFull(kit);
      const last = present((await kit.deliveries()).at(-1));
      await kit.operator.resendDelivery({ deliveryId: last.id });
      expect(await finish()).toHaveLength(PLACES + 1);
      expect(await shown(kit, recovery)).toMatchObject({ state: "finished", matched: PLACES, acknowledged: PLACES });
    });

    it("omits pings, which try the endpoint of their moment", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2);
      const [ping, event] = await kit.deliveries();
      await kit.tables
        .updateTable("webhooks_settled")
        .set({ event_type: "webhook.ping" })
        .where("id", "=", present(ping).id)
        .execute();
      const recovery = await start(kit, id);
      expect(await finish()).toEqual([present(event).eventId]);
      expect(await shown(kit, recovery)).toMatchObject({ state: "finished", matched: 1 });
    });

    it("finishes at once when there is nothing to send", async () => {
      const { id } = await kit.subscribe();
      const recovery = await start(kit, id);
      await driveUntilFull(kit);
      expect(await shown(kit, recovery)).toEqual({
        state: "finished",
        matched: 0,
        sent: 0,
        acknowledged: 0,
        failed: 0,
      });
    });

    it("reads a long history in bounded pages, and finds what is behind it", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 2);
      const row = await kit.tables.selectFrom("webhooks_settled").selectAll().limit(1).executeTakeFirstOrThrow();
      // Before the range, of the same state and subscription.
      const old = Array.from({ length: 1_200 }, (__, index) => ({
        ...row,
        ...{ sequence: 10 + index, id: newId("delivery", systemRandom), created_at: 0 },
      }));
      for (let from = 0; from < old.length; from += 100)
        await kit.tables
          .insertInto("webhooks_settled")
          .values(old.slice(from, from + 100))
          .execute();
      await kit.tables.updateTable("webhooks_settled").set({ sequence: 5_000 }).where("id", "=", row.id).execute();
      await kit.tables
        .updateTable("webhooks_delivery_bodies")
        .set({ sequence: 5_000 })
        .where("sequence", "=", row.sequence)
        .execute();
      const recovery = await start(kit, id);
      expect(await finish()).toHaveLength(2);
      expect(await shown(kit, recovery)).toMatchObject({ state: "finished", matched: 2, acknowledged: 2 });
    });

    it("is one at a time for each subscription, which must exist and be open for deliveries", async () => {
      const { id } = await kit.subscribe();
      await start(kit, id);
      await expect(start(kit, id)).rejects.toMatchObject({ code: "ALREADY_EXISTS", reason: "recovery_not_over" });
      await expect(start(kit, newId("subscription", systemRandom))).rejects.toMatchObject({ code: "NOT_FOUND" });
      const other = await kit.subscribe();
      await setState(other.id, "paused");
      await expect(start(kit, other.id)).rejects.toMatchObject({ reason: "subscription_paused" });
    });

    it("lists newest first, by subscription and state, a page at a time", async () => {
      const ids: string[] = [];
      for (let count = 0; count < 3; count++) ids.push(await start(kit, (await kit.subscribe()).id));
      await kit.operator.cancelRecovery({ recoveryId: present(ids[1]) });
      const list = async (more: Partial<Parameters<WebhooksKit["operator"]["listRecoveries"]>[0]> = {}) =>
        kit.operator.listRecoveries({ states: [], limit: 0, ...more });
      expect((await list()).recoveries.map(({ id }) => id)).toEqual(ids.toReversed());
      const first = await list({ limit: 2 });
      const rest = await list({ limit: 2, cursor: first.nextCursor });
      expect([...first.recoveries, ...rest.recoveries].map(({ id }) => id)).toEqual(ids.toReversed());
      expect(rest.nextCursor).toBeNull();
      expect((await list({ states: [RecoveryState.CANCELLED] })).recoveries.map(({ id }) => id)).toEqual([ids[1]]);
      const subscriptionId = present(first.recoveries[0]).subscriptionId;
      expect((await list({ subscriptionId })).recoveries.map(({ id }) => id)).toEqual([ids[2]]);
      await expect(list({ limit: 501, cursor: "x", subscriptionId: "y" })).rejects.toMatchObject({
        violations: [{ field: "subscription_id" }, { field: "limit" }, { field: "cursor" }],
      });
    });

    it("writes into the audit log who changed it, and what it did by itself", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 1);
      const recoveryId = await start(kit, id);
      await kit.operator.pauseRecovery({ recoveryId });
      await kit.operator.pauseRecovery({ recoveryId });
      await kit.operator.resumeRecovery({ recoveryId });
      await finish();
      const second = await start(kit, id);
      await kit.operator.cancelRecovery({ recoveryId: second });
      const entries = await auditOf(kit.opened, "recovery.");
      expect(entries.map(({ actor, action, object }) => [actor, action, object])).toEqual([
        ["operator", "recovery.start", recoveryId],
        ["operator", "recovery.pause", recoveryId],
        ["operator", "recovery.resume", recoveryId],
        ["services", "recovery.finish", recoveryId],
        ["operator", "recovery.start", second],
        ["operator", "recovery.cancel", second],
      ]);
      expect(entries[3]?.facts).toEqual({ sent: 1, acknowledged: 1, failed: 0, bodyRemoved: 0 });
    });

    it("sends again what was skipped and exhausted while the clock was ahead (R-X373)", async () => {
      const { id } = await kit.subscribe();
      const right = kit.clock.now();
      kit.clock.step(YEAR_MS);
      await exhaust(kit, 1);
      await setState(id, "paused");
      await kit.emit(userUpdated());
      await kit.relay();
      kit.clock.set(right);
      await setState(id, "active");
      const recoveryId = await start(kit, id);
      expect(await finish()).toHaveLength(2);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "finished", matched: 2, acknowledged: 2 });
    });

    it("takes nothing for a time of a clock that was ahead while the clock itself may be behind (R-X373)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 1);
      const started = webhooksKit(kit.opened, { clock: kit.clock, ranMs: 60_000 });
      kit.clock.set(new Date("2020-01-01T00:00:00Z"));
      const recoveryId = await start(started, id);
      await driveUntilFull(started);
      expect(await shown(started, recoveryId)).toMatchObject({ state: "finished", matched: 0 });
    });

    /** What a restore does with recoveries and deliveries. */
    async function restoreStore() {
      const { store, wake } = kit.opened;
      const { clock } = kit;
      const restored = webhooksRestored({ store, wake, clock, random: systemRandom, settings: settingsFor() });
      await inTransaction(store.view(), (tx) => restored.suspendAll(tx, clock.now()));
    }

    it("is paused by a restore, and goes on when an operator says so (R-X286)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, PLACES + 2);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await restoreStore();
      await driveUntilFull(kit);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "paused", reason: "store_restored", sent: PLACES });
      expect(await kit.claim()).toEqual([]);
      await kit.operator.releaseDeliveries({ cancel: false });
      await kit.operator.resumeRecovery({ recoveryId });
      expect(await finish()).toHaveLength(PLACES + 2);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "finished", acknowledged: PLACES + 2 });
    });

    it("leaves its places to others while a restored store suspends its deliveries (R-X282, R-X286)", async () => {
      const endpointUrl = "https://shared.example/";
      const { id } = await kit.subscribe({ endpointUrl });
      const other = await kit.subscribe({ endpointUrl });
      await exhaust(kit, PLACES + 2);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await restoreStore();
      const ofOther = await start(kit, other.id);
      expect(await finish()).toHaveLength(PLACES + 2);
      expect(await shown(kit, ofOther)).toMatchObject({ state: "finished", acknowledged: PLACES + 2 });
      // What is not suspended of its own goes on, too.
      await kit.operator.resumeRecovery({ recoveryId });
      expect(await finish()).toHaveLength(2);
      await kit.operator.releaseDeliveries({ cancel: false });
      expect(await finish()).toHaveLength(PLACES);
      expect(await shown(kit, recoveryId)).toMatchObject({ state: "finished", acknowledged: PLACES + 2 });
    });

    it("counts as not sent what was suspended and is cancelled (R-X281, R-X286)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, PLACES + 2);
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await restoreStore();
      await kit.operator.releaseDeliveries({ cancel: true });
      await kit.operator.resumeRecovery({ recoveryId });
      expect(await finish()).toHaveLength(2);
      expect(await shown(kit, recoveryId)).toEqual({
        ...{ state: "finished", matched: 2, sent: 2, acknowledged: 2, failed: 0 },
      });
    });

    it("is removed 90 days after its end, and not while it is paused (R-X236)", async () => {
      const { id } = await kit.subscribe();
      await exhaust(kit, 1);
      const ended = await start(kit, id);
      await driveUntilFull(kit);
      const paused = await start(kit, (await kit.subscribe()).id);
      await kit.operator.cancelRecovery({ recoveryId: ended });
      await kit.operator.pauseRecovery({ recoveryId: paused });
      kit.clock.step(91 * 24 * HOUR_MS);
      await kit.sweep();
      const { recoveries } = await kit.operator.listRecoveries({ states: [], limit: 0 });
      expect(recoveries.map(({ id }) => id)).toEqual([paused]);
      // What had never ended of the removed one keeps no places.
      expect(await kit.tables.selectFrom("webhooks_recovery_deliveries").selectAll().execute()).toEqual([]);
    });
  });
});
