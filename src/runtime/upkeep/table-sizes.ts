import type { Clock } from "../basis/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../basis/durations.ts";
import { Failure } from "../basis/errors.ts";
import { namedTrouble } from "../basis/store-troubles.ts";
import type { Database, Store } from "../database/database.ts";
import type { TableUpkeep } from "../database/sweeping.ts";
import { LONG_PASS_MS, type Loop, pause, withoutDeadline } from "../process/loop.ts";
import { Gauge, type Metrics } from "../process/metrics.ts";
import { measurePostgres } from "./postgres-sizes.ts";
import { onThread } from "./store-thread.ts";
import type { MeasuredTable } from "./store-worker.ts";

interface SizesTables {
  store_sizes: {
    readonly table_name: string;
    readonly measured_at: number;
    readonly row_count: number;
    readonly bytes: number;
  };
}

const FIRST_AFTER_MS = 5 * MINUTE_MS;
const MEASURED_EVERY_MS = 6 * HOUR_MS;
/** Growth is looked at over a week. */
const GROWTH_MS = 7 * DAY_MS;

/** A table as `gatehouse store status` shows it. */
interface TableSize extends Omit<MeasuredTable, "old"> {
  readonly rowsPerDay: number | undefined;
  /** Rows that reach their age within a day. */
  readonly removedWithinADay: number;
  readonly kept: string;
}

export interface TableSizes {
  /** Measures all tables, and remembers the measurement where the store takes writes. Largest first. */
  measure(signal: AbortSignal): Promise<readonly TableSize[]>;
  /** Measures every six hours, for the metrics and for growth. */
  readonly loop: Loop;
}

interface SizesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Of the embedded store's main file; `undefined` on PostgreSQL. */
  readonly storePath: string | undefined;
  readonly upkeep: readonly TableUpkeep[];
}

export function tableSizes({ store, clock, metrics, storePath, upkeep }: SizesDeps): TableSizes {
  const db = store.view<SizesTables>();
  let last: readonly TableSize[] = [];
  gauge({
    name: "gatehouse_store_table_rows",
    help: "Rows of each table, at the last measurement.",
    value: ({ rows }) => rows,
  });
  gauge({
    name: "gatehouse_store_table_bytes",
    help: "Size of each table with its indexes, at the last measurement.",
    value: ({ bytes }) => bytes,
  });
  gauge({
    name: "gatehouse_store_table_rows_per_day",
    help: "Rows that each table has gained a day, over at most the week before the last measurement.",
    value: ({ rowsPerDay }) => rowsPerDay,
  });
  gauge({
    name: "gatehouse_store_table_rows_to_remove",
    help: "Rows of each table that reached their age within a day of the last measurement.",
    value: ({ removedWithinADay }) => removedWithinADay,
  });

  function gauge({ value, ...words }: SizeGauge): void {
    new Gauge({
      ...words,
      labelNames: ["table"],
      registers: [metrics],
      collect() {
        this.reset();
        for (const size of last) {
          const known = value(size);
          if (known !== undefined) this.set({ table: size.table }, known);
        }
      },
    });
  }

  async function measure(signal: AbortSignal): Promise<readonly TableSize[]> {
    const now = clock.now().getTime();
    const ages = upkeep.flatMap((one) =>
      "age" in one ? [{ table: one.table, age: one.age, along: one.along, before: now + DAY_MS - one.keepMs }] : [],
    );
    const measured = await (storePath === undefined
      ? measurePostgres(store.view(), ages)
      : onThread({ task: "measure", store: storePath, ages }, signal));
    const earlier = await earliest(db, now);
    last = measured
      .map(({ old, ...size }) => ({
        ...size,
        rowsPerDay: growthOf(size.rows, earlier.get(size.table), now),
        removedWithinADay: old,
        kept: describe(upkeep.find(({ table }) => table === size.table)),
      }))
      .toSorted((one, other) => other.bytes - one.bytes || (one.table < other.table ? -1 : 1));
    await remember(db, measured, now).catch((error: unknown) => {
      // On a full disk one asks for what takes the space: that is answered, and no growth is counted from here (R-X250).
      if (!(error instanceof Failure) || namedTrouble(error.reason) === undefined) throw error;
    });
    return last;
  }

  return {
    measure,
    loop: {
      name: "store-sizes",
      passMs: LONG_PASS_MS,
      async run(signal, pass = withoutDeadline(signal)) {
        // A start has other work.
        for (let waitMs = FIRST_AFTER_MS; !signal.aborted; waitMs = MEASURED_EVERY_MS) {
          await pause(waitMs, signal);
          if (!signal.aborted) await pass(measure);
        }
      },
    },
  };
}

interface SizeGauge {
  readonly name: string;
  readonly help: string;
  /** `undefined` while it is not known. */
  value(size: TableSize): number | undefined;
}

interface Sample {
  readonly at: number;
  readonly rows: number;
}

/** Of each table, the earliest measurement of the last week. */
async function earliest(db: Database<SizesTables>, now: number): Promise<ReadonlyMap<string, Sample>> {
  const rows = await db
    .selectFrom("store_sizes")
    .select(["table_name", "measured_at", "row_count"])
    .where("measured_at", ">", now - GROWTH_MS)
    // Of a time when the clock was wrong.
    .where("measured_at", "<=", now)
    .orderBy("measured_at", "desc")
    .execute();
  // Later entries of a map replace earlier ones.
  return new Map(rows.map((row) => [row.table_name, { at: row.measured_at, rows: row.row_count }]));
}

const growthOf = (rows: number, earlier: Sample | undefined, now: number): number | undefined =>
  earlier === undefined || now - earlier.at < HOUR_MS
    ? undefined
    : Math.round(((rows - earlier.rows) / (now - earlier.at)) * DAY_MS);

/** The last measurement of each hour, with its own instant: growth is counted from there. */
async function remember(db: Database<SizesTables>, measured: readonly MeasuredTable[], now: number): Promise<void> {
  const hour = now - (now % HOUR_MS);
  const rows = measured.map(({ table, rows: row_count, bytes }) => ({
    table_name: table,
    measured_at: now,
    row_count,
    bytes,
  }));
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom("store_sizes")
      .where("measured_at", ">=", hour)
      .where("measured_at", "<", hour + HOUR_MS)
      .execute();
    await tx
      .insertInto("store_sizes")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["table_name", "measured_at"]).doUpdateSet(({ ref }) => ({
          row_count: ref("excluded.row_count"),
          bytes: ref("excluded.bytes"),
        })),
      )
      .execute();
  });
}

/** What is said of the columns that rows age by. */
const AGES: Readonly<Record<string, string>> = {
  at: "they were written",
  clear_at: "they count no more",
  created_at: "they were made",
  deleted_at: "they were deleted",
  ended_at: "they ended",
  expires_at: "they expire",
  measured_at: "they were measured",
  refused_at: "they were refused",
  relayed_at: "they were relayed",
};

function describe(upkeep: TableUpkeep | undefined): string {
  if (upkeep === undefined) return "";
  if ("bounded" in upkeep) return upkeep.bounded;
  const days = upkeep.keepMs / DAY_MS;
  const span = days >= 1 ? `${Math.round(days)} days` : `${Math.round(upkeep.keepMs / HOUR_MS)} hours`;
  return `removed ${span.replace(/^1 (\w+)s$/, "1 $1")} after ${AGES[upkeep.age] ?? upkeep.age.replaceAll("_", " ")}`;
}
