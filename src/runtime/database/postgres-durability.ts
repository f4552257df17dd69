import type pg from "pg";
import { StartRefused } from "../basis/errors.ts";

/** With any other value a commit is acknowledged before the server, or the standby that takes over, has flushed it. */
const DURABLE: readonly unknown[] = ["on", "remote_apply"];

/**
 * Asserts that an acknowledged commit is durable, as `synchronous=FULL` is asserted for the embedded store. Later
 * connections set the same value, even if the database's default has changed since.
 * @throws StartRefused naming the server's setting.
 */
export async function assertDurableCommits(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ readonly synchronous_commit: string }>("show synchronous_commit")
    .catch(async (cause: NodeJS.ErrnoException) => {
      await pool.end();
      throw new StartRefused(`The PostgreSQL store does not answer (${cause.code ?? cause.message}). Start again.`, {
        cause,
      });
    });
  const value = rows[0]?.synchronous_commit;
  if (DURABLE.includes(value)) {
    const { options } = pool as unknown as { readonly options: { options?: string } };
    options.options = `${options.options ?? ""} -c synchronous_commit=${value}`;
    return;
  }
  await pool.end();
  throw new StartRefused(
    `The PostgreSQL store may lose acknowledged commits: its synchronous_commit is ${value}. Set it to on for this database or role, for example: alter role … set synchronous_commit = on`,
  );
}
