import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { passwordIn } from "../../../src/runtime/database/store-password.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { freePort } from "../../support/free-port.ts";
import { openGatehouse, TEST_MASTER_KEY } from "../../support/gatehouse.ts";
import { call } from "../../support/http.ts";
import { describeWith } from "../../support/optional-part.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../support/postgres-server.ts";
import { withScope } from "../../support/scope.ts";

const urlWith = (password: string, more = "") => `postgresql://gatehouse:${password}@db.example/gatehouse${more}`;

describe("the password in the file of store-url (R-X368)", () => {
  let file: string;
  beforeAll(async () => {
    const folder = newFolder("gh-url-");
    file = join(folder, "store-url");
  });

  it("is the file's at each time, decoded, and the last one while the file has no URL", () => {
    const password = passwordIn(file, urlWith("first"));
    const seen = [password?.()];
    for (const text of [`${urlWith("second%2F%40")}\n`, "", "postgre", urlWith("third", "?sslmode=no-verify")]) {
      writeFileSync(file, text);
      seen.push(password?.());
    }
    expect(seen).toEqual(["first", "second/@", "second/@", "second/@", "third"]);
  });

  it("is read without what the URL says of TLS: no warning of a mode, no file of a certificate", () => {
    const warned = jest.spyOn(process, "emitWarning").mockReturnValue(undefined);
    const password = passwordIn(file, urlWith("first", "?sslmode=require"));
    writeFileSync(file, urlWith("second", "?sslmode=require&sslrootcert=/nowhere/ca.pem"));
    expect([password?.(), warned.mock.calls]).toEqual(["second", []]);
    warned.mockRestore();
  });
});

describeWith({ name: "PostgreSQL", missing: postgresMissing() }, "a password that is replaced (R-X368)", () =>
  withScope((closeLater) => {
    let server: PostgresServer;
    let port: number;
    let folder: string;
    beforeAll(async () => {
      port = await freePort();
      server = await startPostgres(port);
      closeLater(() => server.stop());
      folder = newFolder("gh-url-");
      const rules = join(server.directory, "data", "pg_hba.conf");
      const strict = ["rotated", "rotated_b", "elsewhere"]
        .map((role) => `host all ${role} 127.0.0.1/32 scram-sha-256\n`)
        .join("");
      writeFileSync(rules, `${strict}${readFileSync(rules, "utf8")}`);
      await asOwner("create role rotated login password 'former'");
      await asOwner("create database rotated owner rotated");
      await server.restart("fast");
    });

    async function asOwner(statement: string, database = "postgres"): Promise<number | null> {
      const client = new pg.Client({ host: server.directory, port, user: "gatehouse", database });
      await client.connect();
      const { rowCount } = await client.query(statement);
      await client.end();
      return rowCount;
    }
    const url = (password: string, role = "rotated") => `postgresql://${role}:${password}@127.0.0.1:${port}/${role}`;
    /** Every connection of the product ends; the next ones must be made. */
    const endAll = () =>
      asOwner("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'gatehouse%'");
    /** The connection of wakes looks and announces after LISTEN, so that only what comes before it can be named. */
    const listening = () =>
      asOwner(`select 1 from pg_stat_activity
        where application_name = 'gatehouse wake' and query <> '' and query not like 'select pg_backend_pid%'`);

    it("counts at the next connection, without a restart: of requests and of wakes", async () => {
      const file = join(folder, "store-url");
      writeFileSync(file, url("former"), { mode: 0o600 });
      const flags = { "store-url-file": file, "master-keys": TEST_MASTER_KEY };
      const gatehouse = await openGatehouse(closeLater, { flags });
      await asOwner("alter role rotated password 'next'");
      // The file has the former one still. A connection that proved it just before is not there yet at the first end.
      const between = await eventually(
        async () => {
          await endAll();
          return (await fetch(`${gatehouse.managementUrl}/health/ready`)).text();
        },
        (text) => text.includes("refused"),
      );
      expect(between).toContain("refused");
      writeFileSync(file, `${url("next")}\n`, { mode: 0o600 });
      const keys = await eventually(
        () => call(gatehouse.url, "/.well-known/jwks.json"),
        ({ status }) => status === 200,
      );
      const health = await eventually(
        () => fetch(`${gatehouse.managementUrl}/health/ready`),
        ({ status }) => status === 200,
      );
      expect([keys.status, health.status]).toEqual([200, 200]);
      expect(await eventually(listening, (count) => count === 1)).toBe(1);
    });

    it("stays where it is when the URL has none, as in a file of passwords (PGPASSFILE)", async () => {
      await asOwner("create role elsewhere login password 'filed'");
      await asOwner("create database elsewhere owner elsewhere");
      const passwords = join(folder, "pgpass");
      writeFileSync(passwords, `127.0.0.1:${port}:elsewhere:elsewhere:filed\n`, { mode: 0o600 });
      process.env.PGPASSFILE = passwords;
      closeLater(async () => void delete process.env.PGPASSFILE);
      const file = join(folder, "store-url-elsewhere");
      writeFileSync(file, `postgresql://elsewhere@127.0.0.1:${port}/elsewhere`, { mode: 0o600 });
      const flags = { "store-url-file": file, "master-keys": TEST_MASTER_KEY };
      const gatehouse = await openGatehouse(closeLater, { flags });
      expect((await call(gatehouse.url, "/.well-known/jwks.json")).status).toBe(200);
    });

    it("can be that of a second role that acts as the first one, as the manual says (docs/operations/postgresql.md)", async () => {
      await asOwner("create role rotated_b login password 'other' in role rotated");
      await asOwner("alter role rotated_b set role = rotated");
      await asOwner("create database rotated_b owner rotated");
      const file = join(folder, "store-url-b");
      writeFileSync(file, url("other", "rotated_b"), { mode: 0o600 });
      const flags = { "store-url-file": file, "master-keys": TEST_MASTER_KEY };
      const gatehouse = await openGatehouse(closeLater, { flags });
      expect((await call(gatehouse.url, "/.well-known/jwks.json")).status).toBe(200);
      const tablesOf = (owner: string) =>
        asOwner(`select 1 from pg_tables where schemaname = 'public' and tableowner = '${owner}'`, "rotated_b");
      expect([Number(await tablesOf("rotated")) > 20, await tablesOf("rotated_b")]).toEqual([true, 0]);
    });
  }),
);
