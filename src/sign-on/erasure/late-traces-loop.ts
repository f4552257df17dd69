import { sql } from "kysely";
import type { Clock } from "#runtime/basis/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#runtime/basis/durations.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import { listErasedSince } from "#runtime/erasure/erasures.ts";
import { LONG_PASS_MS, type Loop, repeating } from "#runtime/process/loop.ts";
import type { SignOnTables } from "../tables.ts";
import { forgetPerson, type PersonEraserDeps, TABLES_WITH_TRACES } from "./person-eraser.ts";

/** Longer than any request and any sign-in under way. */
const LOOKED_BACK_MS = 2 * HOUR_MS;

/**
 * Erases once more what a request wrote that was under way during an erasure: the hash of a password, or a sign-in with
 * its browser, under the id of a person who is erased by now (R-X331).
 */
export function lateTracesLoop(deps: PersonEraserDeps & { readonly clock: Clock }): Loop {
  const { db, clock } = deps;
  return {
    name: "late-traces",
    passMs: LONG_PASS_MS,
    run: repeating(MINUTE_MS, async (pass) => {
      await pass(async (late) => {
        for await (const erased of listErasedSince(db, new Date(clock.now().getTime() - LOOKED_BACK_MS)))
          for (const personId of await withTraces(db, erased)) {
            if (late.aborted) return;
            await forgetPerson(deps, personId, "");
          }
      });
    }),
  };
}

/** The people of the ids of whom sign-on has something that an erasure removes. */
async function withTraces(db: Database<SignOnTables>, ids: readonly string[]): Promise<readonly PersonId[]> {
  if (ids.length === 0) return [];
  const found = new Set<PersonId>();
  for (const table of TABLES_WITH_TRACES) {
    const rows = await db
      .selectFrom(table)
      .select("person_id")
      .distinct()
      .where(isOneOf(db, "person_id", ids))
      .execute();
    for (const row of rows) found.add(row.person_id as PersonId);
  }
  const sessions = await db
    .selectFrom("sign_on_sessions")
    .select("person_id")
    .distinct()
    .where(isOneOf(db, "person_id", ids))
    .where(sql<boolean>`(browser is not null or system is not null or ended_at is null)`)
    .execute();
  for (const row of sessions) found.add(row.person_id as PersonId);
  return [...found];
}
