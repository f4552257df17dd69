import { sql } from "kysely";
import type { InstanceId, PersonId, TenantId, UserId, WorkerId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "../tables.ts";
import type { LastLoginContext } from "./last-login-context.ts";
import type { Person, PersonHistory } from "./person.ts";
import { HISTORY_COLUMNS, PERSON_COLUMNS, toHistory, toPerson } from "./person-row.ts";
import { ADMITTING, admits, type DescribedSeat, type SeatStatus, type Seats } from "./seat.ts";

/** A person as sign-on sees them on one instance. */
export interface SeatHolder {
  readonly person: Person & PersonHistory;
  readonly seats: Seats;
  readonly loginContext: LastLoginContext | undefined;
}

export interface SeatRepository {
  /** The person with their seats on the instance and the seat used last there; one question. */
  findHolder(personId: PersonId, instanceId: InstanceId): Promise<SeatHolder | undefined>;
  listOnInstance(personId: PersonId, instanceId: InstanceId): Promise<Seats>;
  /** The tenants in which any of the people has a user or a worker, DELETED and ended ones included, by id; no erased ones. */
  listTenants(personIds: readonly PersonId[]): Promise<readonly TenantId[]>;
  /**
   * The seats of the person in tenants that are not erased, DELETED and ended ones included, by creation time, then id;
   * at most `count`, of which those that admit the person go before the others.
   */
  describe(personId: PersonId, count: number): Promise<readonly DescribedSeat[]>;
  /** The instances on which the person has an INVITED user, by id. */
  listInvitingInstances(personId: PersonId): Promise<readonly InstanceId[]>;
  /** True when the person is a worker somewhere, or was one. */
  hasWorker(personId: PersonId): Promise<boolean>;
  /** Remembers the seat in the place of the one before it. */
  replaceLastLoginContext(
    personId: PersonId,
    instanceId: InstanceId,
    loginContext: LastLoginContext,
    at: Date,
  ): Promise<void>;
}

/** A user or a worker; only a user has a status. */
interface SeatRow {
  readonly id: UserId | WorkerId;
  readonly tenant_id: TenantId;
  readonly created_at: number;
  readonly status: SeatStatus | null;
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
  const holder = prepared(db, (value: ValueOf<OnInstance>) => {
    const columns = ["seat.id", "seat.tenant_id", "seat.created_at"] as const;
    const ofUsers = db
      .selectFrom("workforce_users as seat")
      .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
      .select(columns)
      .select(sql<string | null>`seat.status`.as("status"))
      .where("seat.person_id", "=", value("personId"))
      .where("seat.status", "<>", sql.lit("DELETED"))
      .where("tenant.instance_id", "=", value("instanceId"))
      .where("tenant.erased_at", "is", null);
    const ofWorkers = db
      .selectFrom("workforce_workers as seat")
      .innerJoin("workforce_tenants as tenant", "tenant.id", "seat.tenant_id")
      .select(columns)
      .select(sql<string | null>`null`.as("status"))
      .where("seat.person_id", "=", value("personId"))
      .where("seat.ended_at", "is", null)
      .where("tenant.instance_id", "=", value("instanceId"))
      .where("tenant.erased_at", "is", null);
    return db
      .selectFrom("workforce_people")
      .leftJoin(ofUsers.$castTo<SeatRow>().unionAll(ofWorkers.$castTo<SeatRow>()).as("seat"), (join) => join.onTrue())
      .leftJoin("workforce_last_login_contexts as context", (join) =>
        join.onRef("context.person_id", "=", "workforce_people.id").on("context.instance_id", "=", value("instanceId")),
      )
      .select(PERSON_COLUMNS)
      .select(HISTORY_COLUMNS)
      .select(["seat.id as seat_id", "seat.tenant_id as seat_tenant_id", "seat.status as seat_status"])
      .select(["context.kind as context_kind", "context.tenant_id as context_tenant_id"])
      .where("workforce_people.id", "=", value("personId"))
      .orderBy("seat.created_at")
      .orderBy("seat.id");
  });
  return {
    async findHolder(personId, instanceId) {
      const rows = await holder.all({ personId, instanceId });
      const [row] = rows;
      if (row === undefined) return undefined;
      const users: Seats["users"][number][] = [];
      const workers: Seats["workers"][number][] = [];
      for (const { seat_id: id, seat_tenant_id: tenantId, seat_status: status } of rows) {
        if (id === null || tenantId === null) continue;
        if (status === null) workers.push({ id: id as WorkerId, tenantId });
        else users.push({ id: id as UserId, tenantId, status });
      }
      const { context_kind: kind, context_tenant_id: tenantId } = row;
      const loginContext = kind === null || tenantId === null ? undefined : { kind, tenantId };
      return { person: { ...toPerson(row), ...toHistory(row) }, seats: { users, workers }, loginContext };
    },

    async listOnInstance(personId, instanceId) {
      return { users: await users.all({ personId, instanceId }), workers: await workers.all({ personId, instanceId }) };
    },

    async listTenants(personIds) {
      if (personIds.length === 0) return [];
      const of = (seats: "workforce_users" | "workforce_workers") =>
        db
          .selectFrom(seats)
          .select("tenant_id")
          .where(isOneOf(db, "person_id", personIds));
      const rows = await db
        .selectFrom("workforce_tenants")
        .select("id")
        .where("id", "in", of("workforce_users").union(of("workforce_workers")))
        .where("erased_at", "is", null)
        .execute();
      return rows.map(({ id }) => id).toSorted();
    },

    async describe(personId, count) {
      const placed = db
        .selectFrom("workforce_tenants as tenant")
        .innerJoin("workforce_instances as instance", "instance.id", "tenant.instance_id")
        .select(["tenant.id as tenantId", "tenant.name as tenantName"])
        .select(["instance.id as instanceId", "instance.name as instanceName"])
        .where("tenant.erased_at", "is", null)
        .limit(count);
      const ofUsers = await placed
        .innerJoin("workforce_users as seat", "seat.tenant_id", "tenant.id")
        .select(["seat.id", "seat.created_at as createdAt", "seat.status"])
        .where("seat.person_id", "=", personId)
        .orderBy(({ eb }) => eb.case().when("seat.status", "in", ADMITTING).then(0).else(1).end())
        .orderBy("seat.created_at")
        .orderBy("seat.id")
        .execute();
      const ofWorkers = await placed
        .innerJoin("workforce_workers as seat", "seat.tenant_id", "tenant.id")
        .select(["seat.id", "seat.created_at as createdAt", "seat.ended_at as endedAt"])
        .where("seat.person_id", "=", personId)
        .orderBy(({ eb }) => eb.case().when("seat.ended_at", "is", null).then(0).else(1).end())
        .orderBy("seat.created_at")
        .orderBy("seat.id")
        .execute();
      const all = [
        ...ofUsers.map(({ status, ...seat }) => ({ ...seat, kind: "USER" as const, state: status })),
        ...ofWorkers.map(({ endedAt, ...seat }) => ({
          ...seat,
          kind: "WORKER" as const,
          state: endedAt === null ? ("EMPLOYED" as const) : ("ENDED" as const),
        })),
      ];
      const oldestFirst = all.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
      const { yes = [], no = [] } = Object.groupBy(oldestFirst, ({ state }) => (admits(state) ? "yes" : "no"));
      const shown = new Set([...yes, ...no].slice(0, count));
      return oldestFirst.filter((seat) => shown.has(seat)).map(({ createdAt: _, ...seat }) => seat);
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
