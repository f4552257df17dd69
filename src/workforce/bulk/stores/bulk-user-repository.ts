import { sql } from "kysely";
import type { PersonId, TenantId, UserId } from "#runtime/basis/ids.ts";
import { insertRows, isOneOf } from "#runtime/database/batch.ts";
import type { Database } from "#runtime/database/database.ts";
import { PERSON_COLUMNS } from "../../people/person-row.ts";
import type { WorkforceTables } from "../../tables.ts";
import type { User } from "../../users/user.ts";
import { toUser, USER_COLUMNS } from "../../users/user-row.ts";
import type { HeldSeat } from "../held-seats.ts";

/** A user and who manages it. */
export interface ManagedBy {
  readonly id: UserId;
  readonly managerId: UserId | null;
}

/** Many users by one statement. */
export interface BulkUserRepository {
  /** Those of the ids that exist, in whichever tenant. */
  findAll(ids: readonly UserId[]): Promise<User[]>;
  /** Users of the people that are not DELETED. */
  listSeats(personIds: readonly PersonId[]): Promise<HeldSeat<UserId>[]>;
  createAll(users: readonly User[]): Promise<void>;
  /** Who manages whom among the users after an id, in the order of the database. */
  listManagedAfter(tenantId: TenantId, after: string, count: number): Promise<ManagedBy[]>;
}

export const bulkUserRepository = (db: Database<WorkforceTables>): BulkUserRepository => ({
  async findAll(ids) {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("workforce_users")
      .innerJoin("workforce_people", "workforce_people.id", "workforce_users.person_id")
      .leftJoin("workforce_access_roles", "workforce_access_roles.id", "workforce_users.access_role_id")
      .select(PERSON_COLUMNS)
      .select(USER_COLUMNS)
      .where(isOneOf(db, "workforce_users.id", ids))
      .execute();
    return rows.map(toUser);
  },

  async listSeats(personIds) {
    if (personIds.length === 0) return [];
    const rows = await db
      .selectFrom("workforce_users")
      .select(["id", "tenant_id", "person_id"])
      .where(isOneOf(db, "person_id", personIds))
      .where("status", "<>", sql.lit("DELETED"))
      .execute();
    return rows.map(({ id, tenant_id, person_id }) => ({ id, tenantId: tenant_id, personId: person_id }));
  },

  createAll: (users) =>
    insertRows(
      db,
      "workforce_users",
      users.map((user) => ({
        id: user.id,
        tenant_id: user.tenantId,
        person_id: user.person.id,
        status: user.status,
        manager_id: user.managerId,
        access_role_id: user.role?.id ?? null,
        created_at: user.createdAt.getTime(),
      })),
    ),

  async listManagedAfter(tenantId, after, count) {
    const rows = await db
      .selectFrom("workforce_users")
      .select(["id", "manager_id"])
      .where("tenant_id", "=", tenantId)
      .where("id", ">", after as UserId)
      .orderBy("id")
      .limit(count)
      .execute();
    return rows.map(({ id, manager_id }) => ({ id, managerId: manager_id }));
  },
});
