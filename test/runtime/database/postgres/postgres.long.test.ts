import { createServer, connect as dial, type Socket } from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { assertUnused } from "../../../../src/roles/store/store-alone.ts";
import { systemClock } from "../../../../src/runtime/basis/clock.ts";
import { CannotStart } from "../../../../src/runtime/basis/errors.ts";
import { systemRandom } from "../../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../../src/runtime/changes/change.ts";
import { runtimeMigrations } from "../../../../src/runtime/changes/migrations.ts";
import { isLockTimeout, isStalePlan, type Store } from "../../../../src/runtime/database/database.ts";
import { DEFAULT_DEADLINES, type Purpose, runFor } from "../../../../src/runtime/database/deadlines.ts";
import { migrate, pendingSteps } from "../../../../src/runtime/database/migrations.ts";
import { openPostgres } from "../../../../src/runtime/database/postgres/postgres.ts";
import { storeTroubleOf } from "../../../../src/runtime/database/store-trouble.ts";
import { createMetrics } from "../../../../src/runtime/process/metrics.ts";
import { watchStatements } from "../../../support/asked-statements.ts";
import { eventually } from "../../../support/eventually.ts";
import { postgresProxy } from "../../../support/postgres-proxy.ts";
import type { Closer } from "../../../support/scope.ts";
import { inTransaction, onPostgres } from "../../../support/stores.ts";

const refusal = async (url: string): Promise<CannotStart> => {
  const thrown = await openPostgres(url).then(
    (store) => store.close(),
    (error: unknown) => error,
  );
  if (thrown instanceof CannotStart) return thrown;
  throw thrown;
};

const serverOf = (location: string): string => decodeURIComponent(new URL(location).host);

const asRole = (location: string, role: string): string => {
  const url = new URL(location);
  url.username = role;
  url.password = "hunter2";
  return url.href;
};

/** Where a pool would be: hands connections on, without the parameters that it was told to ignore. */
async function poolBefore(
  location: string,
  closeLater: (closer: Closer) => void,
  ignored: readonly string[],
): Promise<string> {
  const path = `${serverOf(location)}/.s.PGSQL.5432`;
  return listening(location, closeLater, (client) => {
    client.once("data", (first: Buffer) => {
      const fields = first.subarray(8).toString("utf8").split("\0");
      const kept = fields.flatMap((name, index) =>
        index % 2 === 1 || name === "" || ignored.includes(name) ? [] : [name, fields[index + 1]],
      );
      const rest = Buffer.from(`${kept.join("\0")}\0\0`);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(8 + rest.length);
      const server = dial(path);
      server.on("error", () => client.destroy());
      client.on("close", () => server.destroy());
      server.write(Buffer.concat([length, first.subarray(4, 8), rest]));
      client.pipe(server).pipe(client);
    });
  });
}

