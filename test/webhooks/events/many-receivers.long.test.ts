import type { Loop } from "../../../src/runtime/process/loop.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore } from "../../support/stores.ts";
import { openKit, userUpdated, type WebhooksKit } from "../webhooks-kit.ts";

const RECEIVERS = 1_203;

const made = (kit: WebhooksKit) =>
  kit.tables.selectFrom("webhooks_queue").select(["event_id", "subscription_id"]).orderBy("sequence").execute();

eachStore((_, open) => {
  describe("an event with more receivers than one transaction takes (R-X235)", () => {
    let kit: WebhooksKit;
    let ids: readonly string[];
    beforeEach(async () => {
      kit = await openKit(open);
      await kit.subscribe();
      await kit.multiply(RECEIVERS);
      const rows = await kit.tables.selectFrom("webhooks_subscriptions").select("id").orderBy("created_at").execute();
      ids = rows.map(({ id }) => id);
    });

    it("is relayed at most 500 at a time, oldest subscription first, each once; events keep their order", async () => {
      await kit.emit(userUpdated(), userUpdated());
      const counts: number[] = [];
      for (let transaction = 0; transaction < 6; transaction++) {
        await kit.relayOnce();
        counts.push((await made(kit)).length);
      }
      const rows = await made(kit);
      expect(counts).toEqual([500, 1_000, RECEIVERS, RECEIVERS + 500, RECEIVERS + 1_000, 2 * RECEIVERS]);
      expect(rows.map(({ subscription_id }) => subscription_id)).toEqual([...ids, ...ids]);
      expect(new Set(rows.slice(0, RECEIVERS).map(({ event_id }) => event_id)).size).toBe(1);
      expect(await kit.tables.selectFrom("outbox_entries").selectAll().execute()).toEqual([]);
    });

    it("is relayed 200 at most at first by a relay that was woken, since callers may wait for it (decision 0075)", async () => {
      const counts: number[] = [];
      const ending = new AbortController();
      const [relay] = kit.loops as [Loop];
      const running = relay.run(ending.signal, async (work) => {
        const passed = await work(ending.signal);
        counts.push((await made(kit)).length);
        return passed;
      });
      await eventually(
        async () => counts,
        ({ length }) => length > 0,
      );
      await kit.emit();
      await eventually(
        async () => counts,
        (found) => found.at(-1) === RECEIVERS,
      );
      ending.abort();
      await running;
      expect([...new Set(counts)]).toEqual([0, 200, 700, 1_200, RECEIVERS]);
    });

    it("does not slow down the events behind it that nobody receives", async () => {
      const unwanted = Array.from({ length: 90 }, () => ({
        ...userUpdated(),
        instanceId: "instance_nobodyListensToThis",
      }));
      await kit.emit(userUpdated(), ...unwanted);
      const [relay] = kit.loops as [Loop];
      const ending = new AbortController();
      let passes = 0;
      const running = relay.run(ending.signal, async (work) => {
        passes++;
        return work(ending.signal);
      });
      const left = () => kit.tables.selectFrom("outbox_entries").select("event_id").execute();
      await eventually(left, (rows) => rows.length === 0);
      ending.abort();
      await running;
      expect(await made(kit)).toHaveLength(RECEIVERS);
      // Three for the one, some that double for the others, and looks that find nothing.
      expect(passes).toBeLessThanOrEqual(15);
    });

    it("finds the few subscriptions that match among many that do not", async () => {
      const wanting = [ids[0], ids[1_000], ids[1_001], ids[RECEIVERS - 1]].map(String);
      await kit.tables.updateTable("webhooks_subscriptions").set({ event_types: '["client.created"]' }).execute();
      await kit.tables
        .updateTable("webhooks_subscriptions")
        .set({ event_types: '["user.*"]' })
        .where("id", "in", wanting)
        .execute();
      await kit.emit(userUpdated(), userUpdated());
      await kit.relay();
      expect((await made(kit)).map(({ subscription_id }) => subscription_id)).toEqual([...wanting, ...wanting]);
    });

    it("a subscription that is made while it is relayed gets the events that follow it", async () => {
      await kit.emit();
      await kit.relayOnce();
      kit.clock.step(1);
      const { id } = await kit.subscribe({ label: "late" });
      await kit.emit();
      await kit.relay();
      const late = (await made(kit)).filter(({ subscription_id }) => subscription_id === id);
      expect(late).toHaveLength(1);
      expect(await made(kit)).toHaveLength(2 * RECEIVERS + 1);
    });
  });
});
