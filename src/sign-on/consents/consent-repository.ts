import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { PersonalAccess } from "../personal-access.ts";
import type { SignOnTables } from "../tables.ts";

export interface ConsentRepository {
  /** The scopes approved so far, read now or within a transaction; empty for none. */
  findScopes(subject: PersonalAccess, tx?: Transaction<SignOnTables>): Promise<readonly string[]>;
  /** Adds the scopes to those approved before. */
  grant(tx: Transaction<SignOnTables>, subject: PersonalAccess, scopes: readonly string[], at: Date): Promise<void>;
  /** The person's consents, the latest first. */
  listOf(personId: PersonId): Promise<readonly GrantedConsent[]>;
  /** Deletes the consent; `false` when there was none. */
  withdraw(tx: Transaction<SignOnTables>, subject: PersonalAccess): Promise<boolean>;
}

/** The approved scopes, and when the person last approved. */
interface GrantedConsent extends Omit<PersonalAccess, "personId"> {
  readonly scopes: readonly string[];
  readonly since: Date;
}

export const consentRepository = (db: Database<SignOnTables>): ConsentRepository => {
  const bySubject = prepared(db, (value: ValueOf<{ personId: string; applicationId: string; instanceId: string }>) =>
    db
      .selectFrom("sign_on_consents")
      .select("scopes")
      .where("person_id", "=", value("personId"))
      .where("application_id", "=", value("applicationId"))
      .where("instance_id", "=", value("instanceId")),
  );
  const findScopes: ConsentRepository["findScopes"] = async (subject, tx) => {
    const row = await bySubject.first(subject, tx);
    return row === undefined ? [] : (JSON.parse(row.scopes) as string[]);
  };
  return {
    findScopes,
    async grant(tx, { personId, applicationId, instanceId }, scopes, at) {
      const key = { person_id: personId, application_id: applicationId, instance_id: instanceId };
      // One statement inserts the row or locks the one that is there: another session may add scopes at the same time, and
      // the consents of an application that was deleted are being removed.
      const before = await tx
        .insertInto("sign_on_consents")
        .values({ ...key, scopes: JSON.stringify(scopes), granted_at: at.getTime() })
        .onConflict((conflict) =>
          conflict.columns(["person_id", "application_id", "instance_id"]).doUpdateSet({ granted_at: at.getTime() }),
        )
        .returning("scopes")
        .executeTakeFirstOrThrow();
      const approved = JSON.parse(before.scopes) as string[];
      const all = [...new Set([...approved, ...scopes])];
      if (all.length === approved.length) return;
      await tx
        .updateTable("sign_on_consents")
        .set({ scopes: JSON.stringify(all) })
        .where((row) => row.and(key))
        .execute();
    },
    async listOf(personId) {
      const rows = await db
        .selectFrom("sign_on_consents")
        .selectAll()
        .where("person_id", "=", personId)
        .orderBy("granted_at", "desc")
        .execute();
      return rows.map((row) => ({
        applicationId: row.application_id as ApplicationId,
        instanceId: row.instance_id as InstanceId,
        scopes: JSON.parse(row.scopes) as string[],
        since: new Date(row.granted_at),
      }));
    },
    async withdraw(tx, { personId, applicationId, instanceId }) {
      const { numDeletedRows } = await tx
        .deleteFrom("sign_on_consents")
        .where("person_id", "=", personId)
        .where("application_id", "=", applicationId)
        .where("instance_id", "=", instanceId)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
};
