import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { Kysely, type Transaction } from "kysely";
import { SqliteDialect } from "../../../../src/runtime/database/sqlite/sqlite-driver.ts";
import type { SqliteHandles } from "../../../../src/runtime/database/sqlite/sqlite-writer.ts";
import { createStoreHealth, type StoreHealth } from "../../../../src/runtime/database/store-health.ts";

interface Tables {
  payments: { readonly id: number; readonly note: string };
  receipts: { readonly payment: number };
}

/** A turn of the event loop. A member of a group must be able to wait, so that others gather behind it. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets everything run that waits for no new turn of the event loop. */
export const restOfTurn = async () => {
  for (let tick = 0; tick < 200; tick++) await Promise.resolve();
};

/** Where a member of a group has got to, as its caller sees it. */
export const followed = (member: Promise<unknown>) => {
  const state = { is: "waiting" };
  member.then(
    () => Object.assign(state, { is: "acknowledged" }),
    (error: { readonly detail?: string }) => Object.assign(state, { is: error.detail ?? String(error) }),
  );
  return state;
};

export const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** A new embedded store of payments and their receipts for each test, by the SQLite driver. */
export class PaymentsStore {
  path!: string;
  /** What the writing handle was asked to run. */
  statements!: string[];
  writer!: BetterSqlite3.Database;
  dialect!: SqliteDialect;
  db!: Kysely<Tables>;
  health!: StoreHealth;
  /** What the driver takes for the time, in ms. */
  now!: number;

  constructor() {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "gh-driver-"));
      this.path = join(folder, "driver.db");
      this.statements = [];
      this.health = createStoreHealth();
      this.now = 0;
      this.openWriter();
      this.writer.exec("create table payments (id integer primary key, note text not null) strict");
      this.writer.exec("create table receipts (payment integer not null) strict");
      this.drive({ reader: this.openHandle() });
      this.statements.length = 0;
    });
    afterEach(async () => {
      await this.db.destroy();
      rmSync(folder, { recursive: true });
    });
  }

  readonly openHandle = (options: BetterSqlite3.Options = {}) => {
    const handle = new BetterSqlite3(this.path, { timeout: 0, ...options });
    handle.pragma("journal_mode = wal");
    handle.pragma("synchronous = full");
    return handle;
  };

  /** Opens the handle that `drive` writes by. */
  openWriter(): void {
    this.writer = this.openHandle({ verbose: (statement) => this.statements.push(String(statement)) });
  }

  /** Reads and writes go by these handles from now on. Those of before are the caller's to close. */
  drive(handles: Omit<SqliteHandles, "writer" | "health" | "now">): void {
    this.dialect = new SqliteDialect({ writer: this.writer, health: this.health, now: () => this.now, ...handles });
    this.db = new Kysely<Tables>({ dialect: this.dialect });
  }

  /** Writes both rows or none. */
  readonly pay = (id: number, inside: (tx: Transaction<Tables>) => Promise<unknown> = async () => {}, note = "") =>
    this.db.transaction().execute(async (tx) => {
      await tx.insertInto("payments").values({ id, note }).execute();
      await inside(tx);
      await tx.insertInto("receipts").values({ payment: id }).execute();
      return id;
    });

  readonly paid = async () =>
    (await this.db.selectFrom("payments").select("id").orderBy("id").execute()).map(({ id }) => id);

  readonly receipted = async () =>
    (await this.db.selectFrom("receipts").select("payment").orderBy("payment").execute()).map(({ payment }) => payment);

  readonly countOf = (statement: string) => this.statements.filter((one) => one === statement).length;
}
