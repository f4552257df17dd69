import type { NotNull, Selectable, SelectQueryBuilder } from "kysely";
import type { OrganizationLocationId, OrganizationUnitId, TenantId, WorkerId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { type LimitedPage, type PageValues, toPageValues } from "../page.ts";
import { toPostalAddress } from "../postal-address.ts";
import type { AddressColumns, WorkforceTables } from "../tables.ts";
import type { ListedWorker, NamedPlace, PlacedWorker } from "./worker.ts";

/** Workers as the gateway shows them. */
export interface ShownWorkerRepository {
  /** Workers of the tenant that are not ended, by creation time, then id (R-G16); one more than the page has, if there are more. */
  list(tenantId: TenantId, page: LimitedPage<WorkerId>): Promise<ListedWorker[]>;
  /** The same with names of units and location. */
  listPlaced(tenantId: TenantId, page: LimitedPage<WorkerId>): Promise<PlacedWorker[]>;
  /** An ended one too (R-G16). */
  findPlaced(id: WorkerId, tenantId: TenantId): Promise<PlacedWorker | undefined>;
  /** What workers that are not ended have as job titles; each combination once. */
  listJobTitles(tenantId: TenantId): Promise<readonly (readonly string[])[]>;
}

/** The columns of a worker that the gateway shows. */
const LISTED_COLUMNS = [
  "worker.id",
  "workforce_people.first_name",
  "workforce_people.last_name",
  "workforce_people.email",
  "worker.job_titles",
  "worker.phone",
  "worker.address1",
  "worker.address2",
  "worker.city",
  "worker.iso_country_code",
  "worker.postal_code",
  "worker.zone_code",
  "worker.created_at",
] as const;

export const shownWorkerRepository = (db: Database<WorkforceTables>): ShownWorkerRepository => {
  type PageOfTenant = PageValues<WorkerId> & { readonly tenantId: TenantId };
  const listed = prepared(db, (value: ValueOf<PageOfTenant>) =>
    db
      .selectFrom("workforce_workers as worker")
      .innerJoin("workforce_people", "workforce_people.id", "worker.person_id")
      .select(LISTED_COLUMNS)
      .$narrowType<{ first_name: NotNull; last_name: NotNull }>()
      .where("worker.tenant_id", "=", value("tenantId"))
      .where("worker.ended_at", "is", null)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("worker.created_at", "worker.id"), ">", tuple(value("afterCreatedAt"), value("afterId"))),
      )
      .orderBy("worker.created_at")
      .orderBy("worker.id")
      .limit(value("count")),
  );
  // Who is asked for, as `asked`, with names of places. One row for each unit of a worker, or one with null: a single read, so that
  // workers and units are of one instant.
  const placed = <P extends object>(asked: (value: ValueOf<P>) => Asked) =>
    prepared(db, (value: ValueOf<P>) =>
      db
        .selectFrom(asked(value).as("worker"))
        .innerJoin("workforce_people", "workforce_people.id", "worker.person_id")
        .leftJoin("workforce_locations as location", "location.id", "worker.location_id")
        .leftJoin("workforce_worker_units as placed", "placed.worker_id", "worker.id")
        .leftJoin("workforce_units as unit", "unit.id", "placed.unit_id")
        .select(LISTED_COLUMNS)
        .select([
          "worker.ended_at",
          "location.id as location_id",
          "location.name as location_name",
          "placed.is_primary",
          "unit.id as unit_id",
          "unit.name as unit_name",
        ])
        .$narrowType<{ first_name: NotNull; last_name: NotNull }>()
        .orderBy("worker.created_at")
        .orderBy("worker.id")
        .orderBy("placed.position"),
    );
  const onePlaced = placed((value: ValueOf<{ id: WorkerId; tenantId: TenantId }>) =>
    db
      .selectFrom("workforce_workers")
      .selectAll()
      .where("id", "=", value("id"))
      .where("tenant_id", "=", value("tenantId")),
  );
  const pagePlaced = placed((value: ValueOf<PageOfTenant>) =>
    db
      .selectFrom("workforce_workers")
      .selectAll()
      .where("tenant_id", "=", value("tenantId"))
      .where("ended_at", "is", null)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("created_at", "id"), ">", tuple(value("afterCreatedAt"), value("afterId"))),
      )
      .orderBy("created_at")
      .orderBy("id")
      .limit(value("count")),
  );
  const jobTitles = prepared(db, (value: ValueOf<{ tenantId: TenantId }>) =>
    db
      .selectFrom("workforce_workers")
      .select("job_titles")
      .distinct()
      .where("tenant_id", "=", value("tenantId"))
      .where("ended_at", "is", null),
  );
  return {
    async list(tenantId, page) {
      return (await listed.all({ tenantId, ...toPageValues(page) })).map(toListedWorker);
    },

    async listPlaced(tenantId, page) {
      const rows = await pagePlaced.all({ tenantId, ...toPageValues(page) });
      return [...Map.groupBy(rows, ({ id }) => id).values()].map(toPlacedWorker);
    },

    async findPlaced(id, tenantId) {
      const rows = await onePlaced.all({ id, tenantId });
      return rows.length === 0 ? undefined : toPlacedWorker(rows);
    },

    async listJobTitles(tenantId) {
      const rows = await jobTitles.all({ tenantId });
      return rows.map(({ job_titles }) => JSON.parse(job_titles) as string[]);
    },
  };
};

type Asked = SelectQueryBuilder<WorkforceTables, "workforce_workers", Selectable<WorkforceTables["workforce_workers"]>>;

interface ListedRow extends AddressColumns {
  readonly id: WorkerId;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly job_titles: string;
  readonly phone: string | null;
  readonly created_at: number;
}

interface PlacedRow extends ListedRow {
  readonly ended_at: number | null;
  readonly location_id: OrganizationLocationId | null;
  readonly location_name: string | null;
  readonly is_primary: number | null;
  readonly unit_id: OrganizationUnitId | null;
  readonly unit_name: string | null;
}

const toListedWorker = (row: ListedRow): ListedWorker => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  jobTitles: JSON.parse(row.job_titles) as string[],
  phone: row.phone,
  address: toPostalAddress(row),
  createdAt: new Date(row.created_at),
});

/** @param rows all of one worker, at least one. */
function toPlacedWorker(rows: readonly PlacedRow[]): PlacedWorker {
  const [row] = rows as [PlacedRow];
  const primaryId = rows.find(({ is_primary }) => is_primary === 1)?.unit_id;
  const units = rows.map(({ unit_id, unit_name }) => toPlace(unit_id, unit_name)).filter((unit) => unit !== null);
  return {
    worker: toListedWorker(row),
    units,
    primaryUnit: units.find(({ id }) => id === primaryId) ?? null,
    location: toPlace(row.location_id, row.location_name),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  };
}

const toPlace = (id: NamedPlace["id"] | null, name: string | null): NamedPlace | null =>
  id === null || name === null ? null : { id, name };
