import type { Generated, Insertable, Kysely } from "kysely";
import { type AnyTransaction, type Database, seenAs } from "../database/database.ts";
import { preparedWrite, type ValueOf } from "../database/prepared.ts";

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

/** Prepared, since every change appends. */
const insertEntry = preparedWrite((value: ValueOf<Insertable<AuditTables["audit_entries"]>>, db: Kysely<AuditTables>) =>
  db.insertInto("audit_entries").values({
    at: value("at"),
    actor: value("actor"),
    action: value("action"),
    object: value("object"),
    request_id: value("request_id"),
    facts: value("facts"),
  }),
);

export async function appendToAudit(tx: AnyTransaction, entry: AuditEntry, requestId: string, at: Date): Promise<void> {
  await insertEntry(seenAs(tx), toRow(entry, requestId, at));
}

/** Whether the audit log has this very entry. */
export async function isAudited(
  db: Database<AuditTables>,
  entry: AuditEntry,
  requestId: string,
  at: Date,
): Promise<boolean> {
  const found = await db
    .selectFrom("audit_entries")
    .select("sequence")
    .where((row) => row.and(toRow(entry, requestId, at)))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

const toRow = ({ actor, action, object, facts = {} }: AuditEntry, requestId: string, at: Date) => ({
  at: at.getTime(),
  actor,
  action,
  object,
  request_id: requestId,
  facts: JSON.stringify(facts),
});
