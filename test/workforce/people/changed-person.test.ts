import { sql } from "kysely";
import { eventually } from "../../support/eventually.ts";
import { LOCK_WAITS } from "../../support/lock-waits.ts";
import { onPostgres } from "../../support/stores.ts";
import { bulkOver, idOf } from "../bulk/bulk-kit.ts";
import { openWorkforce } from "../workforce-fixture.ts";

// The embedded store has one writer: nothing is erased there while a change is under way.
onPostgres((open) => {
  it("a person who gets names while a tenant of theirs is being erased is no fault: the tenant shows nobody any more", async () => {
    const workforce = await openWorkforce(open);
    const instanceId = await workforce.instance();
    const stays = (await workforce.tenant(instanceId)).id;
    const goes = (await workforce.tenant(instanceId)).id;
    const { person } = await workforce.user(goes, "noor@example.com");
    const revision = () => workforce.revision("workforce_tenants", goes);
    const before = await revision();

    const erasing = await workforce.db.startTransaction().execute();
    await sql`update workforce_tenants set erased_at = 1 where id = ${goes}`.execute(erasing);
    const line = { kind: "worker", id: idOf("worker", "A"), tenantId: stays, email: "noor@example.com" };
    const importing = bulkOver(workforce).imports([{ ...line, firstName: "Noor", lastName: "Visser" }]);
    const waiting = () => sql.raw(LOCK_WAITS).execute(workforce.db);
    await eventually(waiting, ({ rows }) => rows.length > 0);
    await erasing.commit().execute();

    expect(await importing).toMatchObject({ created: 1, bad: 0 });
    const { person: named } = await workforce.platform.readPerson({ key: { $case: "personId", value: person.id } });
    expect([named?.firstName, await revision()]).toEqual(["Noor", before]);
  });
});