/** The URL of a server of ours in the place of the store's. */
async function listening(
  location: string,
  closeLater: (closer: Closer) => void,
  serve: (client: Socket) => void,
): Promise<string> {
  const server = createServer((client) => {
    client.on("error", () => undefined);
    serve(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as { readonly port: number };
  return Object.assign(new URL(location), { host: `127.0.0.1:${port}` }).href;
}

describe("opening the PostgreSQL store", () => {
  it.each([
    ["a transaction that was idle for too long", "25P03"],
    ["a transaction that took too long", "25P04"],
    ["a session that was idle for too long", "57P05"],
  ])("takes a connection that the server ended for %s as lost (R-X180)", (_, code) => {
    expect(storeTroubleOf({ code })).toBe("away");
  });

  /** What is said of a server that answers with this error. */
  const saidOf = async (fields: string) => {
    const closers: Closer[] = [];
    const url = await listening(
      "postgresql://gatehouse:hunter2@host/gatehouse",
      (closer) => void closers.push(closer),
      (client) =>
        client.once("data", () => {
          const head = Buffer.alloc(5);
          head.write("E");
          head.writeUInt32BE(4 + Buffer.byteLength(fields), 1);
          client.end(Buffer.concat([head, Buffer.from(fields)]));
        }),
    );
    const { message } = await refusal(url);
    for (const close of closers) await close();
    return { message, host: new URL(url).host };
  };

  it("says that there is a pool in front of the server, when that refuses what a connection sets", async () => {
    const said = "unsupported startup parameter: statement_timeout";
    const { message, host } = await saidOf(`SFATAL\0C08P01\0M${said}\0\0`);
    expect(message).toBe(
      `The PostgreSQL server at ${host} is a pool (${said}), which keeps back what each connection sets at its beginning. Name the server behind it in store-url.`,
    );
  });

  it.each([
    [
      "a rule of access refuses",
      "auth.c",
      "ClientAuthentication",
      /takes no connection of this role without TLS \(28000\)/,
    ],
    ["the role does not exist", "miscinit.c", "InitializeSessionUserId", /refuses the role gatehouse \(28000\)/],
  ])("says what to do in any language of the server: %s", async (_, file, routine, sentence) => {
    const said = "pg_hba.conf lehnt Verbindung ab: Host »127.0.0.1«, Benutzer »gatehouse«, keine Verschlüsselung";
    const { message } = await saidOf(`SSCHWERWIEGEND\0VFATAL\0C28000\0M${said}\0F${file}\0R${routine}\0\0`);
    expect(message).toMatch(sentence);
  });

  it("refuses a store-url with a plain #, which would cut the database's name off, in one line", async () => {
    const { message, exitCode } = await refusal("postgresql://gatehouse:hunter2@127.0.0.1:1/sites#3");
    expect([message, exitCode]).toEqual(["store-url has a #, which cuts off what follows it. Write it as %23.", 78]);
  });

  it("refuses a server that does not answer, in one line without the password (S50)", async () => {
    const { message } = await refusal("postgresql://gatehouse:hunter2@127.0.0.1:1/gatehouse");
    expect(message).toBe(
      "The PostgreSQL server at 127.0.0.1:1 does not accept us (ECONNREFUSED). Check store-url and that the server runs.",
    );
  });
});

onPostgres((open, closeLater) => {
  it("shows no value that was overwritten, not in the statistics of columns either (decision 0081)", async () => {
    const { store } = await open();
    const db = store.view();
    await sql`create table guests (id integer primary key, name text not null)`.execute(db);
    await sql`create index guests_by_name on guests (lower(name))`.execute(db);
    await sql`insert into guests select n, 'Ottoline ' || n from generate_series(1, 500) as n`.execute(db);
    await sql`analyze guests`.execute(db);
    const shown = async () => {
      const { rows } = await sql<{ readonly count: string }>`
        select count(*) as count from pg_stats where histogram_bounds::text ilike '%ottoline%'`.execute(db);
      return Number(rows[0]?.count);
    };
    await sql`update guests set name = 'Erased ' || id`.execute(db);
    // The column's, and those of the index.
    expect(await shown()).toBe(2);
    expect(await store.forgetOverwritten()).toBe(true);
    expect(await shown()).toBe(0);
  });

  it("renews statistics in a schema, and of tables, whose names need quotes, so that an erasure ends (R-X260)", async () => {
    const { location, store } = await open();
    await sql`create schema "Gate-House"`.execute(store.view());
    await sql`create table "Gate-House"."other.program" (name text not null)`.execute(store.view());
    const url = new URL(location);
    url.searchParams.set("options", '-c search_path="Gate-House"');
    const own = await openPostgres(url.href);
    await expect(own.forgetOverwritten()).resolves.toBe(true);
    await own.close();
  });

  it("is in trouble until a write changes a row: one that changes none waits for no standby (R-X175)", async () => {
    const { store } = await open();
    const db = store.view<{ change_requests: { readonly method: string } }>();
    const sweep = db.deleteFrom("change_requests").where("method", "=", "None");
    store.health.writeFailed("away");
    await sweep.execute();
    await db.transaction().execute((tx) => tx.executeQuery(sweep));
    expect(store.health.trouble).toBe("away");
    await sql`insert into store_probes (number, written_at) values (1, 0)`.execute(db);
    expect(store.health.trouble).toBeUndefined();
  });

  it("opens a database whose name has characters that a URL encodes", async () => {
    const { location, store } = await open();
    const name = `sites/north+${new URL(location).pathname.slice(1)} @ 5:1? #3 %3F 100%`;
    await sql`create database ${sql.ref(name)}`.execute(store.view());
    const there = await openPostgres(Object.assign(new URL(location), { pathname: encodeURIComponent(name) }).href);
    const { rows } = await sql<{ readonly name: string }>`select current_database() as name`.execute(there.view());
    await there.close();
    await sql`drop database ${sql.ref(name)}`.execute(store.view());
    expect(rows).toEqual([{ name }]);
  });

  it("names a database that does not exist as it is called, also with characters that a URL encodes", async () => {
    const { location } = await open();
    const url = Object.assign(new URL(location), { pathname: encodeURIComponent("north? #3") }).href;
    const { message } = await refusal(url);
    expect(message).toContain("has no database north? #3 (3D000)");
  });

  it.each([
    ["options and limits", ["options", "statement_timeout"], "jit, statement_timeout"],
    ["options alone", ["options"], "jit"],
  ])("refuses a pool in front of the server that ignores %s, in one line", async (_, ignored, missing) => {
    const { location } = await open();
    const { message } = await refusal(await poolBefore(location, closeLater, ignored));
    expect(message).toBe(
      `Something between Gatehouse and the PostgreSQL server, a pool such as PgBouncer, keeps back what each connection sets at its beginning (${missing}). Name the server itself in store-url.`,
    );
  });

  it("keeps connections for requests, however many exports there are (R-X369)", async () => {
    const { location } = await open();
    const own = await openPostgres(location, { connections: 4 });
    closeLater(() => own.close());
    const held = await Promise.all([own.snapshot(), own.snapshot()]);
    await expect(own.snapshot()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("half of store-connections"),
    });
    await expect(sql`select 1`.execute(own.view())).resolves.toBeDefined();
    await held[0].close();
    await (await own.snapshot()).close();
    await held[1].close();
  });

  it("waits for a lock for a moment only where a caller asked for the transaction (R-X411)", async () => {
    const { location } = await open();
    const deadlines = { ...DEFAULT_DEADLINES, connectMs: 3_000 };
    const own = await openPostgres(location, { connections: 2, deadlines });
    closeLater(() => own.close());
    const db = own.view();
    const lock = sql`select pg_advisory_xact_lock(4711)`;
    const limit = sql<{ lock_timeout: string }>`show lock_timeout`;
    const over = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const held = db.transaction().execute(async (tx) => {
      await lock.execute(tx);
      isLocked.resolve();
      await over.promise;
      return (await limit.execute(tx)).rows;
    });
    await isLocked.promise;
    const requested = (work: typeof lock) =>
      runFor("requested", () => db.transaction().execute(async (tx) => (await work.execute(tx)).rows));
    const failure = await requested(lock).catch((error: unknown) => error);
    expect([isLockTimeout(failure), failure]).toMatchObject([true, { code: "UNAVAILABLE" }]);
    expect(await requested(limit)).toEqual([{ lock_timeout: "250ms" }]);
    over.resolve();
    // Nothing of it is left in the connections.
    expect(await held).toEqual([{ lock_timeout: "0" }]);
    const unlimited = db.transaction().execute(async (tx) => (await limit.execute(tx)).rows);
    expect(await unlimited).toEqual([{ lock_timeout: "0" }]);
  });

  it.each<[Purpose, { statement: string; idle: string; lock: string }]>([
    ["ordinary", { statement: "15s", idle: "5s", lock: "0" }],
    ["unlogged", { statement: "15s", idle: "5s", lock: "0" }],
    ["requested", { statement: "15s", idle: "5s", lock: "250ms" }],
    ["migration", { statement: "1h", idle: "1h", lock: "0" }],
    ["export", { statement: "15s", idle: "0", lock: "0" }],
    ["import", { statement: "15s", idle: "30s", lock: "0" }],
  ])("begins a transaction whose purpose is %s with its limits, by one question", async (purpose, limits) => {
    const { store } = await open();
    const db = store.view();
    const shown: (typeof limits)[] = [];
    const once = () =>
      runFor(purpose, () =>
        db.transaction().execute(async (tx) => {
          const { rows } = await sql<typeof limits>`
            select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
              current_setting('idle_in_transaction_session_timeout') as idle`.execute(tx);
          shown.push(...rows);
        }),
      );
    const asked = await watchStatements(once);
    expect(shown).toEqual([limits]);
    expect(asked).toEqual([expect.stringMatching(/^begin/), expect.stringMatching(/^\s*select/), "commit"]);
  });

  it.each([
    ["shorter", "500", "500ms", "500ms"],
    ["longer", "60000", "5s", "1min"],
  ])(
    "waits for a lock as the URL says where that is %s than a caller would wait (R-X411)",
    async (_, given, forCaller, otherwise) => {
      const { location } = await open();
      const url = new URL(location);
      url.searchParams.set("lock_timeout", given);
      const own = await openPostgres(url.href);
      closeLater(() => own.close());
      const limit = (purpose: Purpose) =>
        runFor(purpose, () =>
          inTransaction(
            own.view(),
            async (tx) => (await sql<{ lock_timeout: string }>`show lock_timeout`.execute(tx)).rows,
          ),
        );
      expect(await limit("requested")).toEqual([{ lock_timeout: forCaller }]);
      expect(await limit("ordinary")).toEqual([{ lock_timeout: otherwise }]);
    },
  );

  it("does not wait for a server that falls silent once it is connected, in one line (R-X181)", async () => {
    const { location } = await open();
    const { proxy, proxied } = await postgresProxy(location, closeLater);
    proxy.holdAnswerTo("SELECT 1");
    const deadlines = { ...DEFAULT_DEADLINES, statementMs: 300 };
    await expect(openPostgres(proxied, { deadlines })).rejects.toThrow(
      `The PostgreSQL server at 127.0.0.1:${proxy.port} does not accept us (ETIMEDOUT). Check store-url and that the server runs.`,
    );
  });

  it("reads what is committed and counts transactions by itself, whatever the database says (R-X181)", async () => {
    const { location, store } = await open();
    const name = new URL(location).pathname.slice(1);
    const shown = async (view: Store) =>
      (
        await sql<{ readonly isolation: string; readonly limit: string | null }>`
          select current_setting('transaction_isolation') as isolation,
            current_setting('transaction_timeout', true) as limit`.execute(view.view())
      ).rows[0];
    // Of version 17 and later.
    const hasLimit = (await shown(store))?.limit !== null;
    const set = (setting: string) => sql`alter database ${sql.ref(name)} set ${sql.raw(setting)}`.execute(store.view());
    await set("default_transaction_isolation = 'serializable'");
    if (hasLimit) await set("transaction_timeout = '5s'");
    const later = await openPostgres(location, { connections: 1 });
    const expected = { isolation: "read committed", limit: hasLimit ? "0" : null };
    expect(await shown(later)).toEqual(expected);
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(later.view()).catch(() => undefined);
    expect(await shown(later)).toEqual(expected);
    await later.close();
  });

  it("is found by commands that need it stopped, whatever name store-url gives its connections (R-X247)", async () => {
    const { location, store, wake } = await open();
    await wake.close();
    await store.close();
    const named = new URL(location);
    named.searchParams.set("application_name", "site 1");
    const running = await openPostgres(named.href, { connections: 1 });
    const command = await openPostgres(location, { connections: 1 });
    await expect(assertUnused(command)).rejects.toThrow("Another Gatehouse has the store open");
    const { rows } = await sql`select current_setting('application_name') as name`.execute(running.view());
    expect(rows).toEqual([{ name: "gatehouse site 1" }]);
    await running.close();
    // The server shows a connection for a moment longer.
    const isUnused = () =>
      assertUnused(command).then(
        () => true,
        () => false,
      );
    expect(await eventually(isUnused, (unused) => unused)).toBe(true);
    await command.close();
  });

  it("is found by them in another schema of the database too, and they say so (R-X247)", async () => {
    const { location } = await open();
    const elsewhere = new URL(location);
    elsewhere.searchParams.set("options", "-c search_path=elsewhere");
    const command = await openPostgres(location, { connections: 1 });
    await sql`create schema elsewhere`.execute(command.view());
    const running = await openPostgres(elsewhere.href, { connections: 1 });
    await expect(assertUnused(command)).rejects.toThrow(
      "Another Gatehouse has the store open. Stop every services process of this database first, one with a store in another schema too. Nothing was changed.",
    );
    await running.close();
    await command.close();
  });

  it("ends its connections though it was never used, and once", async () => {
    const { location } = await open();
    const ended = jest.spyOn(pg.Pool.prototype, "end");
    for (const isUsed of [false, true]) {
      const store = await openPostgres(location, { connections: 1 });
      if (isUsed) await sql`select 1`.execute(store.view());
      await store.close();
    }
    expect(ended).toHaveBeenCalledTimes(2);
    ended.mockRestore();
  });

  it.each(["application_name=", "options=", "options=&application_name=", "options=-c%20jit%3Don"])(
    "keeps its name, options and limits with a store-url that ends in ?%s (R-X181, R-X247)",
    async (parameters) => {
      const { location } = await open();
      const store = await openPostgres(`${location}?${parameters}`, { connections: 1 });
      const { rows } = await sql`
        select name, setting from pg_settings where name in
          ('application_name', 'idle_in_transaction_session_timeout', 'jit', 'statement_timeout')
        order by name`.execute(store.view());
      await store.close();
      expect(rows.map((row) => Object.values(row as object))).toEqual([
        ["application_name", "gatehouse"],
        ["idle_in_transaction_session_timeout", "5000"],
        ["jit", "off"],
        ["statement_timeout", String(DEFAULT_DEADLINES.statementMs)],
      ]);
    },
  );

  it("counts a read by itself that fails for a reason of the store, also on a connection that was used before", async () => {
    const { location } = await open();
    const store = await openPostgres(location, {
      connections: 1,
      // What opening asks is answered by then.
      deadlines: { ...DEFAULT_DEADLINES, statementMs: 1_500 },
    });
    const metrics = createMetrics();
    store.health.measure(metrics);
    const counted = async () =>
      /^gatehouse_store_failures_total\{trouble="busy"\} (\d+)$/m.exec(await metrics.metrics())?.[1];
    for (let count = 0; count < 3; count++)
      await expect(sql`select pg_sleep(30)`.execute(store.view())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await store.close();
    expect(await counted()).toBe("3");
  });

  it("shows how long reads and changes wait for a connection, and those that get none", async () => {
    const { location } = await open();
    const deadlines = { ...DEFAULT_DEADLINES, connectMs: 1_500 };
    const store = await openPostgres(location, { connections: 1, deadlines });
    const metrics = createMetrics();
    store.health.measure(metrics);
    const read = () => sql`select 1`.execute(store.view());
    const counted = async (of: string) =>
      Number(
        (await metrics.metrics())
          .split("\n")
          .find((line) => line.startsWith(`gatehouse_store_connection_wait_seconds_${of} `))
          ?.split(" ")[1],
      );
    await read();
    expect(await counted("count")).toBe(1);
    await inTransaction(store.view(), () => expect(read()).rejects.toMatchObject({ code: "UNAVAILABLE" }));
    expect(await counted("count")).toBe(3);
    // The read had all of its 1.5 seconds.
    expect(await counted("count")).toBeGreaterThan(await counted('bucket{le="1"}'));
    expect(await metrics.metrics()).not.toContain("gatehouse_store_flush_seconds");
    await store.close();
  });

  it("refuses a database that does not exist, in one line", async () => {
    const { location } = await open();
    const { message } = await refusal(`${location}_not`);
    const name = new URL(location).pathname.slice(1);
    expect(message).toBe(
      `The PostgreSQL server at ${serverOf(location)} has no database ${name}_not (3D000). Create it, or correct store-url.`,
    );
  });

  it("refuses a role that may not sign in, in one line that names it and not its password", async () => {
    const { location, store } = await open();
    const role = `${new URL(location).pathname.slice(1)}_out`;
    await sql`create role ${sql.ref(role)} nologin`.execute(store.view());
    const { message } = await refusal(asRole(location, role));
    expect(message).toBe(
      `The PostgreSQL server at ${serverOf(location)} refuses the role ${role} (28000). Check its password in store-url, and the server's rules of access (pg_hba.conf).`,
    );
  });

  it("says which versions will do when the server lacks a parameter, as those before 14 lack idle_session_timeout", async () => {
    const { location } = await open();
    const { message } = await refusal(`${location}?options=${encodeURIComponent("-c idle_sessions_timeout=0")}`);
    expect(message).toBe(
      `The PostgreSQL server at ${serverOf(location)} does not know a parameter (unrecognized configuration parameter "idle_sessions_timeout"). Gatehouse needs PostgreSQL 14 or newer; on such a server, correct the options in store-url.`,
    );
  });

  it("refuses a server without the certificate file that store-url names, in one line", async () => {
    const { message } = await refusal("postgresql://gatehouse@127.0.0.1:1/gatehouse?sslrootcert=/not/there.pem");
    expect(message).toBe("store-url names /not/there.pem, which does not exist (ENOENT).");
  });

  it("refuses a server whose certificate file cannot be read, in one line that is not about the server", async () => {
    const { message } = await refusal("postgresql://gatehouse@127.0.0.1:1/gatehouse?sslrootcert=/etc/passwd/ca.pem");
    expect(message).toBe("store-url names /etc/passwd/ca.pem, which cannot be read (ENOTDIR).");
  });

  it("does not start as a role that owns neither the tables nor the database, with which statistics would keep names (R-X428)", async () => {
    const { location, store } = await open();
    const role = `${new URL(location).pathname.slice(1)}_in`;
    await sql`create role ${sql.ref(role)} login`.execute(store.view());
    await sql`grant create, usage on schema public to ${sql.ref(role)}`.execute(store.view());
    await sql`grant all on all tables in schema public to ${sql.ref(role)}`.execute(store.view());
    const opened = await openPostgres(asRole(location, role));
    const migrating = migrate(opened, [runtimeMigrations], new Date());
    await expect(migrating).rejects.toThrow(
      /^The role of store-url owns neither the table audit_entries nor the database: .* alter table … owner to <role>$/,
    );
    await expect(migrating).rejects.toBeInstanceOf(CannotStart);
    const { rows } = await sql<{ readonly name: string }>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
      store.view(),
    );
    for (const { name } of rows)
      await sql`alter table ${sql.ref(name)} owner to ${sql.ref(role)}`.execute(store.view());
    await expect(migrate(opened, [runtimeMigrations], new Date())).resolves.toBe(0);
    await opened.close();
  });

  it.each(["public", "Gate house"])(
    "says which right is missing when a role may make no tables in %s",
    async (schema) => {
      const { location, store } = await open();
      const role = `${new URL(location).pathname.slice(1)}_in`;
      await sql`create role ${sql.ref(role)} login`.execute(store.view());
      await sql`alter role ${sql.ref(role)} set search_path = ${sql.ref(schema)}`.execute(store.view());
      await sql`drop schema public cascade`.execute(store.view());
      await sql`create schema ${sql.ref(schema)}`.execute(store.view());
      await sql`grant usage on schema ${sql.ref(schema)} to ${sql.ref(role)}`.execute(store.view());
      const opened = await openPostgres(asRole(location, role));
      const migrating = migrate(opened, [runtimeMigrations], new Date());
      const named = schema === "public" ? "public" : `"${schema}"`;
      await expect(migrating).rejects.toThrow(
        `may not make or change tables in this database (permission denied for schema ${schema}). Make it the owner of the database and of its tables; for new tables alone, run as the owner: grant create on schema ${named} to <role>`,
      );
      await expect(migrating).rejects.toBeInstanceOf(CannotStart);
      await opened.close();
    },
  );

  it("names the setting by which a migration may take longer, in one line", async () => {
    const { location } = await open();
    const store = await openPostgres(location, { deadlines: { ...DEFAULT_DEADLINES, migrationMs: 200 } });
    const slow = { number: 1, name: "slow", statements: () => ["select pg_sleep(5)"] };
    const migrating = migrate(store, [runtimeMigrations, { owner: "slow", migrations: [slow] }], new Date());
    await expect(migrating).rejects.toThrow(
      "The store cannot be brought to this program's level: it takes longer than store-migration-timeout-ms. Raise that and start again.",
    );
    await expect(migrating).rejects.toBeInstanceOf(CannotStart);
    await store.close();
  });

  it.each(["off", "local"])(
    "refuses synchronous_commit = %s, which may lose acknowledged commits (R-X179)",
    async (value) => {
      const { location, store } = await open();
      const name = new URL(location).pathname.slice(1);
      await sql`alter database ${sql.ref(name)} set synchronous_commit = ${sql.lit(value)}`.execute(store.view());
      const { message } = await refusal(location);
      expect(message).toContain(`its synchronous_commit is ${value}. Set it to on`);
    },
  );

  it("refuses session_replication_role = replica, with which rows that break the store's rules are taken (R-X394)", async () => {
    const { location, store } = await open();
    const name = new URL(location).pathname.slice(1);
    await sql`alter database ${sql.ref(name)} set session_replication_role = replica`.execute(store.view());
    const { message } = await refusal(location);
    expect(message).toBe(
      "The PostgreSQL store would take rows that break its rules: its session_replication_role is replica, with which neither references nor triggers count. End that for this database or role, for example: alter role … reset session_replication_role",
    );
  });

  it.each(["origin", "local"])(
    "opens with session_replication_role = %s, which checks all rules (R-X394)",
    async (value) => {
      const { location, store } = await open();
      const name = new URL(location).pathname.slice(1);
      await sql`alter database ${sql.ref(name)} set session_replication_role = ${sql.lit(value)}`.execute(store.view());
      const opened = await openPostgres(location, { connections: 1 });
      const { rows } = await sql`show session_replication_role`.execute(opened.view());
      expect(rows).toEqual([{ session_replication_role: value }]);
      await opened.close();
    },
  );

  it("says what the server refuses when it does not answer what a start asks, in one line", async () => {
    const { location, store } = await open();
    const role = `${new URL(location).pathname.slice(1)}_blind`;
    await sql`create role ${sql.ref(role)} login`.execute(store.view());
    await sql`revoke select on pg_settings from public`.execute(store.view());
    const { message } = await refusal(asRole(location, role));
    expect(message).toBe(
      "The PostgreSQL server refuses what a start asks it: permission denied for view pg_settings (42501). Mend that and start again.",
    );
  });

  it("says which setting makes a store read only, in one line", async () => {
    const { location, store } = await open();
    const name = new URL(location).pathname.slice(1);
    await sql`alter database ${sql.ref(name)} set default_transaction_read_only = on`.execute(store.view());
    const opened = await openPostgres(location, { connections: 1 });
    const later = { number: 1, name: "later", statements: () => ["create table later_table (number integer)"] };
    const migrating = migrate(opened, [runtimeMigrations, { owner: "later", migrations: [later] }], new Date());
    await expect(migrating).rejects.toThrow(
      "The store cannot be brought to this program's level: read only: nothing can be written. Name the primary in store-url, or set default_transaction_read_only to off for the role, the database or the server. Then start again.",
    );
    await expect(migrating).rejects.toBeInstanceOf(CannotStart);
    await opened.close();
  });

  it("keeps what it sets for each connection beside options in store-url (R-X179)", async () => {
    const { location } = await open();
    const url = new URL(location);
    url.searchParams.set("options", "-c synchronous_commit=on -c statement_timeout=4321");
    const store = await openPostgres(url.href, { connections: 1 });
    const name = new URL(location).pathname.slice(1);
    const shown = async (setting: string) =>
      (await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(store.view())).rows[0]?.value;
    await sql`alter database ${sql.ref(name)} set synchronous_commit = off`.execute(store.view());
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.view()).catch(() => undefined);
    expect([await shown("synchronous_commit"), await shown("jit"), await shown("tcp_keepalives_idle")]).toEqual([
      "on",
      "off",
      expect.stringMatching(/^(10|0)$/),
    ]);
    await store.close();
  });

  it("refuses a database whose encoding lacks letters, in one line", async () => {
    const { location, store } = await open();
    const name = `${new URL(location).pathname.slice(1)}_latin`;
    const made = sql`create database ${sql.ref(name)} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`;
    await made.execute(store.view());
    const { message } = await refusal(Object.assign(new URL(location), { pathname: `/${name}` }).href);
    expect(message).toContain("has the encoding LATIN1, which lacks letters of people's names. Make one with UTF8");
    await sql`drop database ${sql.ref(name)}`.execute(store.view());
  });

  it("keeps to its schema when another one comes first later, and does not start beside it (R-X177)", async () => {
    const { location, store } = await open();
    const { rows } = await sql<{ user: string }>`select current_user as user`.execute(store.view());
    const user = rows[0]?.user ?? "";
    const running = await openPostgres(location, { connections: 2 });
    await sql`create schema ${sql.ref(user)}`.execute(store.view());
    const counted = () => sql`select count(*) from migration_ledger`.execute(running.view());
    const places = await Promise.all(
      [1, 2].map(() => sql<{ schema: string }>`select current_schema() as schema`.execute(running.view())),
    );
    expect(places.map((place) => place.rows[0]?.schema)).toEqual(["public", "public"]);
    await expect(Promise.all([counted(), counted()])).resolves.toHaveLength(2);
    await running.close();
    const { message } = await refusal(location);
    expect(message).toContain(`has a Gatehouse store in schema public, but schema ${user} comes first`);
  });

  it("makes its tables in a schema whose name needs quotes, and finds them there", async () => {
    const { location, store } = await open();
    await sql`create schema "Gate-House"`.execute(store.view());
    const url = new URL(location);
    url.searchParams.set("options", '-c search_path="Gate-House"');
    const own = await openPostgres(url.href);
    await migrate(own, [runtimeMigrations], new Date());
    expect(await pendingSteps(own, [runtimeMigrations])).toEqual([]);
    const { rows } = await sql<{ schema: string }>`
      select distinct schemaname as schema from pg_tables where tablename = 'audit_entries' order by 1`.execute(
      own.view(),
    );
    expect(rows.map(({ schema }) => schema)).toContain("Gate-House");
    await own.close();
  });

  it("does not start where the role's search_path names no schema that is there, in one line", async () => {
    const { location, store } = await open();
    const role = `${new URL(location).pathname.slice(1)}_nowhere`;
    await sql`create role ${sql.ref(role)} login`.execute(store.view());
    await sql`alter role ${sql.ref(role)} set search_path = not_there`.execute(store.view());
    const { message } = await refusal(asRole(location, role));
    expect(message).toBe(
      "The PostgreSQL database has no schema of the role's search_path (not_there), or none that the role may use. Create one, as the database's owner: create schema <name> authorization <role>; or correct the path: alter role … set search_path = public",
    );
  });

  it("has every statement parsed once per connection", async () => {
    const { store } = await open();
    const prepared = await store
      .view()
      .connection()
      .execute(async (db) => {
        for (const number of [1, 2, 3]) await sql`select ${number}::integer as number`.execute(db);
        return sql<{ text: string; calls: number }>`
          select statement as text, generic_plans + custom_plans as calls from pg_prepared_statements
          where statement like '%::integer as number'`.execute(db);
      });
    expect(prepared.rows).toEqual([{ text: "select $1::integer as number", calls: 3 }]);
  });

  describe("when a newer program migrates the store while this one runs", () => {
    const things = (store: Store) => store.view<{ things: { readonly name: string } }>();
    const twoPrograms = async () => {
      const older = await open();
      await sql`create table things (name text not null)`.execute(older.store.view());
      await things(older.store).insertInto("things").values({ name: "first" }).execute();
      await things(older.store).selectFrom("things").selectAll().execute();
      const newer = await older.again();
      await sql`alter table things add column colour text`.execute(newer.store.view());
      return older;
    };

    it("continues to read, though its statements were planned for the old columns", async () => {
      const { store } = await twoPrograms();
      const rows = await things(store).selectFrom("things").selectAll().execute();
      expect(rows).toEqual([{ name: "first", colour: null }]);
    });

    it("continues to write: a transaction that meets such a statement is retried", async () => {
      const { store, wake } = await twoPrograms();
      const changes = createChanges<{ things: { readonly name: string } }>({
        store,
        wake,
        clock: systemClock,
        random: systemRandom,
      });
      const seen = await changes.run(async ({ db }) => db.selectFrom("things").selectAll().execute());
      expect(seen).toEqual([{ name: "first", colour: null }]);
    });

    it("recognises such a statement whatever the language of the server's messages", async () => {
      const { location } = await open();
      const client = new pg.Client(location);
      await client.connect();
      await client.query("create table things (name text not null)");
      const ask = () => client.query({ name: "planned", text: "select * from things" });
      await ask();
      await client.query("alter table things add column colour text");
      const refused: unknown = await ask().catch((error: unknown) => error);
      await client.end();
      const inGerman = Object.assign(refused as Error, {
        severity: "FEHLER",
        message: "gecachter Plan darf den Ergebnistyp nicht ändern",
      });
      expect(isStalePlan(inGerman)).toBe(true);
      expect(isStalePlan({ ...inGerman, routine: "transformSetOperationTree" })).toBe(false);
    });
  });

  it("reads 64-bit columns as numbers, since ours hold milliseconds and counters", async () => {
    const { store } = await open();
    const { rows } = await sql`select 1782807327412::bigint as at`.execute(store.view());
    expect(rows).toEqual([{ at: 1_782_807_327_412 }]);
  });

  it("leaves no statement at the server for each length of a long list, which would fill its memory", async () => {
    const { location } = await open();
    const store = await openPostgres(location, { connections: 1 });
    closeLater(() => store.close());
    const db = store.view<unknown>();
    for (let length = 90; length <= 130; length++) {
      const numbers = Array.from({ length }, (_, index) => index);
      await sql`select 1 from audit_entries where sequence in (${sql.join(numbers)})`.execute(db);
    }
    const { rows } = await sql<{ readonly count: number }>`
      select count(*) as count from pg_prepared_statements where statement like 'select 1 from audit_entries%'`.execute(
      db,
    );
    expect(rows).toEqual([{ count: 11 }]);
  });

  it("replaces connections that the server ended, and the process survives", async () => {
    const { store, again } = await open();
    await sql`select 1`.execute(store.view());
    const { store: operator } = await again();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'gatehouse' and pid <> pg_backend_pid() and datname = current_database()`.execute(
      operator.view(),
    );
    const { rows } = await sql`select 1 as one`.execute(store.view());
    expect(rows).toEqual([{ one: 1 }]);
  });
});
