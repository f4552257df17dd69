import { sql } from "kysely";
import type { OrganizationLocationId, OrganizationUnitId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { pageOf } from "#runtime/database/page-rows.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { erasedAmong, insertRows, isOneOf } from "#runtime/database/rows.ts";
import { type LimitedPage, type PageValues, toPageValues } from "../page.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Named, OrganizationStructure } from "./organization.ts";
import { type NamedRow, toNamed, toNamedRow, toUnit, UNIT_COLUMNS, type UnitRow } from "./structure-row.ts";

/** Any entry of a structure. */
type StructureId = UnitTypeId | OrganizationUnitId | OrganizationLocationId;

/** The structure of tenants as a whole. */
export interface OrganizationRepository {
  getStructure(tenantId: TenantId): Promise<OrganizationStructure>;
  /** A page of all three kinds together, by creation time, then id; one more than the page has, if there are more. */
  listPage(tenantId: TenantId, page: LimitedPage<StructureId>): Promise<StructureEntry[]>;
}

/** One entry of a structure, as a row of its page. */
interface StructureEntry {
  readonly id: StructureId;
  readonly createdAt: Date;
  readonly row: StructureRow;
}

export const organizationRepository = (db: Database<WorkforceTables>): OrganizationRepository => {
  const named = (
    table: "workforce_unit_types" | "workforce_locations",
    kind: StructureRow["kind"],
    tenantId: TenantId,
  ) =>
    db
      .selectFrom(table)
      .select([
        sql.lit(kind).as("kind"),
        "id",
        "tenant_id",
        "name",
        "created_at",
        sql.lit(null).as("unit_type_id"),
        sql.lit(null).as("unit_code"),
        sql.lit(null).as("description"),
        sql.lit(null).as("parent_unit_id"),
      ])
      .where("tenant_id", "=", tenantId)
      .$castTo<StructureRow>();
  const units = (tenantId: TenantId) =>
    db
      .selectFrom("workforce_units")
      .select(sql.lit("unit").as("kind"))
      .select(UNIT_COLUMNS)
      .where("tenant_id", "=", tenantId)
      .$castTo<StructureRow>();
  // A single read, so that no unit refers to a type or parent that was not there yet.
  const structure = prepared(db, (value: ValueOf<{ tenantId: TenantId }>) =>
    units(value("tenantId"))
      .unionAll(named("workforce_unit_types", "unitType", value("tenantId")))
      .unionAll(named("workforce_locations", "location", value("tenantId")))
      .orderBy("created_at")
      .orderBy("id"),
  );
  const page = prepared(db, (value: ValueOf<PageValues<StructureId> & { tenantId: TenantId }>) => {
    // Each kind has a limit of its own: neither database hands that of all kinds down, and each would sort what is left of them.
    const upTo = (kind: ReturnType<typeof units> | ReturnType<typeof named>) => {
      // What the query asks of the columns is the same for each table.
      const some = pageOf(kind as ReturnType<typeof units>, value);
      return db.selectFrom(some.as("entry")).selectAll().$castTo<StructureRow>();
    };
    return upTo(units(value("tenantId")))
      .unionAll(upTo(named("workforce_unit_types", "unitType", value("tenantId"))))
      .unionAll(upTo(named("workforce_locations", "location", value("tenantId"))))
      .orderBy("created_at")
      .orderBy("id")
      .limit(value("count"));
  });
  return {
    async getStructure(tenantId) {
      return toStructure(await structure.all({ tenantId }));
    },

    async listPage(tenantId, asked) {
      const rows = await page.all({ tenantId, ...toPageValues(asked) });
      return rows.map((row) => ({ id: row.id, createdAt: new Date(row.created_at), row }));
    },
  };
};

/** The rows by kind, each kind in the given order. */
export const toStructure = (rows: readonly StructureRow[]): OrganizationStructure => ({
  unitTypes: rows.filter((row) => row.kind === "unitType").map(toNamed),
  units: rows.filter((row) => row.kind === "unit").map(toUnit),
  locations: rows.filter((row) => row.kind === "location").map(toNamed),
});

/** A row of any of the three tables in one shape; `kind` names the table. */
type StructureRow =
  | (UnitRow & { readonly kind: "unit" })
  | (NamedRow<UnitTypeId> & { readonly kind: "unitType" })
  | (NamedRow<OrganizationLocationId> & { readonly kind: "location" });

/** What a tenant's structure has with a name and nothing else: unit types, or locations. */
interface NamedRepository<Id> {
  find(id: Id, tenantId: TenantId): Promise<Named<Id> | undefined>;
  /** Those with these ids, in whichever tenant. */
  findAll(ids: readonly Id[]): Promise<Named<Id>[]>;
  /** None ever moves to another tenant. */
  tenantOf(id: Id): Promise<TenantId | undefined>;
  /** Those of the tenants, in no order. */
  listOf(tenantIds: readonly TenantId[]): Promise<Named<Id>[]>;
  createAll(all: readonly Named<Id>[]): Promise<void>;
}

function namedRepository<Id extends UnitTypeId | OrganizationLocationId>(
  db: Database<WorkforceTables>,
  table: "workforce_unit_types" | "workforce_locations",
): NamedRepository<Id> {
  const entries = () => db.selectFrom(table).select(["id", "tenant_id", "name", "created_at"]).$castTo<NamedRow<Id>>();
  return {
    async find(id, tenantId) {
      const row = await entries().where("id", "=", id).where("tenant_id", "=", tenantId).executeTakeFirst();
      return row && toNamed(row);
    },

    async findAll(ids) {
      if (ids.length === 0) return [];
      return (
        await entries()
          .where(isOneOf(db, "id", ids))
          .execute()
      ).map(toNamed);
    },

    async tenantOf(id) {
      const row = await entries().where("id", "=", id).executeTakeFirst();
      return row?.tenant_id;
    },

    async listOf(tenantIds) {
      return (
        await entries()
          .where(isOneOf(db, "tenant_id", tenantIds))
          .execute()
      ).map(toNamed);
    },

    // What is inserted has the same columns in both tables.
    createAll: (all) => insertRows(db, table, all.map(toNamedRow) as NamedRow<never>[]),
  };
}

export interface UnitTypeRepository extends NamedRepository<UnitTypeId> {
  /** Which of the ids are of erased unit types. */
  listErased(ids: readonly UnitTypeId[]): Promise<ReadonlySet<UnitTypeId>>;
  rename(id: UnitTypeId, name: string): Promise<void>;
}

export const unitTypeRepository = (db: Database<WorkforceTables>): UnitTypeRepository => ({
  ...namedRepository<UnitTypeId>(db, "workforce_unit_types"),

  listErased: (ids) => erasedAmong(db, "workforce_unit_types", ids),

  async rename(id, name) {
    await db.updateTable("workforce_unit_types").set({ name }).where("id", "=", id).execute();
  },
});

export interface LocationRepository extends NamedRepository<OrganizationLocationId> {
  /** The store refuses it while a worker is placed there. */
  delete(id: OrganizationLocationId): Promise<void>;
}

export const locationRepository = (db: Database<WorkforceTables>): LocationRepository => ({
  ...namedRepository<OrganizationLocationId>(db, "workforce_locations"),

  async delete(id) {
    await db.deleteFrom("workforce_locations").where("id", "=", id).execute();
  },
});
