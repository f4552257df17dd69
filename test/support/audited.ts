import type { AuditTables } from "../../src/runtime/audit/audit.ts";
import type { Store } from "../../src/runtime/database/database.ts";

type Column = "actor" | "action" | "object" | "request_id" | "facts";

/** These columns of the audit log's entries that have these values, oldest first. */
export const auditEntries = <C extends Column>(
  store: Store,
  columns: readonly C[],
  values: Readonly<Partial<Record<Column, string>>> = {},
) =>
  store
    .view<AuditTables>()
    .selectFrom("audit_entries")
    .select(columns)
    .where(({ and }) => and(values))
    .orderBy("sequence")
    .execute();
