import { sql } from "kysely";
import { appendToAudit } from "../../../src/runtime/audit/audit.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { runtimeSweepLoop } from "../../../src/runtime/changes/sweep-loop.ts";
import { standingClock } from "../../support/clock.ts";
import { oneRound } from "../../support/one-round.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore, inTransaction } from "../../support/stores.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const codec = { encode: () => ({ finish: () => Buffer.of(1) }), decode: () => undefined };

eachStore((_, open) => {
  it("takes no entry for one of the future that is none by the clock, though removing is behind (R-X392)", async () => {
    const { store } = await open();
    const clock = standingClock();
    const sweepClock = standingClock();
    const days = [0, 395, 405, -20_000, 410];
    const beginning = clock.now().getTime();
    for (const day of days)
      await inTransaction(store.view(), (tx) =>
        appendToAudit(
          tx,
          { actor: "test", action: "guest.arrive", object: "guest" },
          "",
          new Date(beginning + day * DAY_MS),
        ),
      );
    clock.step(411 * DAY_MS);
    // Ten days behind; five days are kept.
    sweepClock.step(401 * DAY_MS);
    await oneRound(runtimeSweepLoop({ store, clock, sweepClock, auditKeptDays: 5 }));
    const { rows } = await sql<{ at: string }>`select at from audit_entries order by sequence`.execute(store.view());
    expect(rows.map(({ at }) => (Number(at) - beginning) / DAY_MS)).toEqual([405, -20_000, 410]);
  });

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
    const sweep = () => oneRound(runtimeSweepLoop({ store, clock, auditKeptDays: 400 }));

    // More than a batch of relayed entries, then one that is not relayed.
    // Not all at once: on a busy machine the last ones would wait too long for a connection.
    for (let emitted = 0; emitted < 501; emitted += 167)
      await Promise.all(Array.from({ length: 167 }, (__, index) => emitAs(`old-${emitted + index}`)));
    await relay();
    clock.step(DAY_MS);
    await sweep();
    expect(await left("change_requests")).toBe(501);
    clock.step(1);
    await emitAs("young");
    await sweep();
    expect([await left("change_requests"), await left("outbox_entries")]).toEqual([1, 502]);

    clock.step(29 * DAY_MS - 1);
    await sweep();
    expect(await left("outbox_entries")).toBe(502);
    clock.step(1);
    await sweep();
    expect([await left("change_requests"), await left("outbox_entries")]).toEqual([0, 1]);
  });
});
