import type { InstanceId, TenantId, UserId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { pageOf } from "#runtime/database/page-rows.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { byBytes, insertRows, isOneOf } from "#runtime/database/rows.ts";
import { type LimitedPage, type PageValues, toPageValues } from "../page.ts";
import { type AddressColumns, toAddressRow, toPostalAddress } from "../postal-address.ts";
import type { WorkforceTables } from "../tables.ts";
import { STANDARD_ROLES } from "./access-role.ts";
import type { Tenant } from "./tenant.ts";

/** Reads no tenant that is erased, but to know whose it was: its row is there for what refers to it, and belongs to the rooms of `erasure/`. */
export interface TenantRepository {
  /** On whichever instance; for the platform, never for the gateway. */
  find(id: TenantId): Promise<Tenant | undefined>;
  /** A page of the instance's tenants, by creation time, then id; one more than the page has, if there are more. */
  listPage(instanceId: InstanceId, page: LimitedPage<TenantId>): Promise<Tenant[]>;
  /** At most `count` tenants of the instance after an id, in the order of the ids' bytes. */
  listAfter(instanceId: InstanceId, after: string, count: number): Promise<Tenant[]>;
  /** Of the ids, those that are no tenants of the instance. */
  listUnknown(instanceId: InstanceId, ids: readonly string[]): Promise<string[]>;
  /** Of the ids, those of tenants that are and were on none of the instances: the one look that erased ones are found by. */
  listForeign(instanceIds: readonly string[], ids: readonly string[]): Promise<string[]>;
  /** With the roles that every tenant is made with. */
  createAll(tenants: readonly Tenant[]): Promise<void>;
  replaceDetails(id: TenantId, details: Pick<Tenant, "name" | "address">): Promise<void>;
  /**
   * Locks the tenant: every write to what belongs to a tenant begins with this, so that such writes take turns and each sees what the one
   * before it left.
   */
  lock(id: TenantId): Promise<Tenant | undefined>;
  /** Locks the tenants with these ids, in the order of the ids, so that no two changes wait for each other. */
  lockAll(ids: readonly TenantId[]): Promise<Tenant[]>;
  /** Locks the tenant that a user belongs to. */
  lockTenantOf(userId: UserId): Promise<Tenant | undefined>;
}

const COLUMNS = [
  "id",
  "instance_id",
  "name",
  "address1",
  "address2",
  "city",
  "iso_country_code",
  "postal_code",
  "zone_code",
  "created_at",
] as const;

export const tenantRepository = (db: Database<WorkforceTables>): TenantRepository => {
  const tenants = () => db.selectFrom("workforce_tenants").select(COLUMNS).where("erased_at", "is", null);
  // SQLite's writer is alone anyway. Foreign keys that refer to the tenant do not wait for this kind of lock.
  const lockable = () => (isSqlite(db) ? tenants() : tenants().forNoKeyUpdate());
  const one = prepared(db, (value: ValueOf<{ id: TenantId }>) => tenants().where("id", "=", value("id")));
  const page = prepared(db, (value: ValueOf<PageValues<TenantId> & { instanceId: InstanceId }>) =>
    pageOf(tenants().where("instance_id", "=", value("instanceId")), value),
  );
  return {
    async find(id) {
      const row = await one.first({ id });
      return row && toTenant(row);
    },

    async listPage(instanceId, asked) {
      return (await page.all({ instanceId, ...toPageValues(asked) })).map(toTenant);
    },

    async listAfter(instanceId, after, count) {
      const rows = await tenants()
        .where("instance_id", "=", instanceId)
        .where(byBytes(db, "id"), ">", after)
        .orderBy(byBytes(db, "id"))
        .limit(count)
        .execute();
      return rows.map(toTenant);
    },

    async listUnknown(instanceId, ids) {
      const rows = await tenants()
        .where("instance_id", "=", instanceId)
        .where(isOneOf(db, "id", ids))
        .execute();
      const known = new Set<string>(rows.map(({ id }) => id));
      return ids.filter((id) => !known.has(id));
    },

    async listForeign(instanceIds, ids) {
      const rows = await db
        .selectFrom("workforce_tenants")
        .select("id")
        .where(isOneOf(db, "instance_id", instanceIds))
        .where(isOneOf(db, "id", ids))
        .execute();
      const own = new Set<string>(rows.map(({ id }) => id));
      return ids.filter((id) => !own.has(id));
    },

    async createAll(all) {
      // In one order: of two who make the same tenants at once, one waits for the other.
      await insertRows(db, "workforce_tenants", all.toSorted(byId).map(toRow));
      const roles = all.flatMap(({ id }) =>
        STANDARD_ROLES.map(({ permissions, ...role }) => ({
          tenant_id: id,
          ...role,
          permissions: JSON.stringify(permissions),
        })),
      );
      await insertRows(db, "workforce_access_roles", roles);
    },

    async replaceDetails(id, { name, address }) {
      await db
        .updateTable("workforce_tenants")
        .set({ name, ...toAddressRow(address) })
        .where("id", "=", id)
        .execute();
    },

    async lock(id) {
      const row = await lockable().where("id", "=", id).executeTakeFirst();
      return row && toTenant(row);
    },

    async lockAll(ids) {
      if (ids.length === 0) return [];
      const rows = await lockable()
        .where(isOneOf(db, "id", ids))
        .orderBy(byBytes(db, "id"))
        .execute();
      return rows.map(toTenant);
    },

    async lockTenantOf(userId) {
      const row = await lockable()
        .where("id", "=", ({ selectFrom }) =>
          selectFrom("workforce_users").select("tenant_id").where("workforce_users.id", "=", userId),
        )
        .executeTakeFirst();
      return row && toTenant(row);
    },
  };
};

const byId = (one: Tenant, other: Tenant): number => (one.id < other.id ? -1 : Number(one.id > other.id));

interface TenantRow extends AddressColumns {
  readonly id: TenantId;
  readonly instance_id: InstanceId;
  readonly name: string;
  readonly created_at: number;
}

const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  instanceId: row.instance_id,
  name: row.name,
  address: toPostalAddress(row),
  createdAt: new Date(row.created_at),
});

const toRow = ({ id, instanceId, name, address, createdAt }: Tenant) => ({
  id,
  instance_id: instanceId,
  name,
  ...toAddressRow(address),
  revision: 1,
  created_at: createdAt.getTime(),
});
