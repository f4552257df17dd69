import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { runtimeMigrations } from "../../src/runtime/changes/migrations.ts";
import type { Database, Dialect, Store, Transaction } from "../../src/runtime/database/database.ts";
import { digestOf, type MigrationSet, migrate } from "../../src/runtime/database/migrations.ts";
import { openPostgres } from "../../src/runtime/database/postgres/postgres.ts";
import { openSqlite } from "../../src/runtime/database/sqlite/sqlite.ts";
import { postgresWake } from "../../src/runtime/wake/postgres-wake.ts";
import { createWake, type Wake } from "../../src/runtime/wake/wake.ts";
import { newStoreFolder } from "./memory.ts";
import { describeWith } from "./optional-part.ts";
import { postgresMissing } from "./postgres-server.ts";
import { type Closer, withScope } from "./scope.ts";
import { silentLog } from "./silent-log.ts";

/** A store with the runtime's tables and those of the given sets, empty. */
export interface TestStore {
  readonly store: Store;
  readonly wake: Wake;
  /** What another process would open it by: the file's path, or the URL. */
  readonly location: string;
  /** The same database again over connections of its own, as another process would have it. */
  again(): Promise<TestStore>;
  /**
   * So many stores for callers that race: on PostgreSQL each with connections of its own, on SQLite this one again and again, since one
   * process opens the file (R-D3) and its callers meet within the driver.
   */
  racers(count: number): Promise<readonly TestStore[]>;
}

/** Opens a new, empty store with the runtime's migrations and these; closed and removed after the test or suite that opened it. */
export type OpenStore = (sets?: readonly MigrationSet[]) => Promise<TestStore>;

/** Multiplies a suite over both databases. PostgreSQL is skipped, loudly, where it is missing. */
export function eachStore(suite: (name: Dialect, open: OpenStore) => void): void {
  onSqlite((open) => suite("sqlite", open));
  onPostgres((open) => suite("postgres", open));
}

/** A suite for SQLite alone. */
export function onSqlite(suite: (open: OpenStore) => void): void {
  describe("on sqlite", () =>
    withScope((closeLater) => suite((sets) => openStore(sqliteAt, newFile, sets, closeLater))));
}

/** A suite for PostgreSQL alone. */
export function onPostgres(suite: (open: OpenStore, closeLater: (closer: Closer) => void) => void): void {
  describeWith({ name: "PostgreSQL", missing: postgresMissing() }, "on postgres", () => {
    withScope((closeLater) => suite((sets) => openStore(postgresAt, newDatabase, sets, closeLater), closeLater));
    // Hooks run in the order of their definition: the suite's databases are dropped by now.
    afterAll(endAdministrator);
  });
}

/** Runs the work in a transaction of its own. */
export const inTransaction = <T, Answer>(
  db: Database<T>,
  work: (tx: Transaction<T>) => Promise<Answer>,
): Promise<Answer> => db.transaction().execute(work);

type OpenAt = (location: string) => Promise<{ readonly store: Store; readonly wake: Wake }>;
type NewLocation = (closeLater: (closer: Closer) => void, sets: readonly MigrationSet[]) => Promise<string>;

async function openStore(
  openAt: OpenAt,
  newLocation: NewLocation,
  sets: readonly MigrationSet[] = [],
  closeLater: (closer: Closer) => void,
): Promise<TestStore> {
  const all = [runtimeMigrations, ...sets.filter(({ owner }) => owner !== "runtime")];
  const location = await newLocation(closeLater, all);
  const again = async (): Promise<TestStore> => {
    const { store, wake } = await openAt(location);
    closeLater(async () => {
      await wake.close();
      await store.close();
    });
    const opened: TestStore = {
      store,
      wake,
      location,
      again,
      racers: (count) =>
        Promise.all(
          Array.from({ length: count }, () => (store.dialect === "sqlite" ? Promise.resolve(opened) : again())),
        ),
    };
    return opened;
  };
  const first = await again();
  await migrate(first.store, all, new Date(0));
  return first;
}

const sqliteAt: OpenAt = async (path) => ({ store: openSqlite(path), wake: createWake() });

/** A copy of a file that has these migrations already: a tenth of the time that migrating takes. */
async function newFile(closeLater: (closer: Closer) => void, sets: readonly MigrationSet[]): Promise<string> {
  const folder = await newStoreFolder("gh-store-");
  closeLater(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "gatehouse.db");
  await copyFile(await migratedFile(sets), path);
  return path;
}

