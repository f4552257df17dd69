import { sql } from "kysely";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { runtimeSweepLoop } from "../../../src/runtime/changes/sweep-loop.ts";
import { standingClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore } from "../../support/stores.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const codec = { encode: () => ({ finish: () => Buffer.of(1) }), decode: () => undefined };

eachStore((_, open) => {
  it("removes stored requests after 24 h (R-G18) and entries that earlier versions relayed after 30 days, in batches, and nothing else", async () => {
    const { store, wake } = await open();
    const clock = standingClock();
    const changes = createChanges({ store, clock, random: seededRandom(), wake });
    const emitAs = (requestId: string) =>
      changes.run(
        (change) =>
          change.emit({
            eventType: "guest.arrived",
            entity: { type: "guest", id: requestId },
            instanceId: "instance_1",
            tenantId: null,
            data: {},
            selfPath: "/",
          }),
        { repeat: { requestId, caller: "platform", method: "/x", content: Buffer.of(1), answer: codec } },
      );
    // As versions did that kept what they had relayed.
    const relay = () => sql`update outbox_entries set relayed_at = ${clock.now().getTime()}`.execute(store.view());
    const left = async (table: string) => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
        store.view(),
      );
      return Number(rows[0]?.count);
    };
    const sweep = async () => {
      const ending = new AbortController();
      // One sweep has a pass over each of the four tables; the abort ends the wait for the next sweep.
      let passes = 0;
      await runtimeSweepLoop({ store, clock, auditKeptDays: 400 }).run(ending.signal, async (work) => {
        const result = await work(new AbortController().signal);
        if (++passes === 4) ending.abort();
        return result;
      });
    };

    // More than a batch of relayed entries, then one that is not relayed.
    // Not all at once: on a busy machine the last ones would wait too long for a connection.
    for (let emitted = 0; emitted < 501; emitted += 167)
      await Promise.all(Array.from({ length: 167 }, (__, index) => emitAs(`old-${emitted + index}`)));
    await relay();
    clock.step(DAY_MS + 1);
    await emitAs("young");
    await sweep();
    expect([await left("change_requests"), await left("outbox_entries")]).toEqual([1, 502]);

    clock.step(30 * DAY_MS);
    await sweep();
    expect([await left("change_requests"), await left("outbox_entries")]).toEqual([0, 1]);
  });
});
