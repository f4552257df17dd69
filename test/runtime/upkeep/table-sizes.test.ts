import { sql } from "kysely";
import { appendToAudit } from "../../../src/runtime/audit/audit.ts";
import type { Clock } from "../../../src/runtime/basis/clock.ts";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { runtimeSweepLoop, runtimeUpkeep } from "../../../src/runtime/changes/sweep-loop.ts";
import type { Store } from "../../../src/runtime/database/database.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openPostgres } from "../../../src/runtime/database/postgres/postgres.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { tableSizes } from "../../../src/runtime/upkeep/table-sizes.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { oneRound } from "../../support/one-round.ts";
import { describeWith } from "../../support/optional-part.ts";
import { postgresMissing, startPostgres } from "../../support/postgres-server.ts";
import { withScope } from "../../support/scope.ts";
import { eachStore, inTransaction, onPostgres, type TestStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KEPT_DAYS = 400;

eachStore((name, open) => {
  const openSizes = async () => {
    const opened = await open();
    const { store, location } = opened;
    const clock = standingClock();
    const metrics = createMetrics();
    const storePath = name === "sqlite" ? location : undefined;
    const sizes = tableSizes({ store, clock, metrics, storePath, upkeep: runtimeUpkeep(KEPT_DAYS) });
    const measure = () => sizes.measure(new AbortController().signal);
    /** PostgreSQL counts rows some time after their commit. */
    const auditRows = (count: number) =>
      eventually(
        async () => present((await measure()).find(({ table }) => table === "audit_entries")),
        ({ rows }) => rows === count,
      );
    return { opened, clock, metrics, measure, auditRows };
  };
  const addEntries = ({ store }: TestStore, count: number, at: Date) =>
    inTransaction(store.view(), async (tx) => {
      for (let index = 0; index < count; index++)
        await appendToAudit(tx, { actor: "test", action: "guest.arrive", object: `guest ${index}` }, "", at);
    });

  it("shows each table's rows, size, growth a day and what is removed within a day; metrics show the same (R-X250)", async () => {
    const { opened, clock, metrics, auditRows } = await openSizes();
    await addEntries(opened, 20, clock.now());
    const first = await auditRows(20);
    const firstPage = await metrics.metrics();
    clock.step(2 * DAY_MS);
    await addEntries(opened, 60, clock.now());
    const second = await auditRows(80);
    const secondPage = await metrics.metrics();
    clock.step((KEPT_DAYS - 2) * DAY_MS - DAY_MS / 2);
    const third = await auditRows(80);

    expect([first.rowsPerDay, second.rowsPerDay]).toEqual([undefined, 30]);
    expect([second.removedWithinADay, third.removedWithinADay]).toEqual([0, 20]);
    expect(second.bytes).toBeGreaterThan(4_000);
    expect(second.kept).toBe("removed 400 days after they were written");
    const page = await metrics.metrics();
    expect(page).toContain('gatehouse_store_table_rows{table="audit_entries"} 80');
    expect(page).toContain('gatehouse_store_table_rows_to_remove{table="audit_entries"} 20');
    const growth = 'gatehouse_store_table_rows_per_day{table="audit_entries"}';
    expect([firstPage, page].map((one) => one.includes(growth))).toEqual([false, false]);
    expect(secondPage).toContain(`${growth} 30`);
  });

  it("counts growth from the instant of a measurement, not from its hour (R-X250)", async () => {
    const { opened, clock, auditRows } = await openSizes();
    clock.step(2 * HOUR_MS - MINUTE_MS - (clock.now().getTime() % HOUR_MS));
    await auditRows(0);
    clock.step(3 * MINUTE_MS);
    await addEntries(opened, 60, clock.now());
    const aMomentLater = await auditRows(60);
    clock.step(2 * HOUR_MS - 3 * MINUTE_MS);
    const twoHoursLater = await auditRows(60);
    expect([aMomentLater.rowsPerDay, twoHoursLater.rowsPerDay]).toEqual([undefined, 720]);
  });

  it("keeps the last measurement of each hour alone", async () => {
    const { opened, clock, auditRows } = await openSizes();
    const kept = async () => {
      const { rows } = await sql<{ readonly at: number }>`
        select measured_at as at from store_sizes where table_name = 'audit_entries' order by measured_at`.execute(
        opened.store.view(),
      );
      return rows.map(({ at }) => at);
    };
    clock.step(HOUR_MS - (clock.now().getTime() % HOUR_MS));
    const hour = clock.now().getTime();
    await auditRows(0);
    clock.step(HOUR_MS - 1);
    await auditRows(0);
    clock.step(1);
    await auditRows(0);
    expect(await kept()).toEqual([hour + HOUR_MS - 1, hour + HOUR_MS]);
  });

  it("removes audit entries after their days, in the order of their numbers, in batches (R-X249)", async () => {
    const { opened, clock } = await openSizes();
    await addEntries(opened, 501, clock.now());
    clock.step(DAY_MS);
    await addEntries(opened, 3, clock.now());
    clock.step((KEPT_DAYS - 1) * DAY_MS + 1);
    await oneRound(runtimeSweepLoop({ store: opened.store, clock, auditKeptDays: KEPT_DAYS }));
    const { rows } = await sql<{ count: number }>`select count(*) as count from audit_entries`.execute(
      opened.store.view(),
    );
    expect(Number(rows[0]?.count)).toBe(3);
  });
});

onPostgres((open) => {
  it("counts what is removed within a day without reading what stays, where no index has the age", async () => {
    const { store } = await open();
    const db = store.view();
    const clock = standingClock();
    const upkeep = runtimeUpkeep(KEPT_DAYS);
    const sizes = tableSizes({ store, clock, metrics: createMetrics(), storePath: undefined, upkeep });
    const old = async () =>
      (await sizes.measure(new AbortController().signal)).find(({ table }) => table === "audit_entries")
        ?.removedWithinADay;
    const addEntries = (count: number) =>
      sql`
        insert into audit_entries (at, actor, action, object, request_id, facts)
        select ${clock.now().getTime()}, 'test', 'guest.arrive', 'guest ' || number, '', '{}'
        from generate_series(1, cast(${count} as integer)) as number`.execute(db);
    /** How often all rows and how often the key's index was read; a server adds it up some time after a statement. */
    const reads = async () => {
      const { rows } = await sql<{ readonly all: string; readonly along: string }>`
        select seq_scan as "all", idx_scan as along from pg_stat_user_tables where relname = 'audit_entries'`.execute(
        db,
      );
      return { all: Number(rows[0]?.all), along: Number(rows[0]?.along) };
    };

    await addEntries(30);
    clock.step(KEPT_DAYS * DAY_MS);
    await addEntries(20_000);
    await sql`analyze audit_entries`.execute(db);
    expect(await old()).toBe(30);
    const before = await reads();
    for (let time = 0; time < 3; time++) expect(await old()).toBe(30);
    const after = await eventually(reads, ({ along }) => along >= before.along + 6);
    expect(after.all).toBe(before.all);
    clock.step(2 * KEPT_DAYS * DAY_MS);
    expect(await old()).toBe(20_030);
  });
});

describeWith({ name: "PostgreSQL", missing: postgresMissing() }, "a PostgreSQL that crashed", () => {
  withScope((closeLater) => {
    it("has the rows of before in its tables' sizes, and remembers no other number (R-X250)", async () => {
      const server = await startPostgres();
      closeLater(() => server.stop());
      const url = `postgresql://gatehouse@${encodeURIComponent(server.directory)}/postgres`;
      const onServer = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
        const store = await openPostgres(url, { connections: 1 });
        return work(store).finally(() => store.close());
      };
      const measured = (store: Store, clock: Clock) =>
        tableSizes({
          store,
          clock,
          metrics: createMetrics(),
          storePath: undefined,
          upkeep: runtimeUpkeep(KEPT_DAYS),
        })
          .measure(new AbortController().signal)
          .then((sizes) => present(sizes.find(({ table }) => table === "audit_entries")));
      const clock = standingClock();
      await onServer(async (store) => {
        await migrate(store, [runtimeMigrations], new Date(0));
        await sql`
          insert into audit_entries (at, actor, action, object, request_id, facts)
          select 0, 'test', 'guest.arrive', 'guest ' || number, '', '{}' from generate_series(1, 300) as number`.execute(
          store.view(),
        );
        await sql`analyze audit_entries`.execute(store.view());
        const before = await eventually(
          () => measured(store, clock),
          ({ rows, isEstimate }) => rows === 300 && isEstimate,
        );
        expect([before.rows, before.isEstimate]).toEqual([300, true]);
      });
      await server.restart("immediate");
      clock.step(2 * DAY_MS);
      await onServer(async (store) => {
        const after = await measured(store, clock);
        expect([after.rows, after.isEstimate, after.rowsPerDay]).toEqual([300, false, 0]);
      });
    });
  });
});
