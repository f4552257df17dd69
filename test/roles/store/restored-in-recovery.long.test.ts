import { type ExecFileException, execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { migrations } from "../../../src/roles/owners.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openPostgres } from "../../../src/runtime/database/postgres/postgres.ts";
import { eventually } from "../../support/eventually.ts";
import { TEST_MASTER_KEY } from "../../support/gatehouse.ts";
import { describeWith } from "../../support/optional-part.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../support/postgres-server.ts";
import { MAIN } from "../../support/processes.ts";

describeWith({ name: "PostgreSQL", missing: postgresMissing() }, "store restored, on a server in recovery", () => {
  let server: PostgresServer;
  let location: string;

  beforeAll(async () => {
    server = await startPostgres();
    location = `postgresql://gatehouse@${encodeURIComponent(server.directory)}/postgres`;
  });

  afterAll(() => server.stop());

  const asked = async (statement: string): Promise<unknown> => {
    const store = await openPostgres(location, { connections: 1 });
    try {
      return (await sql.raw(statement).execute(store.view())).rows[0];
    } finally {
      await store.close();
    }
  };

  const restored = () =>
    promisify(execFile)(process.execPath, [
      MAIN,
      ...["store", "restored", "--store-url", location, "--master-keys", TEST_MASTER_KEY],
    ]).then(
      () => "restored",
      ({ code, stderr }: ExecFileException & { readonly stderr: string }) => `${code} ${stderr}`,
    );

  // By default a recovery waits at its target (recovery_target_action), and to a client the server is as a standby is.
  it("says how to end the recovery, and changes nothing until it has ended (R-X247)", async () => {
    const store = await openPostgres(location, { connections: 1 });
    await migrate(store, migrations, new Date(0));
    await store.close();
    writeFileSync(join(server.directory, "data", "standby.signal"), "");
    await server.restart("fast");

    expect(await restored()).toBe(
      "1 gatehouse: The PostgreSQL server is in recovery, and takes no writes. Where it waits at the target of the recovery, end that: select pg_wal_replay_resume(). Where it is a standby, name the primary in store-url. Then run the command again. Nothing was changed.\n",
    );

    await asked("select pg_promote()");
    await eventually(
      () => asked("select pg_is_in_recovery() as recovering"),
      (row) => (row as { readonly recovering: boolean }).recovering === false,
    );
    expect(await restored()).toBe("restored");
  });
});
