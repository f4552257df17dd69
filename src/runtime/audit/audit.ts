import type { Generated } from "kysely";
import { type AnyTransaction, seenAs } from "../database/database.ts";

export interface AuditTables {
  audit_entries: {
    readonly sequence: Generated<number>;
    readonly at: number;
    readonly actor: string;
    readonly action: string;
    readonly object: string;
    readonly request_id: string;
    /** JSON object of plain facts; never a secret, a password or personal data beyond ids. */
    readonly facts: string;
  };
}

/** Who did what to which object; committed with the change it reports. */
export interface AuditEntry {
  /** A peer, or a person's id. */
  readonly actor: string;
  /** noun.verb in camelCase, for example `tenant.create` or `apiKey.issue`. */
  readonly action: `${string}.${string}`;
  /** Public id of what was changed. */
  readonly object: string;
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
}

export async function appendToAudit(tx: AnyTransaction, entry: AuditEntry, requestId: string, at: Date): Promise<void> {
  await seenAs<AuditTables>(tx)
    .insertInto("audit_entries")
    .values({
      at: at.getTime(),
      actor: entry.actor,
      action: entry.action,
      object: entry.object,
      request_id: requestId,
      facts: JSON.stringify(entry.facts ?? {}),
    })
    .execute();
}
