import { emailKey } from "#runtime/basis/email-address.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { inBatches, SWEEP_BATCH } from "#runtime/database/sweeping.ts";
import { addressDigest, allOf, type ErasedPerson, type Eraser } from "#runtime/erasure/erasures.ts";
import type { SessionRepository } from "../sessions/session-repository.ts";
import type { SignOuts } from "../sessions/sign-out-service.ts";
import type { SignOnTables } from "../tables.ts";

export interface PersonEraserDeps {
  readonly db: Database<SignOnTables>;
  readonly changes: Changes<SignOnTables>;
  readonly sessions: Pick<SessionRepository, "lockAllOf">;
  readonly signOuts: Pick<SignOuts, "everywhere">;
}

/**
 * Erases what sign-on has of erased people: password, links, consents, recorded sign-ins, what their browsers call
 * themselves, and sign-ins under way that name them. Sessions, codes and token families end, and keep ids alone.
 */
export const personEraser = (deps: PersonEraserDeps): Eraser => ({
  async erase(erasures, signal) {
    for (const { requestId, scope } of erasures)
      for (const { id } of scope.people) {
        if (signal.aborted) return "later";
        await forgetPerson(deps, id as PersonId, requestId);
      }
    const people = allOf(erasures, "people");
    if (people.length > 0) await endInteractionsOf(deps.db, people, signal);
    return signal.aborted ? "later" : "erased";
  },
});

/** Ends what one person has open, and deletes what says something about the person. May be repeated. */
export async function forgetPerson(
  { changes, sessions, signOuts }: Pick<PersonEraserDeps, "changes" | "sessions" | "signOuts">,
  personId: PersonId,
  requestId: string,
): Promise<void> {
  await changes.run(
    async ({ db: tx, at }) => {
      // As a new password does: first what it is set by, then the password, then sessions. One that comes before its end
      // is waited for, and what it begins ends here. Consents come before families, as when an access is withdrawn.
      await forget(tx, personId, PROOFS);
      await sessions.lockAllOf(tx, personId);
      await forget(tx, personId, RECORDS);
      await signOuts.everywhere(tx, personId, "the person was erased", at);
      await tx
        .updateTable("sign_on_sessions")
        .set({ browser: null, system: null })
        .where("person_id", "=", personId)
        .execute();
    },
    { requestId },
  );
}

const PROOFS = ["sign_on_password_links", "sign_on_credentials"] as const;
const RECORDS = ["sign_on_consents", "sign_on_sign_ins"] as const;

/** The tables whose rows of a person say nothing to anyone else. */
export const TABLES_WITH_TRACES = [...PROOFS, ...RECORDS] as const;

async function forget(
  tx: Transaction<SignOnTables>,
  personId: PersonId,
  tables: readonly (typeof TABLES_WITH_TRACES)[number][],
): Promise<void> {
  for (const table of tables) await tx.deleteFrom(table).where("person_id", "=", personId).execute();
}

/** Deletes interactions in which an application named one of the people: by address, or by an earlier ID token. */
async function endInteractionsOf(
  db: Database<SignOnTables>,
  people: readonly ErasedPerson[],
  signal: AbortSignal,
): Promise<void> {
  const ids = new Set(people.map(({ id }) => id));
  const addresses = new Set(people.map((person) => person.addressDigest));
  let after = "";
  await inBatches(signal, async () => {
    const rows = await db
      .selectFrom("sign_on_interactions")
      .select(["id", "login_hint", "expected_person_ids"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(SWEEP_BATCH)
      .execute();
    after = rows.at(-1)?.id ?? after;
    const named = rows.filter(({ login_hint: hint, expected_person_ids: expected }) => {
      const isHinted = hint !== null && addresses.has(addressDigest(emailKey(hint)));
      return isHinted || (JSON.parse(expected ?? "[]") as string[]).some((id) => ids.has(id));
    });
    if (named.length > 0)
      await db
        .deleteFrom("sign_on_interactions")
        .where(
          "id",
          "in",
          named.map(({ id }) => id),
        )
        .execute();
    return rows.length;
  });
}
