import { sql } from "kysely";
import type { OutboxEntry } from "../../../src/runtime/outbox/outbox.ts";
import { toConnection } from "../../../src/webhooks/events/relay-loop.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { eventually } from "../../support/eventually.ts";
import { LOCK_WAITS } from "../../support/lock-waits.ts";
import { eachStore, onPostgres } from "../../support/stores.ts";
import {
  ACKNOWLEDGED,
  entryOf,
  INSTANCE_ID,
  INSTANCE_INTEGRATION_ID,
  openKit,
  userUpdated,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";

type Told = Omit<OutboxEntry, "eventId" | "occurredAt">;

/** As workforce writes it. */
const becomes = (state: "CONFIGURED" | "UNCONFIGURED" | "REVOKED", revision: number): Told => ({
  internal: true,
  eventType: "instanceIntegration.standing",
  entity: { type: "instanceIntegration", id: INSTANCE_INTEGRATION_ID },
  instanceId: INSTANCE_ID,
  tenantId: null,
  data: { state: `INSTANCE_INTEGRATION_STATE_${state}`, revision },
  selfPath: "",
});

const UNCONFIGURED = "instance_integration_unconfigured";
const REVOKED = "instance_integration_revoked";

eachStore((_, open) => {
  describe("the state of an instance integration (R-E14)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
      await kit.subscribe();
    });

    const states = async () => (await kit.deliveries()).map(({ state, reason }) => [state, reason]);
    const shown = async () =>
      (await kit.operator.listSubscriptions({ states: [] })).subscriptions.map(({ state, stateReason }) => [
        state.replace("SUBSCRIPTION_STATE_", ""),
        stateReason,
      ]);
    const emitAndRelay = async (...told: readonly Told[]) => {
      await kit.emit(...told);
      await kit.relay();
    };

    it("is not delivered as an event, and leaves the events before it in its batch alone", async () => {
      await emitAndRelay(
        userUpdated(),
        becomes("UNCONFIGURED", 2),
        userUpdated(),
        becomes("CONFIGURED", 3),
        userUpdated(),
      );
      expect(await states()).toEqual([
        ["pending", undefined],
        ["skipped", UNCONFIGURED],
        ["pending", undefined],
      ]);
      expect((await kit.deliveries()).map(({ eventType }) => eventType)).toEqual(Array(3).fill("user.updated"));
    });

    it("skips waiting deliveries at their turn, without an attempt, and lets an attempt under way finish", async () => {
      const failing = await kit.claimOne();
      const finishing = await kit.claimOne();
      await kit.record(failing);
      await emitAndRelay(userUpdated());
      await emitAndRelay(becomes("UNCONFIGURED", 2));
      await kit.record(finishing, ACKNOWLEDGED);
      kit.clock.step(120_000);
      expect(await kit.claim()).toEqual([]);
      expect((await kit.deliveries()).map(({ state, reason, attempts }) => [state, reason, attempts.length])).toEqual([
        ["skipped", UNCONFIGURED, 1],
        ["delivered", undefined, 1],
        ["skipped", UNCONFIGURED, 0],
      ]);
      expect(await shown()).toEqual([["DISABLED", UNCONFIGURED]]);
    });

    it("sends again once it is configured, and delivers what still waits", async () => {
      const failing = await kit.claimOne();
      await kit.record(failing);
      await emitAndRelay(becomes("UNCONFIGURED", 2), becomes("CONFIGURED", 3), userUpdated());
      kit.clock.step(120_000);
      expect(await kit.claim()).toHaveLength(2);
      expect(await shown()).toEqual([["ACTIVE", null]]);
    });

    it("cancels waiting deliveries once it is revoked, and makes no delivery any more", async () => {
      const failing = await kit.claimOne();
      await kit.record(failing);
      await emitAndRelay(userUpdated(), becomes("REVOKED", 2), userUpdated());
      kit.clock.step(120_000);
      expect(await kit.claim()).toEqual([]);
      expect(await states()).toEqual([
        ["cancelled", REVOKED],
        ["cancelled", REVOKED],
      ]);
      expect(await shown()).toEqual([["DISABLED", REVOKED]]);
    });

    it("the higher revision wins, in whatever order two relays take the entries (R-X56)", async () => {
      await emitAndRelay(becomes("CONFIGURED", 7), becomes("UNCONFIGURED", 6), userUpdated());
      expect(await states()).toEqual([["pending", undefined]]);
      await emitAndRelay(becomes("REVOKED", 9));
      await emitAndRelay(becomes("CONFIGURED", 8), userUpdated());
      expect(await shown()).toEqual([["DISABLED", REVOKED]]);
      expect(await kit.claim()).toEqual([]);
      expect(await states()).toEqual([["cancelled", REVOKED]]);
    });

    it("applies also to a subscription that was made meanwhile", async () => {
      await emitAndRelay(becomes("UNCONFIGURED", 2));
      const { id } = await kit.subscribe();
      await emitAndRelay(userUpdated());
      const mine = (await kit.deliveries()).filter(({ subscriptionId }) => subscriptionId === id);
      expect(mine.map(({ state, reason }) => [state, reason])).toEqual([["skipped", UNCONFIGURED]]);
    });

    it("leaves a subscription's own state: a paused one stays paused (R-X55)", async () => {
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      await emitAndRelay(becomes("UNCONFIGURED", 2), userUpdated());
      expect(await shown()).toEqual([["PAUSED", null]]);
      await emitAndRelay(becomes("CONFIGURED", 3), userUpdated());
      expect(await states()).toEqual(Array(2).fill(["skipped", "subscription_paused"]));
    });

    it("leaves other instance integrations alone, and other internal entries change nothing here", async () => {
      const other = { ...becomes("REVOKED", 2), entity: { type: "instanceIntegration", id: "installation_other" } };
      await emitAndRelay(other, { ...becomes("REVOKED", 3), eventType: "something.else" }, userUpdated());
      expect(await states()).toEqual([["pending", undefined]]);
    });
  });
});

