import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { CannotStart } from "../../../../src/runtime/basis/errors.ts";
import type { Store } from "../../../../src/runtime/database/database.ts";
import { openSqlite } from "../../../../src/runtime/database/sqlite/sqlite.ts";
import { createMetrics } from "../../../../src/runtime/process/metrics.ts";
import { eventually } from "../../../support/eventually.ts";
import { newFolder } from "../../../support/folder.ts";
import { inTransaction } from "../../../support/stores.ts";

describe("opening the embedded store", () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = newFolder("gh-sqlite-");
    path = join(folder, "data", "gatehouse.db");
  });

  const fill = async (store: Store) => {
    await sql`create table if not exists notes (text text not null) strict`.execute(store.view());
    for (let count = 0; count < 200; count++)
      await sql`insert into notes (text) values (${"x".repeat(100)})`.execute(store.view());
  };

  /** The pragma as the writing and as the reading handle see it. */
  const pragmas = async (store: Store, name: string) => {
    const read = sql<Record<string, unknown>>`pragma ${sql.raw(name)}`;
    const written = await inTransaction(store.view(), (tx) => read.execute(tx));
    const seen = await read.execute(store.view());
    return [written, seen].map(({ rows }) => Object.values(rows[0] ?? {})[0]);
  };

  const refusal = (): CannotStart => {
    try {
      openSqlite(path);
    } catch (error) {
      if (error instanceof CannotStart) return error;
      throw error;
    }
    throw new Error("The store was opened.");
  };

  it("makes a private file in a private directory", async () => {
    const store = openSqlite(path);
    await store.close();
    expect([statSync(path).mode & 0o777, statSync(join(folder, "data")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("gives the disk back what one large change has added to the log, once that is copied", async () => {
    const store = openSqlite(path);
    await fill(store);
    const logBytes = () => statSync(`${path}-wal`).size;
    await sql`insert into notes (text) values (hex(zeroblob(40000000)))`.execute(store.view());
    const long = logBytes();
    const short = await eventually(
      async () => {
        await sql`insert into notes (text) values ('x')`.execute(store.view());
        return logBytes();
      },
      (bytes) => bytes < long,
    );
    await store.close();
    expect([long > 80_000_000, short]).toEqual([true, 64 * 1024 * 1024]);
  });

  it("has SQLite flush what keeps the file whole, on every open; commits are flushed by the store itself (decision 0076)", async () => {
    for (let open = 0; open < 2; open++) {
      const store = openSqlite(path);
      await fill(store);
      expect([await pragmas(store, "synchronous"), await pragmas(store, "journal_mode")]).toEqual([
        [1, 2],
        ["wal", "wal"],
      ]);
      await store.close();
    }
  });

  it("takes no writes while the way to its file is barred, and says that it is away", async () => {
    const store = openSqlite(path);
    await fill(store);
    renameSync(join(folder, "data"), join(folder, "elsewhere"));
    // A way that ends in an error, as that through a directory of another account does for everybody but root.
    symlinkSync("data", join(folder, "data"));
    await expect(fill(store)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(store.health.trouble).toBe("away");
    await expect(store.snapshot()).rejects.toMatchObject({ code: "UNAVAILABLE", detail: "store: away" });
    rmSync(join(folder, "data"));
    renameSync(join(folder, "elsewhere"), join(folder, "data"));
    await fill(store);
    expect(store.health.trouble).toBeUndefined();
    await store.close();
  });

  it("shows how long its disk flushes: each change that came alone, and no read", async () => {
    const store = openSqlite(path);
    const metrics = createMetrics();
    store.health.measure(metrics);
    await fill(store);
    await sql`select count(*) from notes`.execute(store.view());
    const page = await metrics.metrics();
    expect(page).toContain("gatehouse_store_commits_total 201\n");
    expect(page).toContain("gatehouse_store_flush_seconds_count 201\n");
    expect(page).not.toContain("gatehouse_store_connection_wait_seconds");
    await store.close();
  });

  it("leaves nothing in the way of the log when a snapshot is closed that was never read", async () => {
    const store = openSqlite(path);
    await fill(store);
    const snapshot = await store.snapshot();
    expect(await store.forgetOverwritten()).toBe(false);
    await snapshot.close();
    expect(await store.forgetOverwritten()).toBe(true);
    await store.close();
  });

  it("takes nothing out of a store that was moved away, and makes no other in its place", async () => {
    const store = openSqlite(path);
    await fill(store);
    expect(await store.forgetOverwritten()).toBe(true);
    renameSync(path, `${path}.moved`);
    await expect(store.forgetOverwritten()).rejects.toMatchObject({ code: "UNAVAILABLE", detail: "store: away" });
    expect(existsSync(path)).toBe(false);
    renameSync(`${path}.moved`, path);
    expect(await store.forgetOverwritten()).toBe(true);
    await store.close();
  });

  it("goes on reading while it takes out what was overwritten (decision 0083)", async () => {
    const store = openSqlite(path);
    await fill(store);
    let isOver = false;
    const cleared = store.forgetOverwritten().finally(() => {
      isOver = true;
    });
    let reads = 0;
    while (!isOver) {
      await sql`select count(*) from notes`.execute(store.view());
      await new Promise((resolve) => setImmediate(resolve));
      reads++;
    }
    expect(await cleared).toBe(true);
    // Before, all of it took place within one turn of the event loop.
    expect(reads).toBeGreaterThan(10);
    await store.close();
  });

  it("keeps foreign keys on", async () => {
    const store = openSqlite(path);
    expect(await pragmas(store, "foreign_keys")).toEqual([1, 1]);
    await store.close();
  });

  it("runs on a SQLite without the checkpoint race", () => {
    const version = new BetterSqlite3(":memory:").prepare("select sqlite_version()").pluck().get() as string;
    const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
    expect(major * 1_000_000 + minor * 1_000 + patch).toBeGreaterThanOrEqual(3_051_003);
  });

  it.each([
    [
      "text",
      async () => {
        mkdirSync(join(folder, "data"));
        writeFileSync(path, "This is no database, but it is longer than the header of one. ".repeat(20));
      },
    ],
    [
      "a store whose schema is damaged",
      async () => {
        const store = openSqlite(path);
        await fill(store);
        await store.close();
        const file = openSync(path, "r+");
        writeSync(file, Buffer.alloc(3_000, 0x2a), 0, 3_000, 100);
        closeSync(file);
      },
    ],
  ])("refuses %s in one line that says what to do, with 65 (R-X417)", async (_, prepare) => {
    await prepare();
    const { message, exitCode } = refusal();
    expect(message).toBe(
      `The store ${path} is damaged or not a SQLite database. Restore it from a backup, or move it away to start empty.`,
    );
    expect(exitCode).toBe(65);
  });

  it("refuses a directory that cannot be made or written, in one line that says what to do", () => {
    writeFileSync(join(folder, "data"), "a file where the directory should be");
    const { message } = refusal();
    expect(message).toBe(
      `The store ${path} cannot be opened for writing (EEXIST). Make the directory writable, free space on its disk, or set data-directory.`,
    );
  });

  it("refuses a directory in the file's place", () => {
    mkdirSync(path, { recursive: true });
    expect(refusal().message).toMatch(/^The store .* cannot be opened for writing \(EISDIR\)\. Make the directory/);
  });
});
