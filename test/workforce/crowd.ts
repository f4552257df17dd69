import { newId } from "../../src/runtime/basis/ids.ts";
import { seededRandom } from "../support/random.ts";
import type { Workforce } from "./workforce-fixture.ts";

/** Rows of one statement; what both databases take as text without trouble. */
const ROWS = 1_000;
const random = seededRandom();

/** People with a user and a worker each, made at the given instants, as no service would make them: many at once. */
export async function crowd({ raw }: Pick<Workforce, "raw">, tenantId: string, instants: readonly number[]) {
  const made = instants.map((createdAt) => ({
    createdAt,
    personId: newId("person", random),
    userId: newId("user", random),
    workerId: newId("worker", random),
  }));
  for (let index = 0; index < made.length; index += ROWS) {
    const some = made.slice(index, index + ROWS);
    const list = (value: (one: (typeof made)[number]) => string) => some.map((one) => `(${value(one)})`).join(", ");
    await raw(`insert into workforce_people
      (id, worker_profile_id, email, email_key, email_verified, first_name, last_name, named, disabled, created_at)
      values ${list(({ personId: p }) => `'${p}', '${p}', '${p}@x.example', '${p}@x.example', 0, 'A', 'B', 1, 0, 1`)}`);
    await raw(`insert into workforce_users (id, tenant_id, person_id, status, created_at)
      values ${list((one) => `'${one.userId}', '${tenantId}', '${one.personId}', 'ACTIVE', ${one.createdAt}`)}`);
    await raw(`insert into workforce_workers
      (id, tenant_id, person_id, person_named, job_titles, created_at)
      values ${list((one) => `'${one.workerId}', '${tenantId}', '${one.personId}', 1, '[]', ${one.createdAt}`)}`);
  }
  return made;
}
