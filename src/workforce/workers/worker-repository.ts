import { type NotNull, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { OrganizationLocationId, PersonId, TenantId, WorkerId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { pageOf } from "#runtime/database/page-rows.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { byBytes, insertRows, isOneOf } from "#runtime/database/rows.ts";
import { type LimitedPage, type PageStart, type PageValues, toPageValues } from "../page.ts";
import { PERSON_COLUMNS } from "../people/person-row.ts";
import type { TakenSeat } from "../people/seat.ts";
import { isSame } from "../revisions.ts";
import type { WorkforceTables } from "../tables.ts";
import type { ListedWorker, PlacedWorker, ShownWorker, Worker } from "./worker.ts";
import {
  LISTED_COLUMNS,
  PLACE_COLUMNS,
  toListedWorker,
  toPlacedWorker,
  toShownWorker,
  toUnitRows,
  toWorker,
  toWorkerColumns,
  WORKER_COLUMNS,
  WORKER_UNIT_COLUMNS,
} from "./worker-row.ts";

export interface WorkerRepository {
  /**
   * As the gateway lists them: workers of the tenant that are not ended, by creation time, then id (R-G16); one more than the page has, if
   * there are more.
   */
  list(tenantId: TenantId, page: LimitedPage<WorkerId>): Promise<ListedWorker[]>;
  /** A page of the workers that `list` has, with names of units and location. */
  listShown(tenantId: TenantId, page: LimitedPage<WorkerId>): Promise<ShownWorker[]>;
  /** An ended one too (R-G16). */
  findShown(id: WorkerId, tenantId: TenantId): Promise<ShownWorker | undefined>;
  /**
   * What some workers of the tenant that are not ended have as job titles, each combination once: the oldest 2,000 after the beginning of
   * the part, so that no read takes long. `next` is where the next part begins, null on the last one.
   */
  listJobTitles(
    tenantId: TenantId,
    after: PageStart<WorkerId> | null,
  ): Promise<{ readonly combinations: readonly (readonly string[])[]; readonly next: PageStart<WorkerId> | null }>;
  /** Whole workers of the tenant, ended ones on demand, in the order and the pages of `list`. */
  listPlaced(
    tenantId: TenantId,
    page: LimitedPage<WorkerId>,
    options: { readonly endedToo: boolean },
  ): Promise<PlacedWorker[]>;
  /** Some of the workers placed at a location, ended ones too, at most `count`. Empty when there are none. */
  listPlacedAt(locationId: OrganizationLocationId, tenantId: TenantId, count: number): Promise<PlacedWorker[]>;
  /** An ended one too (R-G16). */
  findPlaced(id: WorkerId, tenantId: TenantId): Promise<PlacedWorker | undefined>;
  /** The person's workers in the tenant, ended ones included, oldest first. */
  listPlacedOfPerson(personId: PersonId, tenantId: TenantId): Promise<PlacedWorker[]>;
  /** The workers with these ids, in whichever tenant. */
  findAll(ids: readonly WorkerId[]): Promise<Worker[]>;
  /** At most `count` ids of the tenant's workers after one that are not erased, in the order of their bytes. */
  listIdsAfter(tenantId: TenantId, after: string, count: number): Promise<WorkerId[]>;
  /** The person's worker in the tenant that is not ended; there is at most one. */
  findSeat(tenantId: TenantId, personId: PersonId): Promise<WorkerId | undefined>;
  /** Workers of the people that are not ended. */
  listSeats(personIds: readonly PersonId[]): Promise<TakenSeat<WorkerId>[]>;
  /** A worker never moves to another tenant. */
  tenantOf(id: WorkerId): Promise<TenantId | undefined>;
  createAll(workers: readonly Worker[]): Promise<void>;
  /** Writes what has changed of a worker: all but its person, tenant and creation time can. */
  replace(before: Worker, after: Worker): Promise<void>;
  /** Takes the workers away from where they are placed; their units stay. */
  clearLocation(ids: readonly WorkerId[]): Promise<void>;
}

/**
 * Workers whose job titles are read at once. On the embedded store nothing else is answered meanwhile: some milliseconds. On
 * PostgreSQL each part costs two round trips: a million workers in parts of 2,000 took longer than a call may.
 */
const JOB_TITLES_PART = 2_000;
const JOB_TITLES_PART_POSTGRES = 50_000;

export const workerRepository = (
  db: Database<WorkforceTables>,
  jobTitlesPart = isSqlite(db) ? JOB_TITLES_PART : JOB_TITLES_PART_POSTGRES,
): WorkerRepository => {
  type PageOfTenant = PageValues<WorkerId> & { readonly tenantId: TenantId };
  type OneOfTenant = { readonly id: WorkerId; readonly tenantId: TenantId };

  const listed = prepared(db, (value: ValueOf<PageOfTenant>) =>
    pageOf(
      db
        .selectFrom("workforce_workers as worker")
        .innerJoin("workforce_people", "workforce_people.id", "worker.person_id")
        .select(LISTED_COLUMNS)
        .$narrowType<{ first_name: NotNull; last_name: NotNull }>()
        .where("worker.tenant_id", "=", value("tenantId"))
        .where("worker.ended_at", "is", null),
      value,
      "worker",
    ),
  );

  // The workers that are asked for with where they are placed. One row for each unit of a worker, or one with null: a single read, so that
  // workers and units are of one instant.
  const placedAmong = (asked: Asked) =>
    db
      .selectFrom(asked.as("worker"))
      .innerJoin("workforce_people", "workforce_people.id", "worker.person_id")
      .leftJoin("workforce_locations as location", "location.id", "worker.location_id")
      .leftJoin("workforce_worker_units as placed", "placed.worker_id", "worker.id")
      .leftJoin("workforce_units as unit", "unit.id", "placed.unit_id")
      .select(PLACE_COLUMNS)
      .select("worker.ended_at")
      .orderBy("worker.created_at")
      .orderBy("worker.id")
      .orderBy("placed.position");
  const placed = <P extends object>(asked: (value: ValueOf<P>) => Asked) =>
    prepared(db, (value: ValueOf<P>) => placedAmong(asked(value)).select(PERSON_COLUMNS).select(WORKER_COLUMNS));
  const shown = <P extends object>(asked: (value: ValueOf<P>) => Asked) =>
    prepared(db, (value: ValueOf<P>) =>
      placedAmong(asked(value)).select(LISTED_COLUMNS).$narrowType<{ first_name: NotNull; last_name: NotNull }>(),
    );

  const ever = () => db.selectFrom("workforce_workers").selectAll();
  const oneOfTenant = (value: ValueOf<OneOfTenant>) =>
    ever().where("id", "=", value("id")).where("tenant_id", "=", value("tenantId"));
  const page = (from: Asked, value: ValueOf<PageOfTenant>) =>
    pageOf(from.where("tenant_id", "=", value("tenantId")), value);
  const presentPage = (value: ValueOf<PageOfTenant>) => page(ever().where("ended_at", "is", null), value);
  // True of every worker; the index of this list names it.
  const everPage = (value: ValueOf<PageOfTenant>) => page(ever().where("person_named", "=", sql.lit(1)), value);

  const oneShown = shown(oneOfTenant);
  const pageShown = shown(presentPage);
  const onePlaced = placed(oneOfTenant);
  const presentPlaced = placed(presentPage);
  const everPlaced = placed(everPage);
  const placedAt = placed((value: ValueOf<{ locationId: OrganizationLocationId; tenantId: TenantId; count: number }>) =>
    ever()
      .where("tenant_id", "=", value("tenantId"))
      .where("location_id", "=", value("locationId"))
      .orderBy("id")
      .limit(value("count")),
  );
  const placedOfPerson = placed((value: ValueOf<{ personId: PersonId; tenantId: TenantId }>) =>
    ever().where("person_id", "=", value("personId")).where("tenant_id", "=", value("tenantId")),
  );
  const jobTitles = prepared(db, (value: ValueOf<PageOfTenant>) =>
    db
      .selectFrom(presentPage(value).clearSelect().select("job_titles").as("part"))
      .select(({ fn }) => ["part.job_titles", fn.countAll<number | string>().as("workers")])
      .groupBy("part.job_titles"),
  );
  const lastOfPart = prepared(db, (value: ValueOf<PageOfTenant>) =>
    presentPage(value)
      .clearSelect()
      .select(["created_at", "id"])
      .clearLimit()
      .limit(1)
      .offset(sql.lit(jobTitlesPart - 1)),
  );

  return {
    async list(tenantId, asked) {
      return (await listed.all({ tenantId, ...toPageValues(asked) })).map(toListedWorker);
    },

    async listShown(tenantId, asked) {
      return eachOf(await pageShown.all({ tenantId, ...toPageValues(asked) })).map(toShownWorker);
    },

    async findShown(id, tenantId) {
      return eachOf(await oneShown.all({ id, tenantId })).map(toShownWorker)[0];
    },

    async listJobTitles(tenantId, after) {
      const part = { tenantId, ...toPageValues({ limit: jobTitlesPart, after }) };
      const rows = await jobTitles.all(part);
      const workers = rows.reduce((sum, row) => sum + Number(row.workers), 0);
      const last = workers > jobTitlesPart ? await lastOfPart.first(part) : undefined;
      return {
        combinations: rows.map(({ job_titles }) => JSON.parse(job_titles) as string[]),
        next: last === undefined ? null : { createdAt: new Date(last.created_at), id: last.id },
      };
    },

    async listPlaced(tenantId, asked, { endedToo }) {
      const list = endedToo ? everPlaced : presentPlaced;
      return eachOf(await list.all({ tenantId, ...toPageValues(asked) })).map(toPlacedWorker);
    },

    async listPlacedAt(locationId, tenantId, count) {
      return eachOf(await placedAt.all({ locationId, tenantId, count })).map(toPlacedWorker);
    },

    async findPlaced(id, tenantId) {
      return eachOf(await onePlaced.all({ id, tenantId })).map(toPlacedWorker)[0];
    },

    async listPlacedOfPerson(personId, tenantId) {
      return eachOf(await placedOfPerson.all({ personId, tenantId })).map(toPlacedWorker);
    },

    async findAll(ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("workforce_workers as worker")
        .innerJoin("workforce_people", "workforce_people.id", "worker.person_id")
        .leftJoin("workforce_worker_units as placed", "placed.worker_id", "worker.id")
        .select(PERSON_COLUMNS)
        .select(WORKER_COLUMNS)
        .select(WORKER_UNIT_COLUMNS)
        .where(isOneOf(db, "worker.id", ids))
        .orderBy("worker.id")
        .orderBy("placed.position")
        .execute();
      return eachOf(rows).map(toWorker);
    },

    async listIdsAfter(tenantId, after, count) {
      const rows = await db
        .selectFrom("workforce_workers as worker")
        .innerJoin("workforce_people as person", "person.id", "worker.person_id")
        .select("worker.id")
        .where("worker.tenant_id", "=", tenantId)
        .where(byBytes(db, "worker.id"), ">", after)
        .where("person.erased_at", "is", null)
        .orderBy(byBytes(db, "worker.id"))
        .limit(count)
        .execute();
      return rows.map(({ id }) => id);
    },

    async findSeat(tenantId, personId) {
      const row = await db
        .selectFrom("workforce_workers")
        .select("id")
        .where("tenant_id", "=", tenantId)
        .where("person_id", "=", personId)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      return row?.id;
    },

    async listSeats(personIds) {
      if (personIds.length === 0) return [];
      return db
        .selectFrom("workforce_workers")
        .select(["id", "tenant_id as tenantId", "person_id as personId"])
        .where(isOneOf(db, "person_id", personIds))
        .where("ended_at", "is", null)
        .execute();
    },

    async tenantOf(id) {
      const row = await db.selectFrom("workforce_workers").select("tenant_id").where("id", "=", id).executeTakeFirst();
      return row?.tenant_id;
    },

    async createAll(workers) {
      const rows = workers.map((worker) => ({
        id: worker.id,
        tenant_id: worker.tenantId,
        person_id: worker.person.id,
        person_named: 1,
        created_at: worker.createdAt.getTime(),
        ...toWorkerColumns(worker),
      }));
      await insertRows(db, "workforce_workers", rows);
      await insertRows(db, "workforce_worker_units", workers.flatMap(toUnitRows));
    },

    async replace(before, after) {
      await db.updateTable("workforce_workers").set(toWorkerColumns(after)).where("id", "=", after.id).execute();
      const isPlacedAlike = after.primaryUnitId === before.primaryUnitId && isSame(after.unitIds, before.unitIds);
      if (isPlacedAlike) return;
      await db.deleteFrom("workforce_worker_units").where("worker_id", "=", after.id).execute();
      await insertRows(db, "workforce_worker_units", toUnitRows(after));
    },

    async clearLocation(ids) {
      await db
        .updateTable("workforce_workers")
        .set({ location_id: null })
        .where(isOneOf(db, "id", ids))
        .execute();
    },
  };
};

type Asked = SelectQueryBuilder<WorkforceTables, "workforce_workers", Selectable<WorkforceTables["workforce_workers"]>>;

/** The rows of each worker, in the order of the workers. */
const eachOf = <R extends { readonly id: WorkerId }>(rows: readonly R[]): R[][] => [
  ...Map.groupBy(rows, ({ id }) => id).values(),
];
