import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import { type Clock, systemClock } from "../basis/clock.ts";
import { type Loop, pause, withoutDeadline } from "../process/loop.ts";
import { Gauge, type Metrics } from "../process/metrics.ts";
import type { Store } from "./database.ts";

const COMPARE_MS = 10_000;
/** Questions of the first comparison; the quickest answer is the most precise. */
const FIRST_QUESTIONS = 5;

interface StoreClock {
  readonly clock: Clock;
  /** Loops that repeat the comparison; none where the store has no clock of its own. */
  readonly loops: readonly Loop[];
}

/**
 * The time of the store, for all processes that share it: instants that one of them wrote mean the same to the others, whatever their own
 * machines' clocks say or are set to (decision 0035). PostgreSQL is asked now and every ten seconds; in between the process counts by a
 * clock that is never set. The embedded store has one process, and the machine's clock.
 * @throws what the database throws, at the start only.
 */
export async function storeClock(store: Store, metrics: Metrics): Promise<StoreClock> {
  if (store.dialect === "sqlite") return { clock: systemClock, loops: [] };
  const offset = new Gauge({
    name: "gatehouse_clock_offset_seconds",
    help: "How far the machine's clock is ahead of the store's; the store's counts.",
    registers: [metrics],
  });
  const db = store.view<object>();
  /** The store's time when the counting clock was 0. */
  let origin: number | undefined;
  /** Uncertainty of the best answer so far, in milliseconds. */
  let width = Number.POSITIVE_INFINITY;

  async function compare(): Promise<void> {
    const askedAt = performance.now();
    const { rows } = await sql<{ readonly ms: string }>`
      select cast(extract(epoch from clock_timestamp()) * 1000 as text) as ms`.execute(db);
    const answeredAt = performance.now();
    const at = Number(rows[0]?.ms);
    // The store read its clock between question and answer. An offset within these bounds is kept: a slow answer adds
    // no precision.
    const [least, most] = [at - answeredAt, at - askedAt];
    width = Math.min(width, most - least);
    if (origin === undefined || origin < least || origin > most || most - least === width) origin = (least + most) / 2;
    offset.set((Date.now() - origin - performance.now()) / 1000);
  }

  for (let asked = 0; asked < FIRST_QUESTIONS; asked++) await compare();
  return {
    clock: { now: () => new Date((origin ?? 0) + performance.now()) },
    loops: [
      {
        name: "store-clock",
        async run(signal, pass = withoutDeadline(signal)) {
          while (!signal.aborted) {
            await pause(COMPARE_MS, signal);
            if (!signal.aborted) await pass(compare);
          }
        },
      },
    ],
  };
}
