import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { watchStatements } from "../../support/asked-statements.ts";
import { eachStore } from "../../support/stores.ts";
import { INTEGRATION_ID, openKit, type WebhooksKit } from "../webhooks-kit.ts";
import { answerAll, auditOf, drive, driveUntilFull, exhaust, inShort, ofLastDay, start } from "./recovery-kit.ts";

eachStore((_, open) => {
  describe("a recovery of each subscription (R-X360)", () => {
    let kit: WebhooksKit;
    let ids: { readonly [name in "one" | "two" | "paused"]: string };
    beforeEach(async () => {
      kit = await openKit(open);
      const made = async (label: string) => {
        kit.clock.step(1);
        return (await kit.subscribe({ label, endpointUrl: `https://${label}.example/` })).id;
      };
      ids = { one: await made("one"), two: await made("two"), paused: await made("paused") };
      await exhaust(kit, 2);
      await kit.tables
        .updateTable("webhooks_subscriptions")
        .set({ state: "paused" })
        .where("id", "=", ids.paused)
        .execute();
    });

    const startAll = async (more: Partial<ReturnType<typeof ofLastDay>> & { readonly integrationId?: string } = {}) => {
      const { subscriptionId: _, ...filter } = ofLastDay(kit, "", more);
      const { recoveries, notStarted, nextCursor } = await kit.operator.startRecoveries({ ...filter, ...more });
      expect(nextCursor ?? null).toBeNull();
      return { started: recoveries.map(({ subscriptionLabel }) => subscriptionLabel), notStarted, recoveries };
    };

    it("sends again what each did not get, and names those that it leaves out", async () => {
      const { started, notStarted } = await startAll();
      expect(started).toEqual(["one", "two"]);
      expect(notStarted).toEqual([
        {
          subscriptionId: ids.paused,
          subscriptionLabel: "paused",
          reason: "subscription_paused",
          sentence: "The subscription is paused. Resume it first.",
        },
      ]);
      await driveUntilFull(kit);
      expect(await answerAll(kit)).toHaveLength(4);
      await drive(kit);
      const { recoveries } = await kit.operator.listRecoveries({ states: [], limit: 0 });
      expect(recoveries.map(inShort)).toEqual(
        ["one", "two"].map(() => ({ state: "finished", matched: 2, sent: 2, acknowledged: 2, failed: 0 })),
      );
    });

    it("leaves an unfinished recovery as it is", async () => {
      const before = await start(kit, ids.one);
      const { started, notStarted, recoveries } = await startAll();
      expect(started).toEqual(["two"]);
      expect(notStarted.map(({ subscriptionLabel, reason }) => [subscriptionLabel, reason])).toEqual([
        ["one", "recovery_not_over"],
        ["paused", "subscription_paused"],
      ]);
      expect(recoveries.map(({ id }) => id)).not.toContain(before);
    });

    it("starts each once when it is asked for several times at once", async () => {
      const answers = await Promise.all([startAll(), startAll(), startAll()]);
      expect(answers.flatMap(({ started }) => started).toSorted()).toEqual(["one", "two"]);
      expect((await auditOf(kit.opened, "recovery.start")).map(({ facts }) => facts.subscriptionId).toSorted()).toEqual(
        [ids.one, ids.two].toSorted(),
      );
    });

    it("asks two statements for each that it starts, and none for one that it leaves out", async () => {
      const of = async () => (await watchStatements(() => startAll())).length;
      const first = await of();
      for (const { id: recoveryId } of (await kit.operator.listRecoveries({ states: [], limit: 0 })).recoveries)
        await kit.operator.cancelRecovery({ recoveryId });
      await kit.subscribe({ label: "three", endpointUrl: "https://three.example/" });
      expect(await of()).toBe(first + 2);
      const { id } = await kit.subscribe({ label: "four", endpointUrl: "https://four.example/" });
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).where("id", "=", id).execute();
      for (const { id: recoveryId } of (await kit.operator.listRecoveries({ states: [], limit: 0 })).recoveries)
        await kit.operator.cancelRecovery({ recoveryId }).catch(() => undefined);
      expect(await of()).toBe(first + 2);
    });

    it("is of one integration when an operator names it, and of none for one that has no subscription", async () => {
      expect((await startAll({ integrationId: newId("integration", systemRandom) })).started).toEqual([]);
      expect((await startAll({ integrationId: INTEGRATION_ID })).started).toEqual(["one", "two"]);
    });

    it("is of a hundred subscriptions in one request, the oldest first, and of the others behind its cursor", async () => {
      for (let number = 0; number < 99; number++) {
        kit.clock.step(1);
        await kit.subscribe({ label: `late-${number}`, endpointUrl: "https://late.example/" });
      }
      const { subscriptionId: _, ...filter } = ofLastDay(kit, "");
      const first = await kit.operator.startRecoveries(filter);
      const rest = await kit.operator.startRecoveries({ ...filter, cursor: first.nextCursor ?? "" });
      expect([first.recoveries.length, first.notStarted.length]).toEqual([99, 1]);
      expect(first.recoveries[0]?.subscriptionId).toBe(ids.one);
      expect(rest.recoveries.map(({ subscriptionLabel }) => subscriptionLabel)).toEqual(["late-97", "late-98"]);
      expect(rest.nextCursor ?? null).toBeNull();
    });

    it("names every wrong field at once", async () => {
      const wrong = {
        ...{ integrationId: "x", from: null, states: [], eventTypes: ["x"], tenantIds: ["y"], cursor: "z" },
      };
      await expect(kit.operator.startRecoveries(wrong)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: ["integration_id", "cursor", "from", "event_types[0]", "tenant_ids[0]"].map((field) =>
          expect.objectContaining({ field }),
        ),
      });
    });
  });
});
