import BetterSqlite3, { type Statement } from "better-sqlite3";
import { onSqlite } from "../../support/stores.ts";
import { type Furniture, type Gateway, openFurnished } from "../gateway-fixture.ts";
import { fillIds, OPERATIONS, type PathOperation } from "./contract-paths.ts";

/** What all statements of the driver are made of, so that a spy sees each that is run, prepared in whatever place. */
const STATEMENT = Object.getPrototypeOf(new BetterSqlite3(":memory:").prepare("select 1")) as Statement;

interface Ran {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The statements that run meanwhile. */
async function ranDuring(work: () => Promise<unknown>): Promise<readonly Ran[]> {
  const spies = (["all", "get", "iterate"] as const).map((method) => jest.spyOn(STATEMENT, method));
  await work();
  const ran = spies.flatMap(({ mock }) =>
    mock.calls.map((values, index) => ({ sql: (mock.contexts[index] as unknown as Statement).source, values })),
  );
  for (const spy of spies) spy.mockRestore();
  return ran;
}

const OF_A_TENANT = OPERATIONS.filter(({ positions }) => positions.some(({ name }) => name === "clientId"));

/** On SQLite alone, whose statements a spy can see: PostgreSQL gets the same ones. */
onSqlite((open) => {
  let gateway: Gateway;
  let have: Furniture;
  let tables: readonly string[];

  beforeAll(async () => {
    const { workforce, ...opened } = await openFurnished(open);
    ({ gateway, have } = opened);
    const { rows } = await workforce.raw(
      `select m.name from sqlite_schema m join pragma_table_info(m.name) c on c.name = 'tenant_id' where m.type = 'table'`,
    );
    tables = (rows as readonly { readonly name: string }[]).map(({ name }) => name);
  });
  afterAll(() => gateway.stop());

  const ask = async ({ path }: PathOperation) => {
    const { connectionId, tenant, user, worker, secret } = have;
    const ids = { instanceIntegrationId: connectionId, clientId: tenant.id, userId: user.id, workerId: worker.id };
    const answer = await gateway.get(fillIds(path, ids), secret);
    expect(answer.status).toBe(200);
  };
  const readsOf = (ran: readonly Ran[]) => ran.filter(({ sql }) => tables.some((table) => sql.includes(`"${table}"`)));

  it("are found in the tables that have a tenant's rows", () => {
    expect(tables).toEqual(
      expect.arrayContaining(["workforce_users", "workforce_workers", "workforce_units", "workforce_locations"]),
    );
  });

  it.each(OF_A_TENANT.map((operation) => [operation.id, operation] as const))(
    "%s reads a tenant's data by statements that all have the tenant as their argument (S39)",
    async (_, operation) => {
      const ran = await ranDuring(() => ask(operation));
      // The tenant itself was read with the key (R-X332), or by its own id.
      expect(readsOf(ran).length > 0).toBe(operation.id !== "getClient");
      const without = readsOf(ran).filter(
        ({ sql, values }) => !/"tenant_id" = \+?\?/.test(sql) || !values.includes(have.tenant.id),
      );
      expect(without).toEqual([]);
    },
  );
});
