import { sql } from "kysely";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { blocker, patientRacers, waitForLocks } from "../../support/deadlocks.ts";
import { onPostgres } from "../../support/stores.ts";
import { workforceOver } from "../workforce-fixture.ts";

onPostgres((open) => {
  it("invites a new person to an address that somebody gets and gives away meanwhile (R-D2)", async () => {
    const observer = await open([workforceMigrations]);
    const [one, another] = await patientRacers(observer, 2);
    const [workforce, other] = [workforceOver(one ?? observer), workforceOver(another ?? observer)];
    const tenantId = (await workforce.tenant(await workforce.instance())).id;
    const elsewhere = (await workforce.tenant(await workforce.instance())).id;
    const { person } = await workforce.user(elsewhere, "noor@example.com");
    // Who creates somebody, or finds that there is somebody, goes on once the other change is committed.
    await sql`
      create function wait_behind() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(4711); return null; end $$`.execute(workforce.db);
    await sql`
      create trigger wait_behind after insert on workforce_people
      for each statement execute function wait_behind()`.execute(workforce.db);
    const held = await blocker(observer, (tx) => sql`select pg_advisory_xact_lock(4711)`.execute(tx));
    const blocked = await blocker(observer, (tx) =>
      sql`
        update workforce_people set email = 'ines@example.com', email_key = 'ines@example.com'
        where id = ${person.id}`.execute(tx),
    );
    const changing = other.platform.updatePerson({
      ...{ requestId: "", personId: person.id, email: "maren@example.com", emailVerified: false },
      ...{ firstName: null, lastName: null, updateMask: ["email"] },
    });
    await waitForLocks(observer, 1);
    const inviting = workforce.user(tenantId, "ines@example.com");
    await waitForLocks(observer, 2);
    await blocked.end();
    await changing;
    await held.end();
    const invited = await inviting;
    expect(invited.person).toMatchObject({ email: "ines@example.com" });
    expect(invited.person.id).not.toBe(person.id);
  });
});
