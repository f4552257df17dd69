import { sql } from "kysely";
import { appendToAudit } from "../../../src/runtime/audit/audit.ts";
import type { Clock } from "../../../src/runtime/basis/clock.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { type IdentityTables, identifyStore } from "../../../src/runtime/upkeep/store-identity.ts";
import { pacedClock, shownSweepTime, sweepClock } from "../../../src/runtime/upkeep/sweep-clock.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { eachStore, inTransaction } from "../../support/stores.ts";
import { present } from "../../support/world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe("the time by which rows are removed (R-X370)", () => {
  const began = () => {
    const machine = standingClock();
    const from = machine.now();
    let ranMs = 0;
    const sweeps = pacedClock(machine, from, () => ranMs);
    /** Minutes behind the beginning. */
    const at = () => (sweeps.now().getTime() - from.getTime()) / MINUTE_MS;
    const run = (minutes: number) => {
      ranMs += minutes * MINUTE_MS;
      machine.step(minutes * MINUTE_MS);
    };
    return { machine, sweeps, at, run };
  };

  it("is that of a clock that runs as the process does, and of one that is set back", () => {
    const { machine, at, run } = began();
    run(30);
    expect(at()).toBe(30);
    machine.step(-45 * MINUTE_MS);
    expect(at()).toBe(-15);
  });

  it("follows a clock that jumps ahead by an hour for each minute that the process runs, and no further than the clock", () => {
    const { machine, at, run } = began();
    machine.step(3 * HOUR_MS);
    const path = [0, 1, 1, 1, 5].map((minutes) => {
      run(minutes);
      return at();
    });
    expect(path).toEqual([0, 60, 120, 180, 188]);
  });

  it("is the clock's again as soon as the clock is right again", () => {
    const { machine, at, run } = began();
    machine.step(500 * DAY_MS);
    run(1);
    expect(at()).toBe(60);
    machine.step(-500 * DAY_MS);
    expect(at()).toBe(1);
    run(10);
    expect(at()).toBe(11);
  });

  it("is where it was once a clock that was behind for a moment is right again (R-X391)", () => {
    const { machine, at, run } = began();
    machine.step(-20_000 * DAY_MS);
    run(1);
    expect(at()).toBe(1 - 20_000 * 24 * 60);
    machine.step(20_000 * DAY_MS);
    run(2);
    expect(at()).toBe(3);
  });

  it("is shown while it is more than a day behind", () => {
    const { machine, sweeps } = began();
    machine.step(DAY_MS);
    expect(shownSweepTime(machine, sweeps)).toBeUndefined();
    machine.step(1);
    expect(shownSweepTime(machine, sweeps)).toEqual(sweeps.now());
  });
});

eachStore((_, open) => {
  const openIdentified = async () => {
    const { store } = await open();
    /** Of the machine and of the store: one machine has both. */
    const clock = standingClock(new Date());
    const sealer = createSealer([Buffer.alloc(32, 7)], systemRandom);
    await identifyStore(store.view<IdentityTables>(), { sealer, sealed: [], random: systemRandom, now: clock.now() });
    const log = recordedLog();
    const start = (clocks: { readonly clock?: Clock; readonly machine?: Clock } = {}) =>
      sweepClock({ store, clock, machine: clock, log, ...clocks });
    const stored = async () => {
      const { rows } = await sql<{ at: string | null }>`
        select sweeps_as_of as at from store_identities`.execute(store.view());
      return rows[0]?.at == null ? undefined : Number(rows[0].at);
    };
    /** How far the time of a new process is behind the clock, in whole hours. */
    const hoursBehind = async () =>
      Math.round((clock.now().getTime() - (await start()).clock.now().getTime()) / HOUR_MS);
    return { store, clock, log, start, stored, hoursBehind };
  };

  it("begins with the clock in a new store, else with the newest audit entry, else where it was (R-X370)", async () => {
    const { store, clock, start, stored, hoursBehind } = await openIdentified();
    expect(await hoursBehind()).toBe(0);
    await inTransaction(store.view(), (tx) =>
      appendToAudit(tx, { actor: "test", action: "guest.arrive", object: "guest" }, "", clock.now()),
    );
    clock.step(3 * DAY_MS);
    expect(await hoursBehind()).toBe(72);

    const { loops } = await start();
    const ending = new AbortController();
    const ran = present(loops[0]).run(ending.signal);
    expect(await eventually(stored, (at) => at !== undefined)).toBeLessThan(clock.now().getTime() - 71 * HOUR_MS);
    ending.abort();
    await ran;
    await inTransaction(store.view(), (tx) =>
      appendToAudit(tx, { actor: "test", action: "guest.arrive", object: "guest" }, "", clock.now()),
    );
    expect(await hoursBehind()).toBe(72);
  });

  it("is kept by a start under a clock that is behind, as of a machine without a battery (R-X391)", async () => {
    const { store, clock, start, stored, hoursBehind } = await openIdentified();
    await sql`update store_identities set sweeps_as_of = ${clock.now().getTime() - 1}`.execute(store.view());
    const before = await stored();
    clock.step(-20_000 * DAY_MS);
    const ending = new AbortController();
    const ran = present((await start()).loops[0]).run(ending.signal);
    await eventually(stored, (at) => at !== before, 500);
    ending.abort();
    await ran;
    clock.step(20_000 * DAY_MS);
    expect(await hoursBehind()).toBe(0);
  });

  it("begins with the program's own time where a first start had a clock that was behind (R-X391)", async () => {
    const { clock, start, stored, hoursBehind } = await openIdentified();
    clock.step(-20_000 * DAY_MS);
    const ending = new AbortController();
    const ran = present((await start()).loops[0]).run(ending.signal);
    await eventually(stored, (at) => at !== undefined);
    ending.abort();
    await ran;
    clock.step(20_000 * DAY_MS);
    const ofProgram = Date.UTC(2026, 10, 1);
    expect(await hoursBehind()).toBe(Math.round((clock.now().getTime() - ofProgram) / HOUR_MS));
  });

  it.each([
    ["the store's", (ahead: Clock) => ({ clock: ahead })],
    ["the machine's", (ahead: Clock) => ({ machine: ahead })],
  ])("follows the earlier one where %s alone is ahead (R-X249)", async (_, clocks) => {
    const { clock, start } = await openIdentified();
    const ahead = standingClock(new Date(clock.now().getTime() + 500 * DAY_MS));
    expect((await start(clocks(ahead))).clock.now()).toEqual(clock.now());
  });

  it("says in the log that it is behind, and why (R-X370)", async () => {
    const { store, clock, log, start } = await openIdentified();
    await sql`update store_identities set sweeps_as_of = ${clock.now().getTime()}`.execute(store.view());
    clock.step(500 * DAY_MS);
    const ending = new AbortController();
    const ran = present((await start()).loops[0]).run(ending.signal);
    ending.abort();
    await ran;
    expect(log.lines.map(({ level, sentence }) => [level, sentence])).toEqual([
      ["warn", expect.stringContaining("far ahead of when the store was last in use")],
    ]);
  });
});
