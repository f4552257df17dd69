import { eachStore } from "../support/stores.ts";
import { openWorkforce, there, type Workforce } from "./workforce-fixture.ts";

/** What no mistake in code may bring about: each is tried with SQL of its own, past all checks. */
eachStore((_, open) => {
  let workforce: Workforce;
  let ids: Awaited<ReturnType<typeof furnish>>;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    ids = await furnish(workforce);
  });

  const refused = (statement: string) => expect(workforce.raw(statement)).rejects.toThrow(/constraint/i);
  const allowed = (statement: string) => workforce.raw(statement);

  it("a manager is another user of the same tenant", async () => {
    await refused(`update workforce_users set manager_id = '${ids.there.user}' where id = '${ids.here.user}'`);
    await refused(`update workforce_users set manager_id = '${ids.here.user}' where id = '${ids.here.user}'`);
    await refused(`update workforce_users set manager_id = 'user_nobody' where id = '${ids.here.user}'`);
    await allowed(`update workforce_users set manager_id = '${ids.here.user}' where id = '${ids.here.report}'`);
  });

  it("a user's role is one of the same tenant", async () => {
    const owner = (tenant: string) =>
      `(select id from workforce_access_roles where tenant_id = '${tenant}' and kind = 'OWNER')`;
    await refused(
      `update workforce_users set access_role_id = ${owner(ids.there.tenant)} where id = '${ids.here.user}'`,
    );
    await refused(`update workforce_users set access_role_id = 4711 where id = '${ids.here.user}'`);
    await allowed(
      `update workforce_users set access_role_id = ${owner(ids.here.tenant)} where id = '${ids.here.user}'`,
    );
  });

  it("a user with reports stays in its tenant", async () => {
    await allowed(`update workforce_users set manager_id = '${ids.here.user}' where id = '${ids.here.report}'`);
    await refused(`update workforce_users set tenant_id = '${ids.there.tenant}' where id = '${ids.here.user}'`);
  });

  it("a person has one user per tenant, DELETED ones aside (R-G17)", async () => {
    const again = (id: string, status: string) =>
      `insert into workforce_users (id, tenant_id, person_id, status, created_at)
       select '${id}', tenant_id, person_id, '${status}', 0 from workforce_users where id = '${ids.here.user}'`;
    await refused(again("user_again", "INVITED"));
    await allowed(again("user_gone", "DELETED"));
    await allowed(`update workforce_users set status = 'DELETED' where id = '${ids.here.user}'`);
    await allowed(again("user_again", "INVITED"));
  });

  it("a user's status is one of four", async () => {
    await refused(`update workforce_users set status = 'PENDING' where id = '${ids.here.user}'`);
  });

  describe("a user's status (R-G17)", () => {
    const STATUSES = ["INVITED", "ACTIVE", "INACTIVE", "DELETED"] as const;
    const POSSIBLE = ["INVITED ACTIVE", "ACTIVE INACTIVE", "INACTIVE ACTIVE"];
    const moves = STATUSES.flatMap((from) => STATUSES.map((to): [string, string] => [from, to]));
    const isPossible = ([from, to]: readonly [string, string]) =>
      from === to || to === "DELETED" || POSSIBLE.includes(`${from} ${to}`);
    const seatIn = async (status: string) => {
      await allowed(
        `insert into workforce_users (id, tenant_id, person_id, status, created_at)
         select 'user_moving', '${ids.abroad}', person_id, '${status}', 0 from workforce_users where id = '${ids.here.user}'`,
      );
    };
    const moving = (to: string) => `update workforce_users set status = '${to}' where id = 'user_moving'`;

    it.each(moves.filter(isPossible))("may go from %s to %s", async (from, to) => {
      await seatIn(from);
      await allowed(moving(to));
      expect((await workforce.raw("select status from workforce_users where id = 'user_moving'")).rows).toEqual([
        { status: to },
      ]);
    });

    it.each(moves.filter((move) => !isPossible(move)))("never goes from %s to %s", async (from, to) => {
      await seatIn(from);
      await expect(workforce.raw(moving(to))).rejects.toThrow("constraint workforce_users_move");
    });
  });

  it("a seat keeps its person and its tenant", async () => {
    const stays = "constraint workforce_users_seat_stays";
    const move = (what: string) => workforce.raw(`update workforce_users set ${what} where id = '${ids.here.user}'`);
    await expect(move(`tenant_id = '${ids.there.tenant}'`)).rejects.toThrow(stays);
    await expect(
      move(`person_id = (select person_id from workforce_users where id = '${ids.here.report}')`),
    ).rejects.toThrow(stays);
    await move("tenant_id = tenant_id, person_id = person_id");
  });

  it("an e-mail address belongs to one person, as it is compared (R-D2)", async () => {
    await refused(
      "update workforce_people set email_key = 'user-here@example.com' where email_key = 'worker-here@example.com'",
    );
    await refused("update workforce_people set email_key = '' where email_key = 'worker-here@example.com'");
  });

  it.each(["unit_types", "units", "locations", "workers"] as const)(
    "%s stay with their tenant (R-X52)",
    async (table) => {
      const move = (to: string) =>
        `update workforce_${table} set tenant_id = ${to} where tenant_id = '${ids.here.tenant}'`;
      const held = new RegExp(`constraint workforce_${table}_stay`);
      await expect(workforce.raw(move(`'${ids.there.tenant}'`))).rejects.toThrow(held);
      await expect(workforce.raw(move("'client_nobody'"))).rejects.toThrow(held);
      await refused(move("null"));
      await allowed(move("tenant_id"));
    },
  );

  it("a worker's person has both names, and keeps them (R-D2)", async () => {
    const of = `where id = (select person_id from workforce_workers where id = '${ids.here.worker}')`;
    await refused(`update workforce_people set first_name = null, named = 0 ${of}`);
    await refused(`update workforce_people set first_name = null ${of}`);
    await refused(`update workforce_people set first_name = '' ${of}`);
    await refused(
      `insert into workforce_workers (id, tenant_id, person_id, person_named, job_titles, created_at)
       select 'worker_nameless', tenant_id, person_id, 1, '[]', 0 from workforce_users where id = '${ids.here.report}'`,
    );
  });

  it("a person is one worker of a tenant at a time", async () => {
    const again = (id: string, endedAt: string) =>
      `insert into workforce_workers (id, tenant_id, person_id, person_named, job_titles, created_at, ended_at)
       select '${id}', tenant_id, person_id, 1, '[]', 0, ${endedAt} from workforce_workers where id = '${ids.here.worker}'`;
    await refused(again("worker_again", "null"));
    await allowed(again("worker_before", "1"));
  });

  it("a worker's units and location are the tenant's own", async () => {
    const place = (unit: string, tenant: string) =>
      `insert into workforce_worker_units (tenant_id, worker_id, unit_id, position, is_primary) values ('${tenant}', '${ids.here.worker}', '${unit}', 9, 0)`;
    await refused(place(ids.there.unit, ids.here.tenant));
    await refused(place(ids.there.unit, ids.there.tenant));
    await refused(`update workforce_workers set location_id = '${ids.there.location}' where id = '${ids.here.worker}'`);
    await allowed(`update workforce_workers set location_id = '${ids.here.location}' where id = '${ids.here.worker}'`);
    await refused(`delete from workforce_locations where id = '${ids.here.location}'`);
  });

  it("a worker has one primary unit at most, and it is one of theirs", async () => {
    await refused(`update workforce_worker_units set is_primary = 1 where worker_id = '${ids.here.worker}'`);
    await refused(`update workforce_worker_units set is_primary = 2 where worker_id = '${ids.here.worker}'`);
  });

  it("a unit's type and parent are of the same tenant, and it is not its own parent", async () => {
    await refused(`update workforce_units set unit_type_id = '${ids.there.unitType}' where id = '${ids.here.unit}'`);
    await refused(`update workforce_units set parent_unit_id = '${ids.there.unit}' where id = '${ids.here.unit}'`);
    await refused(`update workforce_units set parent_unit_id = '${ids.here.unit}' where id = '${ids.here.unit}'`);
  });

  it("no unit is below itself, however deep (R-X52)", async () => {
    const { unit, secondUnit } = ids.here;
    const put = (id: string, parent: string) =>
      `update workforce_units set parent_unit_id = ${parent} where id = '${id}'`;
    await allowed(put(secondUnit, `'${unit}'`));
    await allowed(
      `insert into workforce_units (id, tenant_id, unit_type_id, name, parent_unit_id, created_at)
       select 'unit_below', tenant_id, unit_type_id, 'Below', '${secondUnit}', 0 from workforce_units where id = '${unit}'`,
    );
    await refused(put(unit, `'${secondUnit}'`));
    await refused(put(unit, "'unit_below'"));
    await allowed(put("unit_below", `'${unit}'`));
    await allowed(put(secondUnit, "null"));
  });

  it("an integration is connected with an instance once (R-G5)", async () => {
    await refused(
      `insert into workforce_instance_integrations (id, integration_id, instance_id, configured, created_at, updated_at)
       select 'installation_again', integration_id, instance_id, configured, 0, 0 from workforce_instance_integrations`,
    );
  });

  it("a last login context names a tenant of its instance (R-S22)", async () => {
    const remember = (tenant: string) =>
      `insert into workforce_last_login_contexts (person_id, instance_id, kind, tenant_id, set_at)
       select person_id, '${ids.instance}', 'USER', '${tenant}', 0 from workforce_users where id = '${ids.here.user}'`;
    await refused(remember(ids.abroad));
    await allowed(remember(ids.here.tenant));
  });

  it("a look-up part names one key, and a digest has the length of SHA-256", async () => {
    await refused(
      "insert into workforce_api_keys select 'apikey_again', integration_id, label, look_up, digest, 0, null, null, null, null, null, scopes from workforce_api_keys",
    );
    const short = workforce.opened.store.dialect === "sqlite" ? "x'00'" : "'\\x00'";
    await refused(`update workforce_api_keys set digest = ${short}`);
  });

  it("a tenant has one Owner role, one Admin, one Member, and names that differ", async () => {
    const add = (name: string, kind: string) =>
      `insert into workforce_access_roles (tenant_id, name, kind) values ('${ids.here.tenant}', '${name}', '${kind}')`;
    await refused(add("Second owner", "OWNER"));
    await refused(add("Admin", "CUSTOM"));
    await allowed(add("Payroll", "CUSTOM"));
    await allowed(add("Finance", "CUSTOM"));
  });
});

