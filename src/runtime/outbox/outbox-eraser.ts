import { sql } from "kysely";
import { isOneOf } from "../database/batch.ts";
import { isSqlite, type Store } from "../database/database.ts";
import { inWindows } from "../database/sweeping.ts";
import { allOf, type Eraser } from "../erasure/erasures.ts";
import { Redactions } from "../erasure/redaction.ts";
import type { OutboxTables } from "./outbox.ts";

/** Rewrites entries about what is erased, whether they are relayed or not: their names are gone, ids and events stay. */
export function outboxEraser(store: Store): Eraser {
  const db = store.view<OutboxTables>();
  return {
    name: "outbox",
    async erase(erasures, signal) {
      const redactions = new Redactions(allOf(erasures, "redactions"));
      const tenantIds = allOf(erasures, "tenantIds");
      if (redactions.isEmpty || tenantIds.length === 0) return "erased";
      await inWindows(db, ["outbox_entries"], signal, ({ after, until }) =>
        db.transaction().execute(async (tx) => {
          const entries = tx
            .selectFrom("outbox_entries")
            .select(["sequence", "data"])
            .where("sequence", ">", after)
            .where("sequence", "<=", until)
            .where(isOneOf(tx, "tenant_id", tenantIds));
          // Waits for a relay that has taken an entry: its deliveries are there when their bodies are erased.
          for (const { sequence, data } of await (isSqlite(tx) ? entries : entries.forUpdate()).execute()) {
            const redacted = redactions.redacted(data);
            if (redacted === undefined) continue;
            await sql`update outbox_entries set data = ${redacted} where sequence = ${sequence}`.execute(tx);
          }
        }),
      );
      return signal.aborted ? "later" : "erased";
    },
  };
}
