import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { NO_SOON_LIMIT, workforceOver } from "../workforce-fixture.ts";
import { bulkOver, HARBOUR, idOf } from "./bulk-kit.ts";

/** Lines of one message of an export. */
const PAGE = 250;

/** More than two messages of an export. */
const INSTANCES = Array.from({ length: 1_200 }, (_, index) => ({
  ...HARBOUR.instance,
  id: idOf("instance", index),
  name: `Instance ${index}`,
}));

eachStore((name, open) => {
  const openExport = async (limits: Partial<typeof NO_SOON_LIMIT>, instances = INSTANCES.length) => {
    const opened = await open([workforceMigrations]);
    const bulk = bulkOver(workforceOver(opened, undefined, { ...NO_SOON_LIMIT, ...limits }));
    await bulk.imports(INSTANCES.slice(0, instances));
    const reader = bulk.bulk.exportWorkforce({}, { deadlineMs: 60_000 })[Symbol.asyncIterator]();
    await reader.next();
    return { opened, bulk, reader };
  };
  const rest = async (reader: AsyncIterator<{ lines: readonly string[] }>): Promise<number> => {
    let lines = 0;
    for (let step = await reader.next(); step.done !== true; step = await reader.next())
      lines += step.value.lines.length;
    return lines;
  };

  /** True while something reads an older state of the store, so that the store cannot tidy up. */
  const isKeptBack = async ({ store, location }: TestStore): Promise<boolean> => {
    if (name === "sqlite") {
      await sql`update workforce_instances set revision = revision + 1`.execute(store.view());
      const handle = new BetterSqlite3(location, { timeout: 0 });
      const [outcome] = handle.pragma("wal_checkpoint(truncate)") as readonly { readonly busy: number }[];
      handle.close();
      return outcome?.busy !== 0;
    }
    const { rows } = await sql<{ count: string }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(store.view());
    return Number(rows[0]?.count) > 0;
  };

  it("an export whose reader pauses is ended, gives its snapshot back and says how to go on (R-X251)", async () => {
    const { opened, reader } = await openExport({ "export-pause-seconds": 1 });
    expect(
      await eventually(
        () => isKeptBack(opened),
        (kept) => !kept,
      ),
    ).toBe(false);
    await expect(rest(reader)).rejects.toMatchObject({
      code: "ABORTED",
      reason: "export_paused",
      message: expect.stringContaining("read without a pause"),
    });
  });

  it("an export that takes too long as a whole is ended, too (R-X251)", async () => {
    const { opened, reader } = await openExport({ "export-longest-minutes": 0.05 });
    expect(
      await eventually(
        () => isKeptBack(opened),
        (kept) => !kept,
      ),
    ).toBe(false);
    await expect(rest(reader)).rejects.toMatchObject({ code: "ABORTED", reason: "export_too_long" });
  });

  it.each([
    ["the only one", 10],
    ["the second of two", 260],
  ])(
    "an export gives its snapshot back before its last batch, %s, and goes to its end however late (R-X251)",
    async (_, instances) => {
      const { opened, reader } = await openExport({ "export-pause-seconds": 5 }, instances);
      if (instances > PAGE) expect((await reader.next()).value?.lines).toHaveLength(instances - PAGE);
      const isKept = await isKeptBack(opened);
      // Read to its end whatever was found, so that a failure of this test ends.
      expect(await rest(reader)).toBe(0);
      expect(isKept).toBe(false);
    },
  );

  it("an export that is read on goes to its end", async () => {
    const { opened, reader } = await openExport({});
    expect(await isKeptBack(opened)).toBe(true);
    expect(await rest(reader)).toBeGreaterThan(INSTANCES.length / 2);
    expect(await isKeptBack(opened)).toBe(false);
  });
});
