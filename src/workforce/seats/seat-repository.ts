import { sql } from "kysely";
import type { InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WorkforceTables } from "../tables.ts";
import type { LastLoginContext } from "./last-login-context.ts";
import type { Seats } from "./seat.ts";

export interface SeatRepository {
  listOnInstance(personId: PersonId, instanceId: InstanceId): Promise<Seats>;
  findLastLoginContext(personId: PersonId, instanceId: InstanceId): Promise<LastLoginContext | undefined>;
  /** Remembers the seat in the place of the one before it. */
  replaceLastLoginContext(
    personId: PersonId,
    instanceId: InstanceId,
    context: LastLoginContext,
    at: Date,
  ): Promise<void>;
}

export const seatRepository = (db: Database<WorkforceTables>): SeatRepository => ({
  async listOnInstance(personId, instanceId) {
    const users = db
      .selectFrom("workforce_users as seat")
      .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
      .select(["seat.id", "seat.tenant_id as tenantId", "seat.status"])
      .where("seat.person_id", "=", personId)
      .where("seat.status", "<>", sql.lit("DELETED"))
      .where("tenant.instance_id", "=", instanceId)
      .orderBy("seat.created_at")
      .orderBy("seat.id");
    const workers = db
      .selectFrom("workforce_workers as seat")
      .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
      .select(["seat.id", "seat.tenant_id as tenantId"])
      .where("seat.person_id", "=", personId)
      .where("seat.ended_at", "is", null)
      .where("tenant.instance_id", "=", instanceId)
      .orderBy("seat.created_at")
      .orderBy("seat.id");
    return { users: await users.execute(), workers: await workers.execute() };
  },

  findLastLoginContext: (personId, instanceId) =>
    db
      .selectFrom("workforce_last_login_contexts")
      .select(["kind", "tenant_id as tenantId"])
      .where("person_id", "=", personId)
      .where("instance_id", "=", instanceId)
      .executeTakeFirst(),

  async replaceLastLoginContext(personId, instanceId, { kind, tenantId }, at) {
    const values = { kind, tenant_id: tenantId, set_at: at.getTime() };
    await db
      .insertInto("workforce_last_login_contexts")
      .values({ person_id: personId, instance_id: instanceId, ...values })
      .onConflict((conflict) => conflict.columns(["person_id", "instance_id"]).doUpdateSet(values))
      .execute();
  },
});
