import { sql } from "kysely";
import type { TestStore } from "./stores.ts";

/**
 * From now on PostgreSQL ends every first, third and so on transaction that writes a row of the table, at its commit, as after a
 * conflict. What it counts by is a sequence, which no rollback undoes.
 */
export async function endEveryOther({ store }: TestStore, table: string): Promise<void> {
  const view = store.view();
  await sql`create sequence writing`.execute(view);
  await sql`
    create function end_every_other() returns trigger language plpgsql as $$
    begin
      if nextval('writing') % 2 = 1 then raise exception 'as after a conflict' using errcode = '40001'; end if;
      return null;
    end $$`.execute(view);
  await sql`
    create constraint trigger end_every_other after insert or update on ${sql.table(table)}
    deferrable initially deferred for each row execute function end_every_other()`.execute(view);
}
