import { execFile } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import pg from "pg";
import { openPostgres } from "../../../../src/runtime/database/postgres/postgres.ts";
import { connectionConfig } from "../../../../src/runtime/database/postgres/postgres-connection.ts";
import { tlsAdvice } from "../../../../src/runtime/database/postgres-tls.ts";
import { postgresWake } from "../../../../src/runtime/wake/postgres-wake.ts";
import {
  type CertificateAuthority,
  type IssuedCertificate as Files,
  openCertificateAuthority,
} from "../../../support/certificate-authority.ts";
import { opensslPart } from "../../../support/certificates.ts";
import { eventually } from "../../../support/eventually.ts";
import { freePort } from "../../../support/free-port.ts";
import { describeWith } from "../../../support/optional-part.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../../support/postgres-server.ts";
import { withScope } from "../../../support/scope.ts";
import { silentLog } from "../../../support/silent-log.ts";

const DATABASE = "postgresql://gatehouse@db.harbour.example/gatehouse";

describe("what store-url says of TLS", () => {
  it.each([
    ["", ""],
    ["?sslmode=disable", "?sslmode=disable"],
    ["?sslmode=no-verify", "?sslmode=no-verify"],
    ["?sslmode=verify-full&sslrootcert=/ca.pem", "?sslmode=verify-full&sslrootcert=/ca.pem"],
    ["?sslmode=prefer", "?sslmode=verify-full"],
    ["?sslmode=require", "?sslmode=verify-full"],
    ["?sslmode=verify-ca&sslrootcert=/ca.pem", "?sslmode=verify-full&sslrootcert=%2Fca.pem"],
    ["?sslmode=require&uselibpqcompat=true", "?sslmode=require&uselibpqcompat=true"],
    ["?channel_binding=prefer", "?channel_binding=prefer"],
    ["?ssl=true", "?ssl=true"],
    ["?ssl=1&sslmode=require", "?ssl=1&sslmode=verify-full"],
    ["?ssl=0&sslmode=disable", "?ssl=0&sslmode=disable"],
    ["?ssl=no-verify&sslnegotiation=direct", "?ssl=no-verify&sslnegotiation=direct"],
    ["?sslmode=require&uselibpqcompat=false", "?sslmode=verify-full&uselibpqcompat=false"],
    ["?sslmode=verify-full&sslcert=/c.pem&sslkey=/k.pem", "?sslmode=verify-full&sslcert=/c.pem&sslkey=/k.pem"],
    [
      "?sslmode=verify-ca&sslrootcert=/ca.pem&uselibpqcompat=true",
      "?sslmode=verify-ca&sslrootcert=/ca.pem&uselibpqcompat=true",
    ],
  ])("%j is %j", (given, settled) => {
    expect(connectionConfig(`${DATABASE}${given}`, "test").connectionString).toBe(`${DATABASE}${settled}`);
  });

  it.each([
    ["sslmode=verify-fully", /an sslmode that does not exist: verify-fully\. Write sslmode=verify-full/],
    ["sslmode=", /an sslmode that does not exist: \. Write/],
    [
      "sslmode=require&channel_binding=require",
      /demands channel_binding=require, which nothing here keeps\. Take it out/,
    ],
    ["ssl=false", /has ssl=false, which does not exist\. Write one of: true, 1, 0, no-verify\./],
    ["ssl=", /has ssl=, which does not exist\./],
    ["ssl=require&sslmode=verify-full", /has ssl=require, which/],
    ["sslnegotiation=bogus", /has sslnegotiation=bogus, which does not exist\. Write one of: postgres, direct\./],
    ["sslmode=require&uselibpqcompat=yes", /has uselibpqcompat=yes, which does not exist/],
    ["sslmode=verify-fully&uselibpqcompat=true", /an sslmode that does not exist: verify-fully\./],
    ["sslmode=disable&ssl=true", /has sslmode=disable and ssl=true: the one is without TLS, the other with it\. Take/],
    ["ssl=0&sslmode=verify-full", /has ssl=0 and sslmode=verify-full:/],
    ["sslnegotiation=direct&sslmode=disable", /has sslmode=disable and sslnegotiation=direct:/],
    ["sslmode=verify-full&sslcert=/c.pem", /has one of sslcert and sslkey, which belong together\. Give both/],
    ["sslmode=verify-full&sslkey=/k.pem", /has one of sslcert and sslkey,/],
    ["sslmode=verify-ca&uselibpqcompat=true", /has sslmode=verify-ca without sslrootcert\. Name the file/],
    ["require_auth=scram-sha-256", /demands require_auth=scram-sha-256,/],
    ["ssl_min_protocol_version=TLSv1.3", /demands ssl_min_protocol_version=TLSv1\.3,/],
    ["sslcrl=/crl.pem", /demands sslcrl=\/crl\.pem,/],
    ["requirepeer=postgres", /demands requirepeer=postgres,/],
    ["gssencmode=require", /demands gssencmode=require,/],
  ])("refuses %s", async (given, sentence) => {
    await expect(openPostgres(`${DATABASE}?${given}`)).rejects.toMatchObject({
      name: "CannotStart",
      exitCode: 78,
      message: expect.stringMatching(sentence),
    });
  });

  it.each([
    [
      "target_session_attrs=read-write",
      /has target_session_attrs=read-write, which has no effect here\. Take it out\. Let the/,
    ],
    ["load_balance_hosts=random", /has load_balance_hosts=random, which has no effect/],
    ["connect_timeout=2", /has connect_timeout, which has no effect here\. Take it out\. Set store-connect-timeout-ms/],
    ["query_timeout=2000", /has query_timeout, .* Set store-statement-timeout-ms/],
    ["hostaddr=192.0.2.1", /has hostaddr, .* Write the address as the host/],
    ["dbname=other", /has dbname, /],
    ["passfile=/pgpass", /has passfile, /],
    ["sslpassword=gatehouse-secret", /has sslpassword, which has no effect here\. Take it out\. Name a key without/],
    ["sslmod=verify-full", /has a parameter that is not known here: sslmod\. Take it out, or correct its name/],
    ["sslmode=verify-full&Application_Name=x", /not known here: Application_Name/],
    ["fallback_application_name=site-1", /has fallback_application_name, .* Write application_name/],
    ["sslmode=verify-full&sslmode=disable", /has sslmode twice: only the last would count\. Write it once/],
    ["sslmode=disable&sslmode=require", /has sslmode twice/],
    ["port=65536", /has a port among its parameters that is none from 1 to 65535\./],
    ["port=5432,5433", /has a port among its parameters/],
    ["constructor=1", /has a parameter that is not known here: constructor\./],
    ["statement_timeout=900", /has statement_timeout, .* Set store-statement-timeout-ms/],
    [
      "idle_in_transaction_session_timeout=900",
      /has idle_in_transaction_session_timeout, .* Set store-transaction-timeout-ms/,
    ],
  ])("refuses %s, which would be passed over in silence (R-X379)", async (given, sentence) => {
    const refused = await openPostgres(`${DATABASE}?${given}`).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: "CannotStart", exitCode: 78, message: expect.stringMatching(sentence) });
    expect(String(refused)).not.toContain("gatehouse-secret");
  });

  it.each([
    "postgresql://gatehouse:19?gatehouse-secret@db.example/gatehouse",
    "postgresql://gatehouse:19?a&gatehouse-secret@h/g",
  ])("does not say the rest of a password that ends at its question mark: %s (R-X379, S50)", async (url) => {
    const refused = await openPostgres(url).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: "CannotStart", exitCode: 78, message: expect.stringContaining("%3F") });
    expect(String(refused)).not.toContain("gatehouse-secret");
  });

  it.each([
    "target_session_attrs=any",
    "load_balance_hosts=disable",
    "keepalives=1",
    "client_encoding=UTF8",
    "sslcertmode=allow",
    "application_name=site-1",
    "options=-c%20search_path%3Dours",
    "lock_timeout=500",
    "port=65535",
    "port=",
  ])("takes %s, which asks for nothing or is done (R-X379)", (given) => {
    expect(() => connectionConfig(`${DATABASE}?${given}`, "test")).not.toThrow();
  });

  it.each([
    ["CERT_HAS_EXPIRED", "certificate has expired", /not good today \(CERT_HAS_EXPIRED\)\. Renew it/],
    ["CERT_NOT_YET_VALID", "certificate is not yet valid", /not good today/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate", /not accepted .* sslrootcert=<file>/],
  ])("says what to do about %s", (code, message, sentence) => {
    expect(tlsAdvice({ code, message }, true)).toMatch(sentence);
  });
});

