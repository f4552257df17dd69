import { sql } from "kysely";
import { type Database, isLockTimeout, isSqlite, type Store } from "../database/database.ts";
import { isOneOf } from "../database/rows.ts";
import { inWindows, type Window } from "../database/sweeping.ts";
import { allOf, type Eraser } from "../erasure/erasures.ts";
import { Redactions } from "../erasure/redaction.ts";
import { lockOutbox, type OutboxTables } from "./outbox.ts";

/** Rewrites entries about what is erased, whether they are relayed or not: their names are gone, ids and events stay. */
export function outboxEraser(store: Store): Eraser {
  const db = store.view<OutboxTables>();
  return {
    async erase(erasures, signal) {
      const redactions = new Redactions(allOf(erasures, "redactions"));
      const tenantIds = allOf(erasures, "tenantIds");
      if (redactions.isEmpty || tenantIds.length === 0) return "erased";

      const redactedIn = async (tx: Database<OutboxTables>, { after, until }: Window) => {
        const entries = await tx
          .selectFrom("outbox_entries")
          .select(["sequence", "data"])
          .where("sequence", ">", after)
          .where("sequence", "<=", until)
          .where(isOneOf(tx, "tenant_id", tenantIds))
          .execute();
        return entries.flatMap(({ sequence, data }) => {
          const redacted = redactions.redacted(data);
          return redacted === undefined ? [] : [{ sequence, redacted }];
        });
      };

      try {
        await inWindows(db, ["outbox_entries"], signal, async (window) => {
          // Writers wait only where there is something to erase. An entry that a relay has taken is still seen here.
          if (!isSqlite(db) && (await redactedIn(db, window)).length === 0) return;
          await db.transaction().execute(async (tx) => {
            // A relay that has taken an entry has ended then: its deliveries are there when their bodies are erased.
            await lockOutbox(tx);
            for (const { sequence, redacted } of await redactedIn(tx, window))
              await sql`update outbox_entries set data = ${redacted} where sequence = ${sequence}`.execute(tx);
          });
        });
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        return "later";
      }
      return signal.aborted ? "later" : "erased";
    },
  };
}
