import { sql } from "kysely";
import type { InstanceId, PersonId, TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { WorkforceTables } from "../tables.ts";
import type { LastLoginContext } from "./last-login-context.ts";
import type { DescribedSeat, SeatStatus, Seats } from "./seat.ts";

export interface SeatRepository {
  listOnInstance(personId: PersonId, instanceId: InstanceId): Promise<Seats>;
  /** The tenants in which the person has a user or a worker, DELETED and ended ones included, by id; no erased ones. */
  listTenants(personId: PersonId): Promise<readonly TenantId[]>;
  /** All seats of the person, DELETED and ended ones included, oldest first, at most `count`. */
  describe(personId: PersonId, count: number): Promise<readonly DescribedSeat[]>;
  /** The instances on which the person has an INVITED user, by id. */
  listInvitingInstances(personId: PersonId): Promise<readonly InstanceId[]>;
  /** True when the person is a worker somewhere, or was one. */
  hasWorker(personId: PersonId): Promise<boolean>;
  findLastLoginContext(personId: PersonId, instanceId: InstanceId): Promise<LastLoginContext | undefined>;
  /** Remembers the seat in the place of the one before it. */
  replaceLastLoginContext(
    personId: PersonId,
    instanceId: InstanceId,
    loginContext: LastLoginContext,
    at: Date,
  ): Promise<void>;
}

interface OnInstance {
  readonly personId: PersonId;
  readonly instanceId: InstanceId;
}

export const seatRepository = (db: Database<WorkforceTables>): SeatRepository => {
  const users = prepared(db, (value: ValueOf<OnInstance>) =>
    db
      .selectFrom("workforce_users as seat")
      .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
      .select(["seat.id", "seat.tenant_id as tenantId", "seat.status"])
      .where("seat.person_id", "=", value("personId"))
      .where("seat.status", "<>", sql.lit("DELETED"))
      .where("tenant.instance_id", "=", value("instanceId"))
      .where("tenant.erased_at", "is", null)
      .$narrowType<{ status: SeatStatus }>()
      .orderBy("seat.created_at")
      .orderBy("seat.id"),
  );
  const workers = prepared(db, (value: ValueOf<OnInstance>) =>
    db
      .selectFrom("workforce_workers as seat")
      .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
      .select(["seat.id", "seat.tenant_id as tenantId"])
      .where("seat.person_id", "=", value("personId"))
      .where("seat.ended_at", "is", null)
      .where("tenant.instance_id", "=", value("instanceId"))
      .where("tenant.erased_at", "is", null)
      .orderBy("seat.created_at")
      .orderBy("seat.id"),
  );
  const lastLoginContext = prepared(db, (value: ValueOf<OnInstance>) =>
    db
      .selectFrom("workforce_last_login_contexts")
      .select(["kind", "tenant_id as tenantId"])
      .where("person_id", "=", value("personId"))
      .where("instance_id", "=", value("instanceId")),
  );
  return {
    async listOnInstance(personId, instanceId) {
      return { users: await users.all({ personId, instanceId }), workers: await workers.all({ personId, instanceId }) };
    },

    async listTenants(personId) {
      const of = (seats: "workforce_users" | "workforce_workers") =>
        db.selectFrom(seats).select("tenant_id").where("person_id", "=", personId);
      const rows = await db
        .selectFrom("workforce_tenants")
        .select("id")
        .where("id", "in", of("workforce_users").union(of("workforce_workers")))
        .where("erased_at", "is", null)
        .execute();
      return rows.map(({ id }) => id).toSorted();
    },

    async describe(personId, count) {
      const placed = ["tenant.id as tenantId", "tenant.name as tenantName"] as const;
      const instance = ["instance.id as instanceId", "instance.name as instanceName"] as const;
      const ofUsers = await db
        .selectFrom("workforce_users as seat")
        .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
        .innerJoin("workforce_instances as instance", "instance.id", "tenant.instance_id")
        .select(["seat.id", "seat.status", ...placed, ...instance])
        .where("seat.person_id", "=", personId)
        .orderBy("seat.created_at")
        .orderBy("seat.id")
        .limit(count)
        .execute();
      const ofWorkers = await db
        .selectFrom("workforce_workers as seat")
        .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
        .innerJoin("workforce_instances as instance", "instance.id", "tenant.instance_id")
        .select(["seat.id", "seat.ended_at as endedAt", ...placed, ...instance])
        .where("seat.person_id", "=", personId)
        .orderBy("seat.created_at")
        .orderBy("seat.id")
        .limit(count)
        .execute();
      return [
        ...ofUsers.map(({ status, ...seat }) => ({ ...seat, kind: "USER" as const, state: status })),
        ...ofWorkers.map(({ endedAt, ...seat }) => ({
          ...seat,
          kind: "WORKER" as const,
          state: endedAt === null ? ("EMPLOYED" as const) : ("ENDED" as const),
        })),
      ];
    },

    async listInvitingInstances(personId) {
      const rows = await db
        .selectFrom("workforce_users as seat")
        .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
        .select("tenant.instance_id as id")
        .distinct()
        .where("seat.person_id", "=", personId)
        .where("seat.status", "=", sql.lit("INVITED"))
        .execute();
      return rows.map(({ id }) => id).toSorted();
    },

    async hasWorker(personId) {
      const found = await db
        .selectFrom("workforce_workers")
        .select("id")
        .where("person_id", "=", personId)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    findLastLoginContext: (personId, instanceId) => lastLoginContext.first({ personId, instanceId }),

    async replaceLastLoginContext(personId, instanceId, { kind, tenantId }, at) {
      const values = { kind, tenant_id: tenantId, set_at: at.getTime() };
      await db
        .insertInto("workforce_last_login_contexts")
        .values({ person_id: personId, instance_id: instanceId, ...values })
        .onConflict((conflict) => conflict.columns(["person_id", "instance_id"]).doUpdateSet(values))
        .execute();
    },
  };
};
