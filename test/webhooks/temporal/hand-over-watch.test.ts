import { handOverWatch } from "../../../src/webhooks/temporal/hand-over-watch.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { eachStore } from "../../support/stores.ts";
import { openKit } from "../webhooks-kit.ts";

const nobody = (seconds: number) =>
  `No worker has asked for retries for ${seconds} s, and some are due. Is temporal-address set for the worker too, and is the worker well?`;

eachStore((_, open) => {
  it("services are degraded while retries are due and no worker asks for them (R-X74)", async () => {
    const kit = await openKit(open, { retries: "temporal" });
    const [check] = kit.checks;
    await kit.subscribe();
    kit.clock.step(120_000);
    const without = await check?.check();
    await kit.record(await kit.claimOne());
    const fresh = await check?.check();
    kit.clock.step(120_000);
    const overdue = await check?.check();
    await kit.dispatch.claimHandOvers({ limit: 1, waitMs: 0 });
    const asked = await check?.check();
    expect([check?.degrades, without, fresh, overdue, asked]).toEqual([
      true,
      undefined,
      undefined,
      nobody(240),
      undefined,
    ]);
  });
});

describe("a watch over waiting retries", () => {
  it("warns once", async () => {
    const clock = standingClock();
    const log = recordedLog();
    let looks = 0;
    const dueAt = clock.now();
    const watch = handOverWatch({
      handOvers: {
        async findNextOffer() {
          looks += 1;
          return dueAt;
        },
      },
      clock,
      log,
    });
    clock.step(120_000);
    const ending = new AbortController();
    const running = watch.loop.run(ending.signal);
    await eventually(
      async () => looks,
      (count) => count > 0,
    );
    ending.abort();
    await running;
    expect(log.lines.map(({ level, fields }) => [level, fields.detail])).toEqual([["warn", nobody(120)]]);
  });
});
