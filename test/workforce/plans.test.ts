import { erasureMigrations } from "../../src/runtime/erasure/erasures.ts";
import { erasableRepository } from "../../src/workforce/erasure/erasable-repository.ts";
import { organizationRepository } from "../../src/workforce/organization/organization-repository.ts";
import { workforceMigrations } from "../../src/workforce/services.ts";
import type { WorkforceTables } from "../../src/workforce/tables.ts";
import { userRepository } from "../../src/workforce/users/user-repository.ts";
import { planOf } from "../support/plan-kit.ts";
import { eachStore } from "../support/stores.ts";
import { crowd } from "./crowd.ts";
import { workforceOver } from "./workforce-fixture.ts";

const TENANT = "client_000000000000000000000" as never;
const USER = "user_000000000000000000000" as never;
const PERSON = "person_000000000000000000000" as never;

eachStore((dialect, open) => {
  const plan = async (ask: Parameters<typeof planOf<WorkforceTables>>[1]) => {
    const { store } = await open([erasureMigrations, workforceMigrations]);
    return planOf({ dialect, store }, ask);
  };

  /** A tenant has many people: what is asked for each of them must not look at all of them. */
  it("of somebody's user, and of who reports to a user, no more is read than there are, however many a tenant has", async () => {
    const [ofPerson, reports] = [
      await plan((tx) => userRepository(tx).findOfPerson(PERSON, TENANT)),
      await plan((tx) => userRepository(tx).listReports(USER, TENANT)),
    ];
    const by = {
      sqlite: [
        /workforce_users_seat \(tenant_id=\? AND person_id=\?\)/,
        /workforce_users_manager \(tenant_id=\? AND manager_id=\?\)/,
      ],
      postgres: [
        /Index Cond: \(\(tenant_id = .* AND \(person_id = /,
        /Index Cond: \(\(tenant_id = .* AND \(manager_id = /,
      ],
    };
    const [personIndex, managerIndex] = by[dialect];
    expect(ofPerson.join("\n")).toMatch(personIndex ?? /none/);
    expect(reports.join("\n")).toMatch(managerIndex ?? /none/);
  });

  it.each(["USER", "WORKER"] as const)(
    "what a tenant's erasure would end is counted from where the last %ss ended, each looked up by its person (R-X263)",
    async (kind) => {
      const after = { id: USER, createdAt: 1 };
      const found = await plan((tx) => erasableRepository(tx).countSeatsOf(TENANT, kind, after, 500));
      const from = {
        sqlite: /SEARCH seat .*\(tenant_id=\? AND \(created_at,id\)>\(\?,\?\)\)/,
        postgres: /Index Cond: \(\(tenant_id = .* AND \(ROW\(/,
      };
      const perPerson = {
        sqlite: () => found.filter((line) => /^SE/.test(line) && !/SEARCH seat/.test(line)),
        postgres: () =>
          found.filter((line) => /(Index|Recheck) Cond: /.test(line) && !/tenant_id = '.*ROW\(/.test(line)),
      };
      expect(found.join("\n")).toMatch(from[dialect]);
      expect(found.filter((line) => /SCAN|Seq Scan|TEMP B-TREE|Sort/.test(line))).toEqual([]);
      expect(perPerson[dialect]().filter((line) => !/person_id=\?|person_id = |\(id=\?|\(id = /.test(line))).toEqual(
        [],
      );
    },
  );

  it.each(["USER", "WORKER"] as const)(
    "the next %ss of an erased tenant are read from where the last ones ended (R-X263)",
    async (kind) => {
      const after = { id: USER, createdAt: 1 };
      const found = await plan((tx) => erasableRepository(tx).listSeatsOf(TENANT, kind, after, 50));
      const from = {
        sqlite: /\(tenant_id=\? AND \(created_at,id\)>\(\?,\?\)\)/,
        postgres: /Index Cond: \(\(tenant_id = .* AND \(ROW\(/,
      };
      expect(found.join("\n")).toMatch(from[dialect]);
      expect(found.filter((line) => /TEMP B-TREE|Sort/.test(line))).toEqual([]);
    },
  );

  it("a part of a long list of users reads these and their managers, and not all users (R-G7)", async () => {
    const opened = await open([workforceMigrations]);
    const workforce = workforceOver(opened);
    const { id: tenantId } = await workforce.tenant(await workforce.instance());
    await crowd(
      workforce,
      tenantId,
      Array.from({ length: 10_000 }, (_, index) => 1_000_000 + index),
    );
    await workforce.raw("analyze");
    const after = { id: USER, createdAt: new Date(1_005_000) };
    const found = await planOf<WorkforceTables>(
      { dialect, store: opened.store },
      (tx) => userRepository(tx).listManaged(tenantId as never, { limit: 500, after }),
      { isFilled: true },
    );
    const byId = {
      sqlite: /SEARCH workforce_users USING INDEX \w+ \(id=\?\)/,
      postgres: /Index (Only )?Scan (using|on) workforce_users_pkey/,
    };
    expect(found.join("\n")).toMatch(byId[dialect]);
    expect(found.filter((line) => /Seq Scan on workforce_users|SCAN workforce_users/.test(line))).toEqual([]);
  });

  it("a page of a structure is read from where the last one ended, of each kind no more than it may have (R-G9)", async () => {
    const after = { id: "unit_000000000000000000000" as never, createdAt: new Date(1) };
    const found = await plan((tx) => organizationRepository(tx).listPage(TENANT, { limit: 1_000, after }));
    const from = {
      sqlite: /SEARCH workforce_(\w+) USING INDEX \w+ \(tenant_id=\? AND \(created_at,id\)>\(\?,\?\)\)/,
      postgres: /Index (?:Only )?Scan using \w+ on workforce_(\w+) /,
    };
    const read = found.flatMap((line) => from[dialect].exec(line)?.[1] ?? []);
    expect(read.sort()).toEqual(["locations", "unit_types", "units"]);
    expect(found.filter((line) => /Sort {2}|Seq Scan|SCAN workforce/.test(line))).toEqual([]);
    const bounds = { sqlite: /CO-ROUTINE entry/, postgres: /Limit {2}/ };
    expect(found.filter((line) => bounds[dialect].test(line)).length).toBeGreaterThanOrEqual(3);
  });
});
