import { sql } from "kysely";
import type { Store } from "../database/database.ts";
import { inBatches, SWEEP_BATCH } from "../database/sweeping.ts";
import { allOf, type Eraser } from "../erasure/erasures.ts";
import { Redactions } from "../erasure/redaction.ts";
import { type ChangeTables, FORGOTTEN } from "./repeated-request.ts";

/**
 * Empties the remembered answers that show what is erased. The request ids stay for the rest of their time, so that a
 * repeat is refused and brings nothing back (R-X265).
 */
export function answersEraser(store: Store): Eraser {
  const db = store.view<ChangeTables>();
  return {
    async erase(erasures, signal) {
      const redactions = new Redactions(allOf(erasures, "redactions"));
      if (redactions.isEmpty) return "erased";
      let last = { caller: "", method: "", request_id: "" };
      await inBatches(signal, async () => {
        const rows = await db
          .selectFrom("change_requests")
          .select(["caller", "method", "request_id", "answer"])
          .where(sql<boolean>`(caller, method, request_id) > (${last.caller}, ${last.method}, ${last.request_id})`)
          .orderBy("caller")
          .orderBy("method")
          .orderBy("request_id")
          .limit(SWEEP_BATCH)
          .execute();
        for (const { answer, ...key } of rows) {
          last = key;
          if (!redactions.concern(answer.toString("latin1"))) continue;
          await db
            .updateTable("change_requests")
            .set(FORGOTTEN)
            .where((row) => row.and(key))
            .execute();
        }
        return rows.length;
      });
      return signal.aborted ? "later" : "erased";
    },
  };
}
