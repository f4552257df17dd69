import { type SelectQueryBuilder, sql } from "kysely";
import type { PersonId, TenantId, UserId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { pageOf } from "#runtime/database/page-rows.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { insertRows, isAmong, isOneOf } from "#runtime/database/rows.ts";
import { type LimitedPage, type PageValues, toPageValues } from "../page.ts";
import { PERSON_COLUMNS } from "../people/person-row.ts";
import type { TakenSeat } from "../people/seat.ts";
import type { WorkforceTables } from "../tables.ts";
import type { ManagedUser, User } from "./user.ts";
import { toManagedUsers, toUser, toUserRow, USER_COLUMNS } from "./user-row.ts";
import type { UserStatus } from "./user-status.ts";

export interface UserRepository {
  /** In whichever tenant; for the platform, never for the gateway. */
  find(id: UserId): Promise<User | undefined>;
  /** The users with these ids, in whichever tenant. */
  findAll(ids: readonly UserId[]): Promise<User[]>;
  findInTenant(id: UserId, tenantId: TenantId): Promise<User | undefined>;
  findManaged(id: UserId, tenantId: TenantId): Promise<ManagedUser | undefined>;
  /** Users that are not DELETED, by creation time, then id; one more than the page has, if there are more. */
  listManaged(tenantId: TenantId, page: LimitedPage<UserId>): Promise<ManagedUser[]>;
  /** Users by creation time, then id, DELETED ones on demand; one more than the page has, if there are more. */
  listByTenant(
    tenantId: TenantId,
    page: LimitedPage<UserId>,
    options: { readonly deletedToo: boolean },
  ): Promise<readonly User[]>;
  /** The person's user in the tenant that is not DELETED; there is at most one. */
  findSeat(tenantId: TenantId, personId: PersonId): Promise<UserId | undefined>;
  /** Users of the people that are not DELETED. */
  listSeats(personIds: readonly PersonId[]): Promise<TakenSeat<UserId>[]>;
  findOldestActive(tenantId: TenantId, accessRoleId: number): Promise<UserId | undefined>;
  findManager(user: User): Promise<User | undefined>;
  /** Users whose manager is this one, oldest first. */
  listReports(managerId: UserId, tenantId: TenantId): Promise<readonly User[]>;
  /** The person's user in the tenant that is not DELETED; there is at most one. */
  findOfPerson(personId: PersonId, tenantId: TenantId): Promise<User | undefined>;
  /** At most `count` users of the tenant after an id that are not erased, in the order of the database; each with who manages it. */
  listManagersAfter(tenantId: TenantId, after: string, count: number): Promise<Pick<User, "id" | "managerId">[]>;
  createAll(users: readonly User[]): Promise<void>;
  /** Changes the status if it still is `from`; false when somebody was faster. */
  replaceStatus(id: UserId, from: UserStatus, to: UserStatus): Promise<boolean>;
  replaceManager(id: UserId, managerId: UserId | null): Promise<void>;
  replaceRole(id: UserId, accessRoleId: number | null): Promise<void>;
  /** True when the user answers to the manager, directly or through others. */
  isManagedBy(id: UserId, managerId: UserId): Promise<boolean>;
  /** True when the user's role is also that of another user of the tenant that is not DELETED. */
  hasOthersWithRole(user: User): Promise<boolean>;
  clearManager(managerId: UserId, tenantId: TenantId): Promise<void>;
}

export const userRepository = (db: Database<WorkforceTables>): UserRepository => {
  const users = () =>
    db
      .selectFrom("workforce_users")
      .innerJoin("workforce_people", "workforce_people.id", "workforce_users.person_id")
      .leftJoin("workforce_access_roles", "workforce_access_roles.id", "workforce_users.access_role_id")
      .select(PERSON_COLUMNS)
      .select(USER_COLUMNS);
  const findInTenant = async (id: UserId, tenantId: TenantId): Promise<User | undefined> => {
    const row = await users()
      .where("workforce_users.id", "=", id)
      .where("workforce_users.tenant_id", "=", tenantId)
      .executeTakeFirst();
    return row && toUser(row);
  };
  // The requested users, as `asked`, with their managers: a single read, so that all are of one instant.
  const managed = <P extends object>(asked: (value: ValueOf<P>) => Asked) =>
    prepared(db, (value: ValueOf<P>) =>
      db
        .with("asked", () => asked(value))
        .selectFrom("workforce_users")
        .innerJoin("workforce_people", "workforce_people.id", "workforce_users.person_id")
        .leftJoin("workforce_access_roles", "workforce_access_roles.id", "workforce_users.access_role_id")
        .select(PERSON_COLUMNS)
        .select(USER_COLUMNS)
        // Not a join: SQLite would look through all of `asked` for each row.
        .select(({ case: when, eb, selectFrom }) =>
          when()
            .when(eb("workforce_users.id", "in", selectFrom("asked").select("asked.id")))
            .then(sql.lit(1))
            .else(sql.lit(0))
            .end()
            .as("is_asked"),
        )
        .where(({ selectFrom }) =>
          isAmong(
            db,
            "workforce_users.id",
            selectFrom("asked")
              .select("asked.id")
              .union(
                selectFrom("asked")
                  .select("asked.manager_id as id")
                  .where("asked.manager_id", "is not", null)
                  .$castTo<{ id: UserId }>(),
              ),
          ),
        )
        .orderBy("workforce_users.created_at")
        .orderBy("workforce_users.id"),
    );
  const oneManaged = managed((value: ValueOf<{ id: UserId; tenantId: TenantId }>) =>
    db
      .selectFrom("workforce_users")
      .select(["id", "manager_id"])
      .where("id", "=", value("id"))
      .where("tenant_id", "=", value("tenantId")),
  );
  const pageManaged = managed((value: ValueOf<PageValues<UserId> & { tenantId: TenantId }>) =>
    pageOf(
      db
        .selectFrom("workforce_users")
        .select(["id", "manager_id"])
        .where("tenant_id", "=", value("tenantId"))
        .where("status", "<>", sql.lit("DELETED")),
      value,
    ),
  );
  return {
    findInTenant,

    async findManaged(id, tenantId) {
      return toManagedUsers(await oneManaged.all({ id, tenantId }))[0];
    },

    async listManaged(tenantId, page) {
      return toManagedUsers(await pageManaged.all({ tenantId, ...toPageValues(page) }));
    },

    async findAll(ids) {
      if (ids.length === 0) return [];
      const rows = await users()
        .where(isOneOf(db, "workforce_users.id", ids))
        .execute();
      return rows.map(toUser);
    },

    async find(id) {
      const row = await users().where("workforce_users.id", "=", id).executeTakeFirst();
      return row && toUser(row);
    },

    async findManager({ managerId, tenantId }) {
      return managerId === null ? undefined : findInTenant(managerId, tenantId);
    },

    async listByTenant(tenantId, page, { deletedToo }) {
      const values = toPageValues(page);
      const ofTenant = users().where("workforce_users.tenant_id", "=", tenantId);
      const all = pageOf(ofTenant, (name) => values[name], "workforce_users");
      const chosen = deletedToo ? all : all.where("workforce_users.status", "<>", sql.lit("DELETED"));
      return (await chosen.execute()).map(toUser);
    },

    async findSeat(tenantId, personId) {
      const row = await db
        .selectFrom("workforce_users")
        .select("id")
        .where("tenant_id", "=", tenantId)
        .where("person_id", "=", personId)
        .where("status", "<>", sql.lit("DELETED"))
        .executeTakeFirst();
      return row?.id;
    },

    async listSeats(personIds) {
      if (personIds.length === 0) return [];
      return db
        .selectFrom("workforce_users")
        .select(["id", "tenant_id as tenantId", "person_id as personId"])
        .where(isOneOf(db, "person_id", personIds))
        .where("status", "<>", sql.lit("DELETED"))
        .execute();
    },

    async findOldestActive(tenantId, accessRoleId) {
      const row = await db
        .selectFrom("workforce_users")
        .select("id")
        .where("tenant_id", "=", tenantId)
        .where("access_role_id", "=", accessRoleId)
        .where("status", "=", sql.lit("ACTIVE"))
        .orderBy("created_at")
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      return row?.id;
    },

    // Sorted here: for an index by age a database would read every user of the tenant.
    async listReports(managerId, tenantId) {
      const rows = await users()
        .where("workforce_users.tenant_id", "=", tenantId)
        .where("workforce_users.manager_id", "=", managerId)
        .execute();
      return rows.map(toUser).toSorted(byAge);
    },

    async findOfPerson(personId, tenantId) {
      const row = await users()
        .where("workforce_users.tenant_id", "=", tenantId)
        .where("workforce_users.person_id", "=", personId)
        .where("workforce_users.status", "<>", sql.lit("DELETED"))
        .executeTakeFirst();
      return row && toUser(row);
    },

    listManagersAfter: (tenantId, after, count) =>
      db
        .selectFrom("workforce_users as user")
        .innerJoin("workforce_people as person", "person.id", "user.person_id")
        .select(["user.id", "user.manager_id as managerId"])
        .where("user.tenant_id", "=", tenantId)
        .where("user.id", ">", after as UserId)
        .where("person.erased_at", "is", null)
        .orderBy("user.id")
        .limit(count)
        .execute(),

    createAll: (created) => insertRows(db, "workforce_users", created.map(toUserRow)),

    async replaceStatus(id, from, to) {
      const { numUpdatedRows } = await db
        .updateTable("workforce_users")
        .set({ status: to })
        .where("id", "=", id)
        .where("status", "=", from)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async replaceManager(id, managerId) {
      await db.updateTable("workforce_users").set({ manager_id: managerId }).where("id", "=", id).execute();
    },

    async replaceRole(id, accessRoleId) {
      await db.updateTable("workforce_users").set({ access_role_id: accessRoleId }).where("id", "=", id).execute();
    },

    async isManagedBy(id, managerId) {
      // A union without doubles ends even if a circle were there.
      const found = await db
        .withRecursive("above", (above) =>
          above
            .selectFrom("workforce_users")
            .select("manager_id as id")
            .where("id", "=", id)
            .union(
              above
                .selectFrom("workforce_users")
                .innerJoin("above", "above.id", "workforce_users.id")
                .select("workforce_users.manager_id as id"),
            ),
        )
        .selectFrom("above")
        .select("above.id")
        .where("above.id", "=", managerId)
        .executeTakeFirst();
      return found !== undefined;
    },

    async hasOthersWithRole({ id, tenantId, role }) {
      if (role === null) return false;
      const other = await db
        .selectFrom("workforce_users")
        .select("id")
        .where("tenant_id", "=", tenantId)
        .where("access_role_id", "=", role.id)
        .where("id", "<>", id)
        .where("status", "<>", sql.lit("DELETED"))
        .limit(1)
        .executeTakeFirst();
      return other !== undefined;
    },

    async clearManager(managerId, tenantId) {
      await db
        .updateTable("workforce_users")
        .set({ manager_id: null })
        .where("tenant_id", "=", tenantId)
        .where("manager_id", "=", managerId)
        .execute();
    },
  };
};

const byAge = (one: User, other: User): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);

type Asked = SelectQueryBuilder<WorkforceTables, "workforce_users", { id: UserId; manager_id: UserId | null }>;
