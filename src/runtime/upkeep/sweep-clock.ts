import type { Kysely } from "kysely";
import { type Clock, earlierOf, systemClock } from "../basis/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../basis/durations.ts";
import type { Database, Store } from "../database/database.ts";
import type { Log } from "../process/log.ts";
import { type Loop, repeating } from "../process/loop.ts";

interface SweepClockTables {
  store_identities: {
    /** The time by which rows were removed lately; `null` in a store of an earlier program. */
    readonly sweeps_as_of: number | null;
  };
  audit_entries: { readonly sequence: number; readonly at: number };
}

/** The time of the sweeps goes on, or back, by an hour at most for each minute that a process runs. */
const PACE = HOUR_MS / MINUTE_MS;

/** This program is younger than that, so no clock that says less is right. */
const BEFORE_THIS_PROGRAM = Date.UTC(2026, 10, 1);

/** Milliseconds that this process has run, by a clock that is never set. */
const ranMs = (): number => process.uptime() * 1_000;

interface SweepClock {
  /** The time by which rows are old enough to be removed, and signing keys old enough to be replaced. */
  readonly clock: Clock;
  /** Stores that time, and logs when it is far behind. */
  readonly loops: readonly Loop[];
}

interface SweepClockDeps {
  readonly store: Store;
  /** The store's. */
  readonly clock: Clock;
  /** The machine's, which is that of an embedded store. */
  readonly machine?: Clock;
  readonly log: Log;
}

/**
 * The clock of everything that removes rows for good (R-X249), and of signing keys (R-X390): a clock that is wrong for a moment
 * removes nothing that is kept, and moves no key. It follows the earlier one of the store's and the machine's, which are one
 * clock where PostgreSQL is on the same machine, from the time that is stored, at a pace (R-X370). Called before this process
 * writes an audit entry.
 */
export async function sweepClock({ store, clock, machine = systemClock, log }: SweepClockDeps): Promise<SweepClock> {
  const followed = earlierOf(clock, machine);
  const db = store.view<SweepClockTables>();
  const last = (await lastSweptAsOf(db)) ?? followed.now();
  const paced = pacedClock(followed, new Date(Math.max(last.getTime(), BEFORE_THIS_PROGRAM)), ranMs);
  return { clock: paced, loops: [sweepClockLoop({ db, clock: followed, paced, log })] };
}

interface PacedClock extends Clock {
  /** What is to be stored: where it goes on from once a clock that is behind is right again (R-X391). */
  reached(): Date;
}

/**
 * A clock that is never ahead of another one. From `from` on it follows that one by `PACE` times what the process has run;
 * a clock that was behind for a moment takes it back by no more.
 */
export function pacedClock(clock: Clock, from: Date, ran: () => number): PacedClock {
  let reached = from.getTime();
  let atRan = ran();
  const follow = (): number => {
    const nowRan = ran();
    const most = (nowRan - atRan) * PACE;
    atRan = nowRan;
    const now = clock.now().getTime();
    reached = now > reached ? Math.min(now, reached + most) : Math.max(now, reached - most);
    return Math.min(now, reached);
  };
  return {
    now: () => new Date(follow()),
    reached() {
      follow();
      return new Date(reached);
    },
  };
}

/**
 * The time that is shown to operators because removing is more than a day behind the clock; otherwise `undefined`.
 */
export function shownSweepTime(clock: Clock, sweeps: Clock): Date | undefined {
  const asOf = sweeps.now();
  return clock.now().getTime() - asOf.getTime() > DAY_MS ? asOf : undefined;
}

/** Where no program has stored it, the newest audit entry says when the store was last in use. */
async function lastSweptAsOf(db: Database<SweepClockTables>): Promise<Date | undefined> {
  const identity = await db.selectFrom("store_identities").select("sweeps_as_of").executeTakeFirst();
  if (identity?.sweeps_as_of != null) return new Date(identity.sweeps_as_of);
  const entry = await db
    .selectFrom("audit_entries")
    .select("at")
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return entry && new Date(entry.at);
}

interface SweepClockLoopDeps {
  readonly db: Kysely<SweepClockTables>;
  readonly clock: Clock;
  readonly paced: PacedClock;
  readonly log: Log;
}

function sweepClockLoop({ db, clock, paced, log }: SweepClockLoopDeps): Loop {
  let stored: number | undefined;
  let isBehind = false;
  const say = () => {
    const asOf = shownSweepTime(clock, paced);
    if ((asOf !== undefined) === isBehind) return;
    isBehind = asOf !== undefined;
    if (asOf === undefined) log.info("Rows are removed, and signing keys replaced, as of now again.");
    else
      log.warn(
        "Rows are removed, and signing keys replaced, as of an earlier time, since the clock is far ahead of when the store was last in use. It follows by an hour a minute; set the clock if it is wrong.",
        { detail: asOf.toISOString() },
      );
  };
  return {
    name: "sweep-clock",
    run: repeating(MINUTE_MS, async (pass) => {
      say();
      const asOf = paced.reached().getTime();
      // Each write is a flush: an hour is caught up with in a minute.
      if (stored === undefined || Math.abs(asOf - stored) >= HOUR_MS) {
        await pass(() => db.updateTable("store_identities").set({ sweeps_as_of: asOf }).execute());
        stored = asOf;
      }
    }),
  };
}