async function furnish(workforce: Workforce) {
  const instance = await workforce.instance();
  const abroad = await workforce.tenant(await workforce.instance("North America"));
  const tenant = async (name: string) => {
    const { id } = await workforce.tenant(instance, { name });
    const { platform } = workforce;
    const { unitType } = await platform.createUnitType({ requestId: "", tenantId: id, name: "Team", units: [] });
    const unit = async () => {
      const request = { requestId: "", tenantId: id, unitTypeId: there(unitType).id, name: "Unit" };
      return there((await platform.createUnit(request)).unit).id;
    };
    const unitIds = [await unit(), await unit()];
    const { location } = await platform.createLocation({ requestId: "", tenantId: id, name: "Oslo" });
    const user = await workforce.user(id, `user-${name}@example.com`);
    const report = await workforce.user(id, `report-${name}@example.com`);
    const worker = await workforce.worker(id, `worker-${name}@example.com`, { unitIds, primaryUnitId: unitIds[0] });
    return {
      tenant: id,
      user: user.id,
      report: report.id,
      worker: worker.id,
      unit: there(unitIds[0]),
      secondUnit: there(unitIds[1]),
      unitType: there(unitType).id,
      location: there(location).id,
    };
  };
  await workforce.integration(instance);
  return { instance, abroad: abroad.id, here: await tenant("here"), there: await tenant("there") };
}
