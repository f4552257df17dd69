import { sql } from "kysely";
import { CannotStart } from "../basis/errors.ts";
import type { Database } from "./database.ts";

/**
 * Asserts that the role may renew the statistics of the store's tables, as an erasure does: for any other role PostgreSQL passes
 * them over with a warning alone, and what was erased stays in them (R-X428).
 * @param tables names of the store's tables; those that are not there yet will be the role's.
 * @throws CannotStart naming the first table that the role does not own, in a database that it does not own.
 */
export async function assertTablesOwned<T>(db: Database<T>, tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = quote_ident(current_schema())::regnamespace
      and relname in (${sql.join(tables)}) and not pg_has_role(relowner, 'usage')
      and not (select pg_has_role(datdba, 'usage') from pg_database where datname = current_database())
    order by relname limit 1`.execute(db);
  const [first] = rows;
  if (first !== undefined)
    throw new CannotStart(
      `The role of store-url owns neither the table ${first.name} nor the database: an erasure would leave names and addresses in the statistics that the server makes of it. Make the role the owner of all tables of the store, as their owner: alter table … owner to <role>`,
    );
}
