import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { newId } from "../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";

const CITIES = ["Rotterdam", "Oslo", "Lagos", "Lyon", "Porto"];
const TITLES = ["Baker", "Shift lead", "Driver"];

/**
 * Puts workers into the embedded store of an installation that is stopped, in bulk, past the services. The first one is
 * a moment younger than the `from` workers before it.
 */
export function addWorkers(directory: string, tenantId: string, count: number, from = 0): void {
  const db = new BetterSqlite3(join(directory, "gatehouse.sqlite"));
  const person = db.prepare(
    `insert into workforce_people
      (id, worker_profile_id, email, email_key, email_verified, first_name, last_name, named, disabled, created_at)
      values (@id, @profile, @email, @email, 0, 'Ines', 'Okafor', 1, 0, @at)`,
  );
  const worker = db.prepare(
    `insert into workforce_workers
      (id, tenant_id, person_id, person_named, job_titles, address1, city, iso_country_code, postal_code, created_at)
      values (@id, @tenant, @person, 1, @titles, @address, @city, 'NL', '3011 AB', @at)`,
  );
  const add = db.transaction(() => {
    for (let index = from; index < from + count; index++) {
      const personId = newId("person", systemRandom);
      const at = 1_000_000 + index;
      person.run({ id: personId, profile: newId("workerProfile", systemRandom), email: `${personId}@x.example`, at });
      worker.run({
        id: newId("worker", systemRandom),
        tenant: tenantId,
        person: personId,
        titles: JSON.stringify([TITLES[index % TITLES.length]]),
        address: `${index} Mill Lane`,
        city: CITIES[index % CITIES.length],
        at,
      });
    }
  });
  add();
  db.close();
}
