import { notFound } from "#runtime/basis/errors.ts";
import type { TenantId, UserId } from "#runtime/basis/ids.ts";
import { userExists } from "../../people/taken-seat.ts";
import { unknownReference } from "../../refusals.ts";
import type { AccessRole } from "../../tenants/access-role.ts";
import type { User } from "../../users/user.ts";
import { userCreated } from "../../users/user-event-wire.ts";
import { HeldSeats } from "../held-seats.ts";
import { getTenant, type ImportContext } from "../import-context.ts";
import type { Verdict } from "../import-position.ts";
import { byId, importRun } from "../import-run.ts";
import { KnownPeople } from "../known-people.ts";
import type { LineOf } from "../line.ts";
import { toUserLine } from "../lines/user-line.ts";

/** Creates users in the status that their line tells; those that are not DELETED are announced. */
export async function importUsers(lines: readonly LineOf<"user">[], context: ImportContext): Promise<Verdict[]> {
  const { many, at } = context;
  const people = await KnownPeople.of(
    context,
    lines.map(({ person }) => person),
  );
  const managerIds = lines.map(({ managerId }) => managerId).filter((id) => id !== null);
  const stored = byId(await many.users.findAll([...lines.map(({ id }) => id), ...managerIds]));
  const seats = new HeldSeats(await many.users.listSeats(people.ids));
  const roles = await rolesOf(context, [...new Set(lines.map(({ tenantId }) => tenantId))]);
  return importRun(lines, at, {
    noun: "The user",
    stored,
    toLine: toUserLine,
    make({ id, tenantId, person, status, managerId, role }, createdAt): User {
      getTenant(context, tenantId);
      managerOf(stored, managerId, tenantId);
      const seat = {
        person: people.resolve(person, createdAt),
        role: role === null ? null : roles.get(tenantId, role),
      };
      return { id, tenantId, ...seat, status, managerId, createdAt };
    },
    admit({ id, tenantId, person, status }) {
      const seat = { tenantId, personId: person.id };
      const holder = seats.find(seat);
      if (holder !== undefined && status !== "DELETED") throw userExists(holder);
      people.admit(person);
      if (status !== "DELETED") seats.hold({ id, ...seat });
    },
    async create(created) {
      await people.write();
      await many.users.createAll(created);
      for (const { tenantId } of created) context.touched.tenants.add(tenantId);
      const told = created.filter(({ status }) => status !== "DELETED");
      await context.emit(
        told.map((user) => {
          const manager = managerOf(stored, user.managerId, user.tenantId);
          return userCreated(user, manager, getTenant(context, user.tenantId).instanceId);
        }),
      );
    },
  });
}

/** A deleted user is nobody's manager: deleting one clears it everywhere. @throws NOT_FOUND (user_not_found). */
function managerOf(users: ReadonlyMap<string, User>, id: UserId | null, tenantId: TenantId): User | undefined {
  if (id === null) return undefined;
  const manager = users.get(id);
  if (manager?.tenantId !== tenantId || manager.status === "DELETED") throw unknownReference("user", "managerId", id);
  return manager;
}

async function rolesOf({ many }: ImportContext, tenantIds: readonly TenantId[]) {
  const byTenant = Map.groupBy(await many.accessRoles.listOf(tenantIds), ({ tenantId }) => tenantId);
  return {
    /** @throws NOT_FOUND (access_role_not_found) that lists the names there are. */
    get(tenantId: TenantId, name: string): AccessRole {
      const roles = (byTenant.get(tenantId) ?? []).map(({ role }) => role);
      const role = roles.find((one) => one.name === name);
      if (role !== undefined) return role;
      const names = roles.map((one) => one.name).join(", ");
      throw notFound("access_role_not_found", `The tenant has no access role of that name. It has: ${names}.`);
    },
  };
}
