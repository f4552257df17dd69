import type { Generated, Insertable } from "kysely";
import type { Clock } from "../basis/clock.ts";
import { Failure } from "../basis/errors.ts";
import { STORE_TROUBLE_TEXTS, type StoreTrouble } from "../basis/store-troubles.ts";
import type { Database, Store } from "../database/database.ts";
import type { Log } from "../process/log.ts";
import { type Loop, pause, withoutDeadline } from "../process/loop.ts";

const INTERVAL_MS = 1_000;

interface ProbeTables {
  store_probes: {
    readonly number: 1;
    readonly written_at: number;
    /** Never committed; PostgreSQL's only. */
    readonly padding: Generated<string | null>;
  };
}

interface StoreWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the trouble has begun, changed or ended. */
  onChange(trouble: StoreTrouble | undefined): void;
}

/**
 * Logs when the store stops and resumes accepting writes; while it accepts none, tries a write about once a second. Loops
 * that waited for the store then go on at once.
 */
export function storeWatchLoop({ store, clock, log, onChange }: StoreWatchDeps): Loop {
  const { health } = store;
  const db = store.view<ProbeTables>();
  let said: StoreTrouble | undefined;

  const say = (trouble: StoreTrouble | undefined, goOn: () => void) => {
    if (trouble === said) return;
    said = trouble;
    onChange(trouble);
    if (trouble !== undefined) return log.error("The store takes no writes.", { detail: STORE_TROUBLE_TEXTS[trouble] });
    log.info("The store takes writes again.");
    goOn();
  };

  const tryWrite = async () => {
    try {
      const written_at = clock.now().getTime();
      if (health.trouble === "full" && store.dialect === "postgres") await takeSpace(db, written_at);
      await put(db, { number: 1, written_at });
      health.proven();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  };

  return {
    name: "store-watch",
    async run(signal, pass = withoutDeadline(signal), goOn = () => undefined) {
      while (!signal.aborted) {
        say(health.trouble, goOn);
        // A pass runs without trouble too: only a pass in time clears the state "late".
        await pass(async () => {
          if (health.trouble !== undefined) await tryWrite();
        });
        say(health.trouble, goOn);
        await pause(INTERVAL_MS, signal);
      }
    },
  };
}

/** Changes one row, since a statement that changes nothing would not prove that the store accepts writes. */
async function put(db: Database<ProbeTables>, row: Insertable<ProbeTables["store_probes"]>): Promise<void> {
  await db
    .insertInto("store_probes")
    .values(row)
    .onConflict((conflict) => conflict.column("number").doUpdateSet(row))
    .execute();
}

/** More than the free pages that a table of one row may have. */
const SPACE_BYTES = 256 * 1024;

/** Has the database find room for new pages, and keeps nothing. @throws Failure when there is none. */
async function takeSpace(db: Database<ProbeTables>, written_at: number): Promise<void> {
  const tx = await db.startTransaction().execute();
  try {
    await put(tx, { number: 1, written_at, padding: "x".repeat(SPACE_BYTES) });
  } finally {
    await tx.rollback().execute();
  }
}
