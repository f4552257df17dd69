import pg from "pg";
import { POSTGRES_LOCK } from "../../../src/runtime/database/migrations.ts";
import { eventually } from "../../support/eventually.ts";
import { LOCK_WAITS } from "../../support/lock-waits.ts";
import type { Closer } from "../../support/scope.ts";

/** A client that has the lock of migrations, as a program has it that starts and migrates. */
export async function migrationsLocked(
  connectionString: string,
  closeLater: (closer: Closer) => void,
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  closeLater(() => client.end());
  await client.query("select pg_advisory_lock($1)", [POSTGRES_LOCK]);
  return client;
}

/** Resolves when one other connection waits for the lock. */
export const someoneWaits = (client: pg.Client): Promise<unknown> =>
  eventually(
    () => client.query(`${LOCK_WAITS} and locktype = 'advisory'`),
    ({ rowCount }) => rowCount === 1,
    60_000,
  );

export const unlockMigrations = (client: pg.Client): Promise<unknown> =>
  client.query("select pg_advisory_unlock($1)", [POSTGRES_LOCK]);