/** The run's file for these sets, made by the first who asks; a closed store is one file. */
async function migratedFile(sets: readonly MigrationSet[]): Promise<string> {
  const path = join(String(process.env.GATEHOUSE_TEST_FOLDER), `migrated-${nameOf(sets)}.db`);
  if (existsSync(path)) return path;
  const unfinished = `${path}-${randomBytes(4).toString("hex")}`;
  const store = openSqlite(unfinished);
  try {
    await migrate(store, sets, new Date(0));
  } finally {
    await store.close();
  }
  await rename(unfinished, path);
  return path;
}

/** The same for the same migrations. */
const nameOf = (sets: readonly MigrationSet[]): string =>
  createHash("sha256")
    .update(JSON.stringify(sets.map(({ owner, migrations }) => [owner, ...migrations.map(digestOf)])))
    .digest("hex")
    .slice(0, 16);

const postgresAt: OpenAt = async (url) => ({
  store: await openPostgres(url, { connections: 5 }),
  wake: postgresWake(url, silentLog),
});

/** A copy of a database that has these migrations already: a fourth of the time that making and migrating one takes. */
async function newDatabase(closeLater: (closer: Closer) => void, sets: readonly MigrationSet[]): Promise<string> {
  const directory = await serverDirectory();
  const { client, copying } = await administrator(directory);
  const name = `gh_${randomBytes(8).toString("hex")}`;
  await client.query(`create database ${name} template ${await migratedTemplate(client, directory, sets)} ${copying}`);
  closeLater(async () => void (await client.query(`drop database ${name} with (force)`)));
  return urlOf(directory, name);
}

const urlOf = (directory: string, name: string): string =>
  `postgresql://gatehouse@${encodeURIComponent(directory)}/${name}`;

/** The templates of this suite's stores, by their names. */
const templates = new Map<string, Promise<string>>();

/** The server's template for these sets, made by the first who asks; a template may have no connections while it is copied. */
function migratedTemplate(client: pg.Client, directory: string, sets: readonly MigrationSet[]): Promise<string> {
  const name = `gh_template_${nameOf(sets)}`;
  const template = templates.get(name) ?? madeTemplate(client, directory, sets, name);
  templates.set(name, template);
  return template;
}

async function madeTemplate(
  client: pg.Client,
  directory: string,
  sets: readonly MigrationSet[],
  name: string,
): Promise<string> {
  // For suites in other processes; the connection's end gives the lock back, too.
  await client.query("select pg_advisory_lock(hashtext($1))", [name]);
  const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
  if (rowCount === 0) {
    const unfinished = `${name}_${randomBytes(4).toString("hex")}`;
    await client.query(`create database ${unfinished}`);
    const store = await openPostgres(urlOf(directory, unfinished), { connections: 1 });
    try {
      await migrate(store, sets, new Date(0));
    } finally {
      await store.close();
    }
    await client.query(`alter database ${unfinished} rename to ${name}`);
  }
  await client.query("select pg_advisory_unlock(hashtext($1))", [name]);
  return name;
}

/** A connection for making and dropping databases. */
interface Administrator {
  readonly client: pg.Client;
  /** How a template is copied: file by file takes half of the time that version 15's own way takes; versions before have no other. */
  readonly copying: "" | "strategy file_copy";
}

let administering: Promise<Administrator> | undefined;

/** The suite's own, connected by the first that asks. */
function administrator(host: string): Promise<Administrator> {
  administering ??= connectAdministrator(host);
  return administering;
}

async function connectAdministrator(host: string): Promise<Administrator> {
  const client = new pg.Client({ host, user: "gatehouse", database: "postgres" });
  await client.connect();
  const { rows } = await client.query("select current_setting('server_version_num')::int >= 150000 as chooses");
  return { client, copying: rows[0].chooses ? "strategy file_copy" : "" };
}

async function endAdministrator(): Promise<void> {
  const ended = administering;
  administering = undefined;
  await (await ended)?.client.end();
}

let directory: Promise<string> | undefined;

/** Where the run's server has its socket. */
function serverDirectory(): Promise<string> {
  directory ??= startedServer();
  return directory;
}

/** Asks the run's starter (global-setup.ts) for the server. */
async function startedServer(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of connect(Number(process.env.GATEHOUSE_TEST_STARTER), "127.0.0.1"))
    chunks.push(chunk as Buffer);
  const { directory, error } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
    directory?: string;
    error?: string;
  };
  if (directory === undefined) throw new Error(error);
  return directory;
}
