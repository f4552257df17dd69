import { type CompiledQuery, sql } from "kysely";
import type { Dialect, Store, Transaction } from "../../src/runtime/database/database.ts";
import { inTransaction } from "./stores.ts";

/**
 * The lines of a database's plan for the first statement that `ask` makes.
 * @param isFilled the tables have rows enough, and the server knows how many: the plan is the one that it takes.
 */
export const planOf = <Tables>(
  { dialect, store }: { readonly dialect: Dialect; readonly store: Store },
  ask: (tx: Transaction<Tables>) => Promise<unknown>,
  { isFilled = false }: { readonly isFilled?: boolean } = {},
): Promise<readonly string[]> =>
  inTransaction(store.view<Tables>(), async (tx) => {
    // An empty table is otherwise read whole and sorted, whatever its indexes.
    for (const way of dialect === "postgres" && !isFilled ? ["seqscan", "bitmapscan"] : [])
      await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx);
    const executor = tx.getExecutor();
    const asked = jest.spyOn(executor, "executeQuery");
    await ask(tx);
    const [query] = asked.mock.calls.map(([one]) => one as CompiledQuery);
    asked.mockRestore();
    const explain = dialect === "sqlite" ? "explain query plan" : "explain";
    const { rows } = await executor.executeQuery<Record<string, unknown>>(
      { ...(query as CompiledQuery), sql: `${explain} ${query?.sql}` },
      // The versions of kysely differ in whether the executor is given an id.
      { queryId: "plan" } as never,
    );
    return rows.map((row) => String(row.detail ?? row["QUERY PLAN"]));
  });