const missing = postgresMissing() ?? opensslPart().missing;

describeWith({ name: "PostgreSQL with OpenSSL", missing }, "PostgreSQL by TLS", () =>
  withScope((closeLater) => {
    let server: PostgresServer;
    let port: number;
    let authority: CertificateAuthority;
    let trusted: string;

    beforeAll(async () => {
      authority = await openCertificateAuthority(closeLater);
      const file = join(authority.folder, "authority.pem");
      writeFileSync(file, authority.certificate);
      trusted = `sslrootcert=${file}`;
      port = await freePort();
      server = await startPostgres(port);
      closeLater(() => server.stop());
      // A role that the server takes by TLS only.
      const rules = join(server.directory, "data", "pg_hba.conf");
      const strict = "hostssl all careful all trust\nhost all careful all reject\n";
      writeFileSync(rules, `${strict}${readFileSync(rules, "utf8")}`);
      await asOwner("create role careful login superuser");
      await server.restart("fast");
    });

    async function asOwner(statement: string): Promise<number | null> {
      const client = new pg.Client({ host: server.directory, port, user: "gatehouse", database: "postgres" });
      await client.connect();
      const { rowCount } = await client.query(statement);
      await client.end();
      return rowCount;
    }

    /** The server presents a certificate for this host from now on. */
    async function present(host: string): Promise<void> {
      const { certificateFile, keyFile } = authority.issue(host, [host]);
      const { uid, gid } = statSync(server.directory);
      for (const [from, name] of [
        [certificateFile, "server.crt"],
        [keyFile, "server.key"],
      ] as const) {
        const to = join(server.directory, "data", name);
        copyFileSync(from, to);
        chownSync(to, uid, gid);
        chmodSync(to, 0o600);
      }
      await asOwner("alter system set ssl = on");
      await server.restart("fast");
    }

    const url = (query: string, role = "gatehouse"): string =>
      `postgresql://${role}@127.0.0.1:${port}/postgres?${query}`;

    const refusal = async (location: string): Promise<string> => {
      const opened = await openPostgres(location, { connections: 2 }).catch((error: Error) => error.message);
      if (typeof opened === "string") return opened;
      await opened.close();
      return "none";
    };

    /** In a process of its own: the variables count from the start only. */
    async function refusalIn(variables: Readonly<Record<string, string>>, location: string): Promise<string> {
      const program = `
        import { openPostgres } from "./src/runtime/database/postgres/postgres.ts";
        const opened = openPostgres(${JSON.stringify(location)}, { connections: 2 });
        console.log(await opened.then((store) => store.close().then(() => "none"), (error) => error.message));`;
      const env = { ...process.env, NODE_NO_WARNINGS: "1", ...variables };
      return (await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env })).stdout;
    }

    it("is refused with a cure while the server has none", async () => {
      const absent = await refusal(url(`sslmode=verify-full&${trusted}`));
      expect(absent).toMatch(/does not speak TLS, which store-url asks for by sslmode\. Turn on its ssl/);
    });

    it("carries every connection, that which listens too, once the certificate is checked", async () => {
      await present("127.0.0.1");
      const location = url(`sslmode=require&${trusted}`, "careful");
      const store = await openPostgres(location, { connections: 2 });
      closeLater(() => store.close());
      const wake = postgresWake(location, silentLog);
      closeLater(() => wake.close());
      const { rows } = await eventually(
        () =>
          sql<{ readonly ssl: boolean; readonly name: string }>`
            select ssl, application_name as name from pg_stat_ssl join pg_stat_activity using (pid)
            where application_name like 'gatehouse%' order by name
          `.execute(store.view()),
        ({ rows: found }) => found.some(({ name }) => name === "gatehouse wake"),
      );
      expect(rows.map(({ ssl }) => ssl)).toEqual(rows.map(() => true));
    });

    it("loses requests and not the process while a file that store-url names is missing", async () => {
      await present("127.0.0.1");
      const file = join(authority.folder, "renewed.pem");
      writeFileSync(file, authority.certificate);
      const store = await openPostgres(url(`sslmode=verify-full&sslrootcert=${file}`), { connections: 2 });
      closeLater(() => store.close());
      const db = store.view<object>();
      // The third request waits for a connection; when the first two are lost, the pool makes it one.
      const asked = Promise.allSettled([1, 2, 3].map(() => sql`select pg_sleep(30)`.execute(db)));
      await eventually(
        () => asOwner("select 1 from pg_stat_activity where query like '%pg_sleep(30)' and state = 'active'"),
        (count) => count === 2,
      );
      rmSync(file);
      await asOwner("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse'");
      const unavailable = { status: "rejected", reason: { code: "UNAVAILABLE" } };
      expect(await asked).toMatchObject([unavailable, unavailable, unavailable]);
      writeFileSync(file, authority.certificate);
      const { rows } = await sql`select 1 as one`.execute(db);
      expect(rows).toEqual([{ one: 1 }]);
    });

    it.each([
      [
        "whose authority is unknown",
        "sslmode=verify-full",
        /not accepted \(SELF_SIGNED_CERT_IN_CHAIN\).*sslrootcert=<file>/,
      ],
      [
        "whose authority is unknown, with a weaker mode",
        "sslmode=prefer",
        /not accepted \(SELF_SIGNED_CERT_IN_CHAIN\)/,
      ],
    ])("refuses a certificate %s", async (_, query, sentence) => {
      await present("127.0.0.1");
      expect(await refusal(url(query))).toMatch(sentence);
    });

    it("refuses a certificate for another name", async () => {
      await present("db.harbour.example");
      expect(await refusal(url(`sslmode=verify-full&${trusted}`))).toMatch(
        /a certificate for other names \(ERR_TLS_CERT_ALTNAME_INVALID\)\. Write one of its names in store-url/,
      );
    });

    it.each(["sslmode=verify-full", "ssl=true"])(
      "checks it by %s also when the environment turns verification off (R-X437)",
      async (query) => {
        await present("127.0.0.1");
        const said = await refusalIn({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, url(query));
        expect(said).toMatch(/not accepted \(SELF_SIGNED_CERT_IN_CHAIN\)/);
      },
    );

    it("speaks TLS 1.2 at least, also when the environment allows less (R-X437)", async () => {
      await present("127.0.0.1");
      const set = {
        ssl_min_protocol_version: "TLSv1",
        ssl_max_protocol_version: "TLSv1.1",
        ssl_ciphers: "ALL:@SECLEVEL=0",
      };
      for (const [name, value] of Object.entries(set)) await asOwner(`alter system set ${name} = '${value}'`);
      await server.restart("fast");
      const allowing = { NODE_OPTIONS: "--tls-min-v1.0 --tls-cipher-list=ALL:@SECLEVEL=0" };
      const said = await refusalIn(allowing, url(`sslmode=verify-full&${trusted}`));
      await asOwner("alter system reset all");
      expect(said).toMatch(/speaks no TLS that is safe \(EPROTO\)\. Let it speak TLS 1\.2 or newer/);
    });

    it.each(["sslmode=no-verify", "sslmode=require&uselibpqcompat=true"])(
      "checks no certificate by %s, and shows its own",
      async (query) => {
        await present("db.harbour.example");
        const { certificateFile, keyFile } = authority.issue("client", ["gatehouse"]);
        expect(await refusal(url(`${query}&sslcert=${certificateFile}&sslkey=${keyFile}`))).toBe("none");
      },
    );

    it.each<[string, (files: Files, other: Files) => Files, string]>([
      ["with the key of another certificate", (files, { keyFile }) => ({ ...files, keyFile }), "KEY_VALUES_MISMATCH"],
      [
        "with a certificate in place of the key",
        (files) => ({ ...files, keyFile: files.certificateFile }),
        "ERR_OSSL_",
      ],
      ["that is a key", (files) => ({ ...files, certificateFile: files.keyFile }), "ERR_OSSL_"],
      ["that is a folder", (files) => ({ ...files, certificateFile: authority.folder }), "EISDIR"],
    ])("says what is wrong with a certificate of ours %s", async (_, changed, code) => {
      await present("127.0.0.1");
      const names = ["client", "other"].map((name) => authority.issue(name, ["gatehouse"])) as [Files, Files];
      const { certificateFile, keyFile } = changed(...names);
      const said = await refusal(url(`sslmode=verify-full&${trusted}&sslcert=${certificateFile}&sslkey=${keyFile}`));
      expect(said).toMatch(/^store-url names files that cannot be used \(\w+\)\. Name in sslcert the PEM file/);
      expect(said).toContain(code);
    });

    it("is asked for where the server takes a role in no other way", async () => {
      await present("127.0.0.1");
      expect(await refusal(url("sslmode=disable", "careful"))).toMatch(
        /takes no connection of this role without TLS \(28000\)\. Add sslmode=verify-full to store-url/,
      );
    });
  }),
);
