import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Dialect } from "../../../src/runtime/database/database.ts";
import { TEST_MASTER_KEY } from "../../support/gatehouse.ts";
import { newOwnedFolder } from "../../support/memory.ts";
import { postgresMissing } from "../../support/postgres-server.ts";
import type { Closer } from "../../support/scope.ts";
import { openPostgresStore } from "../weather/postgres-store.ts";

/** The store of a run, as the product is told of it and as the run reads it beside the product. */
export interface KillStore {
  readonly dialect: Dialect;
  /** Settings of the product. */
  readonly flags: Readonly<Record<string, string>>;
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Restarts the database server; absent where the store has none. */
  restart?(mode: "fast" | "immediate"): Promise<void>;
}

type CloseLater = (closer: Closer) => void;

/** A kind of store, over which a run is made. */
export interface KillStoreKind {
  readonly name: string;
  /** The database is a process of its own, which a run restarts too. */
  readonly restarts: boolean;
  /** What this machine lacks for it. */
  missing(): string | undefined;
  open(closeLater: CloseLater, dataDirectory: string): Promise<KillStore>;
}

export const ON_SQLITE: KillStoreKind = { name: "on SQLite", restarts: false, missing: () => undefined, open: sqlite };

export const ON_POSTGRES: KillStoreKind = {
  name: "on PostgreSQL",
  restarts: true,
  missing: postgresMissing,
  open: postgres,
};

async function sqlite(_: CloseLater, dataDirectory: string): Promise<KillStore> {
  return {
    dialect: "sqlite",
    flags: {},
    async query(sql) {
      const store = new Sqlite(join(dataDirectory, "gatehouse.sqlite"), { timeout: 10_000 });
      try {
        const statement = store.prepare(sql);
        if (statement.reader) return statement.all() as Record<string, unknown>[];
        statement.run();
        return [];
      } finally {
        store.close();
      }
    },
  };
}

async function postgres(closeLater: CloseLater): Promise<KillStore> {
  const directory = newOwnedFolder("gh-kills-");
  closeLater(async () => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o755);
  const data = join(directory, "server");
  mkdirSync(data);
  const server = await openPostgresStore(closeLater, data);
  const host = encodeURIComponent(join(data, "socket"));
  return {
    dialect: "postgres",
    flags: { "store-url": `postgresql://${server.user}@${host}/${server.database}`, "master-keys": TEST_MASTER_KEY },
    query: (sql) => server.query(sql),
    restart: server.restart,
  };
}