onPostgres((open) => {
  it("what follows a state that another relay is about to record is relayed after it (R-E14)", async () => {
    const opened = await open([webhooksMigrations]);
    const [first, second, third] = (await opened.racers(3)).map((racer) => webhooksKit(racer)) as [
      WebhooksKit,
      WebhooksKit,
      WebhooksKit,
    ];
    await first.subscribe();
    await first.emit(becomes("UNCONFIGURED", 2));
    await first.relay();
    await first.emit(userUpdated(), becomes("CONFIGURED", 3));
    // The first relay takes both, and waits for the row of the state.
    const isRecorded = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const locking = third.tables.transaction().execute(async (tx) => {
      await sql`select * from webhooks_connections for update`.execute(tx);
      isLocked.resolve();
      await isRecorded.promise;
    });
    await isLocked.promise;
    const relaying = first.relayOnce();
    const waiting = () => sql.raw(LOCK_WAITS).execute(third.tables);
    await eventually(waiting, ({ rows }) => rows.length > 0);

    await second.emit(userUpdated());
    await second.relayOnce();
    const meanwhile = await second.deliveries();
    isRecorded.resolve();
    await Promise.all([locking, relaying]);
    await second.relay();

    expect(meanwhile).toEqual([]);
    expect((await second.deliveries()).map(({ state, reason }) => [state, reason])).toEqual([
      ["skipped", UNCONFIGURED],
      ["pending", undefined],
    ]);
  });
});

it("rejects an unknown state", () => {
  const entry = entryOf({
    ...becomes("CONFIGURED", 1),
    data: { state: "INSTANCE_INTEGRATION_STATE_LOST", revision: 1 },
  });
  expect(() => toConnection(entry)).toThrow(/cannot be/);
});
