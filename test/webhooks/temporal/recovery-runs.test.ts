import { RecoveryChange } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { eachStore, onPostgres, type TestStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import { answerAll, auditOf, driveEndings, exhaust, inShort, start } from "../recoveries/recovery-kit.ts";
import { type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

const MINUTE = 60_000;

eachStore((_, open) => {
  describe("recoveries for an engine outside the store (R-X285)", () => {
    let opened: TestStore;
    let kit: WebhooksKit;
    let subscriptionId: string;
    beforeEach(async () => {
      opened = await open([webhooksMigrations]);
      // Failed deliveries are driven by the test; what is exhausted is so in a kit of the store's own engine.
      const embedded = webhooksKit(opened);
      subscriptionId = (await embedded.subscribe({ label: "marigold" })).id;
      await exhaust(embedded, 15);
      kit = webhooksKit(opened, { clock: embedded.clock, retries: "temporal" });
    });

    const offered = async () =>
      (await kit.dispatch.claimRecoveries({ limit: 50, waitMs: 0 })).recoveries.map(({ id }) => id);
    const advance = async (recoveryId: string) => {
      const { recovery, underWay } = await kit.dispatch.advanceRecovery({ recoveryId, waitMs: 0 });
      return { ...inShort(present(recovery)), underWay };
    };
    const change = async (recoveryId: string, wanted: RecoveryChange, requestId?: string) =>
      inShort(present((await kit.dispatch.changeRecovery({ recoveryId, change: wanted, requestId })).recovery));

    it("no loop of services drives them", () => {
      expect(kit.loops.map(({ name }) => name)).not.toContain("webhook-recoveries");
    });

    it("offers one that runs, and again when nothing has been asked about it for a minute", async () => {
      const id = await start(kit, subscriptionId);
      expect(await offered()).toEqual([id]);
      expect(await offered()).toEqual([]);
      kit.clock.step(MINUTE - 1);
      await advance(id);
      kit.clock.step(MINUTE - 1);
      expect(await offered()).toEqual([]);
      kit.clock.step(1);
      expect(await offered()).toEqual([id]);
    });

    it("takes a step for each question, and answers how far it has come", async () => {
      const id = await start(kit, subscriptionId);
      expect(await advance(id)).toMatchObject({ state: "running", matched: 15, sent: 0 });
      expect(await advance(id)).toMatchObject({ sent: 10, underWay: 10 });
      expect(await answerAll(kit)).toHaveLength(10);
      expect(await advance(id)).toMatchObject({ sent: 15, acknowledged: 10, underWay: 5 });
      await answerAll(kit);
      expect(await advance(id)).toMatchObject({ state: "finished", acknowledged: 15, underWay: 0 });
      expect(await offered()).toEqual([]);
      expect(await advance(id)).toMatchObject({ state: "finished", acknowledged: 15 });
    });

    it("counts by itself what was under way of one that was cancelled, whose workflow has ended (R-X343)", async () => {
      const id = await start(kit, subscriptionId);
      await advance(id);
      await advance(id);
      expect(await change(id, RecoveryChange.CANCEL)).toMatchObject({ state: "cancelled", sent: 10, acknowledged: 0 });
      expect(await offered()).toEqual([]);
      await answerAll(kit);
      await driveEndings(kit);
      expect(inShort(present((await kit.operator.getRecovery({ recoveryId: id })).recovery))).toMatchObject({
        ...{ state: "cancelled", sent: 10, acknowledged: 10 },
      });
    });

    it("leaves to the engine unfinished recoveries, when it counts by itself", async () => {
      const id = await start(kit, subscriptionId);
      await driveEndings(kit);
      expect(await advance(id)).toMatchObject({ state: "running", matched: 15, sent: 0 });
    });

    it("offers no paused one, and a resumed one at once", async () => {
      const id = await start(kit, subscriptionId);
      await offered();
      expect(await change(id, RecoveryChange.PAUSE)).toMatchObject({ state: "paused", reason: "operator" });
      kit.clock.step(2 * MINUTE);
      expect(await offered()).toEqual([]);
      await kit.operator.resumeRecovery({ recoveryId: id });
      expect(await offered()).toEqual([id]);
    });

    it("offers a paused one again when nothing has been asked about it for an hour, so that a lost run comes back", async () => {
      const id = await start(kit, subscriptionId);
      await change(id, RecoveryChange.PAUSE);
      await advance(id);
      kit.clock.step(60 * MINUTE + MINUTE - 1);
      expect(await offered()).toEqual([]);
      kit.clock.step(1);
      expect(await offered()).toEqual([id]);
      expect(await advance(id)).toMatchObject({ state: "paused", reason: "operator" });
      kit.clock.step(60 * MINUTE);
      expect(await offered()).toEqual([]);
    });

    it("does what was asked of the engine, as the worker, and leaves one that has ended as it is", async () => {
      const id = await start(kit, subscriptionId);
      await change(id, RecoveryChange.PAUSE);
      expect(await change(id, RecoveryChange.RESUME)).toMatchObject({ state: "running" });
      expect(await change(id, RecoveryChange.CANCEL)).toMatchObject({ state: "cancelled", reason: "operator" });
      expect(await change(id, RecoveryChange.RESUME)).toMatchObject({ state: "cancelled" });
      const entries = await auditOf(opened, "recovery.");
      expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
        "operator recovery.start",
        "worker recovery.pause",
        "worker recovery.resume",
        "worker recovery.cancel",
      ]);
    });

    it("does once what an engine asks for that repeats itself, and answers with the recovery as it is", async () => {
      const id = await start(kit, subscriptionId);
      await change(id, RecoveryChange.PAUSE, "run/1/pause");
      await change(id, RecoveryChange.RESUME, "run/2/resume");
      await kit.operator.pauseRecovery({ recoveryId: id });
      expect(await change(id, RecoveryChange.PAUSE, "run/1/pause")).toMatchObject({ state: "paused" });
      expect(await change(id, RecoveryChange.RESUME, "run/2/resume")).toMatchObject({ state: "paused" });
      expect(await change(id, RecoveryChange.RESUME, "run/3/resume")).toMatchObject({ state: "running" });
    });

    it("says what it does not know", async () => {
      const recoveryId = newId("recovery", systemRandom);
      await expect(advance(recoveryId)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(change(recoveryId, RecoveryChange.PAUSE)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(change(recoveryId, RecoveryChange.UNSPECIFIED)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      await expect(kit.dispatch.claimRecoveries({ limit: 51, waitMs: -1 })).rejects.toMatchObject({
        violations: [{ field: "limit" }, { field: "wait_ms" }],
      });
    });
  });
});

onPostgres((open) => {
  it("steps of several recoveries at one moment share the places of a host (R-X282)", async () => {
    const opened = await open([webhooksMigrations]);
    const embedded = webhooksKit(opened);
    const subscriptions = [await embedded.subscribe(), await embedded.subscribe(), await embedded.subscribe()];
    await exhaust(embedded, 15);
    const ids: string[] = [];
    for (const { id } of subscriptions) ids.push(await start(embedded, id));
    const racers = (await opened.racers(ids.length)).map((racer) =>
      webhooksKit(racer, { clock: embedded.clock, retries: "temporal" }),
    );
    // The first step of each counts what there is.
    for (const _ of ["count", "send"])
      await Promise.all(
        racers.map(({ dispatch }, index) => dispatch.advanceRecovery({ recoveryId: ids[index] ?? "", waitMs: 0 })),
      );
    const underWay = await embedded.tables.selectFrom("webhooks_recovery_deliveries").selectAll().execute();
    expect(underWay).toHaveLength(10);
  });
});
